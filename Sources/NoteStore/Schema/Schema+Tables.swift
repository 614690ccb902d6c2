extension Schema {
    /// Version 1: tables, indexes and the view for the plain `sqlite3` tool.
    ///
    /// Times are milliseconds since 1970, UTC. A `…Key` column holds the neighbouring column trimmed, in Unicode's
    /// composed form and case-folded. `place` is 0 live, 1 archive, 2 trash, 3 buffer. The program writes the values
    /// that plain SQL cannot compute (keys, titles, previews, the search index); a change made with another tool leaves
    /// a row in `search_mark`, and the next program that opens the notebook updates these values.
    static let version1Tables = """
        CREATE TABLE container (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
            kind TEXT NOT NULL CHECK (kind IN
                ('inbox', 'starred', 'allNotes', 'trash', 'archive', 'buffer', 'folder', 'project', 'tag')),
            name TEXT NOT NULL CHECK (trim(name) <> ''),
            nameKey TEXT NOT NULL,
            parent INTEGER REFERENCES container(id) ON DELETE CASCADE CHECK (parent <> id),
            createdDate INTEGER NOT NULL,
            colorRGBA INTEGER NOT NULL DEFAULT 4280728063,
            symbol TEXT NOT NULL DEFAULT 'folder',
            sortOrder INTEGER NOT NULL DEFAULT 0,
            role TEXT,
            projectType TEXT CHECK (projectType IN ('poetry', 'prose', 'drama')),
            details TEXT NOT NULL DEFAULT '',
            place INTEGER NOT NULL DEFAULT 0 CHECK (place IN (0, 2)),
            -- The project it lies in (a project: itself), and the project's "All" that shows its notes.
            project INTEGER REFERENCES container(id) ON DELETE SET NULL,
            gatheredBy INTEGER REFERENCES container(id) ON DELETE SET NULL,
            -- Where it lay before it was moved to Trash: the parent, and the names of the way to it as a JSON array.
            origin INTEGER REFERENCES container(id) ON DELETE SET NULL,
            originPath TEXT,
            trashedDate INTEGER,
            noteCount INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX container_parent ON container(parent);
        CREATE INDEX container_nameKey ON container(nameKey);
        CREATE INDEX container_project ON container(project) WHERE project IS NOT NULL;
        CREATE INDEX container_gatheredBy ON container(gatheredBy) WHERE gatheredBy IS NOT NULL;
        -- System containers that came from elsewhere, to be folded into ours.
        CREATE INDEX container_duplicate ON container(kind)
            WHERE id > 6 AND kind IN ('inbox', 'starred', 'allNotes', 'trash', 'archive', 'buffer');
        CREATE INDEX container_origin ON container(origin) WHERE origin IS NOT NULL;
        -- Siblings have different names; tags have a name space of their own; what lies directly in Trash is exempt.
        CREATE UNIQUE INDEX container_name ON container(ifnull(parent, 0), kind = 'tag', nameKey)
            WHERE kind IN ('folder', 'project', 'tag') AND parent IS NOT 4;
        CREATE UNIQUE INDEX container_role ON container(parent, role) WHERE role IS NOT NULL AND parent IS NOT 4;

        CREATE TABLE note (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
            title TEXT NOT NULL,
            titleKey TEXT NOT NULL,
            defaultTitle TEXT NOT NULL,
            createdDate INTEGER NOT NULL,
            updatedDate INTEGER NOT NULL,
            starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
            folder INTEGER REFERENCES container(id) ON DELETE CASCADE,
            place INTEGER NOT NULL DEFAULT 0 CHECK (place IN (0, 1, 2, 3)),
            sortOrder INTEGER NOT NULL DEFAULT 0,
            aiSummary TEXT NOT NULL DEFAULT '',
            contentHash TEXT NOT NULL DEFAULT '',
            preview TEXT NOT NULL DEFAULT '',
            wordCount INTEGER NOT NULL DEFAULT 0,
            size INTEGER NOT NULL DEFAULT 0,
            -- Bits: 1 has a link, 2 an image, 4 an open or done task.
            features INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 1,
            -- 1 where titles are unique in the folder: live in a project.
            uniqueTitle INTEGER NOT NULL DEFAULT 0,
            -- Where it was before Trash, Archive or Buffer (originPlace 1: in Archive, whose own origin stays);
            -- owner is the session that cut it.
            origin INTEGER REFERENCES container(id) ON DELETE SET NULL,
            originPath TEXT,
            originPlace INTEGER NOT NULL DEFAULT 0 CHECK (originPlace IN (0, 1)),
            movedDate INTEGER,
            owner TEXT,
            -- Counts the program's own writes of the title; see search_mark.
            titleStamp INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX note_folder ON note(folder);
        CREATE INDEX note_titleKey ON note(titleKey);
        CREATE INDEX note_origin ON note(origin) WHERE origin IS NOT NULL;
        CREATE INDEX note_owner ON note(owner) WHERE owner IS NOT NULL;
        CREATE UNIQUE INDEX note_uniqueTitle ON note(folder, titleKey) WHERE uniqueTitle = 1;

        CREATE TABLE note_text (
            note INTEGER PRIMARY KEY REFERENCES note(id) ON DELETE CASCADE,
            text TEXT NOT NULL,
            -- Counts the program's own writes of the text; see search_mark.
            stamp INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE note_tag (
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            tag INTEGER NOT NULL REFERENCES container(id) ON DELETE CASCADE,
            PRIMARY KEY (note, tag)
        ) WITHOUT ROWID;
        CREATE INDEX note_tag_tag ON note_tag(tag);

        -- One row for each list that shows a note: its folder, All Notes, Starred, its tags, its project and the
        -- project's "All". Written by triggers; every list is a range of one of the indexes, its length
        -- container.noteCount.
        CREATE TABLE listing (
            list INTEGER NOT NULL,
            note INTEGER NOT NULL,
            starred INTEGER NOT NULL,
            createdDate INTEGER NOT NULL,
            updatedDate INTEGER NOT NULL,
            titleSort TEXT NOT NULL,
            PRIMARY KEY (note, list)
        ) WITHOUT ROWID;
        CREATE INDEX listing_created ON listing(list, starred, createdDate, note);
        CREATE INDEX listing_updated ON listing(list, starred, updatedDate, note);
        CREATE INDEX listing_title ON listing(list, starred, titleSort, note);

        -- Links to notes and images, in the order of the text. target is what is written: a UUID or a title;
        -- destination is the note it leads to, NULL while there is none.
        CREATE TABLE note_link (
            source INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('note', 'title', 'image')),
            target TEXT NOT NULL COLLATE NOCASE,
            targetKey TEXT NOT NULL,
            destination INTEGER REFERENCES note(id) ON DELETE SET NULL,
            line INTEGER NOT NULL,
            context TEXT NOT NULL,
            PRIMARY KEY (source, ordinal)
        ) WITHOUT ROWID;
        CREATE INDEX note_link_destination ON note_link(destination) WHERE destination IS NOT NULL;
        CREATE INDEX note_link_target ON note_link(kind, targetKey);

        CREATE TABLE note_image (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
            hash TEXT NOT NULL UNIQUE,
            mimeType TEXT NOT NULL CHECK (mimeType IN ('image/jpeg', 'image/png')),
            createdDate INTEGER NOT NULL,
            data BLOB NOT NULL
        );

        CREATE TABLE note_version (
            id INTEGER PRIMARY KEY,
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            createdDate INTEGER NOT NULL,
            reason TEXT NOT NULL,
            title TEXT NOT NULL,
            wordCount INTEGER NOT NULL,
            hash TEXT NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (note, number)
        );

        -- Earlier titles, by which [[Title]] still finds a note that was renamed.
        CREATE TABLE former_title (
            titleKey TEXT NOT NULL,
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            date INTEGER NOT NULL,
            PRIMARY KEY (titleKey, note)
        ) WITHOUT ROWID;
        CREATE INDEX former_title_note ON former_title(note);

        -- The editor's undo history of a note, good while its text has this hash.
        CREATE TABLE note_history (
            note INTEGER PRIMARY KEY REFERENCES note(id) ON DELETE CASCADE,
            hash TEXT NOT NULL,
            date INTEGER NOT NULL,
            data BLOB NOT NULL
        );

        -- What undo and redo can take back: states before and after, as JSON.
        CREATE TABLE action (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            date INTEGER NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            count INTEGER NOT NULL,
            undone INTEGER NOT NULL DEFAULT 0,
            changes TEXT NOT NULL
        );

        -- The files that notes were imported from, to know them again.
        CREATE TABLE import_source (
            path TEXT PRIMARY KEY,
            hash TEXT NOT NULL,
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX import_source_note ON import_source(note);

        CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

        -- The index holds words that the program has prepared (folded, CJK a character apart), so that the plain
        -- sqlite3 tool can ask it too: WHERE search MATCH 'piranesi'. rowid is note.id. Without prefix indexes, which
        -- would treble the time of a save and the size; words that begin like one are found through search_term.
        CREATE VIRTUAL TABLE search USING fts5 (title, text, content = '', tokenize = 'ascii');
        -- The titles once more, by their beginnings: what is shown first while somebody types.
        CREATE VIRTUAL TABLE search_title USING fts5 (title, content = '', tokenize = 'ascii', prefix = '1 2 3');
        -- Every word of the index with its stem.
        CREATE TABLE search_term (term TEXT PRIMARY KEY, stem TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX search_term_stem ON search_term(stem);
        CREATE INDEX search_term_short ON search_term(substr(term, 1, 1), length(term));
        -- Notes that something else changed, with the title and text that the index still has (NULL: none).
        CREATE TABLE search_mark (note INTEGER PRIMARY KEY, title TEXT, text TEXT);

        CREATE VIEW notes AS
            SELECT note.uuid, note.title, note_text.text AS content, container.name AS folder,
                (SELECT group_concat(tag.name, ', ') FROM note_tag JOIN container AS tag ON tag.id = note_tag.tag
                    WHERE note_tag.note = note.id) AS tags,
                note.starred,
                CASE note.place WHEN 0 THEN 'live' WHEN 1 THEN 'archive' WHEN 2 THEN 'trash' ELSE 'buffer' END AS place,
                strftime('%Y-%m-%dT%H:%M:%fZ', note.createdDate / 1000.0, 'unixepoch') AS createdDate,
                strftime('%Y-%m-%dT%H:%M:%fZ', note.updatedDate / 1000.0, 'unixepoch') AS updatedDate,
                note.wordCount, note.aiSummary
            FROM note LEFT JOIN note_text ON note_text.note = note.id LEFT JOIN container ON container.id = note.folder;
        """
}

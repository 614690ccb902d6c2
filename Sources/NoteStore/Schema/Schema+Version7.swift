extension Schema {
    /// Version 7: tags in texts, and files of every kind.
    ///
    /// It does not read texts, so that a large notebook opens at once: `tagsAreOld` is the last note whose tags have
    /// been read, and `Notebook.Care.readTags()` reads the rest.
    static let version7 = """
        -- Bits: 1 set by hand, 2 written in the text, 4 because the note has a tag below it, as #a/b is below #a.
        ALTER TABLE note_tag ADD COLUMN source INTEGER NOT NULL DEFAULT 1 CHECK (source BETWEEN 1 AND 7);
        -- 1 for a tag that exists only because texts have it, and ends with them.
        ALTER TABLE container ADD COLUMN inText INTEGER NOT NULL DEFAULT 0 CHECK (inText IN (0, 1));
        INSERT INTO setting (key, value) SELECT 'tagsAreOld', '0' WHERE EXISTS (SELECT 1 FROM note);

        -- Files that notes refer to by takenote://file/UUID, each content once.
        CREATE TABLE note_file (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
            hash TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            createdDate INTEGER NOT NULL,
            data BLOB NOT NULL
        );
        -- The files that a note's text refers to, by the UUIDs as written.
        CREATE TABLE note_file_link (
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            target TEXT NOT NULL COLLATE NOCASE,
            PRIMARY KEY (note, target)
        ) WITHOUT ROWID;
        CREATE INDEX note_file_link_target ON note_file_link(target);
        -- The files that a note has ever referred to: of the others nobody knows yet what they were added for.
        CREATE TABLE file_use (file INTEGER PRIMARY KEY REFERENCES note_file(id) ON DELETE CASCADE);
        CREATE TRIGGER file_used AFTER INSERT ON note_file_link BEGIN
            INSERT OR IGNORE INTO file_use (file) SELECT id FROM note_file WHERE uuid = NEW.target;
        END;

        DROP VIEW notes;
        CREATE VIEW notes AS
            SELECT note.uuid, note.title, note_text.text AS content, container.name AS folder,
                (SELECT group_concat(tag.name, ', ') FROM note_tag JOIN container AS tag ON tag.id = note_tag.tag
                    WHERE note_tag.note = note.id AND note_tag.source & 3) AS tags,
                note.starred,
                CASE note.place WHEN 0 THEN 'live' WHEN 1 THEN 'archive' WHEN 2 THEN 'trash' ELSE 'buffer' END AS place,
                strftime('%Y-%m-%dT%H:%M:%fZ', note.createdDate / 1000.0, 'unixepoch') AS createdDate,
                strftime('%Y-%m-%dT%H:%M:%fZ', note.updatedDate / 1000.0, 'unixepoch') AS updatedDate,
                note.wordCount, note.aiSummary
            FROM note LEFT JOIN note_text ON note_text.note = note.id LEFT JOIN container ON container.id = note.folder;
        """
}

extension Schema {
    /// Version 3: links by every name of a note, which are resolved again when a name changes; all notes in Trash are
    /// one list.
    static let version3 =
        """
        -- Other titles that links may mean ("C" in [[C#Heading]]), and folders that they name (isFolder 1).
        CREATE TABLE link_name (
            nameKey TEXT NOT NULL,
            isFolder INTEGER NOT NULL CHECK (isFolder IN (0, 1)),
            source INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            PRIMARY KEY (nameKey, isFolder, source, ordinal)
        ) WITHOUT ROWID;
        CREATE INDEX link_name_source ON link_name(source);

        -- The aliases of front matter, by which [[alias]] finds a note.
        CREATE TABLE note_alias (
            aliasKey TEXT NOT NULL,
            note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
            PRIMARY KEY (aliasKey, note)
        ) WITHOUT ROWID;
        CREATE INDEX note_alias_note ON note_alias(note);

        -- Names whose notes have changed, or (nameKey '') notes that have moved: the program finds anew where their links
        -- lead, at the end of its own transactions, and when it finds marks that another tool's writing left.
        CREATE TABLE link_mark (
            nameKey TEXT NOT NULL,
            source INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (nameKey, source)
        ) WITHOUT ROWID;

        -- 0 while a title follows the text that somebody is typing: such a title is not remembered.
        ALTER TABLE note ADD COLUMN titleStands INTEGER NOT NULL DEFAULT 1 CHECK (titleStands IN (0, 1));

        -- The images that a note has ever shown: of the others nobody knows yet what they were added for.
        CREATE TABLE image_use (image INTEGER PRIMARY KEY REFERENCES note_image(id) ON DELETE CASCADE);
        INSERT INTO image_use (image) SELECT id FROM note_image
            WHERE EXISTS (SELECT 1 FROM note_link WHERE kind = 'image' AND targetKey = lower(note_image.uuid));

        DROP TRIGGER note_listed;
        DROP TRIGGER note_relisted;
        INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
            SELECT 4, id, starred, createdDate, updatedDate, substr(titleKey, 1, 64) FROM note WHERE place = 2;
        INSERT INTO setting (key, value) SELECT 'linksAreOld', '1' WHERE EXISTS (SELECT 1 FROM note);

        """ + version3Triggers

    static let version3Triggers = trashListings + linkMarks

    /// Puts NEW, a note, into every list that shows it.
    ///
    /// The list of Trash also shows the notes in its folders.
    private static let insertListings = """
            INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
                SELECT list, NEW.id, NEW.starred, NEW.createdDate, NEW.updatedDate, substr(NEW.titleKey, 1, 64) FROM (
                    SELECT NEW.folder AS list WHERE NEW.folder IS NOT NULL
                    UNION ALL SELECT 3 WHERE NEW.place = 0
                    UNION ALL SELECT 4 WHERE NEW.place = 2
                    UNION ALL SELECT 2 WHERE NEW.place = 0 AND NEW.starred = 1
                    UNION ALL SELECT project FROM container
                        WHERE id = NEW.folder AND NEW.place = 0 AND project IS NOT NULL
                    UNION ALL SELECT gatheredBy FROM container
                        WHERE id = NEW.folder AND NEW.place = 0 AND gatheredBy IS NOT NULL
                    UNION ALL SELECT tag FROM note_tag WHERE note = NEW.id AND NEW.place = 0);
        """

    private static let trashListings = """
        CREATE TRIGGER note_listed AFTER INSERT ON note BEGIN
        \(insertListings)
        END;
        CREATE TRIGGER note_relisted AFTER UPDATE OF folder, place, starred ON note
            WHEN OLD.folder IS NOT NEW.folder OR OLD.place <> NEW.place OR OLD.starred <> NEW.starred BEGIN
            DELETE FROM listing WHERE note = NEW.id;
        \(insertListings)
        END;

        """

    /// Marks a name if a link uses it.
    private static func mark(_ name: String, from table: String = "") -> String {
        """
            INSERT OR IGNORE INTO link_mark (nameKey) SELECT \(name) \(table)
                \(table.isEmpty ? "WHERE" : "AND")
                (EXISTS (SELECT 1 FROM note_link WHERE kind = 'title' AND targetKey = \(name))
                OR EXISTS (SELECT 1 FROM link_name WHERE nameKey = \(name) AND isFolder = 0));
        """
    }

    private static let linkMarks = """
        CREATE TRIGGER note_named AFTER INSERT ON note BEGIN
        \(mark("NEW.titleKey"))
        END;
        CREATE TRIGGER note_renamed AFTER UPDATE OF titleKey, folder, place ON note
            WHEN OLD.titleKey <> NEW.titleKey OR OLD.folder IS NOT NEW.folder OR OLD.place <> NEW.place BEGIN
        \(mark("OLD.titleKey"))
        \(mark("NEW.titleKey"))
        \(mark("aliasKey", from: "FROM note_alias WHERE note = NEW.id"))
        \(mark("former_title.titleKey", from: "FROM former_title WHERE note = NEW.id"))
            INSERT OR IGNORE INTO link_mark (nameKey, source) SELECT '', NEW.id WHERE OLD.folder IS NOT NEW.folder
                AND EXISTS (SELECT 1 FROM note_link WHERE source = NEW.id AND kind = 'title');
        END;
        CREATE TRIGGER note_unnamed AFTER DELETE ON note BEGIN
        \(mark("OLD.titleKey"))
        END;
        CREATE TRIGGER alias_given AFTER INSERT ON note_alias BEGIN
        \(mark("NEW.aliasKey"))
        END;
        CREATE TRIGGER alias_taken AFTER DELETE ON note_alias BEGIN
        \(mark("OLD.aliasKey"))
        END;
        CREATE TRIGGER former_title_kept AFTER INSERT ON former_title BEGIN
        \(mark("NEW.titleKey"))
        END;
        CREATE TRIGGER former_title_dropped AFTER DELETE ON former_title BEGIN
        \(mark("OLD.titleKey"))
        END;
        CREATE TRIGGER container_renamed AFTER UPDATE OF nameKey, parent ON container
            WHEN OLD.nameKey <> NEW.nameKey OR OLD.parent IS NOT NEW.parent BEGIN
            INSERT OR IGNORE INTO link_mark (nameKey, source)
                SELECT '', source FROM link_name WHERE isFolder = 1 AND nameKey IN (OLD.nameKey, NEW.nameKey);
        END;
        CREATE TRIGGER image_used AFTER INSERT ON note_link WHEN NEW.kind = 'image' BEGIN
            INSERT OR IGNORE INTO image_use (image) SELECT id FROM note_image WHERE uuid = NEW.target;
        END;
        """
}

import Foundation
import GRDB

extension Schema {
    /// Version 1: the rules that SQLite enforces and the values that it updates, whatever program writes.
    static let version1Triggers = treeRules + noteRules + listings + searchMarks

    /// A trigger or view: its name and the statement that makes it.
    typealias Definition = (type: String, name: String, sql: String)

    /// All triggers and views that a notebook of the newest version has.
    ///
    /// They are determined once per process, since this takes making an empty notebook.
    private static let own = Result {
        let empty = try DatabaseQueue()
        try migrator.migrate(empty)
        return try empty.read(definitions)
    }

    private static func definitions(_ db: Database) throws -> [Definition] {
        let sql = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY rowid"
        return try Row.fetchAll(db, sql: sql).map { ($0[0], $0[1], $0[2]) }
    }

    /// Creates the triggers and views that another tool has dropped.
    static func insertMissingTriggers(_ db: Database) throws {
        for missing in try missingTriggers(db) { try db.execute(sql: missing.sql) }
    }

    static func missingTriggers(_ db: Database) throws -> [Definition] {
        let found = Set(try definitions(db).map(\.name))
        return try own.get().filter { !found.contains($0.name) }
    }

    /// Drops triggers and views that are not the program's own: triggers act on every write, and neither holds data of
    /// the notebook.
    static func dropForeignTriggers(_ db: Database) throws {
        for foreign in try foreignTriggers(db) {
            let name = foreign.name.replacing("\"", with: "\"\"")
            try db.execute(sql: "DROP \(foreign.type == "view" ? "VIEW" : "TRIGGER") IF EXISTS \"\(name)\"")
        }
    }

    /// Returns the triggers and views that another tool has added or changed.
    static func foreignTriggers(_ db: Database) throws -> [Definition] {
        let ours = Dictionary(try own.get().map { ($0.name, $0.sql) }) { first, _ in first }
        return try definitions(db).filter { ours[$0.name] != $0.sql }
    }

    /// A query with a result if the container `parent` cannot hold folders.
    private static let cannotHoldFolders = """
        SELECT 1 FROM container AS parent WHERE parent.id = NEW.parent AND (
            parent.kind NOT IN ('folder', 'project', 'trash')
            OR parent.role IN ('all', 'draft', 'ready', 'setAside', 'published'))
        """

    private static let treeRules = """
        CREATE TRIGGER container_insert BEFORE INSERT ON container BEGIN
            SELECT RAISE(ABORT, 'only folders have a parent')
                WHERE NEW.parent IS NOT NULL AND NEW.kind <> 'folder';
            SELECT RAISE(ABORT, 'parent cannot hold folders') WHERE EXISTS (\(cannotHoldFolders));
            SELECT RAISE(ABORT, 'name of a system folder')
                WHERE NEW.parent IS NULL AND NEW.kind IN ('folder', 'project') AND EXISTS
                    (SELECT 1 FROM container WHERE id <= 6 AND nameKey = NEW.nameKey);
        END;
        CREATE TRIGGER container_move BEFORE UPDATE OF parent, kind ON container BEGIN
            SELECT RAISE(ABORT, 'only folders have a parent') WHERE NEW.parent IS NOT NULL
                AND NEW.kind <> 'folder' AND NOT (NEW.kind = 'project' AND NEW.parent = 4);
            SELECT RAISE(ABORT, 'parent cannot hold folders') WHERE EXISTS (\(cannotHoldFolders));
            SELECT RAISE(ABORT, 'cycle') WHERE NEW.parent IS NOT NULL AND NEW.id IN (
                WITH RECURSIVE above(id) AS (SELECT NEW.parent UNION
                    SELECT container.parent FROM container JOIN above ON container.id = above.id
                    WHERE container.parent IS NOT NULL)
                SELECT id FROM above);
        END;
        CREATE TRIGGER container_rename BEFORE UPDATE OF name, nameKey, parent ON container
            WHEN NEW.parent IS NULL AND NEW.kind IN ('folder', 'project') BEGIN
            SELECT RAISE(ABORT, 'name of a system folder')
                WHERE EXISTS (SELECT 1 FROM container WHERE id <= 6 AND nameKey = NEW.nameKey);
        END;
        CREATE TRIGGER container_delete BEFORE DELETE ON container BEGIN
            SELECT RAISE(ABORT, 'system folder') WHERE OLD.id <= 6;
            SELECT RAISE(ABORT, 'not in Trash') WHERE OLD.kind IN ('folder', 'project') AND OLD.place <> 2;
        END;
        CREATE TRIGGER container_deleted AFTER DELETE ON container BEGIN
            DELETE FROM listing WHERE list = OLD.id;
        END;

        """

    private static let noteRules = """
        CREATE TRIGGER note_insert BEFORE INSERT ON note WHEN NEW.folder IS NOT NULL BEGIN
            SELECT RAISE(ABORT, 'container cannot hold notes')
                WHERE NOT EXISTS (\(holder));
        END;
        CREATE TRIGGER note_move BEFORE UPDATE OF folder, place ON note WHEN NEW.folder IS NOT NULL BEGIN
            SELECT RAISE(ABORT, 'container cannot hold notes')
                WHERE NOT EXISTS (\(holder));
        END;
        CREATE TRIGGER note_delete BEFORE DELETE ON note WHEN OLD.place <> 2 BEGIN
            SELECT RAISE(ABORT, 'not in Trash');
        END;

        """

    /// The container of NEW.folder, if a note in NEW.place can be in it.
    private static let holder = """
        SELECT 1 FROM container WHERE id = NEW.folder
            AND kind IN ('inbox', 'folder', 'archive', 'trash', 'buffer')
            AND ifnull(role, '') NOT IN ('work', 'all', 'publications')
            AND NEW.place = CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 WHEN 'buffer' THEN 3 ELSE place END
        """

    /// Puts NEW, a note, into every list that shows it.
    private static let insertListings = """
            INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
                SELECT list, NEW.id, NEW.starred, NEW.createdDate, NEW.updatedDate, substr(NEW.titleKey, 1, 64) FROM (
                    SELECT NEW.folder AS list WHERE NEW.folder IS NOT NULL
                    UNION ALL SELECT 3 WHERE NEW.place = 0
                    UNION ALL SELECT 2 WHERE NEW.place = 0 AND NEW.starred = 1
                    UNION ALL SELECT project FROM container
                        WHERE id = NEW.folder AND NEW.place = 0 AND project IS NOT NULL
                    UNION ALL SELECT gatheredBy FROM container
                        WHERE id = NEW.folder AND NEW.place = 0 AND gatheredBy IS NOT NULL
                    UNION ALL SELECT tag FROM note_tag WHERE note = NEW.id AND NEW.place = 0);
        """

    private static let listings = """
        CREATE TRIGGER note_listed AFTER INSERT ON note BEGIN
        \(insertListings)
        END;
        CREATE TRIGGER note_relisted AFTER UPDATE OF folder, place, starred ON note
            WHEN OLD.folder IS NOT NEW.folder OR OLD.place <> NEW.place OR OLD.starred <> NEW.starred BEGIN
            DELETE FROM listing WHERE note = NEW.id;
        \(insertListings)
        END;
        CREATE TRIGGER note_reordered AFTER UPDATE OF createdDate, updatedDate, titleKey ON note BEGIN
            UPDATE listing SET createdDate = NEW.createdDate, updatedDate = NEW.updatedDate,
                titleSort = substr(NEW.titleKey, 1, 64) WHERE note = NEW.id;
        END;
        CREATE TRIGGER note_unlisted AFTER DELETE ON note BEGIN
            DELETE FROM listing WHERE note = OLD.id;
        END;
        CREATE TRIGGER note_tagged AFTER INSERT ON note_tag BEGIN
            INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
                SELECT NEW.tag, id, starred, createdDate, updatedDate, substr(titleKey, 1, 64)
                FROM note WHERE id = NEW.note AND place = 0;
        END;
        CREATE TRIGGER note_untagged AFTER DELETE ON note_tag BEGIN
            DELETE FROM listing WHERE note = OLD.note AND list = OLD.tag;
        END;
        CREATE TRIGGER container_regathered AFTER UPDATE OF project, gatheredBy ON container
            WHEN OLD.project IS NOT NEW.project OR OLD.gatheredBy IS NOT NEW.gatheredBy BEGIN
            DELETE FROM listing WHERE list IN (OLD.project, OLD.gatheredBy)
                AND note IN (SELECT id FROM note WHERE folder = NEW.id);
            INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
                SELECT list.id, note.id, note.starred, createdDate, updatedDate, substr(titleKey, 1, 64)
                FROM note JOIN (SELECT NEW.project AS id UNION ALL SELECT NEW.gatheredBy) AS list
                WHERE note.folder = NEW.id AND note.place = 0 AND list.id IS NOT NULL;
        END;
        CREATE TRIGGER listing_inserted AFTER INSERT ON listing BEGIN
            UPDATE container SET noteCount = noteCount + 1 WHERE id = NEW.list;
        END;
        CREATE TRIGGER listing_deleted AFTER DELETE ON listing BEGIN
            UPDATE container SET noteCount = noteCount - 1 WHERE id = OLD.list;
        END;

        """

    /// Triggers that mark the changes made by other tools.
    ///
    /// The program's own writes increase a stamp with every change of a title or text, and update the index themselves.
    private static let searchMarks = """
        CREATE TRIGGER note_text_inserted AFTER INSERT ON note_text WHEN NEW.stamp = 0 BEGIN
            INSERT OR IGNORE INTO search_mark (note) VALUES (NEW.note);
        END;
        CREATE TRIGGER note_text_changed AFTER UPDATE OF text ON note_text
            WHEN NEW.stamp = OLD.stamp AND NEW.text IS NOT OLD.text BEGIN
            INSERT OR IGNORE INTO search_mark (note, title, text)
                SELECT id, title, OLD.text FROM note WHERE id = NEW.note;
        END;
        CREATE TRIGGER note_title_changed AFTER UPDATE OF title ON note
            WHEN NEW.titleStamp = OLD.titleStamp AND NEW.title IS NOT OLD.title BEGIN
            INSERT OR IGNORE INTO search_mark (note, title, text)
                SELECT NEW.id, OLD.title, text FROM note_text WHERE note = NEW.id;
        END;
        CREATE TRIGGER note_deleted BEFORE DELETE ON note WHEN OLD.titleStamp >= 0 BEGIN
            INSERT OR IGNORE INTO search_mark (note, title, text)
                SELECT OLD.id, OLD.title, text FROM note_text WHERE note = OLD.id;
        END;
        """
}

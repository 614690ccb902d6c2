extension Schema {
    /// Version 10: the triggers that mark what is to be synchronised.
    ///
    /// A mark is deleted and made again, so that its number is always that of the last change, whatever conflict clause an
    /// outer statement has. Version 6 had the same triggers with row values in the place of two conditions: SQLite then
    /// used the index for the kind alone and read every mark of the kind at each change.
    static let version10 =
        trigger(
            "sync_note_made", "INSERT ON note",
            """
                DELETE FROM sync_gone WHERE id = NEW.uuid;
            \(mark("'note'", "NEW.uuid"))
            """)
        + trigger(
            "sync_note_changed",
            """
            UPDATE OF title, defaultTitle, createdDate, updatedDate, starred, folder, sortOrder, aiSummary,
                contentHash, origin, originPath, originPlace, movedDate, conflictOf ON note
            """, mark("'note'", "NEW.uuid"))
        + trigger(
            "sync_note_gone", "DELETE ON note",
            """
                INSERT OR IGNORE INTO sync_gone (id) VALUES (OLD.uuid);
            \(mark("'note'", "OLD.uuid"))
            """)
        + trigger(
            "sync_text_changed", "UPDATE OF text ON note_text", mark("'note'", "uuid", from: noteOf("NEW")))
        + trigger("sync_note_tagged", "INSERT ON note_tag", mark("'note'", "uuid", from: noteOf("NEW")))
        + trigger("sync_note_untagged", "DELETE ON note_tag", mark("'note'", "uuid", from: noteOf("OLD")))
        + trigger("sync_title_kept", "INSERT ON former_title", mark("'note'", "uuid", from: noteOf("NEW")))
        + trigger("sync_title_dropped", "DELETE ON former_title", mark("'note'", "uuid", from: noteOf("OLD")))
        + trigger(
            "sync_container_made", "INSERT ON container", if: isOurs("NEW"),
            """
                DELETE FROM sync_gone WHERE id = NEW.uuid;
                UPDATE container SET changedDate = createdDate WHERE id = NEW.id AND changedDate = 0;
            \(mark(kind("NEW"), "NEW.uuid"))
            """)
        + trigger(
            "sync_container_changed",
            """
            UPDATE OF name, parent, colorRGBA, symbol, sortOrder, role, projectType, details, origin, originPath,
                trashedDate ON container
            """, if: isOurs("NEW"),
            """
                UPDATE container SET changedDate = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
                    WHERE id = NEW.id;
            \(mark(kind("NEW"), "NEW.uuid"))
            """)
        // The files of notes contain their tags by name.
        + trigger(
            "sync_tag_renamed", "UPDATE OF name ON container", if: "NEW.kind = 'tag'",
            mark("'note'", "uuid", from: "FROM note JOIN note_tag ON note_tag.note = note.id WHERE tag = NEW.id"))
        + trigger(
            "sync_container_gone", "DELETE ON container", if: isOurs("OLD"),
            """
                INSERT OR IGNORE INTO sync_gone (id) SELECT OLD.uuid WHERE OLD.kind <> 'tag';
            \(mark(kind("OLD"), "OLD.uuid"))
            """)
        + trigger("sync_search_made", "INSERT ON saved_search", mark("'search'", "NEW.uuid"))
        + trigger("sync_search_changed", "UPDATE ON saved_search", mark("'search'", "NEW.uuid"))
        + trigger("sync_search_gone", "DELETE ON saved_search", mark("'search'", "OLD.uuid"))
        + trigger("sync_image_made", "INSERT ON note_image", mark("'image'", "NEW.uuid"))
        + trigger("sync_image_gone", "DELETE ON note_image", mark("'image'", "OLD.uuid"))
        + trigger("sync_twin_gone", "DELETE ON image_alias", mark("'image'", "OLD.uuid"))

    /// A condition that is true while the notebook is synchronised.
    private static let isOn = "EXISTS (SELECT 1 FROM setting WHERE key = 'sync.url')"

    /// Returns statements that mark a thing as changed.
    private static func mark(_ kind: String, _ id: String, from table: String = "") -> String {
        """
            DELETE FROM sync_mark WHERE kind = \(kind) AND id IN (SELECT \(id) \(table));
            INSERT INTO sync_mark (kind, id) SELECT \(kind), \(id) \(table);
        """
    }

    private static func trigger(_ name: String, _ event: String, if condition: String = "1", _ body: String) -> String {
        """
        DROP TRIGGER IF EXISTS \(name);
        CREATE TRIGGER \(name) AFTER \(event) WHEN \(condition) AND \(isOn) BEGIN
        \(body)
        END;

        """
    }

    private static func noteOf(_ row: String) -> String { "FROM note WHERE id = \(row).note" }

    /// Returns an expression for the kind of a container's marks.
    private static func kind(_ row: String) -> String { "iif(\(row).kind = 'tag', 'tag', 'folder')" }

    /// Returns a condition for whether a container is synchronised; system containers are the same everywhere.
    private static func isOurs(_ row: String) -> String { "\(row).kind IN ('folder', 'project', 'tag')" }
}

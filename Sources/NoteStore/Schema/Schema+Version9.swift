extension Schema {
    /// Version 9: files of every kind are synchronised.
    static let version9 = """
        -- Other identities of a file that two machines added: the same bytes are stored once.
        CREATE TABLE file_alias (
            uuid TEXT PRIMARY KEY COLLATE NOCASE,
            file INTEGER NOT NULL REFERENCES note_file(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            createdDate INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX file_alias_file ON file_alias(file);
        CREATE TRIGGER file_used_by_alias AFTER INSERT ON note_file_link BEGIN
            INSERT OR IGNORE INTO file_use (file) SELECT file FROM file_alias WHERE uuid = NEW.target;
        END;

        """
        + markingFiles("sync_file_made", "INSERT ON note_file", "NEW")
        + markingFiles("sync_file_changed", "UPDATE OF name, data ON note_file", "NEW")
        + markingFiles("sync_file_gone", "DELETE ON note_file", "OLD")
        + markingFiles("sync_file_twin_gone", "DELETE ON file_alias", "OLD")
            + """
            -- Nothing was marked so far.
            INSERT OR IGNORE INTO sync_mark (kind, id) SELECT 'file', uuid FROM note_file
                WHERE EXISTS (SELECT 1 FROM setting WHERE key = 'sync.url');
            """

    private static func markingFiles(_ name: String, _ event: String, _ row: String) -> String {
        """
        CREATE TRIGGER \(name) AFTER \(event) WHEN EXISTS (SELECT 1 FROM setting WHERE key = 'sync.url') BEGIN
            DELETE FROM sync_mark WHERE kind = 'file' AND id = \(row).uuid;
            INSERT INTO sync_mark (kind, id) VALUES ('file', \(row).uuid);
        END;

        """
    }
}

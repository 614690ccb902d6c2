import GRDB

extension Schema {
    /// Version 6: the tables that a synchronisation with other machines needs.
    ///
    /// While the notebook is synchronised, each change of something synchronised leaves a row in `sync_mark`, by the
    /// triggers of version 10.
    static let version6 =
        """
        -- What changed since the last synchronisation; seq grows with every change.
        CREATE TABLE sync_mark (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            id TEXT NOT NULL COLLATE NOCASE,
            -- 1: what is marked is by now as the others have it, which counts once the synchronisation has ended.
            settled INTEGER NOT NULL DEFAULT 0,
            UNIQUE (kind, id)
        );
        -- The files of the last synchronised tree, and what they hold.
        CREATE TABLE sync_file (
            kind TEXT NOT NULL,
            id TEXT NOT NULL COLLATE NOCASE,
            path BLOB NOT NULL,
            oid TEXT NOT NULL,
            PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        CREATE INDEX sync_file_path ON sync_file(path);
        -- Notes and folders that were deleted for ever; successor is the folder that took a twin's place.
        CREATE TABLE sync_gone (id TEXT PRIMARY KEY COLLATE NOCASE, successor TEXT) WITHOUT ROWID;
        -- Other identities of an image that two machines added: the same bytes are stored once.
        CREATE TABLE image_alias (
            uuid TEXT PRIMARY KEY COLLATE NOCASE,
            image INTEGER NOT NULL REFERENCES note_image(id) ON DELETE CASCADE,
            createdDate INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX image_alias_image ON image_alias(image);
        -- The note whose losing text this one holds.
        ALTER TABLE note ADD COLUMN conflictOf TEXT COLLATE NOCASE;
        CREATE INDEX note_conflictOf ON note(conflictOf) WHERE conflictOf IS NOT NULL;
        -- When a container's name, place or looks last changed.
        ALTER TABLE container ADD COLUMN changedDate INTEGER NOT NULL DEFAULT 0;
        """
}

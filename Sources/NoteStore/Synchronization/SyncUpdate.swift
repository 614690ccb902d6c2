import Foundation

/// The changes that a synchronisation writes to the notebook.
public struct SyncUpdate: Sendable {
    /// The old value of a thing, as it was when the notebook was read, and the new one; nil means that it does not
    /// exist.
    public struct Change<Value: Equatable & Sendable>: Sendable {
        public var old: Value?
        public var new: Value?

        public init(old: Value?, new: Value?) { (self.old, self.new) = (old, new) }
    }

    /// The commit that has the new values.
    public var commit: String?
    public var notes: [NoteID: Change<SyncNote>] = [:]
    /// The new states of all folders, tags, searches and images.
    public var folders: [ContainerID: SyncFolder] = [:]
    public var tags: [ContainerID: SyncTag] = [:]
    public var searches: [UUID: SyncSearch] = [:]
    public var images: [UUID: SyncImage] = [:]
    /// The images that the notebook had when it was read and that do not exist any more.
    public var removedImages: Set<UUID> = []
    public var gone: [UUID: UUID?] = [:]
    /// The changed files of every kind.
    public var attachments: [UUID: Change<SyncAttachment>] = [:]
    /// The mark up to which the notebook was read.
    public var seq: Int64 = 0
    /// Whether any folders, tags, searches, images or files change.
    public var changesContainers = true
    /// The notes that took their titles in this notebook, unknown to the other side of a merge, with the folded titles
    /// that they have there, or `nil` if they are not there or in its Trash; empty without a merge.
    public var titledHere: [NoteID: String?] = [:]
    /// The notes that took their titles on the other side of a merge, unknown to this notebook; empty without a merge.
    public var titledThere: Set<NoteID> = []
    /// The texts that were changed in this notebook since the common ancestor, and those changed on the other side.
    public var editedHere: [NoteID: ExactText] = [:]
    public var editedThere: [NoteID: ExactText] = [:]

    public init() {}
}

/// The result of a synchronisation: the commit and the files that the notebook matches from now on.
public struct SyncStep: Sendable {
    public var head: String
    public var seq: Int64
    public var files: [SyncID: SyncFile] = [:]
    public var removed: Set<SyncID> = []
    /// Files that moved with their folder.
    public var moves: [[UInt8]: [UInt8]] = [:]
    /// Whether `files` contains all files of the tree.
    public var isWhole = false
    /// The number of notes, images and attached files by which the commit's tree exceeds that of the last one; the
    /// number of all of them if `files` contains all files of the tree.
    public var growth = 0

    public init(head: String, seq: Int64) { (self.head, self.seq) = (head, seq) }
}

extension Notebook.Sync {
    /// The keys of the notebook's settings for synchronisation.
    public enum Key {
        public static let url = "sync.url"
        /// The commit that the notebook matches, apart from what is marked as changed.
        public static let head = "sync.head"
        /// The time when the last synchronisation ended, in milliseconds since 1970.
        public static let time = "sync.time"
        /// Whether the notebook was restored from a backup since the last synchronisation.
        public static let restored = "sync.restored"
        /// The name of the key with which the repository is encrypted; absent if it is not.
        public static let encryption = "sync.encryption"
        /// The number of notes, pictures and attached files of the repository that the notebook lacks, since they cannot
        /// be read.
        public static let unread = "sync.unread"
        /// The links that have to be looked at once merges that were sent are written too; see `SyncLinks`.
        static let links = "sync.links"
        /// The last commit that was to be sent with this notebook's changes; absent once a synchronisation has ended.
        public static let sent = "sync.sent"
        /// What was written of commits that are not recorded yet; see `Written`.
        static let written = "sync.written"
    }

    /// Begins to mark changes; forgets earlier synchronisations, except what one that was cut off has sent and written.
    ///
    /// - Parameter encryption: the name of the repository's key; nil if it is not encrypted.
    public func turnOn(url: String, encryption: String? = nil) throws(StoreError) {
        try notebook.write { transaction in
            try transaction.forgetSynchronisations()
            for case (let key, let value?) in [(Key.url, url), (Key.encryption, encryption)] {
                try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
            }
            // Links by names of several notes may lead elsewhere from now on; see `LinkFinder`.
            try transaction.run(
                """
                INSERT OR IGNORE INTO link_mark (nameKey) SELECT name FROM (
                    SELECT titleKey AS name FROM note UNION ALL SELECT aliasKey FROM note_alias
                    UNION ALL SELECT titleKey FROM former_title) GROUP BY name HAVING count(*) > 1
                """)
        }
    }

    /// Stops marking changes; the notes stay as they are.
    public func turnOff() throws(StoreError) {
        try notebook.write { try $0.forgetSynchronisations() }
    }

    /// Stores that a commit with this notebook's changes is about to be sent.
    ///
    /// The remote may have it although the synchronisation does not end.
    public func willSend(_ commit: String) throws(StoreError) {
        try notebook.write { transaction in
            try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [Key.sent, commit])
        }
    }

    /// Whether the notebook was restored from a backup, which a synchronisation must not undo without asking.
    public func isRestored() throws(StoreError) -> Bool { try notebook.settings.value(Key.restored) != nil }

    /// Forgets that a backup was restored, because nothing has been sent elsewhere since it was made.
    public func forgetRestoring() throws(StoreError) {
        try notebook.write { try $0.run("DELETE FROM setting WHERE key = ?", [Key.restored]) }
    }

    /// Records the commit and files that the notebook matches, and removes the marks up to the moment at which it was
    /// read.
    public func finish(_ step: SyncStep) throws(StoreError) {
        let moves = Array(step.moves)
        let files = Array(step.files)
        try notebook.write { transaction in
            if step.isWhole { try transaction.run("DELETE FROM sync_file") }
            let before = try transaction.syncedContents()
            // The paths are changed through ones that no tree has, since one file may get the former path of another.
            for (old, _) in moves {
                try transaction.run("UPDATE sync_file SET path = ? WHERE path = ?", [Data([0] + old), Data(old)])
            }
            for (old, new) in moves {
                try transaction.run("UPDATE sync_file SET path = ? WHERE path = ?", [Data(new), Data([0] + old)])
            }
            for id in step.removed {
                try transaction.run(
                    "DELETE FROM sync_file WHERE kind = ? AND id = ?", [id.kind.rawValue, id.uuid.digits])
            }
            for (id, file) in files {
                try transaction.run(
                    "INSERT OR REPLACE INTO sync_file (kind, id, path, oid) VALUES (?, ?, ?, ?)",
                    [id.kind.rawValue, id.uuid.digits, Data(file.path), file.object])
            }
            try transaction.run("DELETE FROM sync_mark WHERE seq <= ? OR settled = 1", [step.seq])
            try transaction.run("DELETE FROM setting WHERE key IN (?, ?, ?)", [Key.restored, Key.sent, Key.written])
            let known = step.isWhole ? 0 : try transaction.unread()
            let unread = max(0, known + step.growth - (try transaction.syncedContents() - before))
            for (key, value) in [
                (Key.head, step.head), (Key.time, "\(transaction.now)"), (Key.unread, "\(unread)"),
            ] {
                try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
            }
        }
    }
}

extension Transaction {
    /// Removes all that synchronisations have stored, except what those that were cut off have sent and written: the
    /// next one with the same remote would merge these texts with themselves.
    fileprivate func forgetSynchronisations() throws {
        typealias Key = Notebook.Sync.Key
        for table in ["sync_mark", "sync_file"] { try run("DELETE FROM \(table)") }
        try run(
            "DELETE FROM setting WHERE key LIKE 'sync.%' AND key NOT IN (?, ?, ?)", [Key.sent, Key.written, Key.links])
    }

    /// Returns the number of notes, images and attached files that are synchronised.
    fileprivate func syncedContents() throws -> Int {
        let kinds = [SyncKind.note, .image, .file].map(\.rawValue)
        return try value("SELECT count(*) FROM sync_file WHERE kind IN (?, ?, ?)", [kinds[0], kinds[1], kinds[2]]) ?? 0
    }

    fileprivate func unread() throws -> Int {
        let text: String? = try value("SELECT value FROM setting WHERE key = ?", [Notebook.Sync.Key.unread])
        return text.flatMap { Int($0) } ?? 0
    }
}

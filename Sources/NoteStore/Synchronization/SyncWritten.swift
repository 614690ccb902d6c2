import Foundation
import GRDB

extension Notebook.Sync {
    /// How far the notes of a commit are written into the notebook, in the order of their identities.
    public struct Written: Equatable, Sendable {
        public let commit: String
        /// The last note that is written, or the greatest identity if all are.
        let last: UUID

        /// Returns that all notes of a commit are written.
        public static func all(of commit: String) -> Self { Self(commit: commit, last: Transaction.greatestIdentity) }

        /// Whether a note, if the commit has it, was written or was the same in the notebook.
        public func includes(_ id: NoteID) -> Bool { !last.precedes(id.uuid) }

        /// Reads what `Transaction.recordWritten` has stored: a commit and an identity in each line.
        fileprivate static func list(_ text: String?) -> [Self] {
            (text ?? "").split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2, let last = UUID(uuidString: words[1]) else { return nil }
                return Self(commit: words[0], last: last)
            }
        }
    }

    /// Returns what synchronisations that were ended before they recorded their commits have written, the latest first.
    ///
    /// For a note that several of them include, the first one counts.
    public func written() throws(StoreError) -> [Written] {
        Written.list(try notebook.settings.value(Key.written))
    }
}

extension Transaction {
    /// The identity that no other one follows.
    static let greatestIdentity = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))

    /// Records how far the notes of a commit are written, in the transaction that writes them.
    func recordWritten(_ commit: String, upTo last: UUID) throws {
        let stored: String? = try value("SELECT value FROM setting WHERE key = ?", [Notebook.Sync.Key.written])
        // What an earlier synchronisation has written beyond this note still counts.
        let earlier = Notebook.Sync.Written.list(stored).filter { last.precedes($0.last) }
        let lines = ([Notebook.Sync.Written(commit: commit, last: last)] + earlier).map { "\($0.commit) \($0.last)" }
        try run(
            "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
            [Notebook.Sync.Key.written, lines.joined(separator: "\n")])
    }
}

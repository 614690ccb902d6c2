import Foundation
import GRDB

/// The identity of a notebook: random, made with the notebook, and kept in the file.
///
/// Backups contain it, so that two notebooks in one folder ignore each other's backups. A copy of the file has it too.
public struct NotebookID: Hashable, Sendable, CustomStringConvertible {
    public let uuid: UUID

    init(_ uuid: UUID = UUID.random()) { self.uuid = uuid }

    init?(stored text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    public var description: String { uuid.uuidString.lowercased() }

    /// The first eight hexadecimal digits, for file names.
    var short: String { String(description.prefix(8)) }

    /// The identity's key in the table `setting`.
    static let key = "notebookID"

    /// Reads the identity of the notebook behind a connection; nil if it has none yet.
    static func read(_ db: Database) throws -> NotebookID? {
        try String.fetchOne(db, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
            .flatMap(NotebookID.init(stored:))
    }

    /// Returns the notebook's identity; makes one if it has none.
    static func make(_ db: Database) throws -> NotebookID {
        if let id = try read(db) { return id }
        let id = NotebookID()
        try db.execute(
            sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", arguments: [key, id.description])
        return id
    }
}

extension Notebook {
    /// Returns the notebook's identity, the same for its whole life and wherever it is moved.
    func notebookID() throws(StoreError) -> NotebookID {
        if let id = try read({ try NotebookID.read($0) }) { return id }
        return try write { try NotebookID.make($0.db) }
    }
}

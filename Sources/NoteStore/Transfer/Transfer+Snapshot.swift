import Foundation
import GRDB
import SystemPackage

/// The content of `snapshot.json`: the app's widget feed.
public struct NotebookSnapshot: Codable, Equatable, Sendable {
    public struct Container: Codable, Equatable, Sendable {
        public let id: String
        public let name: String
        public let symbol: String
        /// Red, green, blue, alpha from the highest byte down.
        public let color: UInt32
        public let isInbox: Bool
        public let isStarred: Bool
        public let isTag: Bool
        public let totalNoteCount: Int
        /// The five notes that were updated last.
        public let notes: [Note]
    }

    public struct Note: Codable, Equatable, Sendable {
        public let id: String
        public let uuid: String
        public let title: String
        /// The summary, or else the text's first 200 characters.
        public let excerpt: String
        public let url: String
        /// The date in ISO 8601, UTC.
        public let updatedDate: String
    }

    public let id: String
    public let generatedAt: String
    public let containers: [Container]

    /// The maximum number of notes that are shown of a container.
    static let notesShown = 5

    /// Whether this is a snapshot of the notebook with this file: several notebooks write the same `snapshot.json`.
    public func isOf(_ database: String) -> Bool { id == Self.id(of: database) }

    /// Returns the identity of a notebook's snapshots, a UUID that is made of the path of its file.
    fileprivate static func id(of database: String) -> String {
        let digits = Array(TextHash.sha256(Notebook.absolute(database)).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

extension Notebook.Transfer {
    /// Returns the snapshot: all containers with live notes, each with the five notes that were updated last.
    public func snapshot() throws(StoreError) -> NotebookSnapshot {
        let containers = try notebook.containers.all().filter { container in
            container.noteCount > 0 && container.place == .live
                && ![.trash, .archive, .buffer].contains(container.kind)
        }
        let shown = try containers.map { container throws(StoreError) in
            try entry(for: container)
        }
        return NotebookSnapshot(
            id: NotebookSnapshot.id(of: notebook.path), generatedAt: notebook.options.now().timestamp, containers: shown
        )
    }

    /// Writes the snapshot to a file, completely or not at all.
    public func writeSnapshot(to path: String) throws(StoreError) {
        let snapshot = try snapshot()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try DiskFile.makeFolders(FilePath(path).parent)
            try DiskFile.write(encoder.encode(snapshot), to: path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func entry(
        for container: NoteContainer
    ) throws(StoreError) -> NotebookSnapshot.Container {
        let query = ListQuery(container: container.id, starredFirst: false)
        let notes = try notebook.lists.rows(query, limit: NotebookSnapshot.notesShown).map { row throws(StoreError) in
            NotebookSnapshot.Note(
                id: row.id.description, uuid: row.id.description, title: row.title, excerpt: try excerpt(of: row),
                url: row.getURL(), updatedDate: row.updatedDate.timestamp)
        }
        return NotebookSnapshot.Container(
            id: container.id.description, name: container.name, symbol: container.symbol, color: container.colorRGBA,
            isInbox: container.isInbox, isStarred: container.isStarred, isTag: container.isTag,
            totalNoteCount: container.noteCount, notes: notes)
    }

    /// Returns the excerpt as the app makes it: the note's summary, or else the start of its text.
    private func excerpt(of row: NoteRow) throws(StoreError) -> String {
        if !row.aiSummary.isEmpty { return row.aiSummary }
        let start = try notebook.read { db in
            try Notebook.Notes.text(db, "SELECT substr(text, 1, 200) FROM note_text WHERE note = ?", [row.key])
        }
        return start ?? ""
    }
}

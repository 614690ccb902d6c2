import GRDB
import SystemPackage

/// The notebook's record of how many of a journal's changes of a note it contains.
struct JournalMark: Equatable {
    var number: UInt64
    /// The revision whose text equals the journal's at that number; 0 if a merge has produced another text.
    var revision: Int64
}

extension Notebook.Journal {
    /// The prefix of the keys of marks.
    private static let marks = "journal/"

    private static func markName(_ note: NoteID, _ session: String) -> String { "\(marks)\(session)/\(note)" }

    /// Returns the mark of a note in a journal, or `nil` if there is none.
    func mark(of note: NoteID, in session: String) throws(StoreError) -> JournalMark? {
        let words = try notebook.settings.value(Self.markName(note, session))?.split(separator: " ") ?? []
        guard words.count == 2, let number = UInt64(words[0]), let revision = Int64(words[1]) else { return nil }
        return JournalMark(number: number, revision: revision)
    }

    /// Forgets the marks of a journal that is gone.
    func forgetMarks(of session: String) throws(StoreError) {
        let start = Self.marks + session + "/"
        guard try notebook.read({ try Self.hasMarks($0, from: start, to: Self.marks + session + "0") }) else { return }
        try notebook.write { transaction in
            try transaction.run(
                "DELETE FROM setting WHERE key >= ? AND key < ?", [start, Self.marks + session + "0"])
        }
    }

    private static func hasMarks(_ db: Database, from start: String, to end: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE key >= ? AND key < ?)"),
            arguments: [start, end]) ?? false
    }

    /// Forgets the marks of all journals that are gone.
    ///
    /// A session that ends normally leaves its marks to an idle moment of a later one, so that neither its end nor a
    /// first frame waits for the disk because of them.
    func forgetMarksOfGone() throws(StoreError) {
        let keys = try notebook.read { db in
            try String.fetchAll(db, sql: "SELECT key FROM setting WHERE key >= 'journal/' AND key < 'journal0'")
        }
        let files = Set(try journals().map { FilePath($0).stem ?? "" })
        let gone = Set(keys.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }).subtracting(
            files)
        // The removal of the journals must survive a power cut.
        if !gone.isEmpty { DiskFile.syncFolder(folder) }
        for session in gone { try forgetMarks(of: session) }
    }
}

extension Transaction {
    /// Records how far a journal's changes of a note are in the notebook, and the revision that they led to.
    ///
    /// It runs in the transaction that saves the text: a killed program has saved both or neither.
    func mark(_ position: JournalPosition, of note: NoteID, after outcome: SaveOutcome) throws {
        // The revision is 0 after a merge, which has produced another text.
        var revision: Int64 = 0
        if case .saved(let row) = outcome { revision = row.revision }
        try run(
            "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
            ["journal/\(position.session)/\(note)", "\(position.number) \(revision)"])
    }
}

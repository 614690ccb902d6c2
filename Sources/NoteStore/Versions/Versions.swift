import Foundation
import GRDB
import TextEditing

/// An earlier text of a note.
public struct NoteVersion: Equatable, Sendable {
    /// The reason why the version was kept; the raw value is stored.
    public enum Reason: String, Sendable {
        /// The note was left after it had been changed.
        case left
        /// The text was about to be replaced by an older version.
        case restored
        /// The text is one of two that were merged, or could not be.
        case merged
        /// Another tool changed the note.
        case outside
    }

    /// The number of the version, counted from 1 for each note; a number is never used again.
    public let number: Int
    public let date: Date
    public let reason: Reason
    public let title: String
    public let wordCount: Int
}

extension Notebook.Versions {
    /// Keeps the note's text as a version, unless the newest version has it already.
    public func keep(of id: NoteID, reason: NoteVersion.Reason = .left) throws(StoreError) {
        try notebook.write { transaction in
            let head = try transaction.head(id)
            try transaction.keepVersion(
                of: head, text: Notebook.Notes.text(transaction.db, key: head.key) ?? "", reason)
        }
    }

    /// Returns the note's versions, newest first.
    public func all(of id: NoteID) throws(StoreError) -> [NoteVersion] {
        try notebook.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT number, v.createdDate, reason, v.title, v.wordCount FROM note_version AS v
                    JOIN note ON note.id = v.note WHERE note.uuid = ? ORDER BY number DESC
                    """, arguments: [id.description]
            ).map { row in
                NoteVersion(
                    number: row[0], date: Date(milliseconds: row[1]),
                    reason: NoteVersion.Reason(rawValue: row[2]) ?? .left, title: row[3], wordCount: row[4])
            }
        }
    }

    /// Returns the text of a version.
    public func text(of id: NoteID, version number: Int) throws(StoreError) -> String {
        let text = try notebook.read { db in
            try Notebook.Notes.text(
                db, "SELECT v.text FROM note_version AS v JOIN note ON note.id = v.note WHERE uuid = ? AND number = ?",
                [id.description, number])
        }
        guard let text else { throw .noSuchVersion(note: id, number: number) }
        return text
    }

    /// Returns the differences from a version to another, or to the present text.
    public func compare(_ id: NoteID, version number: Int, with other: Int? = nil) throws(StoreError) -> TextDiff {
        let old = try text(of: id, version: number)
        if let other { return TextDiff(from: old, to: try text(of: id, version: other)) }
        guard let new = try notebook.notes.text(id) else { throw .noSuchNote(id) }
        return TextDiff(from: old, to: new)
    }

    /// Replaces the note's text by an earlier one; the present text is kept as a version.
    @discardableResult
    public func restore(_ number: Int, of id: NoteID) throws(StoreError) -> NoteRow {
        let old = try text(of: id, version: number)
        return try notebook.act(.restoreVersion, notes: [id], withTexts: true) { transaction in
            let head = try transaction.changeableHead(id)
            try transaction.keepVersion(
                of: head, text: Notebook.Notes.text(transaction.db, key: head.key) ?? "", .restored)
            try transaction.replaceText(old, of: head)
            return try transaction.noteRow(id)
        }
    }
}

extension Transaction {
    /// Keeps a text as a version of a note, unless the newest version is the same text.
    func keepVersion(of head: NoteHead, text: String, _ reason: NoteVersion.Reason) throws {
        if reason == .left { try makeTitleFinal(head.key) }
        let hash = Note.contentHash(of: text)
        let newest: String? = try value(
            "SELECT hash FROM note_version WHERE note = ? ORDER BY number DESC LIMIT 1", [head.key])
        if newest == hash { return }
        let wordCount = TextFacts.wordCount(of: text)
        try text.withLentBytes { bytes in
            try run(
                """
                INSERT INTO note_version (note, number, createdDate, reason, title, wordCount, hash, text)
                SELECT ?1, ifnull(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS TEXT)
                FROM note_version WHERE note = ?1
                """, [head.key, now, reason.rawValue, head.title, wordCount, hash, bytes])
        }
        try thinVersions(of: head.key)
        if text.utf8.count > Self.longVersion { try trimVersions(of: head.key) }
    }

    /// The size of a text, in UTF-8 bytes, above which the total size of a note's versions is limited.
    ///
    /// The versions of shorter texts stay within the bound by thinning alone.
    private static let longVersion = 1 << 18

    private func thinVersions(of note: Int64) throws {
        let found = try rows(
            "SELECT number, createdDate FROM note_version WHERE note = ? ORDER BY number DESC", [note])
        let versions = found.map { (number: $0[0] as Int, date: $0[1] as Int64) }
        for number in VersionThinning.dropped(versions, now: now) {
            try run("DELETE FROM note_version WHERE note = ? AND number = ?", [note, number])
        }
    }
}

/// Decides which versions are kept: the newest ten, and of the others one for each span of time.
///
/// The spans are hours for a day, days for a month, and then months.
enum VersionThinning {
    /// The number was chosen by judgement: the versions that the user may want from the last session of work.
    static let newest = 10

    /// Returns the numbers of the versions to drop, given all versions newest first, with dates in milliseconds.
    static func dropped(_ versions: [(number: Int, date: Int64)], now: Int64) -> [Int] {
        var kept: Set<Int64> = []
        var dropped: [Int] = []
        // The oldest version of each span is kept, so that an hour's version later becomes the day's; the very first
        // version is kept too.
        for version in versions.dropFirst(newest).reversed() where !kept.insert(span(version.date, now)).inserted {
            dropped.append(version.number)
        }
        return dropped
    }

    /// Returns a number that two dates share if one version is enough for both.
    private static func span(_ date: Int64, _ now: Int64) -> Int64 {
        let hour: Int64 = 3_600_000
        let age = now.clampedDifference(from: date)
        if age < 24 * hour { return date / hour }
        if age < 30 * 24 * hour { return -(date / (24 * hour)) - 1 }
        return -(date / (30 * 24 * hour)) - 1_000_000_000
    }
}

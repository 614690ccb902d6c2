import Foundation
import GRDB
import Markdown

/// A `- [ ]` item of a note.
public struct NoteTask: Equatable, Sendable {
    public var note: NoteRow
    /// The item's first line, without its due date.
    public var title: String
    /// The line in the text, from 0.
    public var line: Int
    /// The day by which the task is due, from `@2026-12-01` or `📅 2026-12-01` in its first line.
    public var due: Day?
}

extension Notebook.Tasks {
    /// Returns the open tasks, those of the last changed note first, in the order of its text.
    ///
    /// Cost: reads all texts, a tenth of a second for 100 MB, and parses those with tasks; call it off the main thread.
    ///
    /// - Parameter limit: the maximum number of tasks.
    public func open(limit: Int = 5_000) throws(StoreError) -> [NoteTask] {
        let notes = try notebook.read { db in
            let keys = try Int64.fetchAll(
                db,
                sql: """
                    SELECT note.id FROM note JOIN note_text ON note_text.note = note.id
                    WHERE note.place = 0 AND instr(note_text.text, '[ ]') > 0
                    ORDER BY note.updatedDate DESC, note.id LIMIT ?
                    """, arguments: [limit])
            return try keys.compactMap { key -> (NoteRow, String)? in
                guard let row = try NoteRow.fetch(db, "WHERE note.id = ?", [key]).first else { return nil }
                return (row, try Notebook.Notes.text(db, key: key) ?? "")
            }
        }
        var tasks: [NoteTask] = []
        for (note, text) in notes where tasks.count < limit {
            tasks += Markdown.tasks(in: text).filter { !$0.isDone }.map { NoteTask($0, in: note) }
        }
        return Array(tasks.prefix(limit))
    }
}

extension NoteTask {
    init(_ item: TaskItem, in note: NoteRow) {
        let words = item.title.split(separator: " ", omittingEmptySubsequences: false)
        let dated = DueWords(in: words)
        self.note = note
        line = item.line
        due = dated?.day
        title = words.indices.filter { dated?.range.contains($0) != true }.map { words[$0] }.joined(separator: " ")
            .trimmingCharacters(in: .whitespaces)
    }
}

/// The words of a task with its due day: `@2026-12-01`, or a calendar sign and the day as in Obsidian's Tasks plugin.
private struct DueWords {
    let day: Day
    let range: Range<Int>

    /// The signs of a due day, which a variation selector may follow.
    private static let calendars: Set<Unicode.Scalar> = ["\u{1F4C5}", "\u{1F4C6}", "\u{1F5D3}"]

    init?(in words: [Substring]) {
        for index in words.indices {
            if let first = words[index].first, first == "@" {
                guard words[index].utf8.count <= 12, let day = Day(words[index].dropFirst().prefix(10)) else {
                    continue
                }
                (self.day, range) = (day, index..<index + 1)
                return
            }
            guard let sign = words[index].unicodeScalars.first, Self.calendars.contains(sign) else { continue }
            // The day directly follows the sign or is the next word.
            let behind = words[index].dropFirst()
            let isNext = behind.isEmpty && index + 1 < words.count
            guard let day = Day((isNext ? words[index + 1] : behind).prefix(10)) else { continue }
            (self.day, range) = (day, index..<index + (isNext ? 2 : 1))
            return
        }
        return nil
    }
}

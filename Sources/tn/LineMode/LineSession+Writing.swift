import Foundation
import NoteStore

/// Reading and changing the note that was opened last.
extension LineSession {
    /// - Throws: `Failure` if no note is open, or it is gone.
    private func openRow() throws -> NoteRow {
        guard let current else { throw Failure(LineTexts.noneOpen, status: .usage) }
        guard let row = try notebook.notes.row(current) else { throw StoreError.noSuchNote(current) }
        return row
    }

    /// Prints the open note's lines: all, one, or from one to another.
    func show(_ range: String, numbered: Bool) throws {
        let lines = lines(of: try notebook.notes.text(try openRow().id) ?? "")
        let numbers = range.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," }).compactMap { Int($0) }
        let first = max(numbers.first ?? 1, 1)
        let last = min(numbers.count > 1 ? numbers[1] : numbers.first ?? lines.count, lines.count)
        guard first <= last else { return try say(lines.isEmpty ? LineTexts.empty : LineTexts.noLine(first)) }
        for number in first...last {
            // The carriage return of a Windows line end is not printed, since it would be spoken.
            let line = lines[number - 1].unicodeScalars
            let text = String(line.last == "\r" ? line.dropLast() : line[...])
            try say(numbered ? "\(number) \(text)" : text)
        }
    }

    /// Saves a text that follows a word, or else the lines that are read now.
    ///
    /// Lines that a person types are in a draft until they are saved, so that a lost connection loses none: the next
    /// command makes a note of them, as it does of a text that cannot be saved.
    ///
    /// - Parameters:
    ///   - addition: the note that the text is for; nil for a new one.
    ///   - id: the identity of the new note.
    ///   - save: saves the text; not called if the input ends before the first line.
    private func write(
        _ text: String?, for addition: Draft.Addition? = nil, as id: NoteID = NoteID(),
        _ save: (String) throws -> Void
    ) throws {
        if let text { return try save(text) }
        // Typing goes on without a draft.
        let draft = prompts ? try? Draft(addition: addition, becoming: id, database: notebook.path) : nil
        let lines = try readLines { line in
            try? draft?.append(line + "\n")  // what it lacks is in memory, and is written if it cannot be saved
        }
        guard let text = lines else {
            draft?.remove()
            return try say(LineTexts.nothingWritten)
        }
        do {
            try save(text)
        } catch {
            guard let draft else {
                throw Draft.keep(
                    text, addition: addition, becoming: id, isTyped: false, for: notebook.path, after: error)
            }
            throw draft.keep(text, after: error)
        }
        draft?.remove()
    }

    mutating func create(_ text: String) throws {
        let id = NoteID()
        var made: NoteRow?
        try write(text.isEmpty ? nil : text, as: id) { text in
            guard !text.isBlank else { return try say(LineTexts.nothingWritten) }
            made = try notebook.notes.create(NewNote(text: text + "\n", id: id))
        }
        guard let made else { return }
        current = made.id
        try say(LineTexts.made(made))
    }

    func append(_ text: String) throws {
        let row = try openRow()
        let target = Draft.Addition(title: row.title, note: row.id, revision: row.revision)
        try write(text.isEmpty ? nil : text, for: target) { text in
            guard !text.isEmpty else { return try say(LineTexts.nothingWritten) }
            try notebook.notes.append(lines: text, to: row)
            try say(LineTexts.saved)
        }
    }

    /// Performs `change 3 New text`, `insert 3 Text before it` or `delete 3`; without a text, lines are read.
    func change(_ word: String, _ rest: String) throws {
        let row = try openRow()
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        guard let number = parts.first.flatMap({ Int($0) }) else { return try say(LineTexts.needsLine(word)) }
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        let old = try notebook.notes.text(row.id) ?? ""
        var lines = lines(of: old.hasOnlyWindowsLineEnds ? old.replacing("\r\n", with: "\n") : old)
        let isInsertion = word.hasPrefix("i")
        guard number >= 1, number <= lines.count + (isInsertion ? 1 : 0) else {
            return try say(LineTexts.noLine(number))
        }
        if word.hasPrefix("d") {
            lines.remove(at: number - 1)
            return try save(lines, in: row, replacing: old)
        }
        let text = parts.count > 1 ? parts[1] : nil
        try write(text, for: Draft.Addition(title: row.title, note: row.id)) { text in
            lines.replaceSubrange(number - 1..<number - (isInsertion ? 1 : 0), with: [text])
            try save(lines, in: row, replacing: old)
        }
    }

    /// Saves changed lines; says so if they could not be merged with what was changed elsewhere meanwhile.
    private func save(_ lines: [String], in row: NoteRow, replacing old: String) throws {
        let end = lines.isEmpty || !old.isEmpty && old.utf8.last != UInt8(ascii: "\n") ? "" : "\n"
        let new = lines.joined(separator: "\n") + end
        try notebook.versions.keep(of: row.id, reason: .outside)
        let outcome = try notebook.notes.save(
            row.id, text: old.hasOnlyWindowsLineEnds ? new.replacing("\n", with: "\r\n") : new,
            baseRevision: row.revision, base: old)
        try tell(outcome.copy.map(Texts.keptAs) ?? LineTexts.saved)
    }

    func edit() throws {
        let outcome = try OutsideEdit.run(try openRow(), in: notebook, with: try EditorProgram.find())
        try tell(outcome.copy.map(Texts.keptAs) ?? outcome.file.map(Texts.editorGoesOn) ?? LineTexts.saved)
    }

    func rename(_ title: String) throws {
        try notebook.notes.rename(try openRow().id, to: title)
        try say(LineTexts.saved)
    }

    func star(_ isStarred: Bool) throws {
        try notebook.notes.setStarred([try openRow().id], isStarred)
        try say(isStarred ? LineTexts.starred : LineTexts.unstarred)
    }

    func trash() throws {
        let row = try openRow()
        try notebook.trash.add([row.id])
        try say(LineTexts.trashed(row))
    }
}

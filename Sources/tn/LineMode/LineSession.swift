import Foundation
import Interface
import NoteStore
import Terminal

/// The notebook as a conversation: a typed line, then its answer.
///
/// Only answers are printed, each once and line by line, so that a screen reader speaks only what is new.
struct LineSession {
    /// The object for a number of the last list.
    enum Answer {
        case note(NoteID)
        case folder(ContainerID)
    }

    let notebook: Notebook
    /// The entries of the last list; the first one has the number 1.
    var answers: [Answer] = []
    /// The list that `more` continues, with its last printed row and the number of rows that are left.
    var listing: (query: ListQuery, last: NoteRow, left: Int)?
    /// The note that was opened last.
    var current: NoteID?
    private let input = LineInput()
    /// Whether a person types the lines.
    let prompts = isatty(STDIN_FILENO) == 1

    /// The number of rows of a list that are printed at once: as many as a listener can follow.
    static let page = 20

    init(_ notebook: Notebook) {
        self.notebook = notebook
    }

    /// Answers lines until the input ends or a line ends the session.
    mutating func run() throws {
        if prompts { try say(LineTexts.welcome) }
        while let line = try nextLine(LineTexts.prompt) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
            guard let word = words.first?.lowercased() else { continue }
            if ["quit", "q", "exit", "bye"].contains(word) { return }
            do {
                try perform(word, words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : "")
            } catch {
                // An error does not end the session.
                try tell(Failure(error).message)
            }
        }
    }

    /// Reads the next line; nil at the end of the input.
    ///
    /// One that is not UTF-8 is left out, and the answer says so.
    ///
    /// - Parameter prompt: the prompt that is printed on a terminal.
    func nextLine(_ prompt: String) throws -> String? {
        while true {
            if prompts { try StandardOutput.write(prompt.utf8) }
            try StandardOutput.flush()
            guard let bytes = input.next() else { return nil }
            if let line = String(validating: bytes, as: UTF8.self) { return line }
            try say(LineTexts.notText)
        }
    }

    /// Prints a line of an answer; control characters in it become visible, in ASCII as `^[`, except tabs, which every
    /// terminal has.
    func say(_ line: String) throws {
        var shown = ""
        for scalar in line.unicodeScalars {
            let isControl = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            shown += isControl ? "^\(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))" : String(scalar)
        }
        let parts = shown.split(separator: "\t", omittingEmptySubsequences: false)
        try StandardOutput.write(line: parts.map { Sanitizer.visible($0) }.joined(separator: "\t"))
    }

    /// Prints a sentence that other commands say too, in ASCII: its quotes, dashes and arrows would be spoken, or drawn
    /// as garbage.
    func tell(_ sentence: String) throws { try say(Glyphs.ascii.plain(sentence)) }

    /// Reads lines up to a line with only a full stop, or the end of the input.
    ///
    /// - Parameter keep: called with each line as it comes.
    /// - Returns: nil if the input ends before the first line.
    func readLines(_ keep: (String) throws -> Void) throws -> String? {
        if prompts { try say(LineTexts.endsWithStop) }
        var lines: [String] = []
        while let line = try nextLine("") {
            if line == "." { return lines.joined(separator: "\n") }
            lines.append(line)
            try keep(line)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    // MARK: Words

    private mutating func perform(_ word: String, _ rest: String) throws {
        if let number = Int(word) { return try open(number) }
        switch word {
        case "help", "?", "h": try LineTexts.help.forEach(say)
        case "list", "l": try list(rest)
        case "more", "m": try more()
        case "folders", "f": try folders()
        case "search", "find", "/": try search(rest)
        case "show", "s": try show(rest, numbered: false)
        case "lines": try show(rest, numbered: true)
        case "new", "n": try create(rest)
        case "append", "a": try append(rest)
        case "change", "c", "insert", "i", "delete", "d": try change(word, rest)
        case "edit", "e": try edit()
        case "title": try rename(rest)
        case "star", "unstar": try star(word == "star")
        case "trash": try trash()
        case "undo": try say(try notebook.actions.undo() == nil ? LineTexts.nothingToUndo : LineTexts.undone)
        default: try say(LineTexts.unknown(word))
        }
    }

    // MARK: Lists

    private mutating func list(_ path: String) throws {
        try list(path.isEmpty ? .allNotes : try notebook.containers.resolve(path: path).id)
    }

    mutating func list(_ container: ContainerID) throws {
        let query = ListQuery(container: container, starredFirst: true)
        answers = []
        let count = try notebook.lists.count(query)
        if count == 0 { try say(LineTexts.nothingHere) }
        try list(query, from: .start, of: count)
    }

    private mutating func more() throws {
        guard let listing else { return try say(LineTexts.noMore) }
        try list(listing.query, from: .after(listing.last), of: listing.left)
    }

    /// Prints the next page of a list, with continued numbers.
    private mutating func list(_ query: ListQuery, from anchor: ListAnchor, of count: Int) throws {
        let rows = try notebook.lists.rows(query, from: anchor, limit: Self.page)
        for row in rows { try say(number(row)) }
        let left = max(0, count - rows.count)
        listing = rows.last.flatMap { left > 0 ? (query, $0, left) : nil }
        if left > 0 { try say(LineTexts.left(left)) }
    }

    /// Returns the row of a note with a new number, by which the note can be named.
    private mutating func number(_ row: NoteRow) -> String {
        answers.append(.note(row.id))
        return LineTexts.row(row, number: answers.count)
    }

    private mutating func folders() throws {
        (answers, listing) = ([], nil)
        for container in try notebook.containers.all() where container.kind != .buffer {
            answers.append(.folder(container.id))
            let path = try notebook.containers.path(of: container)
            try say("\(answers.count) \(path)")
        }
    }

    private mutating func search(_ text: String) throws {
        (answers, listing) = ([], nil)
        let hits = try notebook.search.hits(text, limit: Self.page)
        if hits.isEmpty { try say(LineTexts.nothingFound) }
        for hit in hits { try say(number(hit.row)) }
        for remark in try notebook.search.remarks(text) { try tell(remark.sentence) }
    }

    private mutating func open(_ number: Int) throws {
        guard number > 0, number <= answers.count else { return try say(LineTexts.noNumber(number)) }
        switch answers[number - 1] {
        case .folder(let id): try list(id)
        case .note(let id):
            guard let row = try notebook.notes.row(id) else { throw StoreError.noSuchNote(id) }
            current = id
            try say(LineTexts.opened(row, lines: lines(of: try notebook.notes.text(id) ?? "").count))
        }
    }

    // MARK: Texts

    /// Splits a text into lines; a line end at its end does not begin another line.
    func lines(of text: String) -> [String] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension Notebook.Containers {
    /// Returns the names of a container and of those that contain it, outermost first.
    fileprivate func path(of container: NoteContainer) throws -> String {
        var names = [container.name]
        var next = container.parent
        while let id = next, let parent = try load(id) {
            names.insert(parent.name, at: 0)
            next = parent.parent
        }
        return Self.path(ofNames: names)
    }
}

import Foundation
import NoteStore
import TextPrimitives

/// Writes notes for scripts (JSON, with the same keys everywhere) and for people (aligned columns).
struct NoteOutput {
    private let notebook: Notebook

    init(_ notebook: Notebook) {
        self.notebook = notebook
    }

    // MARK: JSON

    /// The JSON of a note; its keys are a contract.
    private struct NoteJSON: Encodable {
        var uuid, title, folder: String
        var tags: [String]
        var starred: Bool
        var created, updated: String
        var url: String
        var words: Int
        var content: String?
        var snippet: String?
        var score: Double?
    }

    private func json(_ row: NoteRow, path: (ContainerID?) -> String) -> NoteJSON {
        NoteJSON(
            uuid: row.id.description, title: row.title, folder: path(row.folder), tags: row.tagNames,
            starred: row.starred, created: row.createdDate.timestamp, updated: row.updatedDate.timestamp,
            url: row.getURL(), words: row.wordCount)
    }

    /// Prints a value as JSON: indented for readers, or on a single line, which status bars read.
    static func print(json value: some Encodable, onOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        try StandardOutput.write(harmless(try encoder.encode(value)) + Data("\n".utf8))
    }

    /// Escapes the characters that the encoder leaves as they are, because a terminal may obey them: control
    /// characters, and the placeholder of a picture that another program has sent.
    private static func harmless(_ json: Data) -> Data {
        func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x7F
                && (scalar.value < 0xA0 || scalar.value == 0x10_EEEE || scalar.properties.isBidiControl)
        }
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isObeyed) else { return json }
        var result = ""
        for scalar in text.unicodeScalars {
            if isObeyed(scalar) {
                // Beyond the Basic Multilingual Plane, JSON uses two surrogates (RFC 8259, section 7).
                for unit in String(scalar).utf16 { result += "\\u" + Hexadecimal.text(unit, digits: 4) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return Data(result.utf8)
    }

    /// Returns a function from a container to its path, with `/` in a name written `\/`.
    static func paths(_ containers: [NoteContainer]) -> (ContainerID?) -> String {
        let byID = Dictionary(containers.map { ($0.id, $0) }) { first, _ in first }
        // A list of a tree has each folder right after its parent, so only the folder's own name is added.
        var last: (id: ContainerID, path: String)?
        return { id in
            var names: [String] = []
            var next = id
            while let id = next, id != last?.id, let container = byID[id] {
                names.append(container.name)
                next = container.parent
            }
            var path = Notebook.Containers.path(ofNames: names.reversed())
            if let last, next == last.id { path = names.isEmpty ? last.path : "\(last.path)/\(path)" }
            if let id, byID[id] != nil { last = (id, path) }
            return path
        }
    }

    private func paths() throws -> (ContainerID?) -> String { Self.paths(try notebook.containers.all()) }

    // MARK: Notes

    /// A note in a list, with the text shown beside it.
    private struct Line {
        var row: NoteRow
        var about: String
        var snippet: String?
        var score: Double?
        /// The path of its folder, if that is a column.
        var folder: String?
    }

    /// - Parameter withFolders: whether to add a last column with the path of each note's folder.
    func write(_ rows: [NoteRow], json asJSON: Bool, withFolders: Bool = false) throws {
        guard withFolders, !asJSON else {
            return try write(rows.map { Line(row: $0, about: $0.preview) }, json: asJSON)
        }
        let path = try paths()
        try write(rows.map { Line(row: $0, about: $0.preview, folder: path($0.folder)) }, json: false)
    }

    func write(_ hits: [SearchHit], json asJSON: Bool) throws {
        try write(
            hits.map { Line(row: $0.row, about: $0.snippet, snippet: $0.snippet, score: $0.score) }, json: asJSON)
    }

    /// Writes notes that are similar to another one, each with the words that both have.
    func write(related: [(row: NoteRow, words: [String], score: Double)], json asJSON: Bool) throws {
        try write(
            related.map {
                let words = $0.words.joined(separator: ", ")
                return Line(row: $0.row, about: words, snippet: words, score: $0.score)
            }, json: asJSON)
    }

    /// Writes the links to a note: for each, the note that contains it, and its line.
    func write(_ links: [NoteLink], json asJSON: Bool) throws {
        try write(links.map { Line(row: $0.source, about: $0.context, snippet: $0.context) }, json: asJSON)
    }

    /// Writes the notes that mention a title without a link to its note.
    func write(_ mentions: [UnlinkedMention], json asJSON: Bool) throws {
        try write(mentions.map { Line(row: $0.source, about: $0.snippet, snippet: $0.snippet) }, json: asJSON)
    }

    func write(_ row: NoteRow, content: String) throws {
        var note = json(row, path: try paths())
        note.content = content
        try Self.print(json: note)
    }

    /// Writes one line for each note: the first characters of its UUID, the day it changed, its title and a line of
    /// text.
    private func write(_ lines: [Line], json asJSON: Bool) throws {
        if asJSON {
            let path = try paths()
            return try Self.print(
                json: lines.map { line in
                    var note = json(line.row, path: path)
                    note.snippet = line.snippet
                    note.score = line.score
                    return note
                })
        }
        let hasFolders = lines.contains { $0.folder != nil }
        var table = hasFolders ? Table(.dim, .dim, .bold, .dim, .dim) : Table(.dim, .dim, .bold, .dim)
        for line in lines {
            let cells = [line.row.shortID, Self.day(line.row.updatedDate), line.row.title, line.about]
            table.add(hasFolders ? cells + [line.folder ?? ""] : cells)
        }
        try table.write()
    }

    /// Formats a day like `2026-03-01`, in the user's time zone.
    static func day(_ date: Date) -> String { Day(date).description }
}

extension NoteRow {
    /// The first 8 characters of its UUID, which are usually enough to identify the note.
    var shortID: String { String(id.description.prefix(8)).lowercased() }
}

import Foundation
import NoteStore
import Rainbow
import Terminal

/// Writes notes for scripts (JSON, one set of keys everywhere) and for people (aligned columns).
struct NoteOutput {
    private let notebook: Notebook

    init(_ notebook: Notebook) {
        self.notebook = notebook
    }

    // MARK: JSON

    /// A note as scripts see it; the keys are a contract.
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
            starred: row.starred, created: Self.timestamp(row.createdDate), updated: Self.timestamp(row.updatedDate),
            url: row.getURL(), words: row.wordCount)
    }

    /// ISO 8601 in UTC with milliseconds: `2026-03-01T09:30:00.000Z`.
    private static func timestamp(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    private static func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        StandardOutput.write(try encoder.encode(value) + Data("\n".utf8))
    }

    /// The function from a folder to its path, with `/` in a name written `\/`.
    private func paths() throws -> (ContainerID?) -> String {
        let containers = try notebook.containers()
        let byID = Dictionary(containers.map { ($0.id, $0) }) { first, _ in first }
        return { id in
            var names: [String] = []
            var next = id
            while let id = next, let container = byID[id] {
                names.insert(container.name.replacing("/", with: #"\/"#), at: 0)
                next = container.parent
            }
            return names.joined(separator: "/")
        }
    }

    // MARK: Notes

    func write(_ rows: [NoteRow], json asJSON: Bool) throws {
        if asJSON {
            let path = try paths()
            try Self.print(json: rows.map { json($0, path: path) })
        } else {
            table(rows.map { ($0, $0.preview) })
        }
    }

    func write(_ hits: [SearchHit], json asJSON: Bool) throws {
        guard asJSON else { return table(hits.map { ($0.row, $0.snippet) }) }
        let path = try paths()
        try Self.print(
            json: hits.map { hit in
                var note = json(hit.row, path: path)
                note.snippet = hit.snippet
                note.score = hit.score
                return note
            })
    }

    func write(_ row: NoteRow, content: String) throws {
        var note = json(row, path: try paths())
        note.content = content
        try Self.print(json: note)
    }

    /// One line a note: the first characters of its UUID, the day it changed, title and a line of text, cut to the
    /// width of a terminal and whole in a pipe.
    private func table(_ lines: [(row: NoteRow, about: String)]) {
        let isTerminal = StandardOutput.isTerminal
        let width = isTerminal ? StandardOutput.columns : .max
        let titleWidth = min(lines.map { TextWidth.shared.width(of: Sanitizer.visible($0.row.title)) }.max() ?? 0, 40)
        for (row, about) in lines {
            let id = String(row.id.description.prefix(8)).lowercased()
            let day = row.updatedDate.formatted(.iso8601.year().month().day())
            let title = fitted(Sanitizer.visible(row.title), to: titleWidth)
            let rest = width == .max ? Int.max : max(0, width - 8 - 10 - titleWidth - 6)
            let text = cut(Sanitizer.visible(about), to: rest)
            StandardOutput.write(
                line: isTerminal && StandardOutput.wantsColor
                    ? "\(id.dim)  \(day.dim)  \(title.bold)  \(text.dim)" : "\(id)  \(day)  \(title)  \(text)")
        }
    }

    private func fitted(_ text: String, to columns: Int) -> String {
        let text = cut(text, to: columns)
        return text + String(repeating: " ", count: max(0, columns - TextWidth.shared.width(of: text)))
    }

    private func cut(_ text: String, to columns: Int) -> String {
        guard TextWidth.shared.width(of: text) > columns else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += TextWidth.shared.width(of: character)
            guard used <= columns else { break }
            kept.append(character)
        }
        return columns > 0 ? kept + "…" : ""
    }
}

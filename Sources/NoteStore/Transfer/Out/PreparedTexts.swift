import Foundation
import Markdown

/// Prepares texts for display: inserts embedded notes and keeps the lines of poems.
///
/// Only one thread may use it.
///
/// A note of a poetry project keeps its line breaks, and so does one with `lines: keep` in its front matter; `lines:
/// join` says the opposite.
final class PreparedTexts {
    private let notebook: Notebook
    /// Whether all texts keep their line breaks unless their front matter says otherwise.
    private let keepsAllLines: Bool
    private var containers: [ContainerID: NoteContainer] = [:]
    private var poetry: [ContainerID: Bool] = [:]
    /// The number of bytes that embeds may still add to the current text.
    private var room = 0
    /// The number of embeds in the current text so far.
    private var embedCount = 0

    /// The largest number of bytes that embeds may add to a text, which could embed a long one a thousand times.
    private static let maximumRoom = 2_000_000
    /// The largest number of embeds in a text, including those inside one another.
    private static let maximumCount = 200
    /// The largest depth to which notes are embedded in one another.
    private static let maximumDepth = 5

    init(_ notebook: Notebook, keepsAllLines: Bool = false) throws(StoreError) {
        self.notebook = notebook
        self.keepsAllLines = keepsAllLines
        containers = Dictionary(try notebook.containers.all().map { ($0.id, $0) }) { one, _ in one }
    }

    /// Returns a note's text prepared for display.
    func text(_ text: String, of row: NoteRow) throws(StoreError) -> String {
        (room, embedCount) = (Self.maximumRoom, 0)
        return try linkingFiles(expanded(text, of: row, keepingLines: keepsLines(row, text), inside: []))
    }

    /// Returns the text with links in place of shown files that are not pictures, which no page can show as one.
    private func linkingFiles(_ text: String) throws(StoreError) -> String {
        guard text.contains("takenote://file/") else { return text }
        var edits = LinkEdits(Array(text.utf8))
        for shown in Markdown.destinations(in: text) where shown.kind == .image {
            guard let target = TakeNoteURL(shown.target), target.kind == .file,
                let file = try notebook.attachments.load(target.uuid), !file.isPicture,
                let whole = edits.image(around: shown.range)
            else { continue }
            let label = whole.alternative.isEmpty ? ImportRun.escaped(file.name) : whole.alternative
            edits.replace(whole.range, "[\(label)](\(shown.target))")
        }
        return edits.text
    }

    // MARK: - Lines

    private func keepsLines(_ row: NoteRow, _ text: String) -> Bool {
        switch NoteFrontMatter(of: text)?.fields["lines"]?.lowercased() {
        case "keep": true
        case "join": false
        default: keepsAllLines || (row.folder.map { isPoetry($0) } ?? false)
        }
    }

    private func isPoetry(_ folder: ContainerID) -> Bool {
        if let known = poetry[folder] { return known }
        var next: ContainerID? = folder
        // A damaged notebook may have a cycle of folders.
        var seen: Set<ContainerID> = []
        var type: NoteContainer.ProjectType?
        while let id = next, seen.insert(id).inserted, let container = containers[id], type == nil {
            type = container.projectType
            next = container.parent
        }
        poetry[folder] = type == .poetry
        return type == .poetry
    }

    // MARK: - Embeds

    /// Replaces each `![[…]]` that is a line of its own by the note, section or block that it names.
    ///
    /// A note that is embedded in itself stays a link.
    private func expanded(
        _ text: String, of row: NoteRow, keepingLines: Bool, inside outer: [NoteID]
    ) throws(StoreError) -> String {
        let text = keepingLines ? Markdown.hardeningLineBreaks(of: text) : text
        let outer = outer + [row.id]
        guard text.contains("![["), outer.count <= Self.maximumDepth else { return text }
        let bytes = Array(text.utf8)
        var edits = LinkEdits(bytes)
        for embed in Markdown.destinations(in: text) where embed.kind == .embed {
            guard embedCount < Self.maximumCount, let line = Self.line(ofOnly: embed.range, in: bytes),
                let found = try notebook.links.target(of: embed.target, from: row.id), found.note.place != .trash,
                !outer.contains(found.note.id), let whole = try notebook.notes.text(found.note.id),
                let part = Self.part(found.anchor, of: whole), part.utf8.count <= room
            else { continue }
            room -= part.utf8.count
            embedCount += 1
            let number = embedCount
            let keeps = keepsLines(found.note, whole)
            let inner = try expanded(part, of: found.note, keepingLines: keeps, inside: outer)
            let named = Markdown.renamingFootnotes(of: inner) { "\(number)-\($0)" }
            edits.replace(line, "\n" + named.trimmingCharacters(in: .newlines) + "\n")
        }
        return edits.text
    }

    private static func part(_ anchor: LinkAnchor?, of text: String) -> String? {
        guard let anchor else { return Markdown.body(of: text, titled: "\0") }
        guard let line = anchor.line(in: text) else { return nil }
        return switch anchor {
        case .heading: Markdown.section(of: text, fromHeadingIn: line)
        case .block: Markdown.block(of: text, markedIn: line)
        }
    }

    /// Returns the line that contains nothing but an embed, and so is in no list, quotation or table; nil otherwise.
    private static func line(ofOnly range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        let before = bytes[..<range.lowerBound].reversed().prefix { !isBreak($0) }
        let after = bytes[range.upperBound...].prefix { !isBreak($0) }
        // In a text that keeps its lines, a backslash may end a line as a hard break.
        guard before.count <= 3, before.allSatisfy({ $0 == UInt8(ascii: " ") }),
            after.allSatisfy({ " \t\\".utf8.contains($0) })
        else { return nil }
        return range.lowerBound - before.count..<range.upperBound + after.count
    }
}

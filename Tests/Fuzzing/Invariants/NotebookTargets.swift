import Foundation
import NoteStore
import Synchronization

extension FuzzTarget {
    /// The query grammar: any typed text is valid, and matches and counts are correct.
    ///
    /// Matches are within their snippets and in order, and cut no character; found notes are counted.
    public static let query = FuzzTarget("query") { input in
        Shelf.shared.withLock { queryFault(String(decoding: input, as: UTF8.self), $0.notebook) }
    }

    private static func queryFault(_ text: String, _ notebook: Notebook) -> String? {
        do {
            for stage in [SearchStage.instant, .ranked, .complete] {
                let hits = try notebook.search.hits(text, limit: 5, stage: stage)
                for hit in hits {
                    if let fault = matchFault(hit.matches, Array(hit.snippet.utf8)) {
                        return "\(fault) of “\(hit.snippet)”"
                    }
                }
                let count = try notebook.search.count(text, limit: 5)
                if stage == .complete, hits.count != count { return "“\(text)”: \(hits.count) hits, counted \(count)" }
            }
            _ = try notebook.search.indexCount(text, limit: 10)
            return nil
        } catch {
            return "“\(text)”: \(error)"
        }
    }

    private static func matchFault(_ matches: [Range<Int>], _ snippet: [UInt8]) -> String? {
        var end = 0
        for match in matches {
            if match.lowerBound < end || match.upperBound > snippet.count { return "a match at \(match)" }
            for offset in [match.lowerBound, match.upperBound] where offset < snippet.count {
                if snippet[offset] & 0xC0 == 0x80 { return "a match at \(match) inside a character" }
            }
            end = match.upperBound
        }
        return nil
    }

    /// The import of a file: it becomes a note with unchanged bytes, or its problem is reported.
    ///
    /// The export of the note is imported as the same note.
    public static let importing = FuzzTarget("import") { input in
        Shelf.shared.withLock { importFault(input, $0) }
    }

    private static func importFault(_ input: [UInt8], _ shelf: Shelf) -> String? {
        do {
            try Data(input).write(to: shelf.file)
            let result = try shelf.notebook.transfer.importFiles(ImportPlan(paths: [shelf.file.path]))
            guard let id = result.notes.first else {
                return result.problems.isEmpty ? "neither a note nor a problem" : nil
            }
            guard let note = try shelf.notebook.notes.load(id) else { return "the note is not there" }
            guard let expected = String(validating: input, as: UTF8.self) else { return "a note of invalid UTF-8" }
            let plain = expected.hasPrefix("\u{FEFF}") ? String(expected.unicodeScalars.dropFirst()) : expected
            // Links to files and images may have been converted to links to notes and images.
            let hasLinks = plain.contains("](") || plain.contains("[[") || plain.contains("takenote:")
            let isSame = note.content.utf8.elementsEqual(plain.utf8) || note.content.utf8.elementsEqual(expected.utf8)
            if !isSame, !hasLinks { return "the text has changed: \(note.content.debugDescription)" }
            return try returningFault(note, comparesText: !hasLinks, shelf)
        } catch {
            return "\(error)"
        }
    }

    /// Exports a note with all its data, deletes it, and imports the exported file.
    private static func returningFault(_ note: Note, comparesText: Bool, _ shelf: Shelf) throws -> String? {
        let exported = try shelf.notebook.transfer.export(
            [note.id], to: shelf.out.path, ExportOptions(frontMatter: true))
        guard let path = exported.paths.first else { return "not exported: \(exported.problems)" }
        let file = shelf.out.appending(path: path)
        guard file.standardized.path.hasPrefix(shelf.out.standardized.path) else { return "exported to \(path)" }
        defer { unlink(file.path) }
        try delete(note.id, in: shelf)
        let result = try shelf.notebook.transfer.importFiles(ImportPlan(paths: [file.path]))
        guard let id = result.notes.first, let returned = try shelf.notebook.notes.load(id) else {
            return "exported, but not imported: \(result.problems)"
        }
        defer { try? delete(id, in: shelf) }  // the next input makes a new note in any case
        if comparesText, !returned.content.utf8.elementsEqual(note.content.utf8) {
            return "it returned as \(returned.content.debugDescription)"
        }
        let (old, new) = (note.row, returned.row)
        if old.title != new.title { return "“\(old.title)” returned as “\(new.title)”" }
        if old.tagNames != new.tagNames { return "tags \(old.tagNames) returned as \(new.tagNames)" }
        return old.starred == new.starred ? nil : "its star was lost"
    }

    private static func delete(_ id: NoteID, in shelf: Shelf) throws {
        try shelf.notebook.trash.add([id])
        try shelf.notebook.trash.deleteForever([id], backup: false)
    }
}

/// A small notebook in a private folder, for the targets that need one; used by one input at a time.
private struct Shelf: Sendable {
    static let shared = Mutex(Shelf())

    let notebook: Notebook
    let file: URL
    /// The folder for exports.
    let out: URL
    private static let texts = [
        "Piranesi\n\nThe House is infinite; its *beauty* immeasurable. #books", "Groceries\n\n- [ ] Milk\n- [x] eggs",
        "世界 und “Größe”\n\nStraße, naïve, İstanbul, 한글 -> => OR AND NOT NEAR(a b)",
    ]

    private init() {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-fuzz-\(UUID().uuidString.prefix(8))")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
            for text in Self.texts { _ = try notebook.notes.create(NewNote(text: text, folder: .inbox)) }
        } catch {
            fatalError("no notebook to fuzz with: \(error)")
        }
        file = folder.appending(path: "file.md")
        out = folder.appending(path: "out")
    }
}

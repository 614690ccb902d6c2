import Foundation
import NoteStore
import Synchronization

extension FuzzTarget {
    /// The query grammar: nothing that can be typed is an error, and matches lie in their snippets.
    public static let query = FuzzTarget("query") { input in
        Shelf.shared.withLock { queryFault(String(decoding: input, as: UTF8.self), $0.notebook) }
    }

    private static func queryFault(_ text: String, _ notebook: Notebook) -> String? {
        do {
            for stage in [SearchStage.instant, .ranked] {
                for hit in try notebook.search(text, limit: 5, stage: stage) {
                    let end = hit.matches.last?.upperBound ?? 0
                    if end > hit.snippet.utf8.count { return "a match ends at \(end) of “\(hit.snippet)”" }
                }
            }
            _ = try notebook.searchCount(text, limit: 10)
            return nil
        } catch {
            return "“\(text)”: \(error)"
        }
    }

    /// The import of a file: it becomes a note with every byte as it was, or its problem is named.
    public static let importing = FuzzTarget("import") { input in
        Shelf.shared.withLock { importFault(input, $0) }
    }

    private static func importFault(_ input: [UInt8], _ shelf: Shelf) -> String? {
        do {
            try Data(input).write(to: shelf.file)
            let result = try shelf.notebook.importFiles(ImportPlan(paths: [shelf.file.path]))
            guard let id = result.notes.first else {
                return result.problems.isEmpty ? "neither a note nor a problem" : nil
            }
            guard let text = try shelf.notebook.note(id)?.content else { return "the note is not there" }
            try shelf.notebook.moveToTrash([id])
            guard let expected = String(validating: input, as: UTF8.self) else { return "a note of invalid UTF-8" }
            let plain = expected.hasPrefix("\u{FEFF}") ? String(expected.unicodeScalars.dropFirst()) : expected
            // Links to files and images may have been made links to notes and images.
            let isSame = text.utf8.elementsEqual(plain.utf8) || text.utf8.elementsEqual(expected.utf8)
            return isSame || plain.contains("](") || plain.contains("[[")
                ? nil : "the text has changed: \(text.debugDescription)"
        } catch {
            return "\(error)"
        }
    }
}

/// A small notebook in a folder of its own, for the targets that need one; one input at a time.
private struct Shelf: Sendable {
    static let shared = Mutex(Shelf())

    let notebook: Notebook
    let file: URL
    private static let texts = [
        "Piranesi\n\nThe House is infinite; its *beauty* immeasurable. #books", "Groceries\n\n- [ ] Milk\n- [x] eggs",
        "世界 und “Größe”\n\nStraße, naïve, İstanbul, 한글 -> => OR AND NOT NEAR(a b)",
    ]

    private init() {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-fuzz-\(UUID().uuidString.prefix(8))")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
            for text in Self.texts { _ = try notebook.create(NewNote(text: text, folder: .inbox)) }
        } catch {
            fatalError("no notebook to fuzz with: \(error)")
        }
        file = folder.appending(path: "file.md")
    }
}

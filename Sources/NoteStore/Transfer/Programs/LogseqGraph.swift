import Foundation
import SystemPackage

/// A graph of Logseq: pages and journals.
struct LogseqGraph: Translation {
    let notes: [(name: String, folders: [String])]
    private let files: ExportFiles

    static func recognizes(_ files: ExportFiles) -> Bool { root(of: files) != nil }

    /// Returns the path before `logseq/config.edn`.
    private static func root(of files: ExportFiles) -> String? {
        files.names.first { $0 == "logseq/config.edn" || $0.hasSuffix("/logseq/config.edn") }
            .map { String($0.dropLast("logseq/config.edn".count)) }
    }

    init(_ files: ExportFiles) {
        self.files = files
        let root = Self.root(of: files) ?? ""
        let graph = ExportFiles.last(root).isEmpty ? files.path.stem ?? "Logseq" : ExportFiles.last(root)
        notes = files.names.compactMap { name in
            let path = name.dropFirst(root.count)
            let isJournal = path.hasPrefix("journals/")
            guard name.hasPrefix(root), isJournal || path.hasPrefix("pages/"),
                ImportPlan.textExtensions.contains(ExportFiles.fileExtension(name))
            else { return nil }
            return (name, [graph] + (isJournal ? ["Journals"] : []))
        }
    }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let (text, modified) = try files.text(name)
        var note = TranslatedNote(text: text)
        note.id = NoteID(derivedFrom: name + "\n" + text)
        let stem = FilePath(ExportFiles.last(name)).stem ?? ""
        let isJournal = name.contains("journals/")
        let page = stem.replacing("___", with: "/").removingPercentEncoding ?? stem
        note.title = isJournal ? stem.replacing("_", with: "-") : page
        // Properties are in the first block: `title:: Other`.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: CharacterSet(charactersIn: "- \t\r"))
            guard let mark = line.range(of: "::"), mark.lowerBound > line.startIndex else { break }
            let value = line[mark.upperBound...].trimmingCharacters(in: .whitespaces)
            switch line[..<mark.lowerBound].lowercased() {
            case "title": note.title = value
            case "tags":
                note.tags = value.split(separator: ",").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " #[]"))
                }.filter { !$0.isEmpty }
            default: break
            }
        }
        note.created = modified
        note.updated = modified
        return note
    }
}

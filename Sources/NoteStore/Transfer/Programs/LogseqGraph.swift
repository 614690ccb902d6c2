import Foundation
import Markdown
import SystemPackage

/// A graph of Logseq: pages and journals.
struct LogseqGraph: Translation {
    let notes: [(name: String, folders: [String])]
    private let files: ExportFiles
    /// The path before `pages/` and `journals/`.
    private let root: String
    /// The titles of the journal pages, such as `2026-03-01`.
    private let days: Set<String>

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
            // `logseq/` has settings and older texts of the pages.
            guard name.hasPrefix(root), !path.hasPrefix("logseq/"),
                // Org pages are imported as plain text.
                ImportPlan.textExtensions.union(["org"]).contains(ExportFiles.fileExtension(name))
            else { return nil }
            if isJournal || path.hasPrefix("pages/") { return (name, [graph] + (isJournal ? ["Journals"] : [])) }
            return (name, [graph] + ExportFiles.folders(String(path)))
        }
        self.root = root
        days = Set(
            notes.filter { $0.name.hasPrefix(root + "journals/") }.map { Self.title(ofJournal: $0.name) })
    }

    private static func title(ofJournal name: String) -> String {
        (FilePath(ExportFiles.last(name)).stem ?? "").replacing("_", with: "-")
    }

    /// Returns the text with its links to days (`[[Mar 1st, 2026]]` in Logseq) leading to the journal pages.
    private func linked(_ text: String) -> String {
        guard !days.isEmpty else { return text }
        var links = LinkEdits(Array(text.utf8))
        for link in Markdown.destinations(in: text) where link.kind == .wikilink {
            if let day = Self.day(link.target), days.contains(day) { links.rename(link, to: day) }
        }
        return links.text
    }

    /// Reads a day in Logseq's usual form; returns it as `2026-03-01`.
    private static func day(_ title: String) -> String? {
        let words = title.split { $0 == " " || $0 == "," }
        guard words.count == 3, words[0].count >= 3, let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.lowercased().hasPrefix(words[0].lowercased()) }),
            ["st", "nd", "rd", "th"].contains(words[1].suffix(2)), let day = Int(words[1].dropLast(2))
        else { return nil }
        return CivilTime(year: year, month: month + 1, day: day, hour: 0, minute: 0).map {
            String(Zone.utc.date($0).timestamp.prefix(10))
        }
    }

    func isForPeople(_ name: String) -> Bool { !name.hasPrefix(root + "logseq/") }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let (text, modified) = try files.text(name)
        var note = TranslatedNote(text: linked(LogseqBlocks.asMarkdown(text)))
        note.id = NoteID(derivedFrom: name + "\n" + text)
        let stem = FilePath(ExportFiles.last(name)).stem ?? ""
        let isJournal = name.hasPrefix(root + "journals/")
        let page = stem.replacing("___", with: "/").removingPercentEncoding ?? stem
        note.title = isJournal ? Self.title(ofJournal: name) : page
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

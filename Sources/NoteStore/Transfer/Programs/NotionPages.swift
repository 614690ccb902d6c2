import Foundation
import SystemPackage

/// Notion's export of Markdown and CSV: pages and databases whose names end with 32 hexadecimal digits.
struct NotionPages: Translation {
    let notes: [(name: String, folders: [String])]
    private let files: ExportFiles

    static func recognizes(_ files: ExportFiles) -> Bool {
        files.names.contains { name in
            ["md", "csv", "html"].contains(ExportFiles.fileExtension(name))
                && name.split(separator: "/").contains { id(in: $0) != nil }
        }
    }

    init(_ files: ExportFiles) {
        self.files = files
        // In an export of Markdown, an HTML page is an attachment.
        let isMarkdown = files.names.contains { ExportFiles.fileExtension($0) == "md" }
        notes = files.names.compactMap { name in
            switch ExportFiles.fileExtension(name) {
            case "md": break
            case "html" where !isMarkdown && ExportFiles.last(name) != "index.html": break
            // The other table contains the same rows and more.
            case "csv" where !name.hasSuffix("_all.csv"): break
            default: return nil
            }
            return (name, ["Notion"] + Self.withoutExport(ExportFiles.folders(name)).map(Self.clean))
        }
    }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let (written, modified) = try files.text(name)
        let stem = FilePath(ExportFiles.last(name)).stem ?? ""
        if ExportFiles.fileExtension(name) == "html" {
            let title = Self.clean(stem)
            var note = TranslatedNote(page: written, named: title, path: files.location(name), modified: modified)
            note.id = Self.id(in: stem[...]).flatMap { NoteID(hexadecimal: $0) } ?? note.id
            return note
        }
        let isTable = ExportFiles.fileExtension(name) == "csv"
        let text = isTable ? CSVTable(written).markdown : written
        var note = TranslatedNote(text: text)
        note.id = Self.id(in: stem[...]).flatMap { NoteID(hexadecimal: $0) } ?? NoteID(derivedFrom: name + text)
        note.title = Self.clean(stem)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if !isTable, let heading = lines.first, heading.hasPrefix("# ") {
            note.title = String(heading.dropFirst(2))
            for line in lines.dropFirst().drop(while: \.isEmpty).prefix(while: { !$0.isEmpty }) {
                guard let colon = line.range(of: ": ") else { break }
                let value = String(line[colon.upperBound...])
                switch line[..<colon.lowerBound].lowercased() {
                case "tags", "tag":
                    note.tags = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                case "created", "created time", "date created": note.created = Self.date(value)
                case "last edited time", "updated", "last edited": note.updated = Self.date(value)
                default: break
                }
            }
        }
        note.created = note.created ?? note.updated ?? modified
        note.updated = note.updated ?? note.created
        return note
    }

    /// Whether a name belongs to a page of Notion, or to a page's folder.
    static func isPage(_ name: String) -> Bool { id(in: name[...]) != nil && name.contains(" ") }

    /// Returns the 32 digits at the end of a name, after a blank; `nil` without them.
    private static func id(in name: Substring) -> String? {
        let stem = name.split(separator: ".").first.map(String.init) ?? ""
        let digits = stem.suffix(32)
        guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else { return nil }
        return stem.count == 32 || stem.dropLast(32).last == " " ? String(digits) : nil
    }

    /// Returns folders without the outermost one if that is the export's own.
    private static func withoutExport(_ folders: [String]) -> [String] {
        guard let first = folders.first, first.hasPrefix("Export-"), UUID(uuidString: String(first.dropFirst(7))) != nil
        else { return folders }
        return Array(folders.dropFirst())
    }

    private static func clean(_ name: String) -> String {
        guard let id = id(in: name[...]) else { return name }
        let clean = name.replacing(id, with: "").trimmingCharacters(in: .whitespaces)
        return clean.isEmpty ? "Untitled" : clean
    }

    /// Parses a date in Notion's English form: `March 4, 2024 5:06 PM`.
    private static func date(_ text: String) -> Date? {
        if let date = ImportFile.date(text) { return date }
        let words = text.split { $0.isWhitespace || $0 == "," || $0 == ":" }.map { $0.lowercased() }
        guard words.count >= 3, words[0].count >= 3, let day = Int(words[1]), let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.lowercased().hasPrefix(words[0]) })
        else { return nil }
        var hour = 0
        if words.count > 3 {
            // Each half of the day begins with 12: 12:30 AM is half an hour after midnight.
            guard words.count == 6, let told = Int(words[3]), (1...12).contains(told), ["am", "pm"].contains(words[5])
            else { return nil }
            hour = told % 12 + (words[5] == "pm" ? 12 : 0)
        }
        let minute = words.count > 4 ? Int(words[4]) : 0
        return minute.flatMap { CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: $0) }
            .map(Zone.utc.date)
    }
}

/// A table of comma-separated values (RFC 4180) as a table of Markdown.
struct CSVTable {
    private var rows: [[String]] = []

    init(_ text: String) {
        var row: [String] = []
        var cell = ""
        var isQuoted = false
        var previous: Character?
        for character in text {
            defer { previous = character }
            if isQuoted {
                if character == "\"" { isQuoted = false } else { cell.append(character) }
                continue
            }
            switch character {
            case "\"":
                // Two quotation marks inside a quoted cell stand for one.
                if previous == "\"" { cell.append("\"") }
                isQuoted = true
            case ",":
                row.append(cell)
                cell = ""
            case "\n", "\r\n", "\r":
                row.append(cell)
                rows.append(row)
                (row, cell) = ([], "")
            default: cell.append(character)
            }
        }
        if !cell.isEmpty || !row.isEmpty { rows.append(row + [cell]) }
    }

    var markdown: String {
        let width = rows.map(\.count).max() ?? 0
        guard width > 0, let first = rows.first else { return "" }
        func line(_ cells: [String]) -> String {
            let cells = cells.map { cell in
                cell.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("|", with: "\\|")
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        // The first row determines the number of columns; Markdown allows later rows to be shorter.
        let head = first + [String](repeating: "", count: width - first.count)
        let rule = line([String](repeating: "---", count: width))
        return ([line(head), rule] + rows.dropFirst().map(line)).joined(separator: "\n") + "\n"
    }
}

import Foundation
import Markdown
import SystemPackage

/// A file read for import.
struct ImportFile {
    let file: ImportPlan.File
    /// Where the file is, from the root.
    let path: String
    /// The text, without a byte order mark and without front matter that an export had put before it.
    let text: String
    /// The file's bytes, to know it again.
    let hash: String
    /// `nil`: the title that follows from the text is right.
    let title: String?
    let derivedTitle: String
    let tags: [String]
    let created: Date
    let updated: Date
    /// The note's identity, if an export wrote it down.
    let id: NoteID?
    let starred: Bool

    /// Larger files are refused.
    static let limit = 100_000_000

    /// The front matter's key under which an export keeps the note's identity.
    static let identityKey = "takenote"

    init(reading file: ImportPlan.File) throws(ImportFailure) {
        let (data, modified) = try Self.read(file.path)
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data[3...] : data[...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportFailure(.invalidUTF8(offset: Self.firstInvalid(Data(data))))
        }
        let frontMatter = Markdown.frontMatter(of: text)
        let identity = frontMatter?.fields.first { $0.key == Self.identityKey }.flatMap { NoteID($0.value) }
        let isOurs = frontMatter != nil && identity != nil
        self.file = file
        path = Notebook.absolute(file.path)
        self.text = isOurs ? Self.dropLines(text, frontMatter?.lineCount ?? 0) : text
        hash = Note.contentHash(of: text)
        id = identity
        tags = frontMatter?.tags ?? []
        starred = frontMatter?.fields.contains { $0.key == "starred" && $0.value == "true" } ?? false
        created = frontMatter?.created.flatMap(Self.date) ?? modified
        updated = frontMatter?.updated.flatMap(Self.date) ?? modified
        let wanted = frontMatter?.title ?? file.name
        derivedTitle = TextFacts.derivedTitle(of: self.text)
        title = derivedTitle == wanted ? nil : wanted
    }

    private static func read(_ path: String) throws(ImportFailure) -> (bytes: [UInt8], modified: Date) {
        do {
            let (bytes, modified, size) = try DiskFile.read(path, limit: limit)
            if size > limit { throw ImportFailure(.tooLarge(bytes: size, limit: limit)) }
            return (bytes, modified)
        } catch let failure as ImportFailure {
            throw failure
        } catch {
            throw ImportFailure(.unreadable(errno: (error as? Errno)?.rawValue ?? EIO))
        }
    }

    /// The offset of the first byte that is no UTF-8.
    private static func firstInvalid(_ data: Data) -> Int {
        var low = 0
        var high = data.count
        // The longest valid start, found by halves; a cut character at its end is not invalid.
        while low < high {
            let middle = (low + high + 1) / 2
            if isValidStart(data.prefix(middle)) { low = middle } else { high = middle - 1 }
        }
        // A character that the file's end or the bad byte cuts begins before it.
        return low - (incompleteTail(data.prefix(low)) ?? 0)
    }

    private static func isValidStart(_ data: Data) -> Bool { incompleteTail(data) != nil }

    /// How many bytes at the end are the start of a character; `nil` if the rest is not valid either.
    private static func incompleteTail(_ data: Data) -> Int? {
        (0...3).first { String(validating: data.dropLast($0), as: UTF8.self) != nil }
    }

    private static func dropLines(_ text: String, _ count: Int) -> String {
        var rest = text.utf8[...]
        for _ in 0..<count {
            guard let end = rest.firstIndex(of: 0x0A) else { return "" }
            rest = rest[rest.index(after: end)...]
        }
        return String(rest) ?? text
    }

    /// ISO 8601 with or without a time, a `T` between, seconds, fractions of them, and a zone (else UTC).
    static func date(_ text: String) -> Date? {
        var text = text
        if let gap = text.firstIndex(of: " "), text[..<gap].utf8.count == 10 {
            text.replaceSubrange(gap...gap, with: "T")
        }
        // The day alone comes last: its style is content with the beginning of a longer text.
        for candidate in [text, text + "Z", text + ":00Z"] {
            for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()] {
                if let date = try? style.parse(candidate) { return date }  // the next one may fit
            }
        }
        return try? Date.ISO8601FormatStyle().year().month().day().parse(text)  // no date: the file's own counts
    }
}

/// Why one file was not imported.
struct ImportFailure: Error {
    let reason: ImportProblem.Reason

    init(_ reason: ImportProblem.Reason) { self.reason = reason }
}

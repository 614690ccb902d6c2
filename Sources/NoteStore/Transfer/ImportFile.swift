import Foundation
import Markdown
import SystemPackage

/// A text that was read for import, with the properties of the note that it becomes.
struct ImportFile {
    let file: ImportPlan.File
    /// The path by which a later import recognises the file.
    let path: String
    /// The text without a byte order mark, and without front matter that an export has added.
    let text: String
    /// The hash of the text as it was read, by which a later import recognises it.
    let hash: String
    /// The title, or `nil` if it is the one derived from the text.
    let title: String?
    let derivedTitle: String
    /// The start of the text, from which the title was derived, until `dropStart`.
    private var start: TextStart?
    /// The title that the note gets, in the form in which a notebook keeps titles.
    var finalTitle: String { Transaction.cleanTitle(title ?? derivedTitle) }
    let tags: [String]
    let created: Date
    let updated: Date
    let starred: Bool
    /// The note's identity, if an export recorded it.
    let id: NoteID?
    /// Whether the text is certain to be that of the exported note.
    ///
    /// Also true for another program's note that keeps its identity. The notebook's note then stays as it is.
    let isExported: Bool
    /// Whether it is another program's note, which has an identity of its own.
    var isForeign: Bool { isExported && file.exported == nil }
    /// Whether halves of characters in it were replaced by U+FFFD.
    let hasBrokenCharacters: Bool
    /// The names of the HTML elements that were left out, since no text can hold them.
    let leftOutElements: Set<String>

    /// The size limit in bytes; larger files are refused.
    static let limit = 100_000_000

    /// The front matter's key under which an export keeps the note's identity.
    static let identityKey = "takenote"

    /// Reads a Markdown or text file.
    ///
    /// - Parameters:
    ///   - isNamedByText: whether a text without a title in its front matter gets the title derived from it, rather than
    ///     the name of its file.
    ///   - hasColonTags: whether `:one:two:` in the text gives tags, as zk can be configured.
    init(
        reading file: ImportPlan.File, isNamedByText: Bool = false, hasColonTags: Bool = false
    ) throws(ImportFailure) {
        let (text, modified) = try Self.text(of: file.location)
        let frontMatter = NoteFrontMatter(of: text)
        let identity = frontMatter?.fields[Self.identityKey].flatMap { NoteID($0) }
        let hash = Note.contentHash(of: text)
        let isUnchanged = file.exported?.hash == hash
        // Front matter that somebody has rearranged is kept whole.
        let removed = identity == nil ? nil : NoteProperties.removed(from: text)
        let synced = identity == nil ? SyncedProperties.removed(from: text) : nil
        let ownText = removed?.text ?? synced ?? text
        self.file = file.found(isUnchanged: isUnchanged)
        self.hash = hash
        path = file.location.absolute.key
        id = identity ?? (isUnchanged ? file.exported?.note : nil)
        isExported = isUnchanged
        hasBrokenCharacters = false
        leftOutElements = []
        self.text = ownText
        func exported(_ key: String) -> String? { frontMatter?.fields[NoteProperties.prefix + key] }
        // The tags in the note's own front matter belong to its text.
        let ownTags = removed?.isWhole == false ? NoteFrontMatter(of: ownText)?.tags ?? [] : []
        let colonTags = hasColonTags ? Self.colonTags(in: ownText) : []
        tags = (ownTags.isEmpty ? frontMatter?.tags ?? [] : []) + (frontMatter?.exportedTags ?? []) + colonTags
        starred = (exported("starred") ?? frontMatter?.fields["starred"]) == "true"
        // The list of an export knows the note in a file that nobody has edited.
        let listed = file.exported?.properties
        let known = isUnchanged ? listed : nil
        created =
            known?.created ?? (exported("created") ?? frontMatter?.created).flatMap(Self.date) ?? listed?.created
            ?? modified
        updated = known?.updated ?? (exported("updated") ?? frontMatter?.updated).flatMap(Self.date) ?? modified
        let start = TextStart(of: ownText)
        self.start = start
        let derived = TextFacts.derivedTitle(of: ownText, start)
        derivedTitle = derived
        let wanted =
            known?.title ?? exported("title") ?? frontMatter?.title ?? listed.map { $0.title ?? derived }
            ?? Self.title(of: file, among: frontMatter?.aliases ?? [])
            ?? (isNamedByText || synced != nil || Self.isNumbered(file, as: derived) ? derived : file.name)
        title = Self.own(wanted, unlike: derived)
    }

    /// Returns a title that is the note's own, or `nil` for the one that its text gives; titles of several lines become
    /// one line.
    private static func own(_ title: String, unlike derived: String) -> String? {
        title == derived || Transaction.cleanTitle(title) == derived ? nil : title
    }

    /// Returns the tags in words such as `:one:two:`.
    private static func colonTags(in text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).filter { word in
            word.utf8.count > 2 && word.hasPrefix(":") && word.hasSuffix(":")
        }.flatMap { $0.split(separator: ":").map(String.init) }
    }

    /// Returns the alias that a file is named after although no file name can contain its characters, as in an exported
    /// vault; `nil` if there is none.
    private static func title(of file: ImportPlan.File, among aliases: [String]) -> String? {
        aliases.first { alias in
            !Folding.trimmed(alias).isEmpty && isNumbered(file, as: alias)
                || !Folding.trimmed(alias).isEmpty && !MirrorPath.stem(ofTitle: alias).hasSameBytes(as: alias)
                    && MirrorPath.stem(file.name, isOf: alias)
        }
    }

    /// Whether a file of an export has the name of a title, with a number because another note has the title as well.
    private static func isNumbered(_ file: ImportPlan.File, as title: String) -> Bool {
        guard file.isNumbered, let gap = file.name.lastIndex(of: " ") else { return false }
        let name = Folding.key(String(file.name[..<gap]))
        return name == Folding.key(SafeName(title).name) || name == Folding.key(MirrorPath.stem(ofTitle: title))
    }

    /// Makes the import of another program's note.
    ///
    /// - Parameter hash: the hash of the file, if the note is made from a whole file.
    init(_ note: TranslatedNote, from file: ImportPlan.File, modified: Date = Date(), hash: String? = nil) {
        self.file = file
        path = file.location.absolute.key + (file.index > 0 ? "\n\(note.id)" : "")
        text = note.text
        self.hash = hash ?? Note.contentHash(of: note.text)
        let start = TextStart(of: note.text)
        self.start = start
        let derived = TextFacts.derivedTitle(of: note.text, start)
        derivedTitle = derived
        title = note.title.flatMap { Self.own($0, unlike: derived) }
        tags = note.tags
        starred = note.starred
        created = note.created ?? note.updated ?? modified
        updated = note.updated ?? note.created ?? modified
        id = note.id
        isExported = true
        hasBrokenCharacters = note.hasBrokenCharacters
        leftOutElements = note.leftOutElements
    }

    /// The remarks about what the text does not keep of the file.
    var remarks: [ImportProblem] {
        let reasons: [ImportProblem.Reason] =
            (hasBrokenCharacters ? [.brokenCharacters] : [])
            + (leftOutElements.isEmpty ? [] : [.elementsLeftOut(leftOutElements.sorted())])
        return reasons.map { ImportProblem(path: file.path, reason: $0) }
    }

    /// Everything that the store derives from the text.
    var facts: TextFacts { TextFacts(of: text, title: title, start: start, derivedTitle: derivedTitle) }

    /// Frees the parsed start of the text, since thousands of files wait in memory.
    mutating func dropStart() { start = nil }

    /// Returns the text of a file, without a byte order mark, and the file's modification date.
    static func text(of path: FilePath) throws(ImportFailure) -> (text: String, modified: Date) {
        try text(of: try content(of: path))
    }

    static func text(of content: RegularFile.Content) throws(ImportFailure) -> (text: String, modified: Date) {
        let bytes = content.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? content.bytes[3...] : content.bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportFailure(.invalidUTF8(offset: firstInvalid(content.bytes)))
        }
        return (text, content.modified)
    }

    static func content(of path: FilePath, limit: Int = limit) throws(ImportFailure) -> RegularFile.Content {
        do {
            let content = try RegularFile.read(path, limit: limit)
            if content.isTooLarge { throw ImportFailure(.tooLarge(bytes: content.size, limit: limit)) }
            return content
        } catch let problem as RegularFile.Problem {
            throw ImportFailure(.init(problem))
        } catch {
            throw (error as? ImportFailure) ?? ImportFailure(.unreadable(errno: EIO))
        }
    }

    /// Returns the offset of the first byte that is not UTF-8.
    static func firstInvalid(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return offset
    }

    /// Parses ISO 8601 with or without a time, a `T` between, seconds, fractions of them, and a zone (otherwise UTC).
    ///
    /// The day, the time and the zone may stand apart, as in YAML. The number of seconds or milliseconds since 1970 is a
    /// date, too.
    static func date(_ text: String) -> Date? {
        if let number = Int64(text), text.utf8.count == 10 || text.utf8.count == 13 {
            return Date(milliseconds: text.utf8.count == 13 ? number : number * 1000)
        }
        let text = joined(text)
        // The style with only a day comes last, because it accepts the beginning of a longer text.
        for candidate in [text, text + "Z", text + ":00Z"] {
            for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()] {
                if let date = try? style.parse(candidate) { return date }  // the next one may match
            }
        }
        return try? Date.ISO8601FormatStyle().year().month().day().parse(text)  // else the file's date counts
    }

    /// Returns a date whose zone follows the minutes, such as `2023-12-06T23:30Z`, with seconds between them.
    private static func withSeconds(_ date: String) -> String {
        let bytes = Array(date.utf8)
        guard bytes.count > 16, bytes[13] == UInt8(ascii: ":"), bytes[16] != UInt8(ascii: ":") else { return date }
        return String(decoding: bytes[..<16], as: UTF8.self) + ":00" + String(decoding: bytes[16...], as: UTF8.self)
    }

    /// Returns a date with a `T` between day and time, and with the zone right after the time.
    private static func joined(_ text: String) -> String {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let day = words.first, words.count > 1 else { return words.first ?? "" }
        if ["utc", "gmt"].contains(words.last?.lowercased()) { words[words.count - 1] = "Z" }
        let rest = words.dropFirst().joined()
        return withSeconds(day.contains("T") || rest == "Z" ? day + rest : day + "T" + rest)
    }
}

extension UTF8 {
    /// Returns the number of bytes of a scalar in UTF-8.
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x80: 1
        case ..<0x800: 2
        case ..<0x1_0000: 3
        default: 4
        }
    }
}

/// The reason why a file was not imported.
struct ImportFailure: Error {
    let reason: ImportProblem.Reason

    init(_ reason: ImportProblem.Reason) { self.reason = reason }
}

extension ImportProblem.Reason {
    init(_ error: Errno) { self = .unreadable(errno: error.rawValue) }

    init(_ problem: RegularFile.Problem) {
        switch problem {
        case .notRegular: self = .notRegular
        case .system(let error): self.init(error)
        }
    }
}

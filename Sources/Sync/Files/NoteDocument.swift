import Foundation
import NoteStore
import TextPrimitives

/// A note as a file: tn's lines of front matter, the last with the note's identity, and then the text.
///
///     ---
///     title: "Call: Ana"
///     tags: ["books"]
///     created: 2026-03-01T09:30:00.000Z
///     updated: 2026-03-02T08:00:00.000Z
///     tn: 0B5C2E5A-…
///     aliases: [x]
///     ---
///     the text
///
/// Default values are not written. The note's own front matter follows tn's lines within the same fences. If reading
/// that back would not give the same note, tn's lines stand between fences of their own.
struct NoteDocument {
    let bytes: [UInt8]

    private static let mark = "tn: "
    /// The most lines that front matter may have.
    private static let maximumLines = 500

    /// - Parameter derivedTitle: The title that the note's text has unless somebody gives it another, if it is known.
    init(_ note: SyncNote, id: NoteID, tagNames: [ContainerID: ExactText], derivedTitle: ExactText? = nil) {
        let text = note.text.string
        let body = OwnFrontMatter(text)
        let token = NulToken(for: text)
        let derived = derivedTitle ?? ExactText(Notebook.Sync.derivedTitle(of: text))
        let fields = Self.fields(note, derived, tagNames, token)
        let mark = Self.mark + id.description + "\n"
        let written = token?.hide(text) ?? text
        if let body {
            let lines = fields.map { key, value in "\(body.keys.contains(key) ? "tn-" + key : key): \(value)\n" }
            let joined = Array(("---\n" + lines.joined() + mark).utf8) + Array(written.utf8.dropFirst(4))
            if let read = NoteFields(joined), read.id == id, read.text == note.text,
                Set(read.found) == Set(fields.map(\.0))
            {
                bytes = joined
                return
            }
        }
        let lines = fields.map { "\($0): \($1)\n" }
        bytes = Array(("---\n" + lines.joined() + mark + "---\n").utf8) + Array(written.utf8)
    }

    private static func fields(
        _ note: SyncNote, _ derived: ExactText, _ tagNames: [ContainerID: ExactText], _ token: NulToken?
    ) -> [(String, String)] {
        var fields: [(String, JSONText)] = []
        if !note.followsText || note.title != derived { fields.append(("title", .text(note.title.string))) }
        if note.followsText {
            if note.title != derived { fields.append(("follows", .flag(true))) }
        } else if note.defaultTitle != derived {
            fields.append(("default", .text(note.defaultTitle.string)))
        }
        let names = note.tags.compactMap { tagNames[$0] }.sorted()
        if !names.isEmpty { fields.append(("tags", .list(names.map { .text($0.string) }))) }
        if note.starred { fields.append(("starred", .flag(true))) }
        if note.order != 0 { fields.append(("order", .number(note.order))) }
        var lines = fields.map { ($0, $1.line) }
        lines.append(("created", TimeText.text(note.created)))
        lines.append(("updated", TimeText.text(note.updated)))
        if !note.summary.isEmpty || !note.summaryHash.isEmpty {
            let parts = [note.summary, note.summaryHash].map { JSONText.text($0.string) }
            lines.append(("summary", JSONText.list(parts).line))
        }
        if let origin = note.origin { lines.append(("from", OriginText.value(origin).line)) }
        if !note.former.isEmpty {
            let pairs = note.former.sorted { $0.key < $1.key }.map { ($0.key.string, JSONText.number($0.value)) }
            lines.append(("former", JSONText.map(pairs).line))
        }
        if let other = note.conflictOf { lines.append(("conflict-of", other.description)) }
        if let token { lines.append(("nul", DoubleQuoted.text(token.text))) }
        return lines
    }

    /// The front matter in the note's own text, if tn's lines can be inserted before it.
    private struct OwnFrontMatter {
        var keys: Set<String> = []

        init?(_ text: String) {
            guard text.utf8.starts(with: "---\n".utf8) else { return nil }
            for (number, line) in text.utf8.dropFirst(4).split(
                separator: 0x0A, maxSplits: NoteDocument.maximumLines, omittingEmptySubsequences: false
            ).enumerated() {
                if number == 0, line.isEmpty || number >= NoteDocument.maximumLines { return nil }
                if line.elementsEqual("---".utf8) { return }
                if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                    keys.insert(String(decoding: line[..<colon], as: UTF8.self))
                }
            }
            return nil
        }
    }
}

/// The substitute for U+0000 in files, since git and editors take a file with that byte for a binary one.
struct NulToken {
    let text: String

    init(text: String) { self.text = text }

    /// Chooses a token that does not occur in the note, or returns `nil` for a note without U+0000.
    init?(for note: String) {
        // An iterator of `utf8` takes ten times as long for each byte.
        let bytes = Array(note.utf8)
        guard bytes.contains(0) else { return nil }
        var (number, token) = (0, "␀")
        while Self.isFound(Array(token.utf8), in: bytes) {
            number += 1
            token = "␀\(number);"
        }
        text = token
    }

    private static func isFound(_ token: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == token[0] && bytes[$0...].starts(with: token) }
    }

    func hide(_ note: String) -> String {
        var hidden: [UInt8] = []
        for byte in note.utf8 { hidden += byte == 0 ? Array(text.utf8) : [byte] }
        return String(decoding: hidden, as: UTF8.self)
    }

    func show(_ note: String) -> String {
        let (bytes, token) = (Array(note.utf8), Array(text.utf8))
        guard let first = token.first else { return note }
        var shown: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == first, bytes[offset...].starts(with: token) {
                shown.append(0)
                offset += token.count
            } else {
                shown.append(bytes[offset])
                offset += 1
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

/// The former container of something in the Trash, as a value of front matter.
enum OriginText {
    static func value(_ origin: SyncOrigin) -> JSONText {
        var pairs: [(String, JSONText)] = []
        if let id = origin.container { pairs.append(("id", .text(id.description))) }
        if let path = origin.path { pairs.append(("path", .text(path.string))) }
        if origin.wasArchived { pairs.append(("archived", .flag(true))) }
        if let moved = origin.moved { pairs.append(("moved", .number(moved))) }
        return .map(pairs)
    }

    static func origin(_ value: JSONText) -> SyncOrigin? {
        guard value.asMap != nil else { return nil }
        return SyncOrigin(
            container: value["id"]?.asText.flatMap { ContainerID($0) },
            path: value["path"]?.asText.map { ExactText($0) },
            wasArchived: value["archived"]?.asFlag ?? false, moved: value["moved"]?.asTime)
    }
}

/// The values in a note's file, before its tags and its folder are resolved.
package struct NoteFields {
    package var id: NoteID?
    var title: ExactText?
    var follows = false
    var defaultTitle: ExactText?
    var tags: [String] = []
    var starred = false
    var order: Int64 = 0
    var created: Int64?
    var updated: Int64?
    var summary = (ExactText(""), ExactText(""))
    var origin: SyncOrigin?
    var former: [ExactText: Int64] = [:]
    var conflictOf: NoteID?
    var text: ExactText
    /// The keys of the lines that were read as tn's.
    var found: [String] = []
    private var nul: String?

    /// Reads a note's file, or returns `nil` if it is not UTF-8 text.
    package init?(_ bytes: [UInt8]) {
        guard let whole = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return nil }
        text = ExactText(whole)
        // Some programs begin a file with a byte order mark, or end its lines as Windows does.
        let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        let opening = ["---\n", "---\r\n"].map { Array($0.utf8) }.first { bytes[start...].starts(with: $0) }
        guard let opening else { return }
        let fence = opening.dropLast()
        let lines = Self.lines(bytes[(start + opening.count)...], until: fence)
        let markIndex = lines.prefix { !$0.elementsEqual(fence) }.firstIndex { Self.identity($0) != nil }
        guard let markIndex, markIndex + 1 < lines.count else { return }
        id = Self.identity(lines[markIndex])
        var own = readFields(lines[..<markIndex])
        var nextIndex = markIndex + 1
        // A program that sorts the keys puts the date of the last change after the identity, perhaps after other lines.
        let rest = lines[nextIndex...].prefix { !$0.elementsEqual(fence) }
        if !found.contains("updated"), rest.endIndex < lines.endIndex,
            let index = rest.firstIndex(where: { $0.starts(with: Self.dateStart) }),
            readFields(lines[index...index]).isEmpty
        {
            own += lines[nextIndex..<index]
            nextIndex = index + 1
        }
        let next = lines[nextIndex]
        if own.isEmpty, next.elementsEqual(fence) || nextIndex + 1 == lines.count && next.elementsEqual("---".utf8) {
            // Some programs drop the line feed at the end of a file.
            text = ExactText(bytes: nextIndex + 1 < lines.count ? bytes[lines[nextIndex + 1].startIndex...] : [])
        } else {
            text = ExactText(bytes: opening + own.flatMap { Array($0) + [0x0A] } + Array(bytes[next.startIndex...]))
        }
        if let nul { text = ExactText(NulToken(text: nul).show(text.string)) }
    }

    /// Returns the lines up to the first fence, at most 500, and everything after them as one more.
    private static func lines(
        _ bytes: ArraySlice<UInt8>, until fence: ArraySlice<UInt8>
    ) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while lines.count < 500, let end = rest.firstIndex(of: 0x0A) {
            let line = rest[..<end]
            lines.append(line)
            rest = rest[(end + 1)...]
            if line.elementsEqual(fence) { break }
        }
        return lines + [rest]
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let dateStart = Array("updated: ".utf8)
    /// The keys whose values other programs break into several lines.
    private static let longKeys: Set<String> = ["title", "default"]

    private static func identity(_ line: ArraySlice<UInt8>) -> NoteID? {
        let line = withoutReturn(line)
        guard line.count == 40, line.starts(with: "tn: ".utf8) else { return nil }
        return NoteID(String(decoding: line.dropFirst(4), as: UTF8.self))
    }

    /// Returns a line without the carriage return with which Windows ends it.
    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == 0x0D ? line.dropLast() : line
    }

    /// Reads tn's lines of front matter and returns the other lines.
    private mutating func readFields(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>] {
        var own: [ArraySlice<UInt8>] = []
        var index = lines.startIndex
        while index < lines.endIndex {
            var next = index + 1
            let text = String(decoding: Self.withoutReturn(lines[index]), as: UTF8.self)
            if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
                var key = String(text[..<colon])
                if key.hasPrefix("tn-") { key.removeFirst(3) }
                var value = FrontMatterBlock.trimmed(text[text.utf8.index(after: colon)...])
                let more = lines[next...].prefix { $0.first == UInt8(ascii: " ") }
                if Self.longKeys.contains(key), !value.isEmpty, !more.isEmpty {
                    value = FrontMatterBlock.joined(value, more.map { String(decoding: $0, as: UTF8.self) })
                    next += more.count
                }
                if value.isEmpty, let block = FrontMatterBlock(lines[next...], of: key) {
                    value = block.value.line
                    next += block.count
                }
                if read(key, value) {
                    found.append(key)
                    index = next
                    continue
                }
            }
            own.append(lines[index])
            index += 1
        }
        return own
    }

    private mutating func read(_ key: String, _ value: String) -> Bool {
        lazy var json = JSONText(reading: value)
        switch key {
        case "title":
            guard !value.isEmpty else { return false }
            title = ExactText(FrontMatterBlock.plain(value))
        case "follows":
            guard let flag = json?.asFlag else { return false }
            follows = flag
        case "default":
            guard let text = json?.asText else { return false }
            defaultTitle = ExactText(text)
        case "tags":
            tags = Self.tags(value, json).filter { !$0.isEmpty }
        case "starred":
            guard let flag = json?.asFlag else { return false }
            starred = flag
        case "order":
            guard let number = json?.asOrder else { return false }
            order = number
        case "created", "updated":
            let isPlain = value.utf8.last == UInt8(ascii: "Z")
            guard let time = TimeText.milliseconds(isPlain ? value : FrontMatterBlock.plain(value)) else {
                return false
            }
            if key == "created" { created = time } else { updated = time }
        case "summary":
            guard let parts = json?.asList?.compactMap(\.asText), parts.count == 2 else { return false }
            summary = (ExactText(parts[0]), ExactText(parts[1]))
        case "from":
            guard let json, let origin = OriginText.origin(json) else { return false }
            self.origin = origin
        case "former":
            guard let map = json?.asMap else { return false }
            former = Dictionary(map.map { (ExactText($0.0), $0.1.asTime ?? 0) }) { max($0, $1) }
        case "conflict-of":
            guard let id = NoteID(FrontMatterBlock.plain(value)) else { return false }
            conflictOf = id
        case "nul":
            guard let token = json?.asText, !token.isEmpty else { return false }
            nul = token
        default: return false
        }
        return true
    }

    /// Returns the tags of a list, with or without brackets and quotes.
    private static func tags(_ value: String, _ json: JSONText?) -> [String] {
        // A name of digits alone needs no quotes.
        if let list = json?.asList { return list.map { $0.asText ?? $0.line } }
        let hasBrackets = value.hasPrefix("[") && value.hasSuffix("]")
        let list = hasBrackets ? value.dropFirst().dropLast() : value[...]
        return list.split(separator: ",").map { FrontMatterBlock.plain(String($0)) }
    }
}

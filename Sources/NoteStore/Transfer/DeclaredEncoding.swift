import Foundation

/// The encoding of a page or an XML file, as its first bytes or its own declaration say.
///
/// Markdown and text are UTF-8. Pages that old programs have saved may be in other encodings, and say so.
enum DeclaredEncoding: Equatable {
    case utf8
    case utf16(isLittleEndian: Bool)
    /// Windows-1252, which has ISO-8859-1 and ASCII in it.
    case windows1252
    /// Another encoding, with the name that the file gives it.
    case other(name: String)

    /// The number of bytes at the start of a file in which the declaration is looked for.
    static let searched = 2048

    /// - Parameter start: the first `searched` bytes of a file, or all of a shorter one.
    init(of start: some Collection<UInt8>) {
        let head = Array(start.prefix(Self.searched))
        if head.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .utf8
        } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [UInt8(ascii: "<"), 0]) {
            self = .utf16(isLittleEndian: true)
        } else if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0, UInt8(ascii: "<")]) {
            self = .utf16(isLittleEndian: false)
        } else {
            self = Self.name(declaredIn: head).map(Self.init(named:)) ?? .utf8
        }
    }

    /// - Parameter name: the name as a file writes it.
    init(named name: String) {
        switch name.lowercased() {
        // What can be read as ASCII is not UTF-16, whatever it says.
        case "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be": self = .utf8
        case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "us-ascii",
            "ascii":
            self = .windows1252
        default: self = .other(name: name)
        }
    }

    /// Returns the name after `encoding=` in an XML declaration, or after `charset=` in a `meta` of a page.
    private static func name(declaredIn head: [UInt8]) -> String? {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let isXML = text.hasPrefix("<?xml")
        if isXML, let end = text.range(of: "?>"), let name = value(of: "encoding", in: text[..<end.lowerBound]) {
            return name
        }
        var rest = text[...]
        while let meta = rest.range(of: "<meta") {
            rest = rest[meta.upperBound...]
            let tag = rest.prefix { $0 != ">" }
            if let name = value(of: "charset", in: tag) { return name }
        }
        return nil
    }

    /// Returns what follows a name and `=` in a tag, up to a quotation mark, a blank or a semicolon.
    private static func value(of name: String, in tag: Substring) -> String? {
        guard let found = tag.range(of: name) else { return nil }
        let rest = tag[found.upperBound...].drop { $0.isWhitespace }
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }.prefix { character in
            !character.isWhitespace && !"\"';/>".contains(character)
        }
        return value.isEmpty ? nil : String(value)
    }

    /// Returns the text of bytes that are a whole file, or a piece of one that is not UTF-16.
    ///
    /// Bytes that are UTF-8 are taken as such, since a wrong declaration is more frequent than a text in another
    /// encoding that happens to be UTF-8.
    ///
    /// - Throws: `invalidUTF8`, `unknownEncoding`; `noText` for UTF-16 with halves of characters.
    func text(of bytes: some Collection<UInt8>) throws(ImportFailure) -> String {
        let bytes = Array(bytes)
        if case .utf16(let isLittleEndian) = self {
            guard let text = Self.utf16(bytes, isLittleEndian) else { throw ImportFailure(.noText) }
            return text
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        if !isStateful, let text = String(validating: isMarked ? bytes[3...] : bytes[...], as: UTF8.self) {
            return text
        }
        switch self {
        case .windows1252: return String(String.UnicodeScalarView(bytes.map(Self.windowsScalar)))
        case .other(let name): throw ImportFailure(.unknownEncoding(name: name))
        case .utf8, .utf16: throw ImportFailure(.invalidUTF8(offset: ImportFile.firstInvalid(bytes)))
        }
    }

    /// Whether the encoding writes other characters by ASCII bytes, after a byte that switches to them.
    private var isStateful: Bool {
        guard case .other(let name) = self else { return false }
        return name.hasPrefix("iso-2022") || name.hasPrefix("hz") || name.hasPrefix("utf-7")
    }

    private static func utf16(_ bytes: [UInt8], _ isLittleEndian: Bool) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (low, high) = isLittleEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(validating: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self)
    }

    private static func windowsScalar(_ byte: UInt8) -> Unicode.Scalar {
        guard 0x80..<0xA0 ~= byte else { return Unicode.Scalar(byte) }
        return windowsScalars[Int(byte) - 0x80]
    }

    /// The characters of the bytes 0x80 to 0x9F; five of them have none and stand for themselves.
    private static let windowsScalars = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

extension ImportFile {
    /// Returns the text of a web page, in the encoding that it declares, and the file's modification date.
    static func page(of content: RegularFile.Content) throws(ImportFailure) -> (text: String, modified: Date) {
        let text = try DeclaredEncoding(of: content.bytes).text(of: content.bytes)
        return (text, content.modified)
    }
}

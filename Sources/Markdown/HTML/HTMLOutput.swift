import TextPrimitives

/// A buffer of HTML bytes that is being written.
struct HTMLOutput {
    private(set) var bytes: ContiguousArray<UInt8> = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ source: Bytes, _ start: Int, _ end: Int) {
        if start < end { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<end])) }
    }

    mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    /// Ends the line, unless it has ended already.
    mutating func endLine() {
        if let last = bytes.last, last != Byte.newline { bytes.append(Byte.newline) }
    }

    /// Removes `ending` if the output ends with it; returns whether it did.
    mutating func removeLast(_ ending: StaticString) -> Bool {
        let count = ending.utf8CodeUnitCount
        let isThere = ending.withUTF8Buffer { bytes.suffix(count).elementsEqual($0) }
        if isThere { bytes.removeLast(count) }
        return isThere
    }

    /// The bytes that must be escaped in text; NUL becomes the replacement character (CommonMark 2.3).
    private static let escaped = ASCIISet("&<>\"\0")

    mutating func appendEscaped(_ source: Bytes, _ start: Int, _ end: Int) {
        let escaped = Self.escaped
        var run = start
        var offset = start
        while offset < end {
            guard escaped.contains(source[offset]) else {
                offset &+= 1
                continue
            }
            append(source, run, offset)
            appendEscape(source[offset])
            offset += 1
            run = offset
        }
        append(source, run, end)
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case Byte.ampersand: append("&amp;")
        case Byte.less: append("&lt;")
        case Byte.greater: append("&gt;")
        case Byte.quote: append("&quot;")
        default: append("\u{FFFD}")
        }
    }

    mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { appendEscaped($0, 0, $0.count) }
    }

    /// Appends raw HTML unchanged, except for NUL.
    mutating func appendRaw(_ source: Bytes, _ start: Int, _ end: Int) {
        var run = start
        while let null = source.firstOffset(of: 0, from: run, to: end) {
            append(source, run, null)
            append("\u{FFFD}")
            run = null + 1
        }
        append(source, run, end)
    }

    private static let addressBytes = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+!*(),%#@?=;:/$~")

    /// Appends one byte of an address in an attribute: unchanged, as an entity, or percent-encoded.
    mutating func appendAddress(byte: UInt8) {
        if Self.addressBytes.contains(byte) {
            bytes.append(byte)
        } else if byte == Byte.ampersand {
            append("&amp;")
        } else if byte == Byte.apostrophe {
            append("&#x27;")
        } else if byte == 0 {
            append("%EF%BF%BD")
        } else {
            let digits: StaticString = "0123456789ABCDEF"
            digits.withUTF8Buffer { bytes.append(contentsOf: [0x25, $0[Int(byte >> 4)], $0[Int(byte & 15)]]) }
        }
    }

    mutating func appendAddress(_ source: Bytes, _ start: Int, _ end: Int) {
        for offset in start..<max(start, end) { appendAddress(byte: source[offset]) }
    }
}

extension HTMLOutput {
    /// Appends an address without backslash escapes or entities.
    mutating func appendAddress(_ address: String) {
        var address = address
        address.withUTF8 { appendAddress($0, 0, $0.count) }
    }
}

/// Text that still contains its backslash escapes and entities: destinations, titles, info strings.
enum EscapedText {
    /// Calls `plain` for each plain piece, and `entity` with the text of each entity.
    static func forEachPiece(
        _ bytes: Bytes, _ start: Int, _ end: Int, plain: (Int, Int) -> Void, entity: (String) -> Void
    ) {
        var run = start
        var offset = start
        while offset < end {
            if bytes[offset] == Byte.backslash, offset + 1 < end, bytes[offset + 1].isPunctuation {
                plain(run, offset)
                run = offset + 1
                offset += 2
            } else if bytes[offset] == Byte.ampersand, let close = Entities.end(bytes, from: offset, to: end) {
                plain(run, offset)
                entity(Entities.text(bytes, offset, close))
                run = close
                offset = close
            } else {
                offset += 1
            }
        }
        plain(run, max(run, end))
    }

    static func string(_ bytes: Bytes, _ start: Int, _ end: Int) -> String {
        var result = ""
        forEachPiece(
            bytes, start, end,
            plain: { result += String(decoding: bytes[$0..<$1], as: UTF8.self) },
            entity: { result += $0 })
        return result
    }
}

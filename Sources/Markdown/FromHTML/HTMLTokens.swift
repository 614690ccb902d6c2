/// A piece of HTML or of another XML-like text: a tag or the text between tags.
public enum HTMLToken: Equatable, Sendable {
    case text(String)
    /// `<name key="value">`, with names in lower case; `isClosed` for `<name/>`.
    case open(String, [String: String], isClosed: Bool)
    case close(String)
    /// The text of `<![CDATA[…]]>` as written.
    case data(String)
}

/// Splits HTML into tokens as leniently as browsers do: markup that is malformed becomes text.
///
/// It takes time proportional to the length of any text.
public struct HTMLTokens: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0
    /// The name of an element such as `<script>` that was just opened: everything up to its closing tag is text.
    private var rawEnd: String?

    public init(_ html: String) {
        bytes = Array(html.utf8)
    }

    public mutating func next() -> HTMLToken? {
        while position < bytes.count {
            if let name = rawEnd {
                rawEnd = nil
                let raw = raw(until: name)
                // In a title or a text area, entities are replaced as in other text.
                let text =
                    name == "title" || name == "textarea"
                    ? Self.decoded(raw[...]) : String(decoding: raw, as: UTF8.self)
                if !text.isEmpty { return .text(text) }
                continue
            }
            if bytes[position] != UInt8(ascii: "<") { return .text(text()) }
            if let token = tag() { return token }
        }
        return nil
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var offset = start
        while offset + wanted.count <= bytes.count {
            guard let first = bytes[offset...].firstIndex(of: wanted[0]) else { return nil }
            offset = first
            if offset + wanted.count <= bytes.count, bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
                return offset
            }
            offset += 1
        }
        return nil
    }

    private func has(_ text: String) -> Bool {
        bytes[position...].prefix(text.utf8.count).elementsEqual(text.utf8)
    }

    private mutating func text() -> String {
        let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return Self.decoded(bytes[position..<end])
    }

    /// The text with its entities replaced.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        return Array(bytes).withUnsafeBufferPointer { bytes in
            var result: [UInt8] = []
            var offset = 0
            while offset < bytes.count {
                if bytes[offset] == UInt8(ascii: "&"), let end = Entities.end(bytes, from: offset, to: bytes.count) {
                    result += Entities.text(bytes, offset, end).utf8
                    offset = end
                } else {
                    result.append(bytes[offset])
                    offset += 1
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private mutating func raw(until name: String) -> [UInt8] {
        var offset = position
        while let end = find("</", from: offset) {
            let found = String(decoding: bytes[(end + 2)...].prefix(name.utf8.count), as: UTF8.self).lowercased()
            if found == name {
                defer { position = end }
                return Array(bytes[position..<end])
            }
            offset = end + 2
        }
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    /// The tag at `<`; nil for a comment or a declaration, which is skipped.
    private mutating func tag() -> HTMLToken? {
        if has("<!--") {
            position = find("-->", from: position + 4).map { $0 + 3 } ?? bytes.count
            return nil
        }
        if has("<![CDATA[") {
            let start = position + 9
            let end = find("]]>", from: start) ?? bytes.count
            position = Swift.min(end + 3, bytes.count)
            return .data(String(decoding: bytes[start..<end], as: UTF8.self))
        }
        if has("<!") || has("<?") {
            position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            return nil
        }
        let isClosing = has("</")
        let start = position + (isClosing ? 2 : 1)
        guard start < bytes.count, bytes[start].isLetter else {
            position += 1
            return .text("<")
        }
        var end = start
        while end < bytes.count, !bytes[end].isSpace, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "/") {
            end += 1
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        position = end
        let (attributes, isClosed) = readAttributes()
        if isClosing { return .close(name) }
        if !isClosed, ["script", "style", "title", "textarea"].contains(name) { rawEnd = name }
        return .open(name, attributes, isClosed: isClosed)
    }

    private mutating func readAttributes() -> ([String: String], isClosed: Bool) {
        var attributes: [String: String] = [:]
        var isClosed = false
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if bytes[position].isSpace || bytes[position] == UInt8(ascii: "/") {
                isClosed = bytes[position] == UInt8(ascii: "/")
                position += 1
                continue
            }
            isClosed = false
            let start = position
            while position < bytes.count, !bytes[position].isSpace, !"=/>".utf8.contains(bytes[position]) {
                position += 1
            }
            let key = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
            while position < bytes.count, bytes[position].isSpace { position += 1 }
            if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
                position += 1
                // The first value of an attribute counts; further ones are skipped.
                let value = value()
                attributes[key] = attributes[key] ?? value
            } else {
                attributes[key] = attributes[key] ?? ""
            }
            // A stray character is skipped.
            if position == start { position += 1 }
        }
        if position < bytes.count { position += 1 }
        return (attributes, isClosed)
    }

    private mutating func value() -> String {
        while position < bytes.count, bytes[position].isSpace { position += 1 }
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = position + 1
            let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
            position = Swift.min(end + 1, bytes.count)
            return Self.decoded(bytes[start..<end])
        }
        let start = position
        while position < bytes.count, !bytes[position].isSpace, bytes[position] != UInt8(ascii: ">") { position += 1 }
        return Self.decoded(bytes[start..<position])
    }
}

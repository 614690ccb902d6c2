import TextPrimitives

extension HTMLOutput {
    /// Appends raw HTML, keeping only the tags that lay out text.
    ///
    /// All other tags are shown as text and comments are left out. Attributes are rewritten, so that every browser
    /// parses them as this code does.
    mutating func appendHarmless(_ source: Bytes, _ start: Int, _ end: Int, _ page: HTMLPage) {
        var run = start
        var from = start
        while let less = source.firstOffset(of: Byte.less, from: from, to: end) {
            appendRaw(source, run, less)
            run = less + 1
            if source.has("<!--", at: less), less + 4 <= end {
                run = HTMLBlockKind.find("-->", in: source, from: less + 4).map { min($0 + 3, end) } ?? end
            } else if let close = HTMLTags.tagEnd(source, from: less, to: end),
                appendTag(source, less, close, page)
            {
                run = close
            } else {
                append("&lt;")
            }
            from = run
        }
        appendRaw(source, run, end)
    }

    /// Writes a tag if it only lays out text; returns whether it did.
    private mutating func appendTag(_ source: Bytes, _ start: Int, _ end: Int, _ page: HTMLPage) -> Bool {
        let isClosing = source[start + 1] == Byte.slash
        let nameStart = isClosing ? start + 2 : start + 1
        let nameEnd = HTMLTags.nameEnd(source, from: nameStart, to: end)
        let name = String(decoding: source[nameStart..<nameEnd].map(\.lowercased), as: UTF8.self)
        guard HTMLTags.harmlessNames.contains(name) else { return false }
        append(isClosing ? "</" : "<")
        append(name)
        if !isClosing {
            HTMLTags.forEachAttribute(source, from: nameEnd, to: end) { attribute, value, _ in
                appendAttribute(attribute, value, page)
            }
        }
        append(byte: Byte.greater)
        return true
    }

    private mutating func appendAttribute(_ name: String, _ value: String?, _ page: HTMLPage) {
        guard HTMLTags.harmlessAttributes.contains(name) else { return }
        if page.isStandalone, let value, name == "href" || name == "src",
            page.address(name == "src" ? .image(value) : .link(value)).isEmpty
        {
            return
        }
        append(" ")
        append(name)
        guard let value else { return }
        defer { if name == "href", page.isDownload(value) { append(" download") } }
        append("=\"")
        switch name {
        case "href", "cite": appendEscaped(page.address(.link(value)))
        case "src": appendEscaped(page.address(.image(value)))
        default: appendEscaped(value)
        }
        append(byte: Byte.quote)
    }
}

extension HTMLTags {
    /// The tags that lay out text and have no other effect.
    static let harmlessNames: Set<String> = Set(
        """
        a abbr b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em \
        figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strike \
        strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr
        """.split(separator: " ").map(String.init))

    /// The attributes that run no code, and fetch nothing but the address in their value.
    static let harmlessAttributes: Set<String> = Set(
        """
        href src alt title width height align valign colspan rowspan scope start type value class id name open lang dir \
        datetime cite reversed span color size
        """.split(separator: " ").map(String.init))

    /// Calls `body` for each attribute of an open tag.
    ///
    /// Names are in lower case and values have their entities decoded; the range is that of the value without quotation
    /// marks.
    static func forEachAttribute(
        _ bytes: Bytes, from start: Int, to end: Int,
        _ body: (_ name: String, _ value: String?, _ range: Range<Int>) -> Void
    ) {
        var offset = start
        while true {
            offset = skipSpace(bytes, from: offset, to: end)
            let nameStart = offset
            while offset < end, !bytes[offset].isSpace, !"=>/".utf8.contains(bytes[offset]) { offset += 1 }
            guard offset > nameStart else { return }
            let name = String(decoding: bytes[nameStart..<offset].map(\.lowercased), as: UTF8.self)
            let equals = skipSpace(bytes, from: offset, to: end)
            guard equals < end, bytes[equals] == Byte.equals else {
                body(name, nil, offset..<offset)
                continue
            }
            let valueStart = skipSpace(bytes, from: equals + 1, to: end)
            guard valueStart < end else { return }
            let quote = bytes[valueStart]
            if quote == Byte.quote || quote == Byte.apostrophe {
                guard let close = bytes.firstOffset(of: quote, from: valueStart + 1, to: end) else { return }
                body(name, unescaped(bytes, valueStart + 1, close), valueStart + 1..<close)
                offset = close + 1
            } else {
                offset = valueStart
                while offset < end, !bytes[offset].isSpace, bytes[offset] != Byte.greater { offset += 1 }
                body(name, unescaped(bytes, valueStart, offset), valueStart..<offset)
            }
        }
    }

    private static func unescaped(_ bytes: Bytes, _ start: Int, _ end: Int) -> String {
        var result = ""
        var run = start
        var offset = start
        while let ampersand = bytes.firstOffset(of: Byte.ampersand, from: offset, to: end) {
            offset = ampersand + 1
            guard let close = Entities.end(bytes, from: ampersand, to: end) else { continue }
            result += String(decoding: bytes[run..<ampersand], as: UTF8.self)
            result += Entities.text(bytes, ampersand, close)
            (run, offset) = (close, close)
        }
        return result + String(decoding: bytes[run..<max(run, end)], as: UTF8.self)
    }
}

import TextPrimitives

/// The raw HTML that CommonMark recognises, in blocks and inlines alike.
enum HTMLTags {
    /// The end of the open or closing tag whose `<` is at `start`; nil if there is no tag.
    static func tagEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        guard start + 1 < end else { return nil }
        return bytes[start + 1] == Byte.slash
            ? closingTagEnd(bytes, from: start, to: end) : openTagEnd(bytes, from: start, to: end)
    }

    /// The end of the name that starts at `start`; `start` itself if there is no name.
    static func nameEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        guard start < end, bytes[start].isLetter else { return start }
        var offset = start + 1
        while offset < end, bytes[offset].isAlphanumeric || bytes[offset] == Byte.hyphen { offset += 1 }
        return offset
    }

    private static func closingTagEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        let name = nameEnd(bytes, from: start + 2, to: end)
        guard name > start + 2 else { return nil }
        let close = skipSpace(bytes, from: name, to: end)
        return close < end && bytes[close] == Byte.greater ? close + 1 : nil
    }

    private static func openTagEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        var offset = nameEnd(bytes, from: start + 1, to: end)
        guard offset > start + 1 else { return nil }
        while true {
            let next = skipSpace(bytes, from: offset, to: end)
            guard next < end else { return nil }
            if next > offset, isAttributeStart(bytes[next]) {
                guard let attribute = attributeEnd(bytes, from: next, to: end) else { return nil }
                offset = attribute
                continue
            }
            if bytes[next] == Byte.greater { return next + 1 }
            let isEmptyTag = bytes[next] == Byte.slash && next + 1 < end && bytes[next + 1] == Byte.greater
            return isEmptyTag ? next + 2 : nil
        }
    }

    private static func isAttributeStart(_ byte: UInt8) -> Bool {
        byte.isLetter || byte == Byte.underscore || byte == Byte.colon
    }

    private static func attributeEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        var offset = start + 1
        while offset < end,
            isAttributeStart(bytes[offset]) || bytes[offset].isDigit || bytes[offset] == Byte.dot
                || bytes[offset] == Byte.hyphen
        {
            offset += 1
        }
        let equals = skipSpace(bytes, from: offset, to: end)
        guard equals < end, bytes[equals] == Byte.equals else { return offset }
        return attributeValueEnd(bytes, from: skipSpace(bytes, from: equals + 1, to: end), to: end)
    }

    private static let unquotedStops = ASCIISet(" \t\n\u{0B}\u{0C}\r\"'=<>`")

    private static func attributeValueEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        guard start < end else { return nil }
        let first = bytes[start]
        if first == Byte.quote || first == Byte.apostrophe {
            return bytes.firstOffset(of: first, from: start + 1, to: end).map { $0 + 1 }
        }
        let stops = unquotedStops
        var offset = start
        while offset < end, !stops.contains(bytes[offset]) { offset += 1 }
        return offset > start ? offset : nil
    }

    static func skipSpace(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        var offset = start
        while offset < end, bytes[offset].isSpace { offset += 1 }
        return offset
    }
}

/// The seven ways in which an HTML block starts and ends (CommonMark 4.6).
enum HTMLBlockKind: UInt8, Sendable {
    case none, verbatim, comment, instruction, declaration, cdata, blockTag, otherTag

    /// The kind of block that a line opens with the `<` at `start`.
    init(opening line: Bytes, at start: Int) {
        self = .none
        guard start + 1 < line.count else { return }
        switch line[start + 1] {
        case Byte.bang:
            if line.has("--", at: start + 2) {
                self = .comment
            } else if line.has("[CDATA[", at: start + 2) {
                self = .cdata
            } else if start + 2 < line.count, line[start + 2].isLetter {
                self = .declaration
            }
        case Byte.question: self = .instruction
        default: self = Self.tagKind(line, at: start)
        }
    }

    private static func tagKind(_ line: Bytes, at start: Int) -> HTMLBlockKind {
        let isClosing = line[start + 1] == Byte.slash
        let nameStart = isClosing ? start + 2 : start + 1
        let nameEnd = HTMLTags.nameEnd(line, from: nameStart, to: line.count)
        guard nameEnd > nameStart else { return .none }
        let name = lowercased(line, nameStart, nameEnd)
        let isEnd = nameEnd == line.count || line[nameEnd].isSpace || line[nameEnd] == Byte.greater
        if !isClosing, isEnd, verbatimNames.contains(name) { return .verbatim }
        let isEmptyTag = line.has("/>", at: nameEnd)
        if isEnd || isEmptyTag, blockNames.contains(name) { return .blockTag }
        guard let tagEnd = HTMLTags.tagEnd(line, from: start, to: line.count) else { return .none }
        return HTMLTags.skipSpace(line, from: tagEnd, to: line.count) == line.count ? .otherTag : .none
    }

    private static func lowercased(_ line: Bytes, _ start: Int, _ end: Int) -> String {
        // The longest names in the tables are "blockquote" and "figcaption".
        guard end - start <= 10 else { return "" }
        return String(decoding: line[start..<end].map(\.lowercased), as: UTF8.self)
    }

    /// Whether `line`, read from `start`, ends a block of this kind.
    ///
    /// Blocks of the last two kinds end before a blank line instead.
    func isEnd(in line: Bytes, from start: Int) -> Bool {
        switch self {
        case .none, .blockTag, .otherTag: false
        case .verbatim:
            Self.contains(line, start) { tag in
                line.hasCaseless("</script>", at: tag) || line.hasCaseless("</pre>", at: tag)
                    || line.hasCaseless("</style>", at: tag) || line.hasCaseless("</textarea>", at: tag)
            }
        case .comment: Self.find("-->", in: line, from: start) != nil
        case .instruction: Self.find("?>", in: line, from: start) != nil
        case .declaration: line.firstOffset(of: Byte.greater, from: start, to: line.count) != nil
        case .cdata: Self.find("]]>", in: line, from: start) != nil
        }
    }

    var endsBeforeBlankLine: Bool { self == .blockTag || self == .otherTag }

    private static func contains(_ line: Bytes, _ start: Int, _ isMatch: (Int) -> Bool) -> Bool {
        var from = start
        while let less = line.firstOffset(of: Byte.less, from: from, to: line.count) {
            if isMatch(less) { return true }
            from = less + 1
        }
        return false
    }

    /// The offset of the first `mark`, which must end in `>`.
    static func find(_ mark: StaticString, in bytes: Bytes, from start: Int) -> Int? {
        let length = mark.utf8CodeUnitCount
        var from = start + length - 1
        while let greater = bytes.firstOffset(of: Byte.greater, from: from, to: bytes.count) {
            if bytes.has(mark, at: greater - length + 1) { return greater - length + 1 }
            from = greater + 1
        }
        return nil
    }

    private static let verbatimNames: Set<String> = ["script", "pre", "style", "textarea"]

    /// The tag names of start condition 6 of the specification.
    private static let blockNames: Set<String> = Set(
        """
        address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt \
        fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li \
        link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th \
        thead title tr track ul
        """.split(separator: " ").map(String.init))
}

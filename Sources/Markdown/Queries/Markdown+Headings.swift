import TextPrimitives

extension Markdown {
    /// The identity of a heading in a page: its letters and digits in lower case, with hyphens for spaces.
    static func slug(_ heading: String) -> String {
        var slug = ""
        for character in heading.lowercased() {
            if character.isLetter || character.isNumber || character == "_" || character == "-" {
                slug.append(character)
            } else if character.isWhitespace, !slug.hasSuffix("-") {
                slug.append("-")
            }
        }
        while slug.hasSuffix("-") { slug.removeLast() }
        return slug.isEmpty ? "section" : slug
    }

    /// The identity, with a number added if it was given before.
    ///
    /// - Parameter given: The number of headings so far that would have each identity.
    public static func unique(_ slug: String, _ given: inout [String: Int]) -> String {
        var candidate = slug
        while let count = given[candidate] {
            given[candidate] = count + 1
            candidate = "\(slug)-\(count)"
        }
        given[candidate] = 1
        return candidate
    }

    /// The identities of all headings of a text, as a standalone page has them, by their lines (counted from 0).
    public static func headingIdentities(of text: String) -> [Int: String] {
        var given: [String: Int] = [:]
        return outline(of: text).reduce(into: [:]) { $0[$1.line] = unique(slug($1.title), &given) }
    }

    /// The text with its headings deeper by `count` levels, but at most at the sixth; code stays as it is.
    ///
    /// An underlined heading of several lines or in a quotation is left unchanged if its new level would be greater
    /// than 2, since underlines have no other levels.
    public static func demotingHeadings(of text: String, by count: Int) -> String {
        guard count > 0 else { return text }
        let newline = UInt8(ascii: "\n")
        var lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false).map(Array.init)
        MarkdownDocument(text).forEachHeading { level, first, last in
            guard lines.indices.contains(first), lines.indices.contains(last) else { return }
            let hash = UInt8(ascii: "#")
            let wanted = min(level + count, 6)
            if let start = lines[first].firstIndex(of: hash),
                lines[first][start...].prefix(while: { $0 == hash }).count == level,
                first == last
            {
                lines[first].insert(contentsOf: repeatElement(hash, count: wanted - level), at: start)
            } else if first < last, wanted == 2 {
                lines[last] = lines[last].map { $0 == UInt8(ascii: "=") ? UInt8(ascii: "-") : $0 }
            } else if first + 1 == last, lines[last].allSatisfy({ "=- \t\r".utf8.contains($0) }) {
                lines[first] =
                    Array(repeatElement(hash, count: wanted)) + [UInt8(ascii: " ")] + lines[first].drop { $0 == 32 }
                lines[last] = []
            }
        }
        return String(decoding: Array(lines.joined(separator: [newline])), as: UTF8.self)
    }

    /// The text with other labels for its footnotes; code stays as it is.
    public static func renamingFootnotes(of text: String, _ name: (String) -> String) -> String {
        let document = MarkdownDocument(text)
        var edits: [(range: Range<Int>, label: String)] = []
        document.content.withUnsafeBufferPointer { content in
            func add(_ start: Int, _ end: Int) {
                guard end > start else { return }
                let label = String(decoding: content[start..<end], as: UTF8.self)
                edits.append((document.sourceOffset(start)..<document.sourceOffset(end - 1) + 1, label))
            }
            document.forEachInline { node in
                if node.kind == .footnoteReference { add(Int(node.start) + 2, Int(node.end) - 1) }
            }
            for block in document.blocks where block.kind == .footnote { add(Int(block.infoStart), Int(block.infoEnd)) }
        }
        guard !edits.isEmpty else { return text }
        var result = Array(text.utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(edit.range, with: name(edit.label).utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text without its front matter, and without a heading at its start that equals the title.
    public static func body(of text: String, titled title: String) -> String {
        let document = MarkdownDocument(text)
        var end = 0
        for block in document.topBlocks {
            switch block.kind {
            case .frontMatter: end = block.lines.upperBound + 1
            case .heading where document.plainText(of: block) == title.trimmed: end = block.lines.upperBound + 1
            default: break
            }
            if block.kind != .frontMatter { break }
        }
        guard end > 0 else { return text }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: end, omittingEmptySubsequences: false)
        guard lines.count > end else { return "" }
        return String(decoding: lines[end].drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }, as: UTF8.self)
    }
}

extension MarkdownDocument {
    /// Calls `body` with the level and the first and last line (counted from 0) of each heading.
    fileprivate func forEachHeading(_ body: (_ level: Int, _ first: Int, _ last: Int) -> Void) {
        for block in blocks where block.kind == .heading {
            body(Int(block.detail), sourceLine(block.firstLine), sourceLine(max(block.firstLine, block.lastLine)))
        }
    }

    fileprivate func plainText(of block: Block) -> String {
        content.withUnsafeBufferPointer { plainText(of: blocks[block.index].firstInline, $0).trimmed }
    }
}

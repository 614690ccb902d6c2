import TextPrimitives

extension PreviewBuilder {
    /// The inlines of a block as styled text.
    mutating func atoms(of block: BlockNode, _ content: Bytes, base: SpanKind) -> [PreviewAtom] {
        atoms(in: ParagraphPart(first: block.firstInline, line: Int(block.firstLine)), content, base: base)
    }

    /// The inlines of a part of a block as styled text.
    mutating func atoms(in part: ParagraphPart, _ content: Bytes, base: SpanKind) -> [PreviewAtom] {
        var atoms: [PreviewAtom] = []
        var pending: [(next: Int32, kind: SpanKind, link: Int?, image: Int?)] = []
        var index = part.first
        var kind = base
        var link: Int?
        var line = part.line
        while true {
            while index < 0 || index == part.end {
                guard let outer = pending.popLast() else { return atoms }
                if let first = outer.image { atoms.removeSize(from: first) }
                (index, kind, link) = (outer.next, outer.kind, outer.link)
            }
            let node = document.inlines[Int(index)]
            if node.kind == .softBreak || node.kind == .hardBreak { line += 1 }
            // A picture that is the text of a link leads where the link does.
            let own = isLink(node) && link == nil ? linkIndex(of: node) : link
            // After `<br>` the line has ended already.
            let isEnded = node.kind == .softBreak && atoms.last?.text == "\n"
            let text = isEnded ? "" : text(of: node, content)
            if node.kind == .wikilink, content.isEmbed(Int(node.start)) { atoms.removeMark() }
            if !text.isEmpty {
                atoms.append(
                    PreviewAtom(
                        text: text, kind: kind.union(node.kind.spanKind), link: own, sourceLine: line,
                        source: source(of: node)))
            }
            if node.firstChild >= 0 {
                pending.append((node.next, kind, link, node.kind == .image ? atoms.count : nil))
                (index, kind, link) = (node.firstChild, kind.union(node.kind.spanKind), own)
            } else {
                index = node.next
            }
        }
    }

    /// The source range of the text that a node shows.
    private func source(of node: InlineNode) -> Range<Int> {
        let hidden =
            switch node.kind {
            case .code, .math: Int(node.mark)
            case .escape, .autolink, .emailAutolink: 1
            default: 0
            }
        let start = document.sourceOffset(Int(node.start) + hidden)
        return start..<start + max(Int(node.end - node.start) - hidden, 1)
    }

    private func isLink(_ node: InlineNode) -> Bool {
        switch node.kind {
        case .link, .image, .autolink, .emailAutolink, .bareLink, .bareWebLink, .bareEmail, .wikilink, .html: true
        default: false
        }
    }

    /// The index in `links` of a node that is a link.
    private mutating func linkIndex(of node: InlineNode) -> Int? {
        let start = document.sourceOffset(Int(node.start))
        if nextLink >= links.count || links[nextLink].range.lowerBound != start {
            // Footnotes are not shown at their position in the source, so their links are not in order.
            nextLink = links.partitioningIndex { $0.range.lowerBound >= start }
        }
        guard nextLink < links.count, links[nextLink].range.lowerBound == start else { return nil }
        nextLink += 1
        return nextLink - 1
    }

    private func text(of node: InlineNode, _ content: Bytes) -> String {
        let (start, end, mark) = (Int(node.start), Int(node.end), Int(node.mark))
        func string(_ start: Int, _ end: Int) -> String { String(decoding: content[start..<end], as: UTF8.self) }
        switch node.kind {
        case .text, .tag, .bareLink, .bareWebLink, .bareEmail: return string(start, end)
        case .html: return Self.shown(ofHTML: string(start, end))
        case .softBreak: return " "
        case .hardBreak: return "\n"
        case .escape: return string(start + 1, end)
        case .entity: return Entities.text(content, start, end)
        case .code, .math:
            let range = content.codeSpanContent(start + mark, end - mark)
            let written = String(string(range.lowerBound, range.upperBound).map { $0.isNewline ? " " : $0 })
            return (node.kind == .math && look.glyphs.isUnicode ? MathText.unicode(written) : nil) ?? written
        case .autolink, .emailAutolink: return string(start + 1, end - 1)
        case .wikilink:
            let parts = WikilinkParts(content, start, end)
            let label = string(parts.label.lowerBound, parts.label.upperBound)
            guard content.isEmbed(start) else { return label }
            let path = label.split(separator: "#").joined(separator: look.glyphs.isUnicode ? " › " : " > ")
            return look.glyphs.embedded + (parts.label == parts.target ? path : label)
        case .footnoteReference: return "[\(footnoteNumbers[node.target] ?? 0)]"
        case .emphasis, .strong, .strikethrough, .highlight, .link, .image: return ""
        }
    }

    /// What is shown of a tag or comment inside a text: a new line for `<br>`, nothing of a comment or of a tag that only
    /// changes how its text looks, and any other as it is written.
    private static func shown(ofHTML html: String) -> String {
        if html.hasPrefix("<!--") { return "" }
        let name = html.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "-" }.lowercased()
        return name == "br" ? "\n" : tagsOfLook.contains(name) ? "" : html
    }

    /// The tags without which a text says the same; `sub`, `sup` and `del` are not among them.
    private static let tagsOfLook: Set<String> = [
        "abbr", "b", "big", "cite", "em", "font", "i", "ins", "kbd", "mark", "samp", "small", "span", "strong", "tt",
        "u", "var",
    ]

    // MARK: Images

    /// The parts of a paragraph: each image that is alone on its line, and the text between such images.
    func parts(of block: BlockNode) -> [ParagraphPart] {
        var parts: [ParagraphPart] = []
        var text: ParagraphPart?
        var line = Int(block.firstLine)
        var (index, lastEnd) = (block.firstInline, Int32(-1))
        while index >= 0 {
            let node = document.inlines[Int(index)]
            let end = endOfLine(from: index)
            if node.kind == .image, node.next == end {
                if let text { parts.append(text.ended(before: lastEnd)) }
                parts.append(ParagraphPart(first: index, end: end, line: line, image: node))
                text = nil
            } else if text == nil {
                text = ParagraphPart(first: index, line: line)
            }
            guard end >= 0 else { break }
            // The break after the line.
            (index, lastEnd) = (document.inlines[Int(end)].next, end)
            line += 1
        }
        if let text { parts.append(text) }
        return parts
    }

    /// The break that ends the line of a paragraph in which a node begins; negative on the last line.
    private func endOfLine(from index: Int32) -> Int32 {
        var index = index
        while index >= 0 {
            let node = document.inlines[Int(index)]
            if node.kind == .softBreak || node.kind == .hardBreak { break }
            index = node.next
        }
        return index
    }

    /// Builds a labelled box for an image: name, type and size; the label alone where a picture has a mark of its own.
    mutating func buildImage(_ node: InlineNode, line source: Int, _ content: Bytes) {
        let target = document.targets[Int(node.target)].destination
        let destination = EscapedText.string(content, Int(target.lowerBound), Int(target.upperBound))
        let written = document.plainText(of: node.firstChild, content)
        let wanted = ImageSize(in: written)
        let alternative = wanted?.alternative ?? written
        let known = look.image(destination)
        let fallback = destination.split(separator: "/").last.map(String.init) ?? destination
        let name = known?.name ?? (alternative.isEmpty ? fallback : alternative)
        let separator = look.glyphs.isUnicode ? " · " : ", "
        let facts = [name, known?.type, known?.size].compactMap(\.self).joined(separator: separator)
        let label = (look.glyphs.pictureMark ?? "") + facts
        let link = linkIndex(of: node)
        let position = document.sourceOffset(Int(node.start))
        let atom = PreviewAtom(
            text: label, kind: .image, link: link, sourceLine: source, source: position..<position + 1)
        let inner = WordWrapper([atom], look.cellWidth).lines(columns: max(availableColumns - 4, 1))
        if look.glyphs.pictureMark != nil {
            for line in inner { emit(line) }
            return
        }
        let cells = known?.pixels.flatMap {
            look.room?.cells(of: wanted?.pixels(of: $0) ?? $0, available: availableColumns)
        }
        if let cells, cells.rows < inner.count + 2 {
            // The picture is too low for a box.
            let label = inner.prefix(cells.rows)
            for line in label { emit(line) }
            return addPicture(
                for: destination, cells: cells, labelRows: label.count, link: link, source: source)
        }
        emitBox(around: inner, source)
        if let cells {
            addPicture(for: destination, cells: cells, labelRows: inner.count + 2, link: link, source: source)
        }
    }

    private mutating func emitBox(around lines: [PreviewLayout.Line], _ source: Int) {
        let width = lines.map { look.cellWidth.cells(of: $0.text) }.max() ?? 0
        emitEdge(look.glyphs.corners[0], look.glyphs.corners[1], width, source)
        for var line in lines {
            let space = String(repeating: " ", count: width - look.cellWidth.cells(of: line.text))
            line.runs.insert(PreviewLayout.Run(look.glyphs.vertical + " ", [.image, .marker]), at: 0)
            line.runs.append(PreviewLayout.Run(space + " " + look.glyphs.vertical, [.image, .marker]))
            emit(line)
        }
        emitEdge(look.glyphs.corners[2], look.glyphs.corners[3], width, source)
    }

    private mutating func emitEdge(_ left: String, _ right: String, _ width: Int, _ source: Int) {
        var line = PreviewLayout.Line(sourceLine: source)
        let edge = left + String(repeating: look.glyphs.horizontal, count: width + 2) + right
        line.runs = [PreviewLayout.Run(edge, [.image, .marker])]
        emit(line)
    }
}

/// A part of a paragraph that is drawn by itself.
struct ParagraphPart {
    /// Its first inline.
    let first: Int32
    /// The inline that it ends before, which has the same parent; negative if it ends with the paragraph.
    var end: Int32 = -1
    /// The line of the source on which it begins.
    let line: Int
    /// The image, if that is all of it.
    var image: InlineNode?

    func ended(before end: Int32) -> ParagraphPart {
        var part = self
        part.end = end
        return part
    }
}

extension [PreviewAtom] {
    /// Removes the `!` before an embedded note, which is part of the text before it.
    fileprivate mutating func removeMark() {
        guard last?.text.utf8.last == Byte.bang else { return }
        removeLast(bytes: 1)
    }

    /// Removes the size at the end of an image's alternative text, which begins with the atom `first`.
    fileprivate mutating func removeSize(from first: Int) {
        var tail: [UInt8] = []
        for atom in self[first...].reversed() {
            tail = [UInt8](atom.text.utf8) + tail
            if tail.count >= ImageSize.maximumLength { break }
        }
        removeLast(bytes: ImageSize.length(endingIn: tail[...]))
    }

    /// Removes ASCII characters at the end, and the atoms that have no others.
    private mutating func removeLast(bytes: Int) {
        var left = bytes
        while left > 0, let atom = last {
            let count = Swift.min(left, atom.text.utf8.count)
            self[endIndex - 1].text.removeLast(count)
            if self[endIndex - 1].text.isEmpty { removeLast() }
            left -= count
        }
    }
}

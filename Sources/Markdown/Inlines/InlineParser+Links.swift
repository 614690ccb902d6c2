extension InlineParser {
    mutating func readOpenBracket() {
        if options.contains(.wikilinks), readWikilink() { return }
        if options.contains(.footnotes), readFootnote() { return }
        pushBracket(isImage: false, length: 1)
    }

    mutating func readBang() {
        guard position + 1 < upper, bytes[position + 1] == Byte.openBracket else {
            position += 1
            return
        }
        if options.contains(.footnotes), position + 2 < upper, bytes[position + 2] == Byte.caret {
            position += 1
            return
        }
        if options.contains(.wikilinks), readEmbed() { return }
        pushBracket(isImage: true, length: 2)
    }

    /// Reads `![[Title]]`, a link to a note; its `!` is text.
    private mutating func readEmbed() -> Bool {
        position += 1
        guard readWikilink() else {
            position -= 1
            return false
        }
        return true
    }

    private mutating func pushBracket(isImage: Bool, length: Int) {
        if !brackets.isEmpty { brackets[brackets.count - 1].hasInner = true }
        let node = add(.text, position, position + length)
        brackets.append(Bracket(node: node, position: position, isImage: isImage, delimiter: lastDelimiter))
        if isImage { openImages += 1 } else { openLinks += 1 }
    }

    private mutating func popBracket() {
        let bracket = brackets.removeLast()
        if !bracket.isImage {
            openLinks -= 1
        } else if brackets.count >= inactiveBelow {
            openImages -= 1
        }
        inactiveBelow = min(inactiveBelow, brackets.count)
    }

    mutating func readCloseBracket() {
        let close = position
        guard let bracket = brackets.last else {
            position += 1
            return
        }
        let isActive = bracket.isImage || brackets.count > inactiveBelow
        guard isActive, let (target, end) = linkTarget(of: bracket, closedAt: close) else {
            popBracket()
            position = close + 1
            return
        }
        flushText(to: close)
        makeLink(bracket, labelEnd: close, end: end, target: target)
    }

    /// The target of the link whose label is closed by the bracket at `close`, and the end of the link.
    private mutating func linkTarget(of bracket: Bracket, closedAt close: Int) -> (target: Int32, end: Int)? {
        let next = close + 1
        if next < upper, bytes[next] == Byte.openParen, let inline = inlineTarget(from: next) { return inline }
        guard !references.isEmpty else { return nil }
        if next < upper, bytes[next] == Byte.openBracket,
            let labelEnd = LinkParts.labelEnd(bytes, from: next, to: upper), labelEnd > next + 1
        {
            return reference(next + 1, labelEnd).map { ($0, labelEnd + 1) }
        }
        guard !bracket.hasInner, close - bracket.position <= LinkParts.maximumLabelLength else { return nil }
        let isCollapsed = next + 1 < upper && bytes[next] == Byte.openBracket && bytes[next + 1] == Byte.closeBracket
        return reference(bracket.position, close).map { ($0, isCollapsed ? next + 2 : next) }
    }

    private mutating func reference(_ start: Int, _ end: Int) -> Int32? {
        guard let target = references.value(of: bytes.slice(start, end)) else { return nil }
        if Int(target) < targets.count {
            let size = targets[Int(target)].destination.count + targets[Int(target)].title.count
            guard size <= referenceBudget else { return nil }
            referenceBudget -= size
        }
        return target
    }

    /// Reads `(destination "title")` starting at its parenthesis.
    private mutating func inlineTarget(from start: Int) -> (target: Int32, end: Int)? {
        let destinationStart = LinkParts.skipSpace(bytes, from: start + 1, to: upper)
        guard let (destination, destinationEnd) = LinkParts.destination(bytes, from: destinationStart, to: upper)
        else { return nil }
        let titleStart = LinkParts.skipSpace(bytes, from: destinationEnd, to: upper)
        var title = 0..<0
        var end = titleStart
        if titleStart > destinationEnd, let found = LinkParts.title(bytes, from: titleStart, to: upper) {
            title = found.range
            end = LinkParts.skipSpace(bytes, from: found.end, to: upper)
        }
        guard end < upper, bytes[end] == Byte.closeParen else { return nil }
        targets.append(LinkTarget(destination: destination, title: title))
        return (Int32(targets.count - 1), end + 1)
    }

    /// Makes all nodes after the opening bracket's node the children of a link.
    private mutating func makeLink(_ bracket: Bracket, labelEnd: Int, end: Int, target: Int32) {
        pairDelimiters(above: bracket.delimiter)
        let opener = Int(bracket.node)
        let first = nodes[opener].next
        // The bracket's own node becomes the link.
        nodes[opener].kind = bracket.isImage ? .image : .link
        nodes[opener].end = Int32(end)
        nodes[opener].mark = Int32(labelEnd)
        nodes[opener].target = target
        nodes[opener].firstChild = first
        nodes[opener].next = -1
        if first >= 0 { nodes[Int(first)].previous = -1 }
        tail = bracket.node
        position = end
        textStart = end
        popBracket()
        guard !bracket.isImage else { return }
        // Links contain no links, so brackets that are still open cannot become links.
        inactiveBelow = brackets.count
        openImages = 0
    }

    // MARK: Wikilinks and footnotes

    private mutating func readWikilink() -> Bool {
        let start = position
        guard start + 4 < upper, bytes[start + 1] == Byte.openBracket else { return false }
        var end = start + 2
        while end < upper, bytes[end] != Byte.closeBracket {
            if bytes[end] == Byte.newline || bytes[end] == Byte.openBracket { return false }
            end += 1
        }
        guard end + 1 < upper, bytes[end + 1] == Byte.closeBracket,
            LinkParts.skipBlanks(bytes, from: start + 2, to: end) < end
        else { return false }
        add(.wikilink, start, end + 2, mark: 2)
        return true
    }

    private mutating func readFootnote() -> Bool {
        guard let labelEnd = Footnotes.labelEnd(Bytes(rebasing: bytes[..<upper]), at: position),
            let number = footnotes.value(of: bytes.slice(position + 2, labelEnd))
        else { return false }
        add(.footnoteReference, position, labelEnd + 1, mark: 2, target: number)
        return true
    }
}

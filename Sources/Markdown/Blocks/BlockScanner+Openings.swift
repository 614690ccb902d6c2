import TextPrimitives

/// Steps 2 and 3 of the scanner: opening the blocks that start in a line, and taking the remainder as text.
extension BlockScanner {
    mutating func openBlocks<Context: ParagraphContext>(
        _ bytes: Bytes, allMatched: Bool, _ context: inout Context
    ) {
        let leaf = state.leaf
        let hadParagraph = leaf.kind == .paragraph
        var inParagraph = hadParagraph && allMatched
        var mayBeLazy = hadParagraph
        while !isBlank(bytes) {
            if indent >= 4 {
                if mayBeLazy { break }
                closeUnmatched()
                advance(bytes, columns: 4)
                state.leaf = Leaf(kind: .indentedCode)
                return finishCode(.indentedCode, bytes)
            }
            let first = bytes[nonspace]
            if openContainer(bytes, first, interrupting: inParagraph) {
                inParagraph = false
                mayBeLazy = false
                findNonspace(bytes)
                continue
            }
            if openLeaf(bytes, first, inParagraph: inParagraph, mayBeLazy: mayBeLazy, &context) { return }
            break
        }
        scanText(bytes, leaf: leaf, inParagraph: inParagraph, mayBeLazy: mayBeLazy, allMatched, &context)
    }

    /// Removes the containers that the line does not continue, and their leaf; keeps those that this line has opened.
    mutating func closeUnmatched() {
        if !hasOpened, line.matched < state.containers.count { state.containers.removeSubrange(line.matched...) }
        state.leaf = .none
        markContent()
    }

    mutating func markContent() {
        let last = state.containers.count - 1
        if last >= 0, !state.containers[last].hasContent { state.containers[last].hasContent = true }
    }

    mutating func open(_ container: Container) {
        closeUnmatched()
        state.containers.append(container)
        hasOpened = true
    }

    mutating func openContainer(_ bytes: Bytes, _ first: UInt8, interrupting: Bool) -> Bool {
        switch first {
        case Byte.greater:
            open(Container(kind: .quote))
            consumeQuoteMarker(bytes, opens: true)
            return true
        case Byte.star, Byte.hyphen:
            return !isThematicBreak(bytes) && !(interrupting && isSetextUnderline(bytes))
                && openItem(bytes, interrupting: interrupting)
        case Byte.plus, Byte.zero...0x39:
            return openItem(bytes, interrupting: interrupting)
        case Byte.openBracket where options.contains(.footnotes):
            return openFootnote(bytes)
        default:
            return false
        }
    }

    mutating func openItem(_ bytes: Bytes, interrupting: Bool) -> Bool {
        guard state.containers.count < Self.maximumItemDepth,
            let marker = ListMarker(bytes, at: nonspace, interrupting: interrupting)
        else { return false }
        let markerIndent = indent
        open(Container(kind: .item))
        advanceToNonspace()
        let start = position
        position = marker.end
        column += marker.end - start
        let width = marker.end - start
        findNonspace(bytes)
        let gap = indent
        let isEmpty = isBlank(bytes)
        let padding = gap >= 5 || gap < 1 || isEmpty ? 1 : gap
        if gap > 0 { advance(bytes, columns: padding) }
        state.containers[state.containers.count - 1].indent = Int32(markerIndent + width + padding)
        line.markers.append(
            ContainerMarker(
                kind: .item, start: start, end: marker.end, opens: true, mark: marker.mark, number: marker.number,
                isOrdered: marker.isOrdered))
        return true
    }

    mutating func openFootnote(_ bytes: Bytes) -> Bool {
        guard state.containers.count < Self.maximumItemDepth,
            let labelEnd = Footnotes.labelEnd(bytes, at: nonspace), labelEnd + 1 < bytes.count,
            bytes[labelEnd + 1] == Byte.colon
        else { return false }
        open(Container(kind: .footnote, indent: 4))
        advanceToNonspace()
        let start = position
        position = labelEnd + 2
        column += position - start
        line.markers.append(ContainerMarker(kind: .footnote, start: start, end: position, opens: true))
        findNonspace(bytes)
        advanceToNonspace()
        return true
    }

    mutating func isThematicBreak(_ bytes: Bytes) -> Bool {
        guard nonspace >= breakFailure else { return false }
        let mark = bytes[nonspace]
        var count = 0
        for offset in nonspace..<bytes.count where !bytes[offset].isBlank {
            guard bytes[offset] == mark else {
                breakFailure = offset
                return false
            }
            count += 1
        }
        return count >= 3
    }

    func isSetextUnderline(_ bytes: Bytes) -> Bool {
        let mark = bytes[nonspace]
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == mark { offset += 1 }
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        return offset == bytes.count
    }

    // MARK: 3. Text

    mutating func scanText<Context: ParagraphContext>(
        _ bytes: Bytes, leaf: Leaf, inParagraph: Bool, mayBeLazy: Bool, _ allMatched: Bool, _ context: inout Context
    ) {
        if isBlank(bytes) {
            if !hasOpened { closeBlank() }
            return finish(.blank, bytes.count, bytes.count)
        }
        if mayBeLazy {
            line.isLazy = !allMatched
            if inParagraph, !leaf.entry.isDefinition, options.contains(.tables), isTableDelimiter(bytes, &context) {
                state.leaf = Leaf(kind: .table)
                return finish(.tableDelimiter, nonspace, bytes.count)
            }
            state.leaf.entry = leaf.entry.isDefinition ? .definition : .none
            return finish(.continuation, nonspace, bytes.count)
        }
        if leaf.kind == .table, allMatched, !hasOpened, context.mayAddRow(), TableRows.hasCells(bytes, from: nonspace) {
            return finish(.tableRow, nonspace, bytes.count)
        }
        closeUnmatched()
        state.leaf = Leaf(
            kind: .paragraph, mayDefine: bytes[nonspace] == Byte.openBracket,
            entry: options.contains(.definitionLists) ? .mayBeTerm : .none)
        finish(.paragraph, nonspace, bytes.count)
    }

    mutating func closeBlank() {
        if line.matched < state.containers.count { state.containers.removeSubrange(line.matched...) }
        state.leaf = .none
    }

    func isTableDelimiter<Context: ParagraphContext>(_ bytes: Bytes, _ context: inout Context) -> Bool {
        let first = bytes[nonspace]
        guard indent < 4,
            // Dashes alone underline a heading, or follow definitions of links.
            first == Byte.pipe || first == Byte.colon || first == Byte.hyphen && !isSetextUnderline(bytes),
            let columns = TableRows.delimiterColumns(bytes, from: nonspace)
        else { return false }
        return context.lastLineCellCount() == columns
    }
}

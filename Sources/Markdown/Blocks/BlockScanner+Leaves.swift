import TextPrimitives

/// Leaf blocks, which hold text: continuing an open one, and opening a new one.
extension BlockScanner {
    // MARK: Open leaf

    /// Continues the open leaf block if it is of a kind that takes further lines unchanged; returns whether it did.
    mutating func continueLeaf(_ bytes: Bytes) -> Bool {
        switch state.leaf.kind {
        case .fencedCode: continueFence(bytes)
        case .indentedCode: continueIndentedCode(bytes)
        case .html: line.continuesLeaf = continueHTML(bytes)
        case .none, .paragraph, .table, .frontMatter: return false
        }
        return line.continuesLeaf
    }

    mutating func continueFence(_ bytes: Bytes) {
        line.continuesLeaf = true
        let leaf = state.leaf
        if indent < 4, !isBlank(bytes), bytes[nonspace] == leaf.mark {
            var end = nonspace
            while end < bytes.count, bytes[end] == leaf.mark { end += 1 }
            let length = end - nonspace
            while end < bytes.count, bytes[end].isBlank { end += 1 }
            if length >= Int(leaf.length), end == bytes.count {
                finish(.fenceClosing, nonspace, nonspace + length)
                state.leaf = .none
                return
            }
        }
        advance(bytes, columns: min(Int(leaf.indent), indent))
        finishCode(.fencedCode, bytes)
    }

    mutating func finishCode(_ kind: LineKind, _ bytes: Bytes) {
        if isInsideTab {
            line.padding = 4 - column & 3
            position += 1
        }
        finish(kind, position, bytes.count)
    }

    mutating func continueIndentedCode(_ bytes: Bytes) {
        guard indent >= 4 || isBlank(bytes) else { return }
        line.continuesLeaf = true
        advance(bytes, columns: min(4, indent))
        finishCode(.indentedCode, bytes)
    }

    mutating func continueHTML(_ bytes: Bytes) -> Bool {
        let kind = HTMLBlockKind(rawValue: state.leaf.mark) ?? .none
        if kind.endsBeforeBlankLine, isBlank(bytes) { return false }
        finishHTML(.html, kind, bytes)
        return true
    }

    mutating func finishHTML(_ lineKind: LineKind, _ kind: HTMLBlockKind, _ bytes: Bytes) {
        finishCode(lineKind, bytes)
        line.endsBlock = kind.isEnd(in: bytes, from: min(nonspace, bytes.count))
        state.leaf = line.endsBlock ? .none : Leaf(kind: .html, mark: kind.rawValue)
    }

    // MARK: New leaf

    mutating func openLeaf<Context: ParagraphContext>(
        _ bytes: Bytes, _ first: UInt8, inParagraph: Bool, mayBeLazy: Bool, _ context: inout Context
    ) -> Bool {
        switch first {
        case Byte.hash: return openHeading(bytes)
        case Byte.backtick, Byte.tilde: return openFence(bytes)
        case Byte.less:
            let kind = HTMLBlockKind(opening: bytes, at: nonspace)
            guard kind != .none, kind != .otherTag || !mayBeLazy else { return false }
            closeUnmatched()
            finishHTML(.htmlOpening, kind, bytes)
            return true
        case Byte.equals, Byte.hyphen:
            if inParagraph, !state.leaf.entry.isDefinition, isSetextUnderline(bytes),
                !(state.leaf.mayDefine && context.paragraphOnlyDefines())
            {
                finish(.setextUnderline, nonspace, bytes.count)
                line.level = first == Byte.equals ? 1 : 2
                state.leaf = .none
                return true
            }
            return first == Byte.hyphen && openThematicBreak(bytes)
        case Byte.star, Byte.underscore: return openThematicBreak(bytes)
        case Byte.colon where inParagraph && state.leaf.entry != .none: return openDefinition(bytes, &context)
        default: return false
        }
    }

    /// Opens a definition, `: text` below a term of one line or below another definition.
    mutating func openDefinition<Context: ParagraphContext>(_ bytes: Bytes, _ context: inout Context) -> Bool {
        var start = nonspace + 1
        guard start < bytes.count, bytes[start].isBlank else { return false }
        start = LinkParts.skipBlanks(bytes, from: start, to: bytes.count)
        guard start < bytes.count, !(state.leaf.mayDefine && context.paragraphOnlyDefines()) else { return false }
        closeUnmatched()
        state.leaf = Leaf(kind: .paragraph, mayDefine: bytes[start] == Byte.openBracket, entry: .opened)
        finish(.paragraph, start, bytes.count)
        line.isDefinition = true
        return true
    }

    mutating func openThematicBreak(_ bytes: Bytes) -> Bool {
        guard isThematicBreak(bytes) else { return false }
        closeUnmatched()
        finish(.thematicBreak, nonspace, bytes.count)
        return true
    }

    mutating func openHeading(_ bytes: Bytes) -> Bool {
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == Byte.hash { offset += 1 }
        let level = offset - nonspace
        guard level <= 6, offset == bytes.count || bytes[offset].isBlank else { return false }
        closeUnmatched()
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        finish(.atxHeading, offset, ATXHeading.contentEnd(bytes, from: offset))
        line.level = level
        return true
    }

    mutating func openFence(_ bytes: Bytes) -> Bool {
        let mark = bytes[nonspace]
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == mark { offset += 1 }
        let length = offset - nonspace
        guard length >= 3 else { return false }
        if mark == Byte.backtick, bytes.firstOffset(of: mark, from: offset, to: bytes.count) != nil { return false }
        let fenceIndent = UInt8(indent)
        closeUnmatched()
        state.leaf = Leaf(kind: .fencedCode, mark: mark, indent: fenceIndent, length: Int32(length))
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        var end = bytes.count
        while end > offset, bytes[end - 1].isSpace { end -= 1 }
        finish(.fenceOpening, offset, end)
        return true
    }
}

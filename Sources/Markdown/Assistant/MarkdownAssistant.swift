import TextPrimitives

/// The special actions of keys in Markdown: pure functions from the lines around the caret to a change.
///
/// Each function returns nil if the key has no special meaning, so that the editor handles it as in any other text. The
/// functions look at lines only: the caller must not call them inside code blocks (`BlockKind.code`).
public enum MarkdownAssistant {
    /// Handles Enter: continues a list, a task or a quote; on an item without text, ends the list.
    ///
    /// - Parameter renumbers: Whether the items below get new numbers; false if the caller calls `renumber(below:in:)`.
    public static func enter(
        in lines: some LineSource, at caret: LinePosition, renumbers: Bool = true
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: caret.line)
        guard prefix.marker != nil || prefix.lastQuote != nil, caret.byte >= prefix.contentStart else { return nil }
        if prefix.isEmpty { return endItem(in: lines, at: caret, prefix, renumbers: renumbers) }
        let split = skipBlanks(lines, caret)
        var edit = AssistantEdit(caret: caret)
        let opening = continuation(of: prefix, in: lines, caret.line)
        let before = trimmedStart(lines, caret, prefix.contentStart)
        edit.replace(caret.line, before..<split, with: "\n" + opening)
        edit.caret = LinePosition(line: caret.line + 1, byte: opening.utf8.count)
        edit.anchor = edit.caret
        if renumbers, let marker = prefix.marker, marker.isOrdered {
            let number = nextNumber(after: marker, in: lines, caret.line, prefix)
            renumber(after: caret.line, in: lines, prefix, from: number, &edit)
        }
        return edit
    }

    /// Handles Backspace after the marker of an item without text: takes the item one level out or, if it is not
    /// nested, removes the marker with the indent before it, and a task's box with it.
    ///
    /// - Parameter renumbers: Whether the items below get new numbers; false if the caller calls `renumber(below:in:)`.
    public static func backspace(
        in lines: some LineSource, at caret: LinePosition, renumbers: Bool = true
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: caret.line)
        guard let marker = prefix.marker, prefix.isEmpty, caret.byte == lines.length(of: caret.line),
            caret.byte > marker.range.upperBound
        else { return nil }
        if prefix.indent > 0, let edit = outdent(caret.line...caret.line, in: lines, caret: caret) { return edit }
        var edit = AssistantEdit(caret: LinePosition(line: caret.line, byte: prefix.quoteEnd))
        edit.replace(caret.line, prefix.quoteEnd..<caret.byte, with: "")
        if renumbers { closeGap(after: caret.line, in: lines, prefix, &edit) }
        return edit
    }

    /// The text at the start of a new line after this one.
    private static func continuation(of prefix: LinePrefix, in lines: some LineSource, _ line: Int) -> String {
        guard let marker = prefix.marker else { return lines.text(of: line, 0..<prefix.contentStart) }
        var text = lines.text(of: line, 0..<prefix.indentEnd)
        if marker.isOrdered {
            let number = nextNumber(after: marker, in: lines, line, prefix)
            text += "\(number)" + String(UnicodeScalar(marker.mark))
        } else {
            text += String(UnicodeScalar(marker.mark))
        }
        text += lines.text(of: line, marker.range.upperBound..<(prefix.task?.lowerBound ?? prefix.contentStart))
        return prefix.task == nil ? text : text + "[ ] "
    }

    /// The item's number plus one, or the same number if the previous item of the list has that number too.
    private static func nextNumber(
        after marker: LinePrefix.Marker, in lines: some LineSource, _ line: Int, _ prefix: LinePrefix
    ) -> Int {
        guard let previous = sibling(before: line, in: lines, prefix),
            previous.marker?.number == marker.number, previous.marker?.isOrdered == true
        else { return marker.number + 1 }
        return marker.number
    }

    private static func skipBlanks(_ lines: some LineSource, _ caret: LinePosition) -> Int {
        lines.withLine(caret.line) { LinkParts.skipBlanks($0, from: caret.byte, to: $0.count) }
    }

    /// The offset of the caret, or of a single blank before it, which is dropped.
    ///
    /// Several blanks are kept, because two spaces make a hard break.
    private static func trimmedStart(_ lines: some LineSource, _ caret: LinePosition, _ lower: Int) -> Int {
        lines.withLine(caret.line) { bytes in
            var start = caret.byte
            while start > lower, bytes[start - 1].isBlank { start -= 1 }
            return caret.byte - start == 1 ? start : caret.byte
        }
    }

    /// Handles Enter on an item without text: leaves the nested list or, if it is not nested, ends the list or the
    /// quote.
    private static func endItem(
        in lines: some LineSource, at caret: LinePosition, _ prefix: LinePrefix, renumbers: Bool
    ) -> AssistantEdit? {
        if prefix.marker != nil, prefix.indent > 0, let edit = outdent(caret.line...caret.line, in: lines, caret: caret)
        {
            return edit
        }
        let start = prefix.marker == nil ? prefix.lastQuote ?? 0 : prefix.quoteEnd
        var edit = AssistantEdit(caret: LinePosition(line: caret.line, byte: start))
        edit.replace(caret.line, start..<lines.length(of: caret.line), with: "")
        if renumbers { closeGap(after: caret.line, in: lines, prefix, &edit) }
        return edit
    }

    /// Gives the number of an item that is taken away to the item below it, and so on to the end of the list.
    private static func closeGap(
        after line: Int, in lines: some LineSource, _ prefix: LinePrefix, _ edit: inout AssistantEdit
    ) {
        guard let marker = prefix.marker, marker.isOrdered else { return }
        renumber(after: line, in: lines, prefix, from: marker.number - 1, &edit)
    }

    // MARK: Neighbouring items

    /// The most lines that are searched for the items around an item; longer lists are renumbered only that far.
    static let scanLimit = 2_000

    /// The item before `line` in the same list.
    static func sibling(before line: Int, in lines: some LineSource, _ prefix: LinePrefix) -> LinePrefix? {
        var current = line - 1
        while current >= max(0, line - scanLimit) {
            let other = lines.prefix(of: current)
            let isBlank = other.marker == nil && other.isEmpty
            if !isBlank, other.indent < prefix.indent { return nil }
            if other.marker != nil, other.indent == prefix.indent { return other }
            if !isBlank, other.marker == nil, other.indent <= prefix.indent { return nil }
            current -= 1
        }
        return nil
    }

    /// The nearest item before `line` with a smaller indent.
    static func parent(of line: Int, in lines: some LineSource, _ prefix: LinePrefix) -> (
        line: Int, prefix: LinePrefix
    )? {
        var current = line - 1
        while current >= max(0, line - scanLimit) {
            let other = lines.prefix(of: current)
            if other.marker != nil, other.indent < prefix.indent { return (current, other) }
            if other.marker == nil, !other.isEmpty, other.indent == 0 { return nil }
            current -= 1
        }
        return nil
    }

    /// Renumbers the items after `line` at the depth of `prefix`, counting up from `number`, to the end of their list.
    static func renumber(
        after line: Int, in lines: some LineSource, _ prefix: LinePrefix, from number: Int, _ edit: inout AssistantEdit
    ) {
        var expected = number
        var current = line + 1
        let isConstant = number == prefix.marker?.number
        while current < min(lines.lineCount, line + scanLimit) {
            let other = lines.prefix(of: current)
            let isBlank = other.marker == nil && other.isEmpty
            if !isBlank, other.indent < prefix.indent || (other.marker == nil && other.indent <= prefix.indent) {
                return
            }
            if let marker = other.marker, other.indent == prefix.indent {
                guard marker.isOrdered, marker.mark == prefix.marker?.mark else { return }
                expected += isConstant ? 0 : 1
                if marker.number == expected { return }
                edit.replace(current, marker.range.lowerBound..<marker.range.upperBound - 1, with: "\(expected)")
            }
            current += 1
        }
    }
}

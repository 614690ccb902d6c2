extension MarkdownAssistant {
    /// Tab: puts the items of `range` (and what is in them) one level deeper, under the item before them.
    public static func indent(
        _ range: ClosedRange<Int>, in lines: some LineSource, caret: LinePosition
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: range.lowerBound)
        guard prefix.marker != nil, let above = sibling(before: range.lowerBound, in: lines, prefix) else { return nil }
        let width = above.marker.map { $0.range.count + 1 } ?? 2
        var edit = shift(range, in: lines, prefix, by: width, caret: caret)
        if let number = above.marker?.number, prefix.marker?.isOrdered == true {
            renumber(after: itemEnd(range.upperBound, in: lines) - 1, in: lines, prefix, from: number, &edit)
        }
        return edit
    }

    /// Shift-Tab: puts the items of `range` (and what is in them) one level up, beside the item that they are in.
    public static func outdent(
        _ range: ClosedRange<Int>, in lines: some LineSource, caret: LinePosition
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: range.lowerBound)
        guard prefix.marker != nil, prefix.indent > 0 else { return nil }
        let parent = parent(of: range.lowerBound, in: lines, prefix)?.prefix
        var edit = shift(range, in: lines, prefix, by: (parent?.indent ?? 0) - prefix.indent, caret: caret)
        if let parent, let marker = parent.marker, marker.isOrdered, prefix.marker?.isOrdered == true {
            let end = itemEnd(range.upperBound, in: lines)
            renumber(after: end - 1, in: lines, parent, from: marker.number + 1, &edit)
        }
        return edit
    }

    /// Moves the lines of `range`, and the lines after it that are in its last item, by `columns`.
    private static func shift(
        _ range: ClosedRange<Int>, in lines: some LineSource, _ prefix: LinePrefix, by columns: Int, caret: LinePosition
    ) -> AssistantEdit {
        var edit = AssistantEdit(caret: caret)
        let end = itemEnd(range.upperBound, in: lines)
        for line in range.lowerBound..<end {
            let other = lines.prefix(of: line)
            if other.isEmpty, other.marker == nil { continue }
            let indent = max(other.indent + columns, 0)
            edit.replace(line, other.quoteEnd..<other.indentEnd, with: String(repeating: " ", count: indent))
            if line == caret.line, caret.byte >= other.indentEnd {
                edit.caret.byte += other.quoteEnd + indent - other.indentEnd
            }
            if line == range.lowerBound, let marker = other.marker, marker.isOrdered {
                renumberMoved(line, marker, other, indent: indent, in: lines, caret: caret, &edit)
            }
        }
        edit.anchor = edit.caret
        edit.replacements.removeAll { $0.start == $0.end && $0.text.isEmpty }
        return edit
    }

    /// The line after the last line of the item at `line`.
    private static func itemEnd(_ line: Int, in lines: some LineSource) -> Int {
        let prefix = lines.prefix(of: line)
        var end = line + 1
        var current = end
        while current < min(lines.lineCount, line + reach) {
            let other = lines.prefix(of: current)
            let isBlank = other.marker == nil && other.isEmpty
            if !isBlank, other.indent <= prefix.indent { break }
            current += 1
            if !isBlank { end = current }
        }
        return end
    }

    /// Gives a numbered item that changed its depth the number that follows at the new depth.
    private static func renumberMoved(
        _ line: Int, _ marker: LinePrefix.Marker, _ prefix: LinePrefix, indent: Int, in lines: some LineSource,
        caret: LinePosition, _ edit: inout AssistantEdit
    ) {
        var number = 1
        var current = line - 1
        while current >= max(0, line - reach) {
            let other = lines.prefix(of: current)
            if let found = other.marker {
                if other.indent == indent {
                    number = found.isOrdered ? found.number + 1 : 1
                    break
                }
                if other.indent < indent { break }
            } else if !other.isEmpty, other.indent == 0 {
                break
            }
            current -= 1
        }
        let digits = marker.range.lowerBound..<marker.range.upperBound - 1
        let text = "\(number)"
        edit.replace(line, digits, with: text)
        if line == caret.line, caret.byte >= digits.upperBound { edit.caret.byte += text.utf8.count - digits.count }
    }

    // MARK: Tasks

    /// Toggles the box of the task at `line`; gives an item a box, and makes an item of a line of text.
    public static func toggleTask(at line: Int, in lines: some LineSource, caret: LinePosition) -> AssistantEdit? {
        let prefix = lines.prefix(of: line)
        var edit = AssistantEdit(caret: caret)
        if let task = prefix.task {
            edit.replace(line, task.lowerBound + 1..<task.lowerBound + 2, with: prefix.isDone ? " " : "x")
            return edit
        }
        if prefix.isEmpty, prefix.marker == nil { return nil }
        let place = prefix.contentStart
        let needsSpace = prefix.marker.map { $0.range.upperBound == place } ?? false
        let text = prefix.marker == nil ? "- [ ] " : needsSpace ? " [ ] " : "[ ] "
        edit.replace(line, place..<place, with: text)
        if line == caret.line, caret.byte >= place { edit.caret.byte += text.utf8.count }
        edit.anchor = edit.caret
        return edit
    }
}

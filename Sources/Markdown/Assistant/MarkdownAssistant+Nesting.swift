extension MarkdownAssistant {
    /// Handles Tab: indents the items of `range`, with their contents, by one level, under the item before them.
    public static func indent(
        _ range: ClosedRange<Int>, in lines: some LineSource, caret: LinePosition
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: range.lowerBound)
        guard prefix.marker != nil, let above = sibling(before: range.lowerBound, in: lines, prefix) else { return nil }
        let width = above.marker.map { $0.range.count + 1 } ?? 2
        return shift(range, in: lines, prefix, by: width, caret: caret)
    }

    /// Handles Shift-Tab: outdents the items of `range`, with their contents, to the level of their parent item.
    public static func outdent(
        _ range: ClosedRange<Int>, in lines: some LineSource, caret: LinePosition
    ) -> AssistantEdit? {
        let prefix = lines.prefix(of: range.lowerBound)
        guard prefix.marker != nil, prefix.indent > 0 else { return nil }
        let parent = parent(of: range.lowerBound, in: lines, prefix)?.prefix
        return shift(range, in: lines, prefix, by: (parent?.indent ?? 0) - prefix.indent, caret: caret)
    }

    /// Moves the lines of `range`, and the following lines of its last item, by `columns`, and renumbers the items
    /// around them.
    private static func shift(
        _ range: ClosedRange<Int>, in lines: some LineSource, _ prefix: LinePrefix, by columns: Int, caret: LinePosition
    ) -> AssistantEdit {
        var edit = AssistantEdit(caret: caret)
        let moved = range.lowerBound...itemEnd(range.upperBound, in: lines) - 1
        for line in moved {
            let other = lines.prefix(of: line)
            if other.isEmpty, other.marker == nil { continue }
            let indent = max(other.indent + columns, 0)
            edit.replace(line, other.quoteEnd..<other.indentEnd, with: String(repeating: " ", count: indent))
            if line == caret.line, caret.byte >= other.indentEnd {
                edit.caret.byte += other.quoteEnd + indent - other.indentEnd
            }
        }
        let least = min(prefix.indent, max(prefix.indent + columns, 0))
        let move = ListNumbering.Move(lines: moved, leastIndent: least, oldIndent: prefix.indent)
        let numbering = ListNumbering(move, lineCount: lines.lineCount) { line in
            var known = lines.prefix(of: line).numbered
            if moved.contains(line) { known.indent = max(known.indent + columns, 0) }
            return known
        }
        for item in numbering.numbers {
            let (digits, text) = (item.marker.digits, "\(item.number)")
            edit.replace(item.line, digits, with: text)
            if item.line == caret.line, caret.byte > digits.lowerBound {
                // A caret inside the number keeps its position, or moves to the end of a number that became shorter.
                let change = text.utf8.count - digits.count
                let overhang = digits.lowerBound + text.utf8.count - caret.byte
                edit.caret.byte += caret.byte >= digits.upperBound ? change : min(0, overhang)
            }
        }
        edit.anchor = edit.caret
        edit.replacements.removeAll { $0.start == $0.end && $0.text.isEmpty }
        edit.replacements.sort { $0.start < $1.start }
        return edit
    }

    /// The line after the last line of the item at `line`.
    private static func itemEnd(_ line: Int, in lines: some LineSource) -> Int {
        let prefix = lines.prefix(of: line)
        var end = line + 1
        var current = end
        while current < min(lines.lineCount, line + scanLimit) {
            let other = lines.prefix(of: current)
            let isBlank = other.marker == nil && other.isEmpty
            if !isBlank, other.indent <= prefix.indent { break }
            current += 1
            if !isBlank { end = current }
        }
        return end
    }

    // MARK: Tasks

    /// Toggles the task's box at `line`; adds a box to an item without one, and makes a line of text a task.
    ///
    /// A heading stays a heading.
    public static func toggleTask(at line: Int, in lines: some LineSource, caret: LinePosition) -> AssistantEdit? {
        let prefix = lines.prefix(of: line)
        var edit = AssistantEdit(caret: caret)
        if let task = prefix.task {
            edit.replace(line, task.lowerBound + 1..<task.lowerBound + 2, with: prefix.isDone ? " " : "x")
            return edit
        }
        if prefix.marker == nil, prefix.isEmpty || lines.isHeading(line, from: prefix.contentStart) { return nil }
        let position = prefix.contentStart
        let needsSpace = prefix.marker.map { $0.range.upperBound == position } ?? false
        let text = prefix.marker == nil ? "- [ ] " : needsSpace ? " [ ] " : "[ ] "
        edit.replace(line, position..<position, with: text)
        if line == caret.line, caret.byte >= position { edit.caret.byte += text.utf8.count }
        edit.anchor = edit.caret
        return edit
    }
}

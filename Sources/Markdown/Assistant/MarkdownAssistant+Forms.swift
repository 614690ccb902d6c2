import TextPrimitives

/// Commands that turn lines into headings, lists, quotes, fences and tables.
extension MarkdownAssistant {
    /// A form that a command gives to lines, and takes from them when it is used again.
    public enum LineForm: Sendable {
        /// A heading, which gets one level deeper each time; after the sixth level it becomes plain text.
        case heading
        case bullets, numbers, quote
    }

    /// Gives the lines of a range the form `form`, or makes them plain if all of them have it already.
    ///
    /// Blank lines between other lines stay as they are.
    public static func toggle(
        _ form: LineForm, _ range: ClosedRange<Int>, in lines: some LineSource, anchor: LinePosition,
        caret: LinePosition
    ) -> AssistantEdit {
        let isBlank = { (line: Int) in lines.prefix(of: line).contentStart == lines.length(of: line) }
        let all = range.filter { range.count == 1 || !isBlank($0) || lines.prefix(of: $0).marker != nil }
        var edit = AssistantEdit(caret: caret)
        edit.anchor = anchor
        switch form {
        case .heading: for line in all { deepen(line, in: lines, &edit) }
        case .quote:
            let isOn = all.allSatisfy { lines.prefix(of: $0).lastQuote != nil }
            for line in isOn ? all : Array(range) {
                let prefix = lines.prefix(of: line)
                if isOn, let quote = prefix.lastQuote {
                    edit.replaceInLine(line, quote..<prefix.quoteEnd, with: "")
                } else {
                    edit.replaceInLine(line, 0..<0, with: "> ")
                }
            }
        case .bullets, .numbers:
            let isOrdered = form == .numbers
            let isOn = all.allSatisfy { lines.prefix(of: $0).marker?.isOrdered == isOrdered }
            for (index, line) in all.enumerated() {
                let prefix = lines.prefix(of: line)
                if isOn, let marker = prefix.marker {
                    edit.replaceInLine(line, marker.range.lowerBound..<prefix.contentStart, with: "")
                } else {
                    let text = isOrdered ? "\(index + 1)." : "-"
                    let old = prefix.marker?.range ?? prefix.indentEnd..<prefix.indentEnd
                    edit.replaceInLine(line, old, with: prefix.marker == nil ? text + " " : text)
                }
            }
        }
        return edit
    }

    private static func deepen(_ line: Int, in lines: some LineSource, _ edit: inout AssistantEdit) {
        let start = lines.prefix(of: line).contentStart
        guard lines.isHeading(line, from: start) else { return edit.replaceInLine(line, start..<start, with: "# ") }
        let (level, text) = lines.withLine(line) { bytes -> (Int, Int) in
            let level = bytes[start...].prefix { $0 == Byte.hash }.count
            return (level, LinkParts.skipBlanks(bytes, from: start + level, to: bytes.count))
        }
        if level < 6 {
            edit.replaceInLine(line, start..<start, with: "#")
        } else {
            edit.replaceInLine(line, start..<text, with: "")
        }
    }

    /// Puts a fence around lines, longer than any in them, with the caret at the position of its language.
    public static func fence(_ range: ClosedRange<Int>, in lines: some LineSource) -> AssistantEdit {
        let longest = range.map { line in
            lines.withLine(line) { bytes in
                let start = LinePrefix(bytes).indentEnd
                return bytes[start...].prefix { $0 == Byte.backtick }.count
            }
        }
        let mark = String(repeating: "`", count: max(3, (longest.max() ?? 0) + 1))
        let opening = lines.text(of: range.lowerBound, 0..<lines.prefix(of: range.lowerBound).indentEnd)
        var edit = AssistantEdit(
            caret: LinePosition(line: range.lowerBound, byte: opening.utf8.count + mark.utf8.count))
        edit.replace(range.lowerBound, 0..<0, with: "\(opening)\(mark)\n")
        let end = lines.length(of: range.upperBound)
        edit.replace(range.upperBound, end..<end, with: "\n\(opening)\(mark)")
        return edit
    }

    /// Inserts an empty table into a blank line, or below any other line, with its first heading selected.
    public static func table(at line: Int, headings: [String], in lines: some LineSource) -> AssistantEdit {
        let prefix = lines.prefix(of: line)
        let isBlank = prefix.isEmpty && prefix.marker == nil
        let opening = lines.text(of: line, 0..<(isBlank ? lines.length(of: line) : prefix.quoteEnd))
        let rule = headings.map { String(repeating: "-", count: max(3, $0.utf8.count)) }
        let cells = headings.map { String(repeating: " ", count: max(3, $0.utf8.count)) }
        let rows = [headings, rule, cells].map { "| " + $0.joined(separator: " | ") + " |" }
        let end = lines.length(of: line)
        let text =
            (isBlank ? rows[0] : "\n\(opening)\n\(opening)" + rows[0])
            + rows.dropFirst().map { "\n" + opening + $0 }.joined()
        // Without an empty line between them, the line below would become a row of the table.
        let isNextText = line + 1 < lines.lineCount && !lines.prefix(of: line + 1).isEmpty
        let first = LinePosition(line: isBlank ? line : line + 2, byte: opening.utf8.count + 2)
        var edit = AssistantEdit(
            caret: LinePosition(line: first.line, byte: first.byte + (headings.first ?? "").utf8.count))
        edit.anchor = first
        edit.replace(line, end..<end, with: isNextText ? text + "\n" + opening : text)
        return edit
    }
}

extension AssistantEdit {
    /// Replaces a range of one line by a text of one line; the caret and the anchor stay at their text.
    fileprivate mutating func replaceInLine(_ line: Int, _ range: Range<Int>, with text: String) {
        guard !range.isEmpty || !text.isEmpty else { return }
        let shift = { (position: LinePosition) -> LinePosition in
            guard position.line == line, position.byte >= range.lowerBound else { return position }
            let isBehind = position.byte >= range.upperBound
            return LinePosition(
                line: line,
                byte: isBehind ? position.byte + text.utf8.count - range.count : range.lowerBound + text.utf8.count)
        }
        (caret, anchor) = (shift(caret), shift(anchor))
        replace(line, range, with: text)
    }
}

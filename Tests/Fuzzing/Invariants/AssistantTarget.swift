import Markdown

extension FuzzTarget {
    /// The Markdown assistant's keys: each change is within the text, cuts no character, and leaves a valid caret.
    ///
    /// The first byte selects the key, the second the caret's position.
    public static let assistant = FuzzTarget("assistant") { input in
        guard input.count > 2 else { return nil }
        let text = String(decoding: input[2...], as: UTF8.self)
        let source = StringLines(text)
        let lines = (0..<source.lineCount).map { source.withLine($0) { Array($0) } }
        let caret = position(of: Int(input[1]), in: lines)
        guard let (key, edit) = edit(Int(input[0]), source, caret) else { return nil }
        // This key puts the caret into another row, at the same text.
        let movesCaret = key != leavingRow
        return editFault(edit, lines, movesCaret: movesCaret).map { "\(key) at \(caret): \($0)" }
    }

    private static let leavingRow = "leaving a row"

    /// Returns a position at the start of a character.
    private static func position(of number: Int, in lines: [[UInt8]]) -> LinePosition {
        let line = number % lines.count
        var byte = (number &* 31) % (lines[line].count + 1)
        while isInsideCharacter(byte, lines[line]) { byte -= 1 }
        return LinePosition(line: line, byte: byte)
    }

    private static func isInsideCharacter(_ byte: Int, _ line: [UInt8]) -> Bool {
        byte < line.count && line[byte] & 0xC0 == 0x80
    }

    private static func edit(
        _ number: Int, _ lines: StringLines, _ caret: LinePosition
    ) -> (String, AssistantEdit)? {
        let last = min(lines.lineCount - 1, caret.line + number / 9 % 4)
        let (key, edit) =
            switch number % 9 {
            case 0: ("Enter", MarkdownAssistant.enter(in: lines, at: caret))
            case 1: ("Tab", MarkdownAssistant.indent(caret.line...last, in: lines, caret: caret))
            case 2: ("Shift-Tab", MarkdownAssistant.outdent(caret.line...last, in: lines, caret: caret))
            case 3: ("a task", MarkdownAssistant.toggleTask(at: caret.line, in: lines, caret: caret))
            case 4: ("the next cell", MarkdownAssistant.nextCell(in: lines, at: caret, cellWidth: .unicode))
            case 5:
                (
                    "the cell before",
                    MarkdownAssistant.nextCell(in: lines, at: caret, backwards: true, cellWidth: .unicode)
                )
            case 6:
                (
                    leavingRow,
                    MarkdownAssistant.alignTable(at: caret.line, in: lines, caret: caret, cellWidth: .unicode)
                )
            case 7:
                ("moved lines", MarkdownAssistant.renumber(caret.line...last, firstNumber: number, in: lines))
            default:
                (
                    "a link",
                    MarkdownAssistant.completion(in: lines, at: caret).map {
                        MarkdownAssistant.complete($0, title: "T]\n", uuid: "U", line: caret.line)
                    }
                )
            }
        return edit.map { (key, $0) }
    }

    private static func editFault(_ edit: AssistantEdit, _ lines: [[UInt8]], movesCaret: Bool) -> String? {
        var end = LinePosition(line: 0, byte: 0)
        for replacement in edit.replacements {
            for position in [replacement.start, replacement.end] {
                guard lines.indices.contains(position.line), (0...lines[position.line].count).contains(position.byte)
                else {
                    return "a change at \(position), where nothing is"
                }
                if isInsideCharacter(position.byte, lines[position.line]) {
                    return "a change inside the character at \(position)"
                }
            }
            if replacement.start < end || replacement.end < replacement.start { return "a change before \(end)" }
            end = replacement.end
        }
        let changed = apply(edit, to: lines)
        for position in movesCaret ? [edit.caret, edit.anchor] : [] {
            guard changed.indices.contains(position.line), (0...changed[position.line].count).contains(position.byte)
            else {
                return "the caret at \(position), where nothing is"
            }
            if isInsideCharacter(position.byte, changed[position.line]) { return "the caret inside a character" }
        }
        return nil
    }

    /// Returns the lines after the change.
    private static func apply(_ edit: AssistantEdit, to lines: [[UInt8]]) -> [[UInt8]] {
        var lines = lines
        for replacement in edit.replacements.reversed() {
            let (start, end) = (replacement.start, replacement.end)
            let whole = lines[start.line][..<start.byte] + Array(replacement.text.utf8) + lines[end.line][end.byte...]
            let parts = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
            lines.replaceSubrange(start.line...end.line, with: parts)
        }
        return lines
    }
}

import Markdown
import TextEditing

/// Continuing and nesting lists at several carets, as at a single one.
extension EditorSession {
    /// The largest number of carets at which lists continue; with more, Enter breaks the line and Tab types a tab.
    private static let maximumLists = 1_000

    /// A caret at which a key has no meaning in Markdown.
    struct CaretWithoutMarkup {
        let buffer: TextBuffer
        let caret: ByteOffset

        /// The line break that the lines around the caret use.
        var lineBreak: String? { buffer.lineBreak(near: buffer.lineNumber(at: caret)) }
    }

    /// Applies the Markdown meaning of a key at each caret, as one undo step.
    ///
    /// The carets are handled from the last to the first, so that the text above each is still unchanged. If an edit at
    /// one caret renumbers lines below it, the carets there are moved along.
    ///
    /// - Parameters:
    ///   - renumbers: whether to number the lists after the edits at all carets are made; numbering a list at each of
    ///     its carets would read it once for each caret.
    ///   - atAll: whether the key must have a meaning in Markdown at all carets, not at one of them.
    ///   - assist: returns the edit at a caret; nil if the key has no meaning in Markdown there.
    ///   - otherwise: returns the text to insert where `assist` returned nil; nil to insert nothing.
    /// - Returns: false, with nothing changed, if there is one caret or if the key has no such meaning at any caret.
    func assistAtEachCaret(
        renumbers: Bool = false, atAll: Bool = false, _ assist: (BufferLines, LinePosition) -> AssistantEdit?,
        otherwise: (CaretWithoutMarkup) -> String?
    ) -> Bool {
        let selections = editor.selections
        guard selections.count > 1, selections.count <= Self.maximumLists, selections.allSatisfy(\.isEmpty),
            hasMeaning(atAll: atAll, selections, assist)
        else { return false }
        var buffer = editor.buffer
        var edits: [Edit] = []
        var after = CaretsFromBelow(count: selections.count)
        // The line handled last, and the edit made at its last caret.
        var done = (line: -1, edit: Edit())
        for index in selections.indices.reversed() {
            let number = editor.buffer.lineNumber(at: selections[index].head)
            let isSecond = number.rawValue == done.line
            let caret = isSecond ? done.edit.map(selections[index].head, .after) : selections[index].head
            let position = LinePosition(line: number.rawValue, byte: caret - buffer.lineStart(number))
            let plain = otherwise(CaretWithoutMarkup(buffer: buffer, caret: caret))
            // Nesting changes a line once, so a second caret in the same line only stays at its text.
            let canAssist = !isSecond || plain != nil
            let meant =
                canAssist && !highlighter.isCode(line: number.rawValue, in: lines)
                ? assist(BufferLines(buffer: buffer), position) : nil
            let parts: [(range: Range<ByteOffset>, text: String)] =
                meant.map { Self.parts(of: $0, in: buffer) } ?? plain.map { [(caret..<caret, $0)] } ?? []
            let target = meant?.caret
            let edit = Edit(replacing: parts, of: buffer)
            edit.apply(to: &buffer)
            let moved = target.map { Self.offset(of: $0, in: buffer) } ?? edit.map(caret, .after)
            after.put(index, at: moved, after: edit)
            if !isSecond { done = (number.rawValue, edit) }
            if !edit.isEmpty { edits.append(edit) }
        }
        let main = editor.mainIndex
        var carets = after.selections
        if renumbers, let edit = renumbering(belowItemsAt: carets, in: buffer) {
            carets = edit.map(ascending: carets)
            edits.append(edit)
        }
        change { $0.apply(Edit.composed(edits), selections: carets, main: main) }
        return true
    }

    /// Whether a key has a meaning in Markdown at one of some carets, or at all of them.
    private func hasMeaning(
        atAll: Bool, _ carets: [Selection], _ assist: (BufferLines, LinePosition) -> AssistantEdit?
    ) -> Bool {
        // If all carets need a meaning, one without it decides; otherwise one with it does.
        let decisive = carets.first { caret in
            let position = linePosition(of: caret.head)
            let hasMeaning = !highlighter.isCode(line: position.line, in: lines) && assist(lines, position) != nil
            return hasMeaning != atAll
        }
        return (decisive == nil) == atAll
    }

    /// Returns the edit that renumbers the lists in which carets have begun items; nil if their numbers are right.
    private func renumbering(belowItemsAt carets: [Selection], in buffer: TextBuffer) -> Edit? {
        let items = carets.map { max(0, buffer.lineNumber(at: $0.head).rawValue - 1) }
        let source = BufferLines(buffer: buffer)
        let parts = MarkdownAssistant.renumber(below: items, in: source, readLines: &renumberedLines)
        guard !parts.isEmpty else { return nil }
        return Edit(
            replacing: parts.map {
                (Self.offset(of: $0.start, in: buffer)..<Self.offset(of: $0.end, in: buffer), $0.text)
            }, of: buffer)
    }

    static func offset(of position: LinePosition, in buffer: TextBuffer) -> ByteOffset {
        min(buffer.lineStart(LineNumber(position.line)) + position.byte, buffer.end)
    }
}

/// The carets of a text that is edited at one after the other, from the last to the first.
private struct CaretsFromBelow {
    /// The position of each caret, without the shift that all carets below the current one still get.
    private var positions: [Int]
    private var shift = 0

    init(count: Int) { positions = [Int](repeating: 0, count: count) }

    /// Puts a caret where an edit at it has left it, and moves those below.
    mutating func put(_ index: Int, at caret: ByteOffset, after edit: Edit) {
        if index + 1 < positions.count, let last = edit.replacements.last,
            last.range.upperBound.rawValue > positions[index + 1] + shift
        {
            for later in (index + 1)..<positions.count {
                positions[later] = edit.map(ByteOffset(positions[later] + shift), .after).rawValue - shift
            }
        } else {
            shift += edit.growth
        }
        positions[index] = caret.rawValue - shift
    }

    var selections: [Selection] { positions.map { Selection(ByteOffset($0 + shift)) } }
}

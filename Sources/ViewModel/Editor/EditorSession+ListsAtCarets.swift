import Markdown
import TextEditing

/// Lists that continue and nest at several carets, as they do at one.
extension EditorSession {
    /// The most carets whose lists are continued; at more of them Enter breaks the line and Tab types a tab.
    private static let mostLists = 1_000

    /// What a caret without a list gets.
    struct PlainPlace {
        let buffer: TextBuffer
        let caret: ByteOffset

        /// A line break as those around it.
        var lineBreak: String? { buffer.lineBreak(near: buffer.lineNumber(at: caret)) }
    }

    /// Does at each caret what Markdown means by a key there, as one step of undo.
    ///
    /// From the last to the first, so that what is above a caret is as it was; what an earlier one renumbers moves the
    /// later ones.
    ///
    /// - Parameters:
    ///   - assist: the meaning at a caret; nil where the key has none.
    ///   - otherwise: what is inserted where it has none; nil for nothing.
    /// - Returns: false if there is one caret, or the key has no such meaning at any of them; nothing is done then.
    func assistAtEachCaret(
        _ assist: (BufferLines, LinePosition) -> AssistantEdit?, otherwise: (PlainPlace) -> String?
    ) -> Bool {
        let selections = editor.selections
        guard selections.count > 1, selections.count <= Self.mostLists, selections.allSatisfy(\.isEmpty) else {
            return false
        }
        var buffer = editor.buffer
        var edits: [Edit] = []
        // Where each caret is in the end, less what is to be added to all behind the present one.
        var after = [Int](repeating: 0, count: selections.count)
        var shift = 0
        var isAssisted = false
        // The line that was done last, and what its last caret did.
        var done = (line: -1, edit: Edit())
        for index in selections.indices.reversed() {
            let number = editor.buffer.lineNumber(at: selections[index].head)
            let isSecond = number.rawValue == done.line
            let place = isSecond ? done.edit.map(selections[index].head, .after) : selections[index].head
            let position = LinePosition(line: number.rawValue, byte: place - buffer.lineStart(number))
            let plain = otherwise(PlainPlace(buffer: buffer, caret: place))
            var parts: [(range: Range<ByteOffset>, text: String)] = []
            var target: LinePosition?
            // Where a line is nested, a second caret of it stays at its text.
            if !isSecond || plain != nil, !highlighter.isCode(line: number.rawValue, in: lines),
                let meant = assist(BufferLines(buffer: buffer), position)
            {
                parts = meant.replacements.map {
                    (Self.offset(of: $0.start, in: buffer)..<Self.offset(of: $0.end, in: buffer), $0.text)
                }
                (target, isAssisted) = (meant.caret, true)
            } else if let plain {
                parts = [(place..<place, plain)]
            }
            let edit = Edit(replacing: parts, of: buffer)
            edit.apply(to: &buffer)
            if index + 1 < after.count, let last = edit.replacements.last,
                last.range.upperBound.rawValue > after[index + 1] + shift
            {
                for later in (index + 1)..<after.count {
                    after[later] = edit.map(ByteOffset(after[later] + shift), .after).rawValue - shift
                }
            } else {
                shift += edit.growth
            }
            let caret = target.map { Self.offset(of: $0, in: buffer) } ?? edit.map(place, .after)
            after[index] = caret.rawValue - shift
            if !isSecond { done = (number.rawValue, edit) }
            if !edit.isEmpty { edits.append(edit) }
        }
        guard isAssisted else { return false }
        let main = editor.mainSelection
        let places = after.map { Selection(ByteOffset($0 + shift)) }
        change { $0.apply(Edit.composed(edits), selections: places, main: main) }
        return true
    }

    private static func offset(of position: LinePosition, in buffer: TextBuffer) -> ByteOffset {
        min(buffer.lineStart(LineNumber(position.line)) + position.byte, buffer.end)
    }
}

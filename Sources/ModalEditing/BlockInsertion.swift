import TextEditing

/// The lines and the column that receive the text typed in the first line of a block.
struct VimBlockInsertion: Hashable, Sendable {
    var lines: ClosedRange<LineNumber>
    /// The column in cells, or `nil` for the end of each line.
    var column: Int?
    /// Whether shorter lines are filled with blanks.
    var fills = false
    /// Whether the caret stays at the end of the typed text instead of returning to the start of the block.
    var staysBehind = false
    /// The start of the block, if typing began elsewhere.
    var home: ByteOffset?
    /// The number of bytes in the first line before typing.
    var lengthBefore = 0
}

extension VimMachine {
    /// Inserts the text typed in the first line of a block into the other lines.
    mutating func repeatInBlock(_ block: VimBlockInsertion) {
        guard let start = insertion?.start else { return }
        // If the caret has left the line, the other lines stay as they are.
        guard block.staysBehind || line(caret) == line(start) else { return }
        // Only the first line of the typed text is used.
        let length = lineEnd(start) - lineStart(start) - block.lengthBefore
        guard length > 0, start + length <= lineEnd(start) else { return }
        let typed = text.string(in: start..<start + length)
        let others = (block.lines.lowerBound.rawValue...block.lines.upperBound.rawValue).map { LineNumber($0) }
            .filter { $0 != line(start) && $0 <= lastAddressed }
        let behind = caret
        edit(others.compactMap { part(inserting: typed, in: $0, block) }, caret: caret)
        caret = behind
        guard !block.staysBehind else { return }
        caret = block.home ?? start
        hasPlacedCaret = true
    }

    /// Returns the edit that inserts text at the column of a block, or `nil` for a shorter line that is not filled.
    private func part(
        inserting typed: String, in number: LineNumber, _ block: VimBlockInsertion
    ) -> (Range<ByteOffset>, String)? {
        let range = text.lineRange(number)
        let end = range.upperBound
        guard let column = block.column else { return (end..<end, typed) }
        let width = width(of: text.string(in: range))
        guard width <= column else {
            let at = position(column: column, in: number)
            return (at..<at, typed)
        }
        guard width == column || block.fills else { return nil }
        return (end..<end, String(repeating: " ", count: column - width) + typed)
    }
}

import TextEditing

/// A block that is selected when a command of visual block mode begins.
struct VimBlock {
    /// The cells that it covers, counted from the start of a line.
    var columns: ClosedRange<Int>
    var lines: ClosedRange<LineNumber>
    /// The range that it covers in each line, including a tab or wide character at its edge.
    var parts: [Range<ByteOffset>]
    /// Whether it reaches to the end of each line.
    var reachesEnds: Bool

    /// The start of its part of the first line.
    var start: ByteOffset { parts[0].lowerBound }
    /// Whether it has nothing that could be deleted.
    var isEmpty: Bool { lines.count == 1 && parts.allSatisfy(\.isEmpty) }
}

/// The block that is selected in visual block mode.
extension VimMachine {
    /// Returns the selected part of each line in a block, or `nil` in any other mode.
    public func selectedBlock(in text: TextBuffer) -> [Range<ByteOffset>]? {
        guard mode == .visualBlock, max(anchor, caret) <= text.end else { return nil }
        var reading = self
        reading.text = text
        let lines = reading.line(min(anchor, caret))...reading.line(max(anchor, caret))
        return reading.blockParts(reading.blockColumns, lines)
    }

    /// Returns the range that a block covers in each line, including a tab or wide character at its edge.
    private func blockParts(_ columns: ClosedRange<Int>, _ lines: ClosedRange<LineNumber>) -> [Range<ByteOffset>] {
        (lines.lowerBound.rawValue...lines.upperBound.rawValue).map { number in
            let range = text.lineRange(LineNumber(number))
            var (start, end) = (range.upperBound, range.upperBound)
            var found = false
            walkCells(from: range.lowerBound, to: range.upperBound) { position, column, width in
                if !found, column + max(1, width) > columns.lowerBound {
                    start = position
                    end = position
                    found = true
                }
                if found, column <= columns.upperBound || blockToLineEnd { end = text.characterEnd(after: position) }
                return column + width <= columns.upperBound || blockToLineEnd
            }
            return start..<max(start, end)
        }
    }

    /// The selected block.
    var currentBlock: VimBlock {
        let (columns, lines) = (blockColumns, line(min(anchor, caret))...line(max(anchor, caret)))
        return VimBlock(
            columns: columns, lines: lines, parts: blockParts(columns, lines), reachesEnds: blockToLineEnd)
    }

    /// Returns the text that a block takes from its part of a line, and the numbers of blanks that replace tabs and wide
    /// characters cut at its edges.
    func piece(of part: Range<ByteOffset>, in block: VimBlock) -> (taken: String, before: Int, after: Int) {
        guard !part.isEmpty else { return ("", 0, 0) }
        var taken = text.string(in: part)
        let (first, last) = (cells(at: part.lowerBound), cells(at: text.characterStart(before: part.upperBound)))
        let before = max(0, block.columns.lowerBound - first.start)
        let after = block.reachesEnds ? 0 : max(0, last.start + last.width - 1 - block.columns.upperBound)
        if taken.count == 1, before + after > 0 {
            return (String(repeating: " ", count: max(0, first.width - before - after)), before, after)
        }
        if before > 0 { taken = String(repeating: " ", count: first.width - before) + taken.dropFirst() }
        if after > 0 { taken = taken.dropLast() + String(repeating: " ", count: last.width - after) }
        return (taken, before, after)
    }

    /// Returns a block as it is put into a register.
    func register(of block: VimBlock) -> VimRegister {
        let (columns, reachesEnds) = (block.columns, block.reachesEnds)
        // A block that extends to the ends of the lines is as wide as the longest line with its line break.
        let ends =
            reachesEnds
            ? block.parts.map { width(of: text.string(in: lineStart($0.lowerBound)..<lineEnd($0.lowerBound))) } : []
        let blanks = reachesEnds ? max(0, (ends.max() ?? 0) - columns.lowerBound) + 1 : columns.count
        let rows = block.parts.map { part -> String in
            // A line that ends before the block begins contributes blanks.
            let isShort =
                part.isEmpty
                && width(of: text.string(in: lineStart(part.lowerBound)..<part.lowerBound)) < columns.lowerBound
            return isShort
                ? String(repeating: " ", count: blanks) : piece(of: part, in: block).taken
        }
        return VimRegister(rows.joined(separator: "\n"), .block(width: reachesEnds ? blanks - 1 : columns.count))
    }
}

import TextPrimitives

/// The indent of a line's wrapped rows: they align with its text, not with the marker of a list item or quote.
enum HangingIndent {
    /// Returns the cells that indentation, quote and list markers and a check box take at the start of a line.
    ///
    ///     "  - [ ] buy milk"  ->  8        "> said"  ->  2        "  more"  ->  2        "plain"  ->  0
    static func cells(of line: UnsafeBufferPointer<UInt8>) -> Int {
        var position = skipSpaces(in: line, from: 0)
        while position < line.count, line[position] == UInt8(ascii: ">") {
            position = skipSpaces(in: line, from: position + 1)
        }
        // A tab after the marker would take a number of cells that depends on its column: such a marker does not count.
        guard let marker = ListMarker(line, at: position), isSpace(marker.end, in: line) else { return position }
        let text = skipSpaces(in: line, from: marker.end)
        guard let box = TaskBox(line, at: text), isSpace(box.end, in: line) else { return text }
        return skipSpaces(in: line, from: box.end)
    }

    private static func isSpace(_ position: Int, in line: UnsafeBufferPointer<UInt8>) -> Bool {
        position < line.count && line[position] == UInt8(ascii: " ")
    }

    private static func skipSpaces(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        while position < line.count, line[position] == UInt8(ascii: " ") { position += 1 }
        return position
    }
}

import TextPrimitives

/// The indent of a line's wrapped rows: they align with the text of a list item or quote, not with its marker.
enum HangingIndent {
    /// Returns the cells that indentation, quote and list markers and a check box take at the start of a line.
    ///
    ///     "  - [ ] buy milk"  ->  8        "> said"  ->  2        "12. item"  ->  4        "plain"  ->  0
    static func cells(of line: UnsafeBufferPointer<UInt8>) -> Int {
        var place = skipSpaces(in: line, from: 0)
        let indent = place
        while place < line.count, line[place] == UInt8(ascii: ">") {
            place = skipSpaces(in: line, from: place + 1)
        }
        // A tab after the marker would take a number of cells that depends on its column: such a line gets no indent.
        guard let marker = ListMarker(line, at: place), isSpace(marker.end, in: line) else {
            return place == indent ? 0 : place
        }
        let text = skipSpaces(in: line, from: marker.end)
        guard let box = TaskBox(line, at: text), isSpace(box.end, in: line) else { return text }
        return skipSpaces(in: line, from: box.end)
    }

    private static func isSpace(_ place: Int, in line: UnsafeBufferPointer<UInt8>) -> Bool {
        place < line.count && line[place] == UInt8(ascii: " ")
    }

    private static func skipSpaces(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var place = start
        while place < line.count, line[place] == UInt8(ascii: " ") { place += 1 }
        return place
    }
}

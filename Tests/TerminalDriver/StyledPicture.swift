/// The contents of a terminal cell by cell, as reported by `capture-pane -e`: text with SGR sequences.
///
/// Two pictures are equal if they look alike: of a blank, only the background is visible, unless it is underlined,
/// struck through or reversed.
public struct StyledPicture: Equatable {
    /// The rows without the plain blanks at their ends.
    public let rows: [[TerminalCell]]
    /// The column and row of the cursor; empty if it is hidden.
    public var cursor = ""

    public init(rows: [[TerminalCell]]) {
        self.rows = rows
    }

    /// - Parameters:
    ///   - capture: rows, each ended by a line feed.
    ///   - cursor: `1 column row`, or `0` and further text, which is ignored.
    public init(_ capture: Substring, cursor: String) {
        self.cursor = cursor.hasPrefix("1") ? cursor : ""
        var style = TerminalStyle()
        rows = capture.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            var cells: [TerminalCell] = []
            var rest = line.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                if scalar == "\u{1B}", rest.first == "[" {
                    let end = rest.firstIndex(of: "m") ?? rest.endIndex
                    style.apply(String(rest[rest.startIndex..<end].dropFirst()))
                    rest = rest[end...].dropFirst()
                } else {
                    cells.append(TerminalCell(text: String(scalar), style: scalar == " " ? style.ofBlank : style))
                }
            }
            while cells.last == TerminalCell() { cells.removeLast() }
            return cells
        }
    }

    /// Describes the rows in which two pictures differ, except rows whose texts `areAlike` accepts.
    public func differences(
        from other: StyledPicture, unless areAlike: (String, String) -> Bool = { _, _ in false }
    ) -> [String] {
        (0..<max(rows.count, other.rows.count)).compactMap { number in
            let (one, two) = (row(number), other.row(number))
            guard one != two else { return nil }
            let texts = [one, two].map { $0.map(\.text).joined() }
            if areAlike(texts[0], texts[1]) { return nil }
            let column = zip(one, two).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, two.count)
            func words(_ row: [TerminalCell]) -> String {
                let style = row.indices.contains(column) ? "\(row[column].style)" : "the end"
                return row.map(\.text).joined() + " (\(style))"
            }
            return "row \(number), cell \(column): \(words(one))\n  anew: \(words(two))"
        }
    }

    private func row(_ number: Int) -> [TerminalCell] { rows.indices.contains(number) ? rows[number] : [] }
}

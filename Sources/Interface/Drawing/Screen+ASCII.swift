import Terminal

extension Screen {
    /// Writes the signs of printing that our sentences have in ASCII, for a terminal that shows no more.
    mutating func replaceDecoration() {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = self[column, row]
                guard cell.columns == 1, let plain = Self.plainSigns[cell.text] else { continue }
                write(plain, at: Position(column: column, row: row), style: cell.style)
            }
        }
    }

    private static let plainSigns = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "·": "-", "–": "-", "—": "-", "…": "~", "›": ">", "•": "*", "×": "x",
        "→": ">", "←": "<", "↑": "^", "↓": "v", "↵": "<",
    ]
}

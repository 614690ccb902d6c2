/// The contents of a terminal cell by cell, as reported by `capture-pane -e`: text with SGR sequences.
///
/// Two pictures are equal if they look alike: of a blank, only the background is visible, unless it is underlined,
/// struck through or reversed.
public struct StyledPicture: Equatable {
    public struct Cell: Equatable {
        public var text: String
        /// The visible attributes and colours.
        public var style: [String]
    }

    public let rows: [[Cell]]
    /// The column and row of the cursor; empty if it is hidden.
    public var cursor = ""

    public init(rows: [[Cell]]) {
        self.rows = rows
    }

    /// - Parameters:
    ///   - capture: rows, each ended by a line feed.
    ///   - cursor: `1 column row`, or `0` and further text, which is ignored.
    public init(_ capture: Substring, cursor: String) {
        self.cursor = cursor.hasPrefix("1") ? cursor : ""
        var style = Style()
        rows = capture.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            var cells: [Cell] = []
            var rest = line.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                if scalar == "\u{1B}", rest.first == "[" {
                    let end = rest.firstIndex(of: "m") ?? rest.endIndex
                    style.apply(String(rest[rest.startIndex..<end].dropFirst()))
                    rest = rest[end...].dropFirst()
                } else {
                    cells.append(Cell(text: String(scalar), style: style.shown(isBlank: scalar == " ")))
                }
            }
            while cells.last == Cell(text: " ", style: []) { cells.removeLast() }
            return cells
        }
    }

    /// Describes the rows in which two pictures differ, except rows whose texts `areAlike` accepts.
    public func differences(
        from other: StyledPicture, unless areAlike: (String, String) -> Bool = { _, _ in false }
    ) -> [String] {
        (0..<max(rows.count, other.rows.count)).compactMap { number in
            let (one, two) = (rows.indices.contains(number) ? rows[number] : [], other.row(number))
            guard one != two else { return nil }
            let texts = [one, two].map { $0.map(\.text).joined() }
            if areAlike(texts[0], texts[1]) { return nil }
            let column = zip(one, two).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, two.count)
            func words(_ row: [Cell]) -> String {
                let style = row.indices.contains(column) ? row[column].style.joined(separator: " ") : "the end"
                return row.map(\.text).joined() + " (\(style))"
            }
            return "row \(number), cell \(column): \(words(one))\n  anew: \(words(two))"
        }
    }

    private func row(_ number: Int) -> [Cell] { rows.indices.contains(number) ? rows[number] : [] }

    private struct Style {
        private var attributes: Set<String> = []
        private var foreground = ""
        private var background = ""

        func shown(isBlank: Bool) -> [String] {
            let marks = attributes.intersection(["4", "7", "9", "5"])
            let back = background.isEmpty ? [] : ["on \(background)"]
            if isBlank, marks.isEmpty { return back }
            return attributes.sorted() + (foreground.isEmpty ? [] : [foreground]) + back
        }

        mutating func apply(_ body: String) {
            var fields = body.split(separator: ";", omittingEmptySubsequences: false).map { String($0) }[...]
            while let field = fields.popFirst() {
                switch Int(field.prefix { $0 != ":" }) ?? 0 {
                case 0: self = Style()
                case 22: attributes.subtract(["1", "2"])
                case 24: attributes.remove("4")
                case let number where (20..<30).contains(number): attributes.remove("\(number - 20)")
                case 38: foreground = color(&fields)
                case 48: background = color(&fields)
                case 39: foreground = ""
                case 49: background = ""
                case let number where (30..<38).contains(number) || (90..<98).contains(number): foreground = field
                case let number where (40..<48).contains(number) || (100..<108).contains(number): background = field
                case let number: attributes.insert("\(number)")
                }
            }
        }

        private func color(_ fields: inout ArraySlice<String>) -> String {
            let count = fields.first == "5" ? 2 : 4
            defer { fields.removeFirst(min(count, fields.count)) }
            return fields.prefix(count).joined(separator: ";")
        }
    }
}

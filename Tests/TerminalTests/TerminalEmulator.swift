import TextPrimitives

@testable import Terminal

/// A terminal emulator for tests, limited to the renderer's output; shares no code with the renderer.
///
/// Two variants disagree about widths, as real terminals do: one advances by clusters, the other by scalars.
struct TerminalEmulator {
    enum Widths {
        /// A grapheme cluster is one glyph of one or two cells.
        case clusters
        /// Every scalar is a separate glyph, with the width of `wcwidth`.
        case scalars
    }

    struct Cell: Equatable {
        var text = " "
        var style = Style.default
        var link = ""
        /// The right half of a wide glyph.
        var isRightHalf = false
    }

    private(set) var cells: [[Cell]]
    private(set) var column = 0
    private(set) var row = 0
    private(set) var isCursorVisible = true
    private(set) var cursorShape = 0
    /// Sequences that the emulator does not support: the renderer must send none.
    private var unknownSequences: [String] = []
    var unknown: [String] { unknownSequences + graphics.faults }
    private(set) var isUpdating = false
    private var isWrapping = false
    private(set) var graphics = EmulatedGraphics()

    private let widths: Widths
    private let columns: Int
    private let rows: Int
    private var pen = Cell()
    var penStyle: Style { pen.style }
    private var region: ClosedRange<Int>
    /// The columns that scroll while there are side margins.
    private var sides: ClosedRange<Int>
    private var hasSideMargins = false
    private var lastPrinted: Character?

    init(size: Size, widths: Widths) {
        (columns, rows, self.widths) = (size.columns, size.rows, widths)
        cells = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
        region = 0...max(0, size.rows - 1)
        sides = 0...max(0, size.columns - 1)
    }

    /// Fills the screen with contents that no frame has.
    mutating func drawNoise() {
        for row in 0..<rows {
            for column in 0..<columns { cells[row][column] = Cell(text: "#", style: Style(attributes: .reverse)) }
        }
    }

    mutating func feed(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "\u{1B}" {
                index = escape(scalars, index + 1)
            } else if scalar.value < 0x20 {
                control(scalar)
                index += 1
            } else {
                index = text(scalars, index)
            }
        }
    }

    // MARK: - Text

    private mutating func text(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
        var cluster = String.UnicodeScalarView()
        cluster.append(scalars[start])
        var end = start + 1
        while end < scalars.count, scalars[end].value >= 0x20 {
            var longer = cluster
            longer.append(scalars[end])
            guard String(longer).count == 1 else { break }
            cluster = longer
            end += 1
        }
        let character = Character(String(cluster))
        switch widths {
        case .clusters: put(String(character), width: clusterWidth(character))
        case .scalars:
            for scalar in character.unicodeScalars {
                let width = scalarWidth(scalar)
                if width == 0 { join(scalar) } else { put(String(scalar), width: width) }
            }
        }
        lastPrinted = character
        return end
    }

    private func scalarWidth(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return EastAsianWidth.contains(scalar.value, in: EastAsianWidth.wide) ? 2 : 1
    }

    private func clusterWidth(_ character: Character) -> Int {
        let scalars = Array(character.unicodeScalars)
        if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if scalars.count == 2, scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) { return 2 }
        return max(1, scalars.first.map(scalarWidth) ?? 1)
    }

    private mutating func join(_ scalar: Unicode.Scalar) {
        // As in tmux: without wrap, the cursor stays on the last column, and marks join the cell before it.
        var place = min(column, isWrapping ? columns : columns - 1) - 1
        if place >= 0, cells[row][place].isRightHalf { place -= 1 }
        if place >= 0 { cells[row][place].text.unicodeScalars.append(scalar) }
    }

    /// Writes text without automatic wrap: text that does not fit overwrites the last column, as in terminals.
    private mutating func put(_ text: String, width: Int) {
        if column + width > columns { column = columns - width }
        guard column >= 0 else { return }
        for place in column..<column + width { erase(place) }
        var cell = pen
        cell.text = text
        cells[row][column] = cell
        if width == 2 {
            cell.text = ""
            cell.isRightHalf = true
            cells[row][column + 1] = cell
        }
        column += width
    }

    /// Blanks a cell, and the other half of a wide glyph.
    private mutating func erase(_ place: Int) {
        if cells[row][place].isRightHalf, place > 0 { cells[row][place - 1].text = " " }
        if place + 1 < columns, cells[row][place + 1].isRightHalf {
            cells[row][place + 1].text = " "
            cells[row][place + 1].isRightHalf = false
        }
        cells[row][place] = Cell(style: Style(background: pen.style.background))
    }

    // MARK: - Control characters and sequences

    private mutating func control(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": column = 0
        case "\u{8}": column = max(0, min(column, columns - 1) - 1)
        case "\n":
            if row == region.upperBound { scroll(up: 1) } else { row = min(rows - 1, row + 1) }
        default: unknownSequences.append("control \(scalar.value)")
        }
    }

    private mutating func escape(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
        var index = start + 1
        if scalars[start] == "]" {
            var body = ""
            while scalars[index] != "\u{1B}" {
                body.unicodeScalars.append(scalars[index])
                index += 1
            }
            if body.hasPrefix("8;") {
                pen.link =
                    body.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).last.map { String($0) }
                    ?? ""
            } else {
                unknownSequences.append("OSC \(body)")
            }
            return index + 2
        }
        if scalars[start] == "_" {
            var body = ""
            while scalars[index] != "\u{1B}" {
                body.unicodeScalars.append(scalars[index])
                index += 1
            }
            graphics.take(body)
            return index + 2
        }
        guard scalars[start] == "[" else {
            unknownSequences.append("ESC \(scalars[start])")
            return index
        }
        var body = ""
        while !(0x40...0x7E).contains(scalars[index].value) {
            body.unicodeScalars.append(scalars[index])
            index += 1
        }
        sequence(body, Character(scalars[index]))
        return index + 1
    }

    private mutating func sequence(_ body: String, _ final: Character) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        // At the end of a full row, only absolute motion is reliable; terminals are then on the last column.
        let here = min(column, columns - 1)
        switch final {
        case "H":
            row = min(max(1, numbers.first ?? 1), rows) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case "A": row = max(0, row - count)
        case "B": row = min(rows - 1, row + count)
        case "C": column = min(columns - 1, here + count)
        case "D": column = max(0, here - count)
        case "G": column = min(count, columns) - 1
        case "K": for place in here..<columns { erase(place) }
        case "X": for place in here..<min(columns, here + count) { erase(place) }
        case "@":
            for _ in 0..<min(count, columns - here) {
                cells[row].removeLast()
                cells[row].insert(Cell(style: Style(background: pen.style.background)), at: here)
            }
        case "P":
            for _ in 0..<min(count, columns - here) {
                cells[row].remove(at: here)
                cells[row].append(Cell(style: Style(background: pen.style.background)))
            }
        case "b":
            guard let lastPrinted else { return }
            for _ in 0..<count { put(String(lastPrinted), width: clusterWidth(lastPrinted)) }
        case "m": setStyle(body)
        case "r":
            region = (max(1, numbers.first ?? 1) - 1)...((numbers.count > 1 ? min(numbers[1], rows) : rows) - 1)
            (row, column) = (0, 0)
        case "s" where hasSideMargins && numbers.count == 2 && numbers[0] < numbers[1]:
            sides = numbers[0] - 1...min(numbers[1], columns) - 1
            (row, column) = (0, 0)
        case "S": scroll(up: count)
        case "T": scroll(down: count)
        case "q": cursorShape = numbers.first ?? Int(body.dropLast()) ?? 0
        case "h", "l": setMode(body, final == "h")
        default: unknownSequences.append("CSI \(body)\(final)")
        }
    }

    private mutating func setMode(_ body: String, _ isOn: Bool) {
        switch body {
        case "?25": isCursorVisible = isOn
        case "?2026": isUpdating = isOn
        case "?7": isWrapping = isOn
        case "?69":
            hasSideMargins = isOn
            sides = 0...max(0, columns - 1)
        default: unknownSequences.append("mode \(body)")
        }
    }

    private mutating func scroll(up count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region { copyRow(row < region.upperBound ? row + 1 : nil, to: row) }
        }
    }

    private mutating func scroll(down count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region.reversed() { copyRow(row > region.lowerBound ? row - 1 : nil, to: row) }
        }
    }

    /// Replaces a row between the margins by another row or blanks; records a fault if a margin cuts a glyph.
    private mutating func copyRow(_ source: Int?, to row: Int) {
        let new = source.map { cells[$0] } ?? blankRow
        if isCut(cells[row]) || isCut(new) { unknownSequences.append("a glyph cut by a margin") }
        cells[row].replaceSubrange(sides, with: new[sides])
    }

    /// Whether a wide glyph crosses a margin.
    private func isCut(_ row: [Cell]) -> Bool {
        [sides.lowerBound, sides.upperBound + 1].contains { $0 > 0 && $0 < columns && row[$0].isRightHalf }
    }

    private var blankRow: [Cell] {
        Array(repeating: Cell(style: Style(background: pen.style.background)), count: columns)
    }

    // MARK: - Styles

    private mutating func setStyle(_ body: String) {
        var fields = body.split(separator: ";", omittingEmptySubsequences: false).map { String($0) }[...]
        while let field = fields.popFirst() {
            let parts = field.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            switch parts.first ?? 0 {
            case 0: pen.style = .default
            case 1: pen.style.attributes.insert(.bold)
            case 2: pen.style.attributes.insert(.dim)
            case 3: pen.style.attributes.insert(.italic)
            case 4: pen.style.underline = Style.Underline(rawValue: UInt8(parts.count > 1 ? parts[1] : 1)) ?? .none
            case 5: pen.style.attributes.insert(.blink)
            case 7: pen.style.attributes.insert(.reverse)
            case 9: pen.style.attributes.insert(.strikethrough)
            case 22: pen.style.attributes.subtract([.bold, .dim])
            case 23: pen.style.attributes.remove(.italic)
            case 24: pen.style.underline = .none
            case 25: pen.style.attributes.remove(.blink)
            case 27: pen.style.attributes.remove(.reverse)
            case 29: pen.style.attributes.remove(.strikethrough)
            case 30...37: pen.style.foreground = .ansi(UInt8(parts[0] - 30))
            case 90...97: pen.style.foreground = .ansi(UInt8(parts[0] - 82))
            case 40...47: pen.style.background = .ansi(UInt8(parts[0] - 40))
            case 100...107: pen.style.background = .ansi(UInt8(parts[0] - 92))
            case 38: pen.style.foreground = color(&fields)
            case 48: pen.style.background = color(&fields)
            case 39: pen.style.foreground = .default
            case 49: pen.style.background = .default
            case 58:
                pen.style.underlineColor =
                    parts[1] == 5
                    ? (parts[2] < 16 ? .ansi(UInt8(parts[2])) : .palette(UInt8(parts[2])))
                    : .rgb(UInt8(parts[3]), UInt8(parts[4]), UInt8(parts[5]))
            case 59: pen.style.underlineColor = .default
            default: unknownSequences.append("SGR \(field)")
            }
        }
    }

    private func color(_ fields: inout ArraySlice<String>) -> Color {
        func next() -> UInt8 { UInt8(fields.popFirst() ?? "") ?? 0 }
        if next() == 5 { return .palette(next()) }
        return .rgb(next(), next(), next())
    }
}

/// The terminal side of a pseudo-terminal: reads a program's output, keeps the screen's text, and answers queries.
///
/// It answers as a modern terminal does. It handles text, cursor and scrolling, but no colours. Bytes may arrive in
/// pieces of any size.
public struct TerminalScreen {
    public private(set) var columns: Int
    public private(set) var rows: Int
    /// The grid; a cell holds a grapheme cluster, "" is the right half of a wide one.
    public private(set) var cells: [[String]]
    public private(set) var column = 0
    public private(set) var row = 0
    public private(set) var isCursorVisible = true
    /// Whether a synchronized update is in progress, during which nothing is shown.
    public private(set) var isUpdating = false
    /// The answers to be sent to the program.
    public var answers: [UInt8] = []
    /// The ASCII characters printed since this was emptied.
    public var printed: [UInt8] = []
    /// Control characters that a program should never send as part of a text.
    public private(set) var strays: [UInt8] = []

    private let personality: TerminalPersonality
    private var state = State.text
    private var body: [UInt8] = []
    private var region: ClosedRange<Int>
    /// The range of columns that scroll.
    private var sides: ClosedRange<Int>
    private var saved = (column: 0, row: 0)
    /// The parameters of the style set last.
    private var lastStyle = "0"
    private var settings = TerminalSettings()
    private var scalarBytes: [UInt8] = []
    private var wrapsNext = false
    /// The contents of the screen that is not shown, and its cursor position.
    private var hidden: (cells: [[String]], column: Int, row: Int)?

    /// The settings that a program has changed from their initial values.
    public var leftovers: [String] {
        var all = settings.leftovers
        if !["", "0"].contains(lastStyle) { all.append("style \(lastStyle)") }
        if region != 0...rows - 1 { all.append("region \(region)") }
        return all
    }

    private enum State { case text, escape, intermediate, sequence, string, stringEscape }

    public init(columns: Int, rows: Int, personality: TerminalPersonality = .modern) {
        (self.columns, self.rows, self.personality) = (columns, rows, personality)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        region = 0...rows - 1
        sides = 0...columns - 1
    }

    /// The rows as text, without blanks at their ends.
    public var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    public func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    public mutating func resize(columns: Int, rows: Int) {
        var other = TerminalScreen(columns: columns, rows: rows, personality: personality)
        for row in 0..<min(rows, self.rows) {
            for column in 0..<min(columns, self.columns) { other.cells[row][column] = cells[row][column] }
        }
        (self.columns, self.rows, cells, region, sides) = (columns, rows, other.cells, other.region, other.sides)
        (column, row) = (min(column, columns - 1), min(row, rows - 1))
        if settings.isOn("?2048") { answer("\u{1B}[48;\(rows);\(columns);\(rows * 20);\(columns * 10)t") }
    }

    public mutating func feed(_ bytes: some Collection<UInt8>) {
        for byte in bytes { take(byte) }
    }

    // MARK: Bytes

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .text: takeText(byte)
        case .escape: takeEscape(byte)
        case .intermediate: state = .text
        case .sequence:
            if (0x40...0x7E).contains(byte) {
                state = .text
                sequence(String(decoding: body, as: UTF8.self), byte)
            } else {
                body.append(byte)
            }
        case .string:
            if byte == 0x07 {
                finishString()
            } else if byte == 0x1B {
                state = .stringEscape
            } else {
                body.append(byte)
            }
        case .stringEscape: finishString()
        }
    }

    private mutating func takeText(_ byte: UInt8) {
        if byte >= 0x80 { return takeScalarPart(byte) }
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: (column, wrapsNext) = (0, false)
        case 0x0A: lineFeed()
        case 0x08: (column, wrapsNext) = (max(0, column - 1), false)
        case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
        case 0x07, 0x0E, 0x0F: break
        case 0x20..<0x7F:
            printed.append(byte)
            put(Unicode.Scalar(byte))
        default: strays.append(byte)
        }
    }

    private mutating func takeScalarPart(_ byte: UInt8) {
        if byte >= 0xC0 { scalarBytes = [] }
        scalarBytes.append(byte)
        let first = scalarBytes[0]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard scalarBytes.count >= length else { return }
        if let scalar = String(validating: scalarBytes, as: UTF8.self)?.unicodeScalars.first {
            if (0x80..<0xA0).contains(scalar.value) { strays.append(byte) }
            put(scalar)
        } else {
            strays.append(first)
        }
        scalarBytes = []
    }

    private mutating func takeEscape(_ byte: UInt8) {
        body = []
        state = .text
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            body = [byte]
            state = .string
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: " "):
            state = .intermediate
        case UInt8(ascii: "7"): saved = (column, row)
        case UInt8(ascii: "8"): (column, row) = (min(saved.column, columns - 1), min(saved.row, rows - 1))
        case UInt8(ascii: "M"): if row == region.lowerBound { scroll(down: 1) } else { row = max(0, row - 1) }
        case UInt8(ascii: "D"): lineFeed()
        case UInt8(ascii: "E"):
            column = 0
            lineFeed()
        default: break
        }
    }

    // MARK: Text

    private mutating func put(_ scalar: Unicode.Scalar) {
        // A scalar that extends the cluster before the cursor takes no cell; Swift's rules decide which do.
        if scalar.value >= 0x300, let place = placeBefore {
            let longer = cells[row][place] + String(Character(scalar))
            if personality.drawsClusters ? longer.count == 1 : Self.width(of: String(Character(scalar))) == 0 {
                cells[row][place] = longer
                let isWide = personality.drawsClusters && Self.width(of: longer) == 2
                if isWide, place + 1 == column, column < columns {
                    // A wide character that loses its left half here disappears completely.
                    if column + 1 < columns, cells[row][column + 1].isEmpty { cells[row][column + 1] = " " }
                    cells[row][column] = ""
                    advance(1)
                }
                return
            }
        }
        let text = String(Character(scalar))
        let width = Self.width(of: text)
        guard width > 0 else { return }
        if wrapsNext || column + width > columns {
            column = 0
            lineFeed()
        }
        blank(column)
        cells[row][column] = text
        if width == 2, column + 1 < columns {
            blank(column + 1)
            cells[row][column] = text
            cells[row][column + 1] = ""
        }
        advance(width)
    }

    private mutating func advance(_ width: Int) {
        wrapsNext = column + width >= columns
        column = min(columns - 1, column + width)
    }

    private var placeBefore: Int? {
        var place = wrapsNext ? column : column - 1
        while place > 0, cells[row][place].isEmpty { place -= 1 }
        return place >= 0 ? place : nil
    }

    private mutating func blank(_ place: Int) {
        if cells[row][place].isEmpty, place > 0 { cells[row][place - 1] = " " }
        if place + 1 < columns, cells[row][place + 1].isEmpty { cells[row][place + 1] = " " }
        cells[row][place] = " "
    }

    /// The width of a cluster in cells, by a simple rule from Unicode's properties.
    public static func width(of cluster: String) -> Int {
        guard let first = cluster.unicodeScalars.first else { return 0 }
        if (0xFE00...0xFE0F).contains(first.value) { return 0 }
        if first.isASCII { return cluster.unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
        if cluster.unicodeScalars.contains("\u{FE0F}") { return 2 }
        if cluster.unicodeScalars.contains("\u{FE0E}") { return 1 }
        let properties = first.properties
        if properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if row == region.upperBound { scroll(up: 1) } else { row = min(rows - 1, row + 1) }
    }

    private mutating func scroll(up count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region {
                let source = row < region.upperBound ? cells[row + 1] : Array(repeating: " ", count: columns)
                cells[row].replaceSubrange(sides, with: source[sides])
            }
        }
    }

    private mutating func scroll(down count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region.reversed() {
                let source = row > region.lowerBound ? cells[row - 1] : Array(repeating: " ", count: columns)
                cells[row].replaceSubrange(sides, with: source[sides])
            }
        }
    }

    // MARK: Sequences

    private mutating func sequence(_ body: String, _ final: UInt8) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch (body.first.map { "?>=<!".contains($0) } ?? false, final) {
        case (false, UInt8(ascii: "m")): lastStyle = body
        case (true, UInt8(ascii: "u")) where body != "?": settings.setKeyboard(body)
        case (true, UInt8(ascii: "m")): settings.setOtherKeys(body)
        case (false, UInt8(ascii: "q")) where body.hasSuffix(" "): settings.setCursorShape(body)
        case (_, UInt8(ascii: "h")): setMode(body, true)
        case (_, UInt8(ascii: "l")): setMode(body, false)
        case (true, _), (_, UInt8(ascii: "n")), (_, UInt8(ascii: "c")), (_, UInt8(ascii: "t")):
            question(body, final)
        default: move(numbers, count, final)
        }
    }

    private mutating func move(_ numbers: [Int], _ count: Int, _ final: UInt8) {
        wrapsNext = false
        switch Character(Unicode.Scalar(final)) {
        case "H", "f":
            row = min(count, rows) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case "A": row = max(0, row - count)
        case "B", "e": row = min(rows - 1, row + count)
        case "C", "a": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "E": (column, row) = (0, min(rows - 1, row + count))
        case "F": (column, row) = (0, max(0, row - count))
        case "G", "`": column = min(count, columns) - 1
        case "d": row = min(count, rows) - 1
        case "J": eraseDisplay(numbers.first ?? 0)
        case "K": eraseLine(numbers.first ?? 0)
        case "X": for place in column..<min(columns, column + count) { blank(place) }
        case "P": shift(left: count)
        case "@": shift(right: count)
        case "L", "M": insertLines(final == UInt8(ascii: "L"), count)
        case "S": scroll(up: count)
        case "T": scroll(down: count)
        case "b": for _ in 0..<count { placeBefore.map { cells[row][$0] }?.unicodeScalars.first.map { put($0) } }
        case "r":
            let low = max(1, numbers.first ?? 1) - 1
            let high = (numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], rows) : rows) - 1
            region = low <= high ? low...high : 0...rows - 1
            (column, row) = (0, 0)
        case "s" where settings.isOn("?69"):
            sides = max(1, numbers.first ?? 1) - 1...(numbers.count > 1 ? min(numbers[1], columns) : columns) - 1
            (column, row) = (0, 0)
        case "s": saved = (column, row)
        case "u": (column, row) = (min(saved.column, columns - 1), min(saved.row, rows - 1))
        default: break
        }
    }

    private mutating func eraseDisplay(_ what: Int) {
        eraseLine(what)
        let others = what == 0 ? row + 1..<rows : what == 1 ? 0..<row : 0..<rows
        for line in others { cells[line] = Array(repeating: " ", count: columns) }
    }

    private mutating func eraseLine(_ what: Int) {
        let range = what == 0 ? column..<columns : what == 1 ? 0..<column + 1 : 0..<columns
        for place in range { blank(place) }
    }

    private mutating func shift(left count: Int) {
        let count = min(count, columns - column)
        cells[row].removeSubrange(column..<column + count)
        cells[row] += Array(repeating: " ", count: count)
    }

    private mutating func shift(right count: Int) {
        let count = min(count, columns - column)
        cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
        cells[row].removeLast(count)
    }

    private mutating func insertLines(_ isInsertion: Bool, _ count: Int) {
        guard region.contains(row) else { return }
        let whole = region
        region = row...whole.upperBound
        if isInsertion { scroll(down: count) } else { scroll(up: count) }
        region = whole
    }

    private mutating func setMode(_ body: String, _ isOn: Bool) {
        for name in body.dropFirst().split(separator: ";") {
            let mode = "?\(name)"
            settings.setMode(mode, isOn)
            switch mode {
            case "?25": isCursorVisible = isOn
            case "?2026": isUpdating = isOn
            case "?1049", "?47", "?1047": showAlternate(isOn)
            case "?69" where !isOn: sides = 0...columns - 1
            case "?2048" where isOn: answer("\u{1B}[48;\(rows);\(columns);\(rows * 20);\(columns * 10)t")
            default: break
            }
        }
    }

    private mutating func showAlternate(_ isOn: Bool) {
        guard isOn == (hidden == nil) else { return }
        region = 0...rows - 1
        if isOn {
            hidden = (cells, column, row)
            cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        } else if let main = hidden {
            hidden = nil
            cells = (0..<rows).map { row in
                (0..<columns).map { row < main.cells.count && $0 < main.cells[row].count ? main.cells[row][$0] : " " }
            }
            (column, row) = (min(main.column, columns - 1), min(main.row, rows - 1))
        }
    }

    // MARK: Answers

    private mutating func answer(_ text: String) { answers += Array(text.utf8) }

    private mutating func question(_ body: String, _ final: UInt8) {
        switch body + String(UnicodeScalar(final)) {
        case "c", "0c": if let attributes = personality.attributes { answer("\u{1B}[\(attributes)c") }
        case ">c", ">0c": if personality.attributes != nil { answer("\u{1B}[>1;4000;29c") }
        case ">q", ">0q": if let version = personality.version { answer("\u{1B}P>|\(version)\u{1B}\\") }
        case "?u" where personality.hasKeyboardProtocol: answer("\u{1B}[?\(settings.keyboardFlags)u")
        case "5n": answer("\u{1B}[0n")
        case "6n" where personality.tellsPosition: answer("\u{1B}[\(row + 1);\(column + 1)R")
        case "?996n" where personality.tellsColorScheme: answer("\u{1B}[?997;1n")
        case "18t": answer("\u{1B}[8;\(rows);\(columns)t")
        case _ where final == UInt8(ascii: "t"): settings.keepTitle(body)
        default:
            guard final == UInt8(ascii: "p"), body.hasSuffix("$"), body.hasPrefix("?"), !personality.modes.isEmpty
            else { return }
            let mode = String(body.dropLast())
            let known = personality.modes[mode]
            answer("\u{1B}[\(mode);\(known == 2 && settings.isOn(mode) ? 1 : known ?? 0)$y")
        }
    }

    private mutating func finishString() {
        state = .text
        let text = String(decoding: body, as: UTF8.self)
        switch text {
        case "]10;?": if personality.background != nil { answer("\u{1B}]10;rgb:e0e0/e0e0/e0e0\u{1B}\\") }
        case "]11;?": if let background = personality.background { answer("\u{1B}]11;rgb:\(background)\u{1B}\\") }
        case "P$qm": if personality.tellsStyle { answer("\u{1B}P1$r\(lastStyle)m\u{1B}\\") }
        case _ where text.hasPrefix("P+q"): answer("\u{1B}P0+r\u{1B}\\")
        default: settings.takeString(text)
        }
    }
}

/// A terminal emulator: reads a program's output, keeps the screen's cells and settings, and answers queries.
///
/// It shares no code with the program's own drawing. Its personality determines the terminal that it imitates. Bytes
/// may arrive in pieces of any size.
public struct TerminalScreen {
    public private(set) var columns: Int
    public private(set) var rows: Int
    public internal(set) var cells: [[TerminalCell]]
    public internal(set) var column = 0
    public internal(set) var row = 0
    public internal(set) var isCursorVisible = true
    /// Whether a synchronized update is in progress, during which nothing is shown.
    public internal(set) var isUpdating = false
    /// The answers to be sent to the program.
    public var answers: [UInt8] = []
    /// The ASCII characters printed since this was emptied.
    public var printed: [UInt8] = []
    /// Control characters that a program should never send as part of a text.
    public private(set) var strays: [UInt8] = []
    /// The output that a terminal would not understand, or would draw wrongly.
    public var faults: [String] { unknown + graphics.faults }
    /// The pictures sent by kitty's protocol, by their numbers.
    public var pictures: [UInt32: TerminalGraphics.Picture] { graphics.pictures }
    /// The bytes of all that was said by that protocol.
    public var pictureBytes: Int { graphics.byteCount }

    let personality: TerminalPersonality
    var region: ClosedRange<Int>
    /// The range of columns that scroll.
    var sides: ClosedRange<Int>
    var saved = (column: 0, row: 0)
    /// The style and the link of the next printed characters.
    var pen = TerminalCell()
    /// The parameters of the style set last.
    var lastStyle = "0"
    var settings = TerminalSettings()
    var graphics = TerminalGraphics()
    var unknown: [String] = []
    /// Whether text continues in the next row at the end of a row; otherwise it overwrites the last column.
    var wraps = true
    /// Whether the next character wraps first: the row is full.
    var wrapsNext = false
    /// The position of the cluster printed last; nil after a motion.
    var lastPrinted: (column: Int, row: Int)?
    /// The contents of the screen that is not shown, and its cursor position.
    var hidden: (cells: [[TerminalCell]], column: Int, row: Int)?
    var body: [UInt8] = []
    private var state = State.text
    private var scalarBytes: [UInt8] = []

    /// The settings that a program has changed from their initial values.
    public var leftovers: [String] {
        var all = settings.leftovers
        if pen.style != TerminalStyle() { all.append("style \(lastStyle)") }
        if !pen.link.isEmpty { all.append("link \(pen.link)") }
        if region != 0...rows - 1 { all.append("region \(region)") }
        return all
    }

    private enum State { case text, escape, intermediate, sequence, string, stringEscape }

    public init(columns: Int, rows: Int, personality: TerminalPersonality = .modern) {
        (self.columns, self.rows, self.personality) = (columns, rows, personality)
        cells = Array(repeating: Array(repeating: TerminalCell(), count: columns), count: rows)
        region = 0...rows - 1
        sides = 0...columns - 1
    }

    /// The rows as text, without blanks at their ends.
    public var lines: [String] {
        cells.map { row in
            var line = ""
            for cell in row { line += cell.text }
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
        lastPrinted = nil
        if settings.isOn("?2048") { answerSize() }
    }

    public mutating func feed(_ bytes: some Collection<UInt8>) {
        for byte in bytes { take(byte) }
    }

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
                state = .text
                finishString()
            } else if byte == 0x1B {
                state = .stringEscape
            } else {
                body.append(byte)
            }
        case .stringEscape where byte == 0x1B && body.starts(with: "Ptmux;".utf8):
            // Within what tmux passes on each ESC is doubled.
            body.append(byte)
            state = .string
        case .stringEscape:
            state = .text
            finishString()
        }
    }

    private mutating func takeText(_ byte: UInt8) {
        if byte >= 0x80 { return takeScalarPart(byte) }
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: moveTo(column: 0)
        case 0x0A: lineFeed()
        case 0x08: moveTo(column: max(0, column - 1))
        case 0x09: moveTo(column: min(columns - 1, (column / 8 + 1) * 8))
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
        case UInt8(ascii: "8"): moveTo(column: min(saved.column, columns - 1), row: min(saved.row, rows - 1))
        case UInt8(ascii: "M"):
            lastPrinted = nil
            if row == region.lowerBound { scroll(down: 1) } else { row = max(0, row - 1) }
        case UInt8(ascii: "D"): lineFeed()
        case UInt8(ascii: "E"):
            column = 0
            lineFeed()
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "c"): break
        default: unknown.append("ESC \(Character(Unicode.Scalar(byte)))")
        }
    }
}

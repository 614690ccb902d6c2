import TerminalDriver

@testable import Terminal

/// The emulator in the state that the renderer expects: the program has switched automatic wrap off.
extension TerminalScreen {
    init(size: Size, drawsClusters: Bool = true, returnsAtLineFeed: Bool = false) {
        var personality = TerminalPersonality.modern
        personality.returnsAtLineFeed = returnsAtLineFeed
        personality.drawsClusters = drawsClusters
        self.init(columns: size.columns, rows: size.rows, personality: personality)
        feed("\u{1B}[?7l".utf8)
    }

    /// Fills the screen with contents that no frame has.
    mutating func drawNoise() {
        feed("\u{1B}[7m".utf8)
        for row in 1...rows { feed("\u{1B}[\(row)H\(String(repeating: "#", count: columns))".utf8) }
        feed("\u{1B}[m".utf8)
    }

    /// Returns the part of a picture that a cell shows; nil if it shows none.
    func picture(column: Int, row: Int) -> (number: Int, column: Int, row: Int)? {
        let cell = cells[row][column]
        let scalars = Array(cell.text.unicodeScalars)
        guard scalars.count == 3, scalars[0].value == 0x10EEEE,
            case .rgb(let red, let green, let blue) = cell.style.foreground,
            let mark = PicturePlaceholder.marks.firstIndex(of: UInt16(scalars[1].value)),
            let second = PicturePlaceholder.marks.firstIndex(of: UInt16(scalars[2].value))
        else { return nil }
        let number = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        return pictures[number] == nil ? nil : (Int(number), second, mark)
    }
}

extension TerminalStyle {
    /// Makes the style that a terminal should keep after drawing a style; its link is stored separately.
    init(_ style: Style) {
        self.init()
        foreground = Color(style.foreground)
        background = Color(style.background)
        underlineColor = Color(style.underlineColor)
        underline = Underline(rawValue: Int(style.underline.rawValue)) ?? .none
        let attributes: [(Style.Attributes, Attributes)] = [
            (.bold, .bold), (.dim, .dim), (.italic, .italic), (.reverse, .reverse), (.strikethrough, .strikethrough),
            (.blink, .blink),
        ]
        for (drawn, kept) in attributes where style.attributes.contains(drawn) { self.attributes.insert(kept) }
    }
}

extension TerminalStyle.Color {
    init(_ color: Terminal.Color) {
        switch color.kind {
        case .default: self = .default
        case .ansi(let index): self = .ansi(index)
        case .palette(let index): self = .init(index: index)
        case .rgb(let red, let green, let blue): self = .rgb(red, green, blue)
        }
    }
}

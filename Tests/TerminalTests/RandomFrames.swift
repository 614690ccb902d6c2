import SeededRandom

@testable import Terminal

/// Generates random screens and changes of them, of the kinds that programs make.
struct RandomFrames {
    var random: SeededGenerator
    private(set) var screen: Screen

    static let words = [
        "the", "quick ", "  ", "          ", "e\u{301}", "世界", "한글", "ｗｉｄｅ", "naïve", "❤️", "👨‍👩‍👧", "🇺🇸", "👍🏽", "1️⃣", "⚡︎",
        "क्षि", "±…α", "🫩", "\u{1B}[31m", "\u{202E}", "a\u{300}\u{301}", "─────────────", "xxxxxxxxxxxxxxxx", "🎉",
        "日本語テキスト",
        "\u{301}", "\u{1F1E6}", "🏴‍☠️", "👩\u{200D}", "ก็", "ﷺ", "\u{E0B0}",
    ]

    init(seed: UInt64, size: Size, model: WidthModel = .unicode) {
        random = SeededGenerator(seed: seed)
        screen = Screen(size: size)
        screen.fixedModel = model
    }

    mutating func style() -> Style {
        if random.chance(40) { return .default }
        var style = Style()
        let colors: [Color] = [
            .default, .default, .ansi(1), .ansi(12), .palette(200), .rgb(0xFF26B9), .rgb(1, 2, 3), .ansi(4),
        ]
        style.foreground = random.pick(colors)
        style.background = random.pick(colors)
        style.attributes = Style.Attributes(rawValue: UInt8(random.below(64)))
        if random.chance(30) { style.underline = Style.Underline(rawValue: UInt8(random.below(6))) ?? .none }
        if random.chance(20) { style.underlineColor = random.pick(colors) }
        if random.chance(10) { style.link = screen.link("https://example.org/\(random.below(3))") }
        return style
    }

    private mutating func position() -> Position {
        Position(column: random.below(screen.size.columns + 2) - 1, row: random.below(max(1, screen.size.rows)))
    }

    /// Changes the screen a little or a lot, and returns it.
    mutating func next() -> Screen {
        for _ in 0..<1 + random.below(4) { change() }
        screen.cursor = random.chance(15) ? nil : Cursor(position(), shape: random.chance(50) ? .bar : .block)
        return screen
    }

    private mutating func change() {
        switch random.below(10) {
        case 0: screen.fill(rect(), style: style())
        case 1: screen.fill(rect(), with: random.pick(["x", "─", "世", "█"]), style: style())
        case 2:
            let added = style()
            screen.restyle(rect()) { $0 = added }
        case 3: scroll()
        case 4: page()
        case 5: shift()
        default:
            var text = ""
            for _ in 0..<1 + random.below(6) { text += random.pick(RandomFrames.words) }
            screen.write(text, at: position(), style: style())
        }
    }

    private mutating func rect() -> Rect {
        let start = position()
        return Rect(column: start.column, row: start.row, columns: random.below(60), rows: random.below(8))
    }

    /// Moves rows of a rectangle, like a scrolling list or text.
    private mutating func scroll() {
        let old = screen
        let area = random.chance(50) ? screen.bounds : rect()
        let step = random.pick([-3, -1, 1, 1, 1, 2, 5])
        screen.fill(area, style: .default)
        screen.draw(old, at: Position(column: 0, row: -step), clip: area)
    }

    /// Moves the rest of a row sideways, like typing in the middle of a line.
    private mutating func shift() {
        let old = screen
        let start = position()
        let step = random.pick([-4, -2, -1, 1, 1, 1, 2, 3])
        let rest = Rect(column: max(0, start.column), row: start.row, columns: screen.size.columns, rows: 1)
        if random.chance(50) { screen.fill(rest, style: .default) }
        screen.draw(old, at: Position(column: step, row: 0), clip: rest)
        if step > 0 { screen.write("typed", at: start, style: style(), maxColumns: step) }
    }

    private mutating func page() {
        for row in 0..<screen.size.rows where random.chance(80) {
            screen.write(
                random.pick(RandomFrames.words) + " line \(row)", at: Position(column: 0, row: row), style: style())
        }
    }
}

extension Screen {
    /// Changes the style of the cells in a rectangle; a wide cluster that is touched changes in both halves.
    mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty else { return }
        for row in area.row..<area.maxRow {
            let start = row * size.columns
            var (first, last) = (area.column, area.maxColumn)
            if cells[start + first].columns == 0, first > 0 { first -= 1 }
            if last < size.columns, cells[start + last].columns == 0 { last += 1 }
            for column in first..<last {
                change(&cells[start + column].style)
            }
            touch(row: row)
        }
    }
}

import Terminal
import TextPrimitives

/// Shows the input from the terminal and what it can draw, for error reports (`tn doctor --terminal`).
///
/// `q`, Escape twice, or Ctrl-C quits; Ctrl-Z suspends; `l` redraws.
@MainActor
final class TerminalReport: TerminalApplication {
    private let loop: EventLoop
    /// The input as bytes and as decoded events; at least the last 200 lines.
    private(set) var log: [String] = []
    private var needsFrame = true
    private var lastWasEscape = false

    init(loop: EventLoop) {
        self.loop = loop
        loop.onInput = { [unowned self] bytes in TerminalReport.describe(bytes).forEach(note) }
    }

    func handle(_ events: [InputEvent]) {
        needsFrame = true
        for event in events {
            note(DoctorTexts.event(event))
            if case .key(let press) = event { act(on: press) }
        }
    }

    func frame(size: Size) -> Screen? {
        guard needsFrame else { return nil }
        needsFrame = false
        var screen = Screen(size: size)
        var row = 0
        let facts = DoctorTexts.capabilities(loop.device.capabilities, loop.device.size)
        for line in facts + [DoctorTexts.frames(loop.statistics)] {
            write(line, &screen, &row)
        }
        for text in ["e\u{301} 世界 한글", "❤️ 1️⃣ ⚡︎ 👍🏽 👨‍👩‍👧 🇺🇸 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्षि ±…α \u{202E}\u{1B}\u{9B}"] {
            write(DoctorTexts.width(of: text, TextWidth.shared.width(of: text)), &screen, &row)
        }
        drawColors(&screen, &row)
        drawStyles(&screen, &row)
        row += 1
        for line in log.suffix(max(0, size.rows - row - 1)) {
            write(line, &screen, &row)
        }
        let prompt = Position(column: 0, row: max(0, size.rows - 1))
        let used = screen.write(DoctorTexts.pressKeys, at: prompt, style: Style(attributes: .reverse))
        screen.cursor = Cursor(Position(column: min(used, size.columns - 1), row: prompt.row))
        return screen
    }

    // MARK: - Input

    private func act(on press: KeyPress) {
        let isEscape = press.key == .escape
        switch (press.key, press.modifiers) {
        case (.character("q"), []), (.character("c"), .control): loop.stop(.quit(status: 0))
        case (.character("z"), .control): loop.device.suspend()
        case (.character("l"), _): loop.redraw()
        case (.escape, []) where lastWasEscape: loop.stop(.quit(status: 0))
        default: break
        }
        lastWasEscape = isEscape
    }

    private func note(_ line: String) {
        log.append(line)
        if log.count > 400 { log.removeFirst(200) }
    }

    /// Formats bytes for reports, such as `ESC [ A` or `c3 a9`, on as many lines as they need.
    static func describe(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: bytesPerLine).map { start in
            let words = bytes[start..<min(start + bytesPerLine, bytes.count)].map { byte in
                switch byte {
                case 0x1B: "ESC"
                case 0x21..<0x7F: String(UnicodeScalar(byte))
                default: Hexadecimal.text([byte])
                }
            }
            let line = words.joined(separator: " ")
            return start == 0 ? DoctorTexts.got(line) : "    " + line
        }
    }

    private static let bytesPerLine = 32

    // MARK: - Drawing

    private func write(_ text: String, _ screen: inout Screen, _ row: inout Int) {
        if row < screen.size.rows - 1 { screen.write(text, at: Position(column: 0, row: row), style: .default) }
        row += 1
    }

    private func drawColors(_ screen: inout Screen, _ row: inout Int) {
        for index in 0..<16 {
            let style = Style(background: .ansi(UInt8(index)))
            screen.fill(Rect(column: index * 2, row: row, columns: 2, rows: 1), style: style)
        }
        for column in 0..<max(0, screen.size.columns - 34) {
            let share = UInt8(255 * column / max(1, screen.size.columns - 35))
            let style = Style(background: .rgb(share, 38, 255 - share))
            screen.fill(Rect(column: 34 + column, row: row, columns: 1, rows: 1), style: style)
        }
        row += 1
        guard screen.size.columns >= 72 else { return }
        for column in 0..<72 {
            let index = UInt8(column < 48 ? 16 + column * 216 / 48 : 232 + column - 48)
            let style = Style(background: .palette(index))
            screen.fill(Rect(column: column, row: row, columns: 1, rows: 1), style: style)
        }
        row += 1
    }

    private func drawStyles(_ screen: inout Screen, _ row: inout Int) {
        let link = screen.link("https://example.org")
        let samples: [(String, Style)] = [
            ("bold", Style(attributes: .bold)), ("dim", Style(attributes: .dim)),
            ("italic", Style(attributes: .italic)),
            ("reverse", Style(attributes: .reverse)), ("struck", Style(attributes: .strikethrough)),
            ("single", Style(underline: .single)), ("double", Style(underline: .double)),
            ("curly", Style(underline: .curly, underlineColor: .rgb(0xFF26B9))), ("dotted", Style(underline: .dotted)),
            ("dashed", Style(underline: .dashed)), ("link", Style(underline: .single, link: link)),
        ]
        var column = 0
        for (name, style) in samples {
            column += screen.write(name, at: Position(column: column, row: row), style: style) + 1
        }
        row += 1
    }
}

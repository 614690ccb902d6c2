import TerminalDriver
import Testing

@testable import Terminal

/// Tests the same random frames in a real terminal (tmux).
@Suite(.enabled(if: TmuxTerminal.isInstalled), .serialized) struct RendererInTmuxTests {
    private static var capabilities: Capabilities {
        var capabilities = Capabilities(environment: ["TERM": "tmux-256color", "TMUX": "x", "COLORTERM": "truecolor"])
        capabilities.hasHyperlinks = false
        return capabilities
    }

    /// Returns the first difference; ignores cells that tmux 3.3a drops: additions of Unicode 15, and scalars it takes
    /// for no character.
    private func difference(_ picture: TmuxScreen.Picture, _ screen: Screen) -> String? {
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns {
                let wanted = screen[column, row]
                if wanted.isDoubtful || wanted.columns == 0 && column > 0 && screen[column - 1, row].isDoubtful {
                    continue
                }
                let seen = picture.rows[row][column]
                let text = wanted.columns == 0 ? "" : wanted.text
                if seen.text != text { return "\(column),\(row): \(seen.text) for \(text)" }
                var style = TerminalStyle(wanted.style)
                style.underlineColor = .default
                if style.underline != .none { style.underline = .single }
                let isSame = seen.style == style || text == " " && seen.style.ofBlank == style.ofBlank
                if !isSame, wanted.columns > 0 { return "\(column),\(row): \(seen.style) for \(style) of \(text)" }
            }
        }
        guard let cursor = screen.cursor, screen.bounds.contains(cursor.position) else {
            return picture.isCursorVisible ? "the cursor shows" : nil
        }
        return picture.isCursorVisible && picture.cursor == cursor.position ? nil : "the cursor is at \(picture.cursor)"
    }

    @Test(arguments: [(3, 2), (20, 6), (80, 24), (200, 60)])
    func `tmux shows random frames as they are meant`(_ columns: Int, _ rows: Int) throws {
        let size = Size(columns: columns, rows: rows)
        let terminal = try TmuxScreen(size: size)
        try terminal.feed(Array("\u{1B}[?7l".utf8))
        var frames = RandomFrames(seed: 3, size: size, model: .tmux)
        var renderer = Renderer(capabilities: RendererInTmuxTests.capabilities)
        for number in 0..<setting("TN_FRAMES", or: 2) * 6 {
            let screen = frames.next()
            var bytes: [UInt8] = []
            renderer.render(screen, into: &bytes)
            try terminal.feed(bytes)
            if let difference = try difference(terminal.picture(), screen) {
                Issue.record(
                    "frame \(number): \(difference) after \(Sanitizer.visible(String(decoding: bytes, as: UTF8.self)))")
                return
            }
        }
    }
}

import TerminalDriver
import Testing

@testable import Terminal

/// Tests that the renderer's output, fed to an emulator, produces the frame.
@Suite struct RendererTests {
    static var full: Capabilities {
        var capabilities = Capabilities()
        capabilities.colorDepth = .truecolor
        capabilities.hasUnderlineStyles = true
        capabilities.canRepeat = true
        capabilities.hasSynchronizedUpdate = true
        return capabilities
    }

    /// Describes a difference between the emulator and the frame; nil if there is none.
    static func difference(_ emulator: TerminalScreen, _ screen: Screen) -> String? {
        if !emulator.faults.isEmpty { return "faults: \(emulator.faults)" }
        if !emulator.strays.isEmpty { return "control characters: \(emulator.strays)" }
        if emulator.isUpdating { return "an update was not ended" }
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns {
                let wanted = screen[column, row]
                let seen = emulator.cells[row][column]
                // If terminals disagree about a glyph, it may differ, and may or may not cover its second cell.
                let isDoubtful =
                    wanted.isDoubtful || wanted.columns == 0 && column > 0 && screen[column - 1, row].isDoubtful
                let text = wanted.columns == 0 ? "" : wanted.text
                if !isDoubtful, seen.text != text { return "\(column),\(row): \(seen.text) for \(text)" }
                if isDoubtful, wanted.columns == 0 { continue }
                if !isLike(seen, wanted.style) {
                    return "\(column),\(row): \(seen.style) \(seen.link) for \(wanted.style) of \(text)"
                }
            }
        }
        guard let cursor = screen.cursor, screen.bounds.contains(cursor.position) else {
            return emulator.isCursorVisible ? "the cursor shows" : nil
        }
        if !emulator.isCursorVisible { return "the cursor does not show" }
        if emulator.column != cursor.position.column || emulator.row != cursor.position.row {
            return "the cursor is at \(emulator.column),\(emulator.row), not \(cursor.position)"
        }
        return nil
    }

    private static func isLike(_ cell: TerminalCell, _ style: Style) -> Bool {
        guard cell.link == LinkTable.shared.withLock({ $0.target(of: style.link) }) ?? "" else { return false }
        let wanted = TerminalStyle(style)
        // A blank shows its background, but no text colour; of a link, it shows all.
        return cell.style == wanted
            || cell.text == " " && cell.link.isEmpty && cell.style.ofBlank == wanted.ofBlank
    }

    private func play(
        seed: UInt64, size: Size, frames: Int, _ optimizations: Renderer.Optimizations,
        drawsClusters: Bool, _ capabilities: Capabilities = full, returnsAtLineFeed: Bool = false
    ) -> Bool {
        var frameSource = RandomFrames(seed: seed, size: size)
        var emulator = TerminalScreen(
            size: size, drawsClusters: drawsClusters, returnsAtLineFeed: returnsAtLineFeed)
        emulator.drawNoise()
        var renderer = Renderer(capabilities: capabilities, optimizations: optimizations)
        for number in 0..<frames {
            let screen = frameSource.next()
            var bytes: [UInt8] = []
            if frameSource.random.chance(5) { renderer.invalidate() }
            renderer.render(screen, into: &bytes)
            emulator.feed(bytes)
            if let difference = RendererTests.difference(emulator, screen) {
                Issue.record(
                    "seed \(seed) \(size) frame \(number) \(optimizations) \(drawsClusters): \(difference) after \(Sanitizer.visible(String(decoding: bytes, as: UTF8.self)))"
                )
                return false
            }
            var again: [UInt8] = []
            renderer.render(screen, into: &again)
            if !again.isEmpty {
                Issue.record("seed \(seed) \(size) frame \(number): a frame that is shown was sent again")
                return false
            }
        }
        return true
    }

    private static let sizes = [(1, 1), (2, 1), (1, 5), (3, 2), (8, 4), (20, 6), (40, 12), (80, 24), (200, 60)]
        .map { Size(columns: $0.0, rows: $0.1) }

    @Test(arguments: [true, false])
    func `random frames come out as they are meant`(drawsClusters: Bool) {
        let seeds = setting("TN_FRAMES", or: 2)
        for size in RendererTests.sizes {
            for seed in 0..<seeds {
                guard play(seed: UInt64(seed), size: size, frames: 40, .all, drawsClusters: drawsClusters) else {
                    return
                }
            }
        }
    }

    @Test func `a terminal whose line feed is a new line shows the same`() {
        var capabilities = RendererTests.full
        capabilities.lineFeedKeepsColumn = Capabilities(environment: ["TERM": "linux"]).lineFeedKeepsColumn
        for size in RendererTests.sizes {
            guard
                play(
                    seed: 3, size: size, frames: 40, .all, drawsClusters: true, capabilities, returnsAtLineFeed: true)
            else { return }
        }
    }

    /// Capabilities with side margins, which xterm and similar terminals have, unlike the others of `full`.
    static var withSideMargins: Capabilities {
        var capabilities = full
        capabilities.hasSideMargins = true
        return capabilities
    }

    @Test(arguments: [true, false])
    func `parts of rows that scroll between margins come out as they are meant`(drawsClusters: Bool) {
        for size in RendererTests.sizes {
            for seed in 100..<100 + setting("TN_FRAMES", or: 2) {
                guard
                    play(
                        seed: UInt64(seed), size: size, frames: 40, .all, drawsClusters: drawsClusters,
                        RendererTests.withSideMargins)
                else { return }
            }
        }
    }

    @Test func `each optimization alone and none draw the same`() {
        let alone = (0..<8).map { Renderer.Optimizations(rawValue: 1 << $0) }
        for optimizations in alone + [[]] + alone.map({ Renderer.Optimizations.all.subtracting($0) }) {
            for size in [Size(columns: 12, rows: 5), Size(columns: 60, rows: 16)] {
                guard
                    play(
                        seed: 7, size: size, frames: 40, optimizations, drawsClusters: true,
                        RendererTests.withSideMargins)
                else {
                    return
                }
            }
        }
    }

    @Test func `terminals without any ability get the same text`() {
        var bare = RendererTests.full
        bare.canShift = false
        (bare.canRepeat, bare.canScroll, bare.canEraseCharacters, bare.hasSynchronizedUpdate) = (
            false, false, false, false
        )
        for seed in 0..<4 {
            guard
                play(
                    seed: UInt64(seed), size: Size(columns: 40, rows: 10), frames: 40, .all, drawsClusters: false, bare)
            else {
                return
            }
        }
    }

    @Test func `an unchanged frame costs nothing even when it was drawn anew`() {
        var renderer = Renderer(capabilities: RendererTests.full)
        var bytes: [UInt8] = []
        func frame() -> Screen {
            var screen = Screen(size: Size(columns: 40, rows: 10))
            screen.write("the same", at: Position(column: 3, row: 4), style: Style(attributes: .bold))
            screen.cursor = Cursor(Position(column: 1, row: 1))
            return screen
        }
        renderer.render(frame(), into: &bytes)
        bytes.removeAll()
        renderer.render(frame(), into: &bytes)
        #expect(bytes.isEmpty)
    }
}

import Pictures
import SeededRandom
import TerminalDriver
import Testing
import TextPrimitives

@testable import Terminal

/// Tests pictures in cells: half blocks, kitty's placeholders, and the way to the terminal.
@Suite struct PictureTests {
    private let red: [UInt8] = [255, 0, 0, 255]
    private let blue: [UInt8] = [0, 0, 255, 255]
    private let clear: [UInt8] = [0, 0, 0, 0]

    /// Four cells: two colours, one colour, only a top, only a bottom.
    private func mosaic() throws -> PictureMosaic {
        PictureMosaic(
            try #require(Pixels(width: 4, height: 2, bytes: red + red + red + clear + blue + red + clear + blue)))
    }

    @Test func `half blocks show two pixels a cell, and what is behind transparent ones`() throws {
        var screen = Screen(size: Size(columns: 6, rows: 2))
        screen.draw(try mosaic(), at: Position(column: 1, row: 0))
        #expect(screen.text(row: 0) == " ▀ ▀▄ ")
        #expect(screen[1, 0].style == Style(foreground: .rgb(0xFF0000), background: .rgb(0x0000FF)))
        #expect(screen[2, 0].style == Style(background: .rgb(0xFF0000)))
        #expect(screen[3, 0].style == Style(foreground: .rgb(0xFF0000)))
        #expect(screen[4, 0].style == Style(foreground: .rgb(0x0000FF)))
        // Drawing beyond any edge of the screen does not trap.
        for column in -5...6 {
            for row in -2...2 { screen.draw(try mosaic(), at: Position(column: column, row: row)) }
        }
    }

    @Test func `printed half blocks set their colours and end without any`() throws {
        let line = try #require(try mosaic().lines(.truecolor).first)
        #expect(line.hasPrefix("\u{1B}[38;2;255;0;0;48;2;0;0;255m▀") && line.hasSuffix("▄\u{1B}[m"))
        #expect(try mosaic().lines(.palette256).first?.contains("38;5;") == true)
    }

    @Test func `tmux passes sequences on that it is given in its wrapping, deletions too`() {
        #expect(
            String(decoding: PictureTransmission.wrappedForTmux(Array("\u{1B}_Gm=0;AA\u{1B}\\".utf8)), as: UTF8.self)
                == "\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;AA\u{1B}\u{1B}\\\u{1B}\\")
        var queue = PictureQueue()
        queue.startOver(throughTmux: true)
        queue.maximumBytes = 1
        for number in [1, 2] as [UInt32] {
            queue.show(PicturePlaceholder(number: number, columns: 1, rows: 1), png: [1, 2, 3])
            let sent = String(decoding: queue.nextShare(), as: UTF8.self)
            #expect(
                sent.components(separatedBy: "\u{1B}_G").count
                    == sent.components(separatedBy: "Ptmux;\u{1B}\u{1B}_G").count)
        }
        let last = String(decoding: queue.nextShare(), as: UTF8.self)
        #expect(last.isEmpty || last.contains("Ptmux;\u{1B}\u{1B}_Ga=d"))
        #expect(Probe.drawsPictures("kitty(0.41.1)") && !Probe.drawsPictures("tmux 3.5a"))
    }

    @Test func `a placeholder's cell tells picture, row and column, and fits into a number`() {
        var screen = Screen(size: Size(columns: 4, rows: 3))
        let picture = PicturePlaceholder(number: 0x123456, columns: 2, rows: 2)
        screen.draw(picture, at: Position(column: 1, row: 1))
        #expect(screen[1, 1].text == "\u{10EEEE}\u{305}\u{305}")
        #expect(screen[2, 1].text == "\u{10EEEE}\u{305}\u{30D}")
        #expect(screen[1, 2].text == "\u{10EEEE}\u{30D}\u{305}")
        #expect(screen[1, 1].style.foreground == .rgb(0x123456))
        #expect(!screen[1, 1].glyph.isInterned && screen[1, 1].columns == 1)
        #expect(PicturePlaceholder.marks.count == PicturePlaceholder.maximumCells)
        #expect(Set(PicturePlaceholder.marks).count == PicturePlaceholder.marks.count)
        #expect(picture.glyph(107, 107).text.unicodeScalars.map(\.value) == [0x10EEEE, 0x7F3, 0x7F3])
    }

    @Test func `the terminal gets the picture in pieces and shows it where its placeholders are`() {
        let size = Size(columns: 12, rows: 6)
        let picture = PicturePlaceholder(number: 77, columns: 4, rows: 3)
        let png = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var queue = PictureQueue()
        queue.show(picture, png: png)
        var emulator = TerminalScreen(size: size)
        var renderer = Renderer(capabilities: RendererTests.full)
        var bytes: [UInt8] = []
        renderer.assumeBlank(size: size)
        var screen = Screen(size: size)
        screen.write("over it", at: Position(column: 0, row: 0), style: .default)
        while queue.isWaiting {
            #expect(!queue.isShown(picture))
            let share = queue.nextShare()
            #expect(share.count <= PictureQueue.share + 64 && !share.isEmpty)
            emulator.feed(share)
            // Frames are sent between the pieces.
            bytes.removeAll()
            renderer.render(screen, into: &bytes)
            emulator.feed(bytes)
        }
        #expect(queue.isShown(picture) && queue.numbers == [77])
        #expect(emulator.pictures[77]?.png == png)
        #expect(emulator.pictures[77]?.columns == 4 && emulator.pictures[77]?.rows == 3)
        screen.draw(picture, at: Position(column: 2, row: 1))
        screen.write("text", at: Position(column: 4, row: 2), style: .default)
        bytes.removeAll()
        renderer.render(screen, into: &bytes)
        emulator.feed(bytes)
        #expect(emulator.picture(column: 2, row: 1).map { [$0.number, $0.column, $0.row] } == [77, 0, 0])
        #expect(emulator.picture(column: 5, row: 3).map { [$0.number, $0.column, $0.row] } == [77, 3, 2])
        #expect(emulator.picture(column: 3, row: 2).map { [$0.number, $0.column, $0.row] } == [77, 1, 1])
        #expect(emulator.picture(column: 4, row: 2) == nil)
        #expect(emulator.faults.isEmpty)
        // If the picture is shown again, nothing is sent; after the terminal was lost, it is sent again.
        queue.show(picture, png: png)
        #expect(!queue.isWaiting && queue.nextShare().isEmpty)
        queue.startOver()
        queue.show(picture, png: png)
        #expect(queue.isWaiting)
        emulator.feed(PictureTransmission.deletion(77))
        #expect(emulator.pictures.isEmpty && emulator.picture(column: 2, row: 1) == nil)
    }

    @Test func `the pieces of two pictures are not mixed, and the oldest is deleted when there are too many`() {
        var queue = PictureQueue()
        var emulator = TerminalScreen(size: Size(columns: 4, rows: 4))
        queue.maximumBytes = 30_000
        let large = [UInt8](repeating: 7, count: 9_000)
        let pictures = (1...4).map { PicturePlaceholder(number: UInt32($0), columns: 2, rows: 2) }
        for picture in pictures {
            queue.show(picture, png: large)
            emulator.feed(queue.nextShare())
        }
        while queue.isWaiting { emulator.feed(queue.nextShare()) }
        #expect(emulator.faults.isEmpty)
        // 9,000 bytes are 12,000 in base64: there is room for two of them.
        queue.show(PicturePlaceholder(number: 5, columns: 2, rows: 2), png: [1])
        while queue.isWaiting { emulator.feed(queue.nextShare()) }
        #expect(emulator.pictures.count < 5 && emulator.pictures[5]?.png == [1])
        #expect(Set(queue.numbers) == Set(emulator.pictures.keys))
    }

    @Test func `a picture that is as long as its limit allows is sent in no more bytes, through tmux too`() {
        for limit in [5_000, 98_304, 1_000_000] {
            let longest = PictureTransmission.maximumPNGLength(in: limit)
            let picture = PicturePlaceholder(number: 0xFF_FFFF, columns: 108, rows: 108)
            let sequences = PictureTransmission.sequences(picture, png: [UInt8](repeating: 0xFF, count: longest))
            let sent = sequences.map(PictureTransmission.wrappedForTmux).reduce(0) { $0 + $1.count }
            #expect(sent <= limit && sent > limit * 3 / 5)
        }
    }

    @Test func `the largest picture of half blocks takes less than 96 KB, whatever is in it`() throws {
        var generator = SeededGenerator(seed: 5)
        let noise = (0..<100 * 48 * 4).map { $0 % 4 == 3 ? 255 : UInt8.random(in: 100...255, using: &generator) }
        let mosaic = PictureMosaic(try #require(Pixels(width: 100, height: 48, bytes: noise)))
        var screen = Screen(size: Size(columns: 120, rows: 40))
        var renderer = Renderer(capabilities: RendererTests.full)
        renderer.assumeBlank(size: screen.size)
        screen.draw(mosaic, at: Position(column: 2, row: 2))
        var bytes: [UInt8] = []
        renderer.render(screen, into: &bytes)
        #expect(bytes.count <= 98_304 && bytes.count > 60_000)
    }

    @Test func `the terminal holds at most 32 MB of pictures`() {
        var queue = PictureQueue()
        #expect(queue.maximumBytes == 32 << 20)
        queue.maximumBytes = 100_000
        var held: [UInt32: Int] = [:]
        for number in 1...20 as ClosedRange<UInt32> {
            let picture = PicturePlaceholder(number: number, columns: 2, rows: 2)
            let png = [UInt8](repeating: 1, count: 9_000)
            held[number] = PictureTransmission.sequences(picture, png: png).joined().count
            queue.show(picture, png: png)
            while queue.isWaiting { _ = queue.nextShare() }
            #expect(queue.numbers.reduce(0) { $0 + held[$1, default: 0] } <= queue.maximumBytes)
            #expect(queue.isShown(picture))
        }
    }

    @Test(arguments: [
        ("kitty(0.28.0)", true), ("kitty(0.41.1)", true), ("kitty(1.0)", true), ("ghostty 1.1.3", true),
        ("kitty(0.26.5)", false), ("kitty(", false), ("Konsole 24.12", false), ("WezTerm 20240203", false),
        ("tmux 3.5a", false), ("XTerm(379)", false),
    ])
    func `placeholders are for terminals that are known to draw them`(version: String, draws: Bool) {
        var capabilities = Capabilities()
        var probe = Probe(capabilities, environment: [:], isQuerying: true)
        probe.receive(.version(version), &capabilities)
        #expect(capabilities.hasPicturePlaceholders == draws)
    }

    @Test func `pictures are deleted on every way out`() {
        var modes = TerminalModes()
        #expect(!String(decoding: modes.leave, as: UTF8.self).contains("\u{1B}_G"))
        modes.pictures = [3, 9]
        let leave = String(decoding: modes.leave, as: UTF8.self)
        #expect(leave.hasPrefix("\u{1B}_Ga=d,d=I,q=2,i=3\u{1B}\\\u{1B}_Ga=d,d=I,q=2,i=9\u{1B}\\"))
    }

    @Test func `base64 is that of the standard`() {
        func text(_ bytes: String) -> String {
            String(decoding: Base64.encoded(Array(bytes.utf8)), as: UTF8.self)
        }
        #expect(["", "f", "fo", "foo", "foob"].map(text) == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="])
    }
}

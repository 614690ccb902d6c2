import Foundation
import Pictures
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests pictures in the reading view.
@MainActor
@Suite(.serialized)
struct PictureTests {
    /// The header of a PNG of 64 by 64 pixels: 8 by 4 cells.
    private let png = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 64, 0, 0, 0, 64,
        8, 2, 0, 0, 0, 0, 0, 0, 0,
    ])

    /// Opens a window that reads a note with a picture below the given number of paragraphs.
    private func reading(
        _ display: PictureDisplay, paragraphs: Int = 1, decodes: Bool = true
    ) throws -> (window: Window, decoded: Box) {
        let window = try Window(columns: 58, rows: 16, notes: [])
        let decoded = Box()
        window.host.appearance.pictures = display
        window.host.pictureDecoding = PictureDecoding { file, width, height in
            decoded.count()
            let bytes = [UInt8](repeating: 200, count: width * height * 4)
            return decodes ? Pixels(width: width, height: height, bytes: bytes) : nil
        } png: { file, width, height, limit in
            decoded.count()
            return decodes ? [1, 2, 3] : nil
        }
        let image = try window.fixture.notebook.images.add(png, name: "map.png")
        let above = (0..<paragraphs).map { "paragraph \($0)\n\n" }.joined()
        try window.fixture.add(above + "![The map](\(image.getURL()))\n\nbelow")
        window.fixture.model.readOutsideChanges()
        window.press("Enter", "Ctrl-E")
        return (window, decoded)
    }

    /// Counts from any thread.
    final class Box: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }
        func count() { number.withLock { $0 += 1 } }
    }

    /// Lets the pause after scrolling pass, and waits until a picture can be drawn.
    private func rest(_ window: Window, until condition: () -> Bool) {
        window.fixture.scheduler.advance(by: PictureShelf.rest)
        #expect(window.fixture.scheduler.run { condition() })
        window.draw()
    }

    private func key(_ window: Window) throws -> PictureShelf.Key {
        let picture = try #require(window.interface.note.preview.layout?.pictures.first)
        return try #require(PictureStage(window.host)).key(picture)
    }

    @Test func `a picture takes the place of its label, and nothing moves`() throws {
        let (window, decoded) = try reading(.mosaics)
        defer { window.close() }
        let before = window.lines
        #expect(before[3].contains("The map · PNG") && before[2].contains("┌"))
        #expect(decoded.value == 0)
        let key = try key(window)
        rest(window) { window.interface.note.preview.shelf[key] != nil }
        #expect(decoded.value == 1)
        #expect(
            window.screen[1, 2].style.background == .rgb(0xC8C8C8)
                && window.screen[8, 5].style == window.screen[1, 2].style)
        #expect(window.screen[9, 2].style.background == .default && window.screen[9, 2].text == " ")
        #expect(!window.lines[3].contains("The map"))
        #expect(window.lines[7] == " below" && window.lines[7] == before[7])
        // The picture is drawn again without being decoded again.
        window.press("Ctrl-L")
        #expect(decoded.value == 1)
        // The selected picture shows its name.
        window.press("Tab")
        #expect(window.lines[3].contains("The map · PNG"))
    }

    @Test(arguments: [PictureDisplay.mosaics, .labels])
    func `a question about opening a picture is asked by Enter and by a click`(display: PictureDisplay) throws {
        let (window, _) = try reading(display)
        defer { window.close() }
        // The frame around the label belongs to the picture where one is drawn.
        let row = display == .labels ? 3 : 2
        for ask in [{ window.press("Tab", "Enter") }, { window.click(column: 4, row: row) }] {
            ask()
            #expect(window.lines.contains { $0.contains("image.png, 33 bytes") }, "\(window.lines)")
            window.press("Esc")
        }
        window.press("Ctrl-E", "Ctrl-]")
        #expect(window.lines.contains { $0.contains("image.png, 33 bytes") }, "\(window.lines)")
        #expect(window.host.opened.isEmpty)
    }

    @Test func `a picture out of sight is decoded when it comes into sight, and scrolls cut off`() throws {
        let (window, decoded) = try reading(.mosaics, paragraphs: 40)
        defer { window.close() }
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(decoded.value == 0)
        window.press("End")
        let key = try key(window)
        rest(window) { window.interface.note.preview.shelf[key] != nil }
        #expect(decoded.value == 1)
        let preview = window.interface.note.preview
        let line = try #require(preview.layout?.pictures.first).line
        // Scrolls until only the picture's first row is visible, above the rule and the status line.
        let bottom = window.size.rows - 3
        for _ in 0..<bottom where line - preview.top < bottom { window.press("Up") }
        let row = line - preview.top
        #expect(row == bottom)
        #expect(window.screen[1, row].style.background == .rgb(0xC8C8C8))
    }

    @Test func `what cannot be decoded keeps its label, and few colours show none`() throws {
        let (window, decoded) = try reading(.mosaics, decodes: false)
        defer { window.close() }
        let key = try key(window)
        rest(window) { window.interface.note.preview.shelf[key] != nil }
        #expect(window.lines[3].contains("The map · PNG"))
        window.fixture.scheduler.advance(by: .seconds(5))
        #expect(decoded.value == 1)
        let (plain, never) = try reading(.labels)
        defer { plain.close() }
        plain.fixture.scheduler.advance(by: .seconds(5))
        #expect(never.value == 0)
        #expect(plain.interface.note.preview.layout?.pictures.isEmpty == true)
    }

    @Test func `a picture is decoded though work that hangs has taken all shared threads`() throws {
        let (window, decoded) = try reading(.placeholders)
        defer { window.close() }
        let occupied = OccupiedThreads()
        defer { occupied.free() }
        let key = try key(window)
        rest(window) { window.interface.note.preview.shelf[key] != nil }
        #expect(decoded.value == 1)
    }

    @Test func `pictures in sight that are too large together are decoded once, and one keeps its label`() throws {
        let window = try Window(columns: 58, rows: 24, notes: [])
        defer { window.close() }
        let decoded = Box()
        window.host.appearance.pictures = .placeholders
        window.host.picturesHaveArrived = true
        let length = PictureShelf.maximumBytes / 2 + 1
        window.host.pictureDecoding = PictureDecoding { _, _, _ in
            nil
        } png: { _, _, _, _ in
            decoded.count()
            return [UInt8](repeating: 0, count: length)
        }
        let images = try [Data(), Data([1])].map { try window.fixture.notebook.images.add(png + $0, name: "map.png") }
        try window.fixture.add(images.map { "![The map](\($0.getURL()))\n\n" }.joined())
        window.fixture.model.readOutsideChanges()
        window.press("Enter", "Ctrl-E")
        let stage = try #require(PictureStage(window.host))
        let keys = try #require(window.interface.note.preview.layout?.pictures.map(stage.key))
        #expect(Set(keys).count == 2)
        for key in keys { rest(window) { window.interface.note.preview.shelf[key] != nil } }
        for _ in 0..<5 {
            window.interface.invalidate(.editor)
            window.draw()
            window.fixture.scheduler.advance(by: PictureShelf.rest)
            window.fixture.scheduler.runPosted()
        }
        #expect(decoded.value == 2)
        #expect(window.lines.count { $0.contains("The map · PNG") } == 1)
    }

    @Test func `scrolling past many pictures keeps at most 32 MB of them`() throws {
        #expect(PictureShelf.maximumBytes == 32 << 20)
        let window = try Window(columns: 58, rows: 16, notes: [])
        defer { window.close() }
        window.host.appearance.pictures = .placeholders
        let length = PictureShelf.maximumBytes / 5
        window.host.pictureDecoding = PictureDecoding { _, _, _ in
            nil
        } png: { _, _, _, _ in
            [UInt8](repeating: 0, count: length)
        }
        let images = try (0..<9).map { number in
            try window.fixture.notebook.images.add(png + Data([UInt8(number)]), name: "map.png")
        }
        try window.fixture.add(images.map { "![The map](\($0.getURL()))\n\n" }.joined())
        window.fixture.model.readOutsideChanges()
        window.press("Enter", "Ctrl-E")
        let shelf = window.interface.note.preview.shelf
        let stage = try #require(PictureStage(window.host))
        let pictures = try #require(window.interface.note.preview.layout?.pictures)
        var seen = 0
        for picture in pictures {
            let preview = window.interface.note.preview
            while preview.top < picture.line, preview.top < (preview.layout?.lines.count ?? 0) - 12 {
                let before = preview.top
                window.press("Down")
                if preview.top == before { break }
            }
            rest(window) { shelf[stage.key(picture)] != nil }
            seen += 1
            #expect(shelf.byteCount <= PictureShelf.maximumBytes)
        }
        #expect(seen == 9 && shelf.byteCount > 3 * length)
        #expect(shelf[stage.key(pictures[0])] == nil)
    }

    @Test func `a terminal that draws pictures gets each once, and placeholders once it has it`() throws {
        let (window, decoded) = try reading(.placeholders)
        defer { window.close() }
        let key = try key(window)
        rest(window) { window.interface.note.preview.shelf[key] != nil }
        #expect(window.host.sentPictures.map(\.columns) == [8] && window.host.sentPictures.map(\.rows) == [4])
        #expect(window.lines[3].contains("The map · PNG"))
        window.host.picturesHaveArrived = true
        window.interface.picturesSent()
        window.draw()
        #expect(window.screen[1, 2].text.unicodeScalars.first?.value == 0x10EEEE)
        #expect(window.screen[8, 5].text.unicodeScalars.first?.value == 0x10EEEE)
        #expect(window.screen[9, 5].text == " " && !window.lines[3].contains("The map"))
        window.press("Ctrl-L", "Down", "Up")
        #expect(decoded.value == 1 && window.host.sentPictures.count == 1)
        // An overlay covers the picture, which is shown again when the overlay is closed.
        window.press("Ctrl-P")
        window.press("Esc")
        #expect(window.screen[1, 2].text.unicodeScalars.first?.value == 0x10EEEE)
    }

    @Test func `a picture is drawn anew when it is known only now what the terminal can do`() throws {
        let (window, _) = try reading(.mosaics)
        defer { window.close() }
        let blocks = try key(window)
        rest(window) { window.interface.note.preview.shelf[blocks] != nil }
        // A cell whose two halves are alike is a background.
        #expect(window.screen[1, 2].style.background != .default)
        // It draws pictures itself: its name came late, or another terminal was attached.
        window.host.appearance.pictures = .placeholders
        window.host.picturesHaveArrived = true
        window.send(.capabilitiesChanged)
        window.draw()
        let placeholders = try key(window)
        rest(window) { window.interface.note.preview.shelf[placeholders] != nil }
        #expect(window.screen[1, 2].text.unicodeScalars.first?.value == 0x10EEEE)
        // Its cells are as wide as they are high, so that the 64 pixels are 4 by 4 cells.
        window.host.appearance.cell = Capabilities.CellPixels(width: 16, height: 16)
        window.send(.capabilitiesChanged)
        window.draw()
        let square = try key(window)
        #expect(square.columns == 4 && square.rows == 4)
        rest(window) { window.interface.note.preview.shelf[square] != nil }
        #expect(window.screen[4, 2].text.unicodeScalars.first?.value == 0x10EEEE)
        #expect(window.screen[5, 2].text == " ")
    }
}

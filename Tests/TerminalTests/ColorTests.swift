import Testing

@testable import Terminal

struct ColorTests {
    @Test func `colours are read from hexadecimal`() {
        #expect(Color(hex: "#FF26B9") == .rgb(255, 38, 185))
        #expect(Color(hex: "ff26b9") == .rgb(0xFF26B9))
        #expect(Color(hex: "#f0a") == .rgb(0xFF00AA))
        for wrong in ["", "#", "#ff", "#gg0000", "#ff26b9ff", "+f26b9"] { #expect(Color(hex: wrong) == nil) }
    }

    @Test func `colours that the palette has stay what they are`() throws {
        for (index, value) in [(16, 0x000000), (21, 0x0000FF), (231, 0xFFFFFF), (232, 0x080808), (196, 0xFF0000)] {
            let found = Color.rgb(UInt32(value)).converted(to: .palette256)
            let (channels, original) = try (
                #require(found.channels), #require(Color.palette(UInt8(index)).channels)
            )
            #expect(channels == original)
        }
    }

    @Test func `a conversion looks like what it stands for`() {
        // The accent stays pink and does not become gray or red.
        #expect(Color.rgb(0xFF26B9).converted(to: .palette256) == .palette(199))
        #expect([Color.ansi(13), .ansi(5)].contains(Color.rgb(0xFF26B9).converted(to: .ansi16)))
        #expect(Color.rgb(0x1E1E2E).converted(to: .ansi16) == .ansi(0))
        #expect(Color.rgb(0xF8F8F2).converted(to: .ansi16) == .ansi(15))
        #expect(Color.rgb(0x50FA7B).converted(to: .ansi16) == .ansi(10))
        #expect(Color.rgb(0x8BE9FD).converted(to: .ansi16) == .ansi(14))
    }

    @Test func `conversion leaves alone what needs none`() {
        #expect(Color.default.converted(to: .ansi16) == .default)
        #expect(Color.ansi(3).converted(to: .ansi16) == .ansi(3))
        #expect(Color.palette(200).converted(to: .palette256) == .palette(200))
        #expect(Color.rgb(1, 2, 3).converted(to: .truecolor) == .rgb(1, 2, 3))
        #expect(Color.rgb(1, 2, 3).converted(to: .none) == .default)
    }

    @Test func `styles fall back to what a terminal shows`() {
        func bytes(_ style: Style, _ change: (inout Capabilities) -> Void) -> String {
            var capabilities = Capabilities()
            change(&capabilities)
            var renderer = Renderer(capabilities: capabilities)
            renderer.assumeBlank(size: Size(columns: 4, rows: 1))
            var screen = Screen(size: Size(columns: 4, rows: 1))
            screen.write("x", at: Position(column: 0, row: 0), style: style)
            var output: [UInt8] = []
            renderer.render(screen, into: &output)
            return String(decoding: output, as: UTF8.self)
        }
        let curly = Style(foreground: .rgb(0xFF26B9), attributes: .italic, underline: .curly, underlineColor: .ansi(1))
        #expect(
            bytes(curly) {
                $0.hasUnderlineStyles = true; $0.colorDepth = .truecolor
            }.contains(";4:3;38;2;255;38;185;58:5:1m"))
        #expect(
            bytes(curly) { $0.colorDepth = .palette256 }.contains("[0;3;4;38;5;199m")
                || bytes(curly) { _ in }.contains("[3;4;38;5;199m"))
        #expect(
            bytes(curly) {
                $0.colorDepth = .none; $0.hasItalic = false
            }.contains("[4m"))
        #expect(
            !bytes(curly) {
                $0.isLowBandwidth = true; $0.hasUnderlineStyles = true; $0.colorDepth = .truecolor
            }.contains("58"))
    }
}

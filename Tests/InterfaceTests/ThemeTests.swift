import Foundation
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests the program's themes, the user's themes, and the choice of a theme.
@MainActor
@Suite(.serialized)
struct ThemeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Resources/themes")

    @Test(arguments: ThemeFile.builtIn.map(\.name))
    func `the themes that are compiled in are those of Resources`(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).toml"), encoding: .utf8)
        #expect(ThemeFile.builtIn.first { $0.name == name }?.text == text)
        let file = try #require(ThemeLibrary(folder: nil).theme(named: name))
        #expect(file.problems.isEmpty)
    }

    @Test func `there is no theme in Resources that is not compiled in`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(ThemeFile.builtIn.map { $0.name + ".toml" }))
    }

    @Test func `the accent is TakeNote's pink`() {
        #expect(Theme.dark.accent.foreground == .rgb(0xFF26B9))
    }

    /// The contrast of two colours, as WCAG 2.2 defines it.
    private func contrast(_ one: Color, _ other: Color) -> Double {
        func luminance(_ color: Color) -> Double {
            let value = UInt32(color.description.dropFirst(), radix: 16) ?? 0
            let channels = [value >> 16 & 255, value >> 8 & 255, value & 255].map { channel in
                let part = Double(channel) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        }
        let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
        return (light + 0.05) / (dark + 0.05)
    }

    @Test(arguments: [
        ("dark", "#000000", 4.5), ("light", "#FFFFFF", 4.5), ("high-contrast", "#000000", 7),
        ("high-contrast-light", "#FFFFFF", 7),
    ])
    func `what carries text can be read on its ground`(name: String, ground: String, least: Double) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme)
        let background = try #require(Color(text: ground))
        for part in Theme.parts where part.name != "rule" {
            let style = theme[keyPath: part.path]
            guard style.foreground != .default else { continue }
            let under = style.background == .default ? background : style.background
            #expect(contrast(style.foreground, under) >= least, "\(part.name) in \(name)")
        }
    }

    /// Tests every part that can lie on the row under the cursor, in a box, or in a selected text.
    @Test(arguments: [("dark", 4.5), ("light", 4.5), ("high-contrast", 7), ("high-contrast-light", 7)])
    func `what carries text can be read where it is selected, and in boxes`(name: String, least: Double) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme)
        let lines: Set = ["rule", "overlay-frame", "selection-mark"]
        for part in Theme.parts where !lines.contains(part.name) {
            let style = theme[keyPath: part.path]
            guard style.background == .default else { continue }
            for ground in [theme.selection, theme.quietSelection, theme.selectedText, theme.overlay] {
                let shown = style.on(ground)
                #expect(contrast(shown.foreground, shown.background) >= least, "\(part.name) in \(name) on \(ground)")
            }
        }
    }

    /// Tests the row under the cursor, with the keys in its pane and without, and in a box.
    @Test(arguments: ["dark", "light", "high-contrast", "high-contrast-light"])
    func `with 256 colours a selected row can be seen and read`(name: String) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme).fitted(to: .palette256)
        func shown(_ color: Color) throws -> Color {
            let (red, green, blue) = try #require(color.converted(to: .palette256).channels)
            return .rgb(UInt8(red), UInt8(green), UInt8(blue))
        }
        let selection = try shown(theme.selection.background)
        for ground in [theme.quietSelection.background, theme.overlay.background] {
            #expect(try selection.distance(to: shown(ground)) >= 0.06, "\(name): \(selection) on \(ground)")
        }
        for part in [theme.text, theme.dim, theme.accent, theme.tag, theme.star, theme.title] {
            let style = part.on(theme.selection)
            #expect(try contrast(shown(style.foreground), shown(style.background)) >= 3)
        }
        #expect(try contrast(shown(theme.selection.foreground), selection) >= 4.5)
    }

    @Test func `with 256 colours the window shows the selection of its pane`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        window.host.appearance.colorDepth = .palette256
        window.send(.capabilitiesChanged)
        let theme = window.interface.state.theme
        #expect(theme.selection.background != Theme.dark.selection.background)
        window.host.appearance.colorDepth = .truecolor
        window.send(.capabilitiesChanged)
        #expect(window.interface.state.theme.selection == Theme.dark.selection)
    }

    @Test(arguments: [("dark", 4.5), ("light", 4.5), ("high-contrast", 7), ("high-contrast-light", 7)])
    func `the current match can be read, and is told from the others`(name: String, least: Double) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme)
        #expect(contrast(theme.matchAtHand.foreground, theme.matchAtHand.background) >= least)
        #expect(theme.matchAtHand.background != theme.match.background)
    }

    @Test(arguments: ["dark", "light", "high-contrast", "high-contrast-light"], [ColorDepth.ansi16, .palette256])
    func `with fewer colours everything can be read as well`(name: String, depth: ColorDepth) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme).fitted(to: depth)
        let window: Color = name.hasSuffix("light") ? .ansi(15) : .ansi(0)
        let least = name.hasPrefix("high") && depth == .palette256 ? 7 : 4.5
        let lines: Set = ["rule", "overlay-frame", "selection-mark"]
        for part in Theme.parts where !lines.contains(part.name) {
            let style = theme[keyPath: part.path]
            #expect(style.foreground.converted(to: depth) == style.foreground)
            let grounds = [.default, theme.selection, theme.quietSelection, theme.selectedText, theme.overlay]
            for ground in grounds where style.background == .default || ground == .default {
                let shown = style.on(ground)
                // Two default colours are the user's own choice, also if they are reversed.
                guard shown.foreground != .default else { continue }
                let under = shown.background == .default ? window : shown.background
                let contrast = try #require(shown.foreground.contrast(with: under))
                #expect(contrast >= least, "\(part.name) in \(name) on \(ground)")
            }
        }
        for line in depth == .ansi16 ? [theme.rule, theme.overlayFrame, theme.selectionMark] : [] {
            #expect(try #require(line.foreground.contrast(with: window)) >= 3, "\(name): \(line)")
        }
        #expect(theme.selection != theme.text && theme.quietSelection != theme.text)
        #expect(try #require(theme.matchAtHand.foreground.contrast(with: theme.matchAtHand.background)) >= 4)
    }

    @Test func `a theme of the sixteen colours keeps its own grounds`() throws {
        var theme = try #require(ThemeLibrary(folder: nil).theme(named: "terminal")?.theme)
        #expect(theme.fitted(to: .ansi16) == theme)
        theme.selection = Style(foreground: .ansi(0), background: .ansi(3))
        #expect(theme.fitted(to: .ansi16) == theme)
    }

    @Test func `a chosen theme is fitted to the terminal's colours`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.interface.apply(Configuration.read("theme = \"dark\"\n"))
        window.host.appearance.colorDepth = .ansi16
        window.send(.capabilitiesChanged)
        #expect(window.interface.state.theme.name == "dark")
        #expect(window.interface.state.theme.selection == Style(attributes: .reverse))
    }

    @Test func `a reversed row has one background, whatever colours its parts have elsewhere`() throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: "terminal")?.theme)
        for part in [theme.tag, theme.star, theme.accent, theme.markdown.link] {
            #expect(part.foreground != .default)
            let shown = part.on(theme.selection)
            #expect(shown.foreground == .default && shown.background == .default)
            #expect(shown.attributes.contains(.reverse) && shown.underline == part.underline)
        }
    }

    @Test func `without colours the current match is reversed, and the others are not`() throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: "monochrome")?.theme)
        #expect(theme.matchAtHand.attributes.contains(.reverse))
        #expect(!theme.match.attributes.contains(.reverse) && theme.match.underline != .none)
    }

    @Test func `without colours a removed line is not reversed, as the row under the cursor is`() {
        #expect(Theme.monochrome.selection.attributes.contains(.reverse))
        #expect(!Theme.monochrome.removed.attributes.contains(.reverse))
    }

    /// Tests that a theme replaces the terminal's default text colour on its own backgrounds.
    ///
    /// That colour may be unreadable there: a light theme may be used on a dark terminal.
    @Test(arguments: ["dark", "light", "high-contrast", "high-contrast-light"])
    func `text without a colour of its own can be read on every ground of a theme`(name: String) throws {
        let theme = try #require(ThemeLibrary(folder: nil).theme(named: name)?.theme)
        let grounds = [
            theme.selection, theme.quietSelection, theme.selectedText, theme.overlay, theme.markdown.codeBlock,
        ]
        for ground in grounds {
            let text = theme.text.on(ground)
            #expect(text.background == ground.background)
            #expect(contrast(text.foreground, text.background) >= 4.5)
        }
        #expect(theme.text.on(.default) == .default)
    }

    @Test(arguments: [
        ("auto", Appearance(isDark: true), "dark"), ("auto", Appearance(isDark: false), "light"),
        ("auto", Appearance(colorDepth: .ansi16), "terminal"), ("auto", Appearance(colorDepth: .none), "monochrome"),
        ("light", Appearance(isDark: true), "light"), ("dark", Appearance(colorDepth: .none), "monochrome"),
        ("high-contrast", Appearance(isDark: true), "high-contrast"),
        ("high-contrast", Appearance(isDark: false), "high-contrast-light"),
        ("nonsense", Appearance(isDark: false), "light"),
    ])
    func `the theme follows the choice and the terminal`(choice: String, appearance: Appearance, name: String) {
        let file = ThemeLibrary(folder: nil).theme(for: choice, on: appearance)
        #expect(file.theme.name == name)
        #expect(file.problems.map(\.text) == (choice == "nonsense" ? ["there is no theme \"nonsense\""] : []))
    }

    @Test func `a theme of the user's is read from the folder, on top of its base`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = """
            base = "dark"
            [colors]
            sea = "#2BB3C0"
            bad = "sea"
            [window]
            accent = "sea bold"
            selektion = "sea"
            rule = "on"
            [markdown]
            heading = "see bold"
            """
        try Data(text.utf8).write(to: folder.appending(path: "mine.toml"))
        let library = ThemeLibrary(folder: folder.path)
        #expect(library.names == ["dark", "light", "high-contrast", "terminal", "monochrome", "mine"])
        let file = try #require(library.theme(named: "mine"))
        #expect(file.theme.accent == Style(foreground: .rgb(0x2BB3C0), attributes: .bold))
        #expect(file.theme.dim == Theme.dark.dim)
        #expect(
            file.problems.map(\.description) == [
                "themes/mine.toml, line 4: colors.bad is a colour like \"#FF26B9\" or \"blue\", not \"sea\"",
                "themes/mine.toml, line 7: there is no style window.selektion",
                "themes/mine.toml, line 10: \"see\" in markdown.heading is neither a colour nor an attribute",
            ])
        #expect(library.theme(named: "../mine") == nil)
    }

    @Test func `a theme that is in the end its own base is reported, and one above a megabyte is not read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name + ".toml"))
        }
        try write("itself", "base = \"itself\"\n")
        try write("one", "base = \"two\"\n[window]\naccent = \"red\"\n")
        try write("two", "base = \"three\"\n")
        try write("three", "base = \"one\"\n")
        try write("huge", "")
        try FileHandle(forWritingTo: folder.appending(path: "huge.toml")).truncate(atOffset: 100_000_000_000)
        let library = ThemeLibrary(folder: folder.path)
        #expect(
            library.theme(named: "itself")?.problems.map(\.description)
                == ["themes/itself.toml, line 1: there is no theme \"itself\""])
        let one = try #require(library.theme(named: "one"))
        #expect(one.theme.name == "one" && one.theme.accent == Style(foreground: .ansi(1)))
        #expect(library.theme(named: "three")?.theme.accent == Style(foreground: .ansi(1)))
        #expect(
            library.theme(named: "huge")?.problems.map(\.description)
                == ["themes/huge.toml: is larger than 1 MB and is not read; the defaults apply"])
    }

    @Test(arguments: [
        "#FF26B9 on #1E1C22 bold underline", "red", "on bright-blue", "dim italic", "208 on 17 reverse", "",
    ])
    func `a style is read and written the same`(text: String) throws {
        let style = try StyleText().style(text)
        #expect(StyleText.text(of: style) == text)
    }

    @Test func `a report of the terminal's colours changes the theme at once`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        #expect(window.interface.state.theme.name == "dark")
        window.host.appearance.isDark = false
        window.send(.colorScheme(.light))
        #expect(window.interface.state.theme.name == "light")
        #expect(window.screen[1, 39].style == Theme.light.status)
        window.host.appearance.isUnicode = false
        window.send(.capabilitiesChanged)
        #expect(window.lines[0].contains("|"))
    }

    @Test func `in ASCII a note's own signs stay what they are, in the list and in the text`() throws {
        let window = try Window(notes: ["Lists · and “quotes”\n\nA dash — and more… × → ’"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[screen]\nglyphs = \"ascii\"\n"))
        window.draw()
        let lines = window.lines
        // In the list, in the text, and as the location in the status line.
        #expect(lines.filter { $0.contains("Lists · and “quotes”") }.count == 3)
        #expect(lines.contains { $0.contains("A dash — and more… × → ’") })
        window.press("Enter")
        #expect(window.lines.contains { $0.hasSuffix("A dash — and more… × → ’") })
        window.send(.pasteStatus(.stalled(bytes: 1)))
        #expect(window.lines[39].hasPrefix(" Pasting~ 1 byte so far"))
    }

    @Test func `in ASCII no mark before a text reads as a letter of it`() throws {
        let window = try Window(notes: ["# Borges\n\nOne", "Two"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[screen]\nglyphs = \"ascii\"\n"))
        window.draw()
        window.press("Space")
        #expect(window.lines.contains { $0.contains("+Borges") }, "\(window.lines)")
        window.press("Esc", "k", "Enter")
        #expect(window.lines.contains { $0.contains("-# Borges") }, "\(window.lines)")
    }

    @Test func `names of colours are in the colour of plain text, beside a swatch in their own`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.show(.light)
        window.fixture.model.addTag("books")
        window.press("Alt-1", "G", "c")
        let row = try #require(window.lines.firstIndex { $0.contains("Yellow") })
        let column = try #require(Array(window.lines[row]).firstIndex(of: "Y"))
        let theme = window.interface.state.theme
        #expect(window.screen[column, row].style.foreground == theme.text.on(theme.overlay).foreground)
        #expect(window.screen[column - 2, row].style.foreground == .rgb(0xFFCC00))
    }

    @Test func `in ASCII nothing else is drawn but the notes' own text`() throws {
        let window = try Window(notes: ["One\n\n- [ ] task", "Two"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[screen]\nglyphs = \"ascii\"\n"))
        window.fixture.model.addFolder("Home")
        window.fixture.model.selectContainer(.inbox)
        window.draw()
        for keys in [[], ["Ctrl-P"], ["Esc", "?"], ["Esc", "m"], ["Esc", "t"], ["Esc", "Alt-1", "N"]] {
            for key in keys { window.press(key) }
            for line in window.lines {
                let others = line.unicodeScalars.filter { !$0.isASCII }
                #expect(others.isEmpty, "\(keys): \(line)")
            }
        }
    }
}

import Foundation
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests notes in the preview: images, long texts, finding.
@MainActor
@Suite(.serialized)
struct PreviewPaneTests {
    private func openWindow(_ text: String, columns: Int = 58, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter")
        return window
    }

    @Test func `an image is a box with name, type and size, and a missing one its alternative text`() throws {
        let window = try Window(columns: 58, rows: 16, notes: [])
        defer { window.close() }
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 12_000))
        let image = try window.fixture.notebook.images.add(png, name: "map.png")
        let missing = "takenote://image/\(UUID().uuidString)"
        try window.fixture.add("![The map](\(image.getURL().lowercased()))\n\n![A lost one](\(missing))")
        window.fixture.model.readOutsideChanges()
        window.press("Enter", "Ctrl-E")
        #expect(window.lines[1] == " │ The map · PNG · 12 KB │")
        #expect(window.lines[5] == " │ A lost one │")
    }

    /// 2,000 sections, some 200 KB: more than is laid out at once.
    private let long =
        (0..<2_000).map { "## Section \($0)\n\nSome *text* of section \($0), [linked][end].\n" }
        .joined(separator: "\n") + "\n[end]: https://example.org\n"

    @Test func `a long note reads at once at the caret, and its ends are reached before all is laid out`() throws {
        let window = try openWindow(long)
        defer { window.close() }
        window.press("Ctrl-G", "\"4001\"", "Enter", "Ctrl-E")
        #expect(window.lines.contains(" Section 1000"))
        window.press("End")
        #expect(window.lines.contains { $0.hasPrefix(" Some text of section 1999") })
        window.press("Home")
        #expect(window.lines[0] == " Section 0")
        window.press("Ctrl-End")
        #expect(window.lines.contains { $0.hasPrefix(" Some text of section 1999") })
        window.press("Ctrl-Home")
        #expect(window.lines[0] == " Section 0")
        for _ in 0..<60 { window.press("PgDn") }
        let shown = window.lines
        // The rest of the layout arrives, and nothing on the screen moves.
        let preview = window.interface.note.preview
        let before = try #require(preview.layout?.lines.count)
        #expect(window.fixture.scheduler.run { (preview.layout?.lines.count ?? 0) > before })
        window.draw()
        #expect(
            window.lines.dropLast().map { $0.replacing("[linked][end]", with: "linked") }
                == shown.dropLast().map { $0.replacing("[linked][end]", with: "linked") })
        #expect(preview.layout?.links.count == 2_000)
        window.press("Ctrl-E")
        #expect(window.lines.contains { $0.hasPrefix(" ## Section") })
    }

    /// 300 distinct words in one line.
    private let words = (0..<300).map { "word\($0)" }.joined(separator: " ")

    @Test func `who only looked finds the caret where it was`() throws {
        let window = try openWindow("# One\n\n\(words)\n\n" + String(repeating: "x\n\n", count: 40))
        defer { window.close() }
        window.press("Ctrl-Home")
        window.press("Down", "Down", "End", "Left", "Left")
        let session = try #require(window.fixture.model.session)
        let (caret, shown) = (session.selection, window.lines)
        window.press("Ctrl-E", "Ctrl-E")
        #expect(session.selection == caret)
        #expect(window.lines == shown)
        // A user who has scrolled has been reading, even after scrolling back.
        window.press("Ctrl-E", "Down", "Up")
        window.press("Ctrl-E")
        #expect(session.selection != caret)
    }

    @Test func `writing goes on where one was reading, within a paragraph too`() throws {
        let window = try openWindow("# One\n\n\(words)\n\nThe end.")
        defer { window.close() }
        window.press("Ctrl-E", "PgDn")
        #expect(window.interface.note.preview.top > 0, "keys that come before the first frame count")
        let first = try #require(window.lines[0].split(separator: " ").first)
        #expect(first.hasPrefix("word"))
        window.press("Ctrl-E")
        let session = try #require(window.fixture.model.session)
        session.move(.wordRight, extending: true)
        #expect(session.selectedText.contains(first))
        #expect(window.lines.contains { $0.contains(first) })
    }

    @Test func `reading begins where the caret is, within a paragraph too, and at its height`() throws {
        let window = try openWindow("\(words)\n\nThe end.")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        session.go(toByte: try #require(words.range(of: "word200")).lowerBound.utf16Offset(in: words))
        window.draw()
        let row = try #require(window.cursor?.position.row)
        #expect(window.lines[row].contains("word200"))
        window.press("Ctrl-E")
        // The line has no hidden markers, so it is broken as in the editor.
        #expect(window.lines[row].contains("word200"), "\(window.lines)")
    }

    @Test func `writing goes on at the match or the link that was gone to`() throws {
        let window = try openWindow("# One\n\n\(words) [link](https://example.org) bold\n\nThe end.")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        window.press("Ctrl-E", "/", "\"word150\"")
        window.press("Esc", "Ctrl-E")
        let row = try #require(window.cursor?.position.row)
        #expect(window.lines[row].contains("word150") || window.lines[row + 1].contains("word150"))
        window.press("Ctrl-Home", "Ctrl-E", "Tab")
        window.press("Ctrl-E")
        #expect(session.selection.head.rawValue > words.utf8.count - 60)
    }

    @Test func `a web link carries its address to the terminal, a link to a note does not`() throws {
        let window = try openWindow("[shop](https://example.org/shop) [[Note]]")
        defer { window.close() }
        window.press("Ctrl-E")
        let (shop, note) = (window.screen[1, 0].style, window.screen[6, 0].style)
        var screen = window.screen
        #expect(shop.link == screen.link("https://example.org/shop"))
        #expect(shop.link != .none)
        #expect(window.screen[4, 0].style.link == shop.link)
        #expect(window.screen[5, 0].style.link == .none)
        #expect(note.underline != .none)
        #expect(note.link == .none)
    }

    @Test(arguments: [Size(columns: 20, rows: 5), Size(columns: 40, rows: 12), Size(columns: 58, rows: 16)])
    func `a page leaves a line or two in sight`(size: Size) throws {
        let text = (0..<100).map { "line\($0)" }.joined(separator: "\\\n")
        let window = try openWindow(text, columns: size.columns, rows: size.rows)
        defer { window.close() }
        window.press("Ctrl-E")
        let shown = window.lines.filter { $0.hasPrefix(" line") }
        // Space and b are the keys of pagers.
        for (down, up) in [("PgDn", "PgUp"), ("Space", "b")] {
            window.press(down)
            #expect((1...2).contains(window.lines.filter(shown.contains).count { $0.hasPrefix(" line") }))
            window.press(up)
            #expect(window.lines.filter { $0.hasPrefix(" line") } == shown)
        }
    }

    @Test(arguments: [60, 20_000])
    func `the reading view goes to the heading of a link in the note, and to one that is chosen`(lines: Int) throws {
        let filling = String(repeating: "x\n\n", count: lines)
        let window = try openWindow("[down](#far)\n\n\(filling)# Far\n\n\(filling)# Farther\n\n\(filling)")
        defer { window.close() }
        window.press("Ctrl-E", "Tab")
        window.press("Enter")
        #expect(window.lines.contains { $0.hasSuffix(" Far") }, "\(window.lines)")
        window.press("Ctrl-G", "\"Farther\"", "Enter")
        #expect(window.lines.contains { $0.hasSuffix(" Farther") }, "\(window.lines)")
        window.press("Ctrl-E")
        #expect(window.fixture.model.session?.caretLabel == "\(5 + 4 * lines):1")
    }

    @Test func `keys that come before the first frame of a note act on that note`() throws {
        let notes = ["One\n\n[[Two]]", "Two\n\n[[Three]]", "Three\n\n\(words)"]
        let window = try Window(columns: 58, rows: 16, notes: notes)
        defer { window.close() }
        let model = window.fixture.model
        window.press("Enter", "Ctrl-E", "Tab", "Enter", "Tab", "Enter")
        #expect(model.openNote?.title == "Three")
        window.press("F7", "Tab", "Ctrl-E")
        #expect(model.session?.caretLabel.hasPrefix("3:") == true)
        window.press("Ctrl-E", "/", "\"t\"", "Enter")
        #expect(window.lines.contains { $0.hasSuffix("2 of 2") }, "\(window.lines)")
    }

    @Test func `a selected link stays selected in a pane of another width`() throws {
        let window = try openWindow("\(words)\n\n[one](https://example.org/1) and [two](https://example.org/2)")
        defer { window.close() }
        window.press("Ctrl-E", "Tab", "Tab")
        window.size = Size(columns: 40, rows: 12)
        window.draw()
        window.press("Enter")
        #expect(window.lines.contains { $0.contains("https://example.org/2") }, "\(window.lines)")
    }

    @Test func `Tab goes to the links that are drawn, from what is in sight on`() throws {
        let filling = String(repeating: "x\n\n", count: 40)
        let badge = "[![badge](https://example.org/b.svg)](https://example.org/site)"
        let text = "---\nup: \"[[Front]]\"\n---\n\(badge)\n\n\(filling)[far](https://example.org/far)\n\n\(filling)"
        let window = try openWindow(text)
        defer { window.close() }
        let preview = window.interface.note.preview
        window.press("Ctrl-E")
        for target in ["site", "far", "site"] {
            window.press("Tab")
            #expect(preview.selectedLink?.target == "https://example.org/" + target)
        }
        window.press("Shift-Tab")
        #expect(preview.selectedLink?.target == "https://example.org/far")
        window.press("End")
        #expect(preview.selectedLink == nil)
        window.press("Shift-Tab")
        #expect(preview.selectedLink?.target == "https://example.org/far")
        window.press("Home", "PgDn", "Tab")
        #expect(preview.selectedLink?.target == "https://example.org/far")
        // A click on the picture of a link follows the link.
        window.press("Home")
        window.click("badge")
        #expect(window.lines.contains { $0.contains("https://example.org/site") }, "\(window.lines)")
    }

    @Test func `a caret in a footnote is shown where footnotes stand`() throws {
        let window = try openWindow("a[^n]\n\n[^n]: the note\n\n" + String(repeating: "x\n\n", count: 60))
        defer { window.close() }
        window.press("Ctrl-G", "\"3\"", "Enter", "Ctrl-E")
        #expect(window.lines.contains(" 1. the note"))
    }

    /// Texts of a third of a megabyte, each with one kind of block.
    private nonisolated static let longTexts: [(name: String, piece: String, start: String)] = [
        ("a line", "and *many* more ", "one line of words "), ("an item", "an item of many words, ", "- "),
        ("code", "code = 1\n", "```\n"), ("a list", "- item\n    - nested\n", ""),
        ("a table", "| cell | `x` |\n", "| a | b |\n|---|---|\n"), ("paragraphs", "Short.\n\n", ""),
    ]

    /// Tests that a text is laid out piece by piece; it counts the work of a key, because times are unreliable.
    @Test(arguments: longTexts.indices)
    func `a page costs a window, however long lines and blocks are`(index: Int) throws {
        let kind = Self.longTexts[index]
        let text = kind.start + String(repeating: kind.piece, count: 350_000 / kind.piece.utf8.count)
        let window = try openWindow(text)
        defer { window.close() }
        window.press("Ctrl-E")
        let preview = window.interface.note.preview
        #expect(preview.laidOutBytes < 100_000)
        var seen = [window.lines[0]]
        var places = [preview.position.byte]
        for _ in 0..<30 {
            let before = preview.laidOutBytes
            window.press("PgDn")
            #expect(preview.laidOutBytes - before < 100_000)
            seen.append(window.lines[0])
            places.append(preview.position.byte)
        }
        #expect(places == places.sorted())
        #expect(Set(places).count == places.count, "each page is another one")
        window.press("End")
        #expect(preview.position.byte > text.utf8.count - 5_000)
        for _ in 0..<12 {
            let before = preview.laidOutBytes
            window.press("PgUp")
            #expect(preview.laidOutBytes - before < 100_000)
        }
        #expect(preview.position.byte < text.utf8.count - 300)
        window.press("Home")
        #expect(window.lines[0] == seen[0])
    }

    @Test func `what a long note was laid out for goes when its preview is left`() throws {
        let window = try openWindow(long)
        defer { window.close() }
        window.press("Ctrl-E", "/", "\"Section 7\"", "Esc")
        let preview = window.interface.note.preview
        let before = try #require(preview.layout?.lines.count)
        #expect(window.fixture.scheduler.run { (preview.layout?.lines.count ?? 0) > before })
        window.press("Ctrl-E")
        #expect(preview.layout == nil)
        #expect(preview.search == nil)
        // A preview that has been left ignores a layout that is still in progress.
        window.press("Ctrl-E", "Ctrl-E")
        window.fixture.scheduler.advance(by: .seconds(2))
        #expect(preview.layout == nil)
    }

    @Test func `the keys of help, commands and leaving are those of the list`() throws {
        let window = try openWindow("# One\n\ntext")
        defer { window.close() }
        window.press("Ctrl-E", "?")
        #expect(window.interface.overlays.last is HelpOverlay)
        window.press("Esc", ":")
        #expect(window.interface.overlays.last is PickerOverlay)
        window.press("Esc")
        #expect(window.interface.state.isPreviewing)
        #expect(window.lines.last?.contains("? help") == true)
        window.press("q")
        #expect(!window.interface.state.isPreviewing && !window.host.hasQuit)
        #expect(window.interface.state.focus == .editor)
    }

    @Test func `a key that would change the text says that the note is only read`() throws {
        let window = try openWindow("# One\n\n- [ ] task")
        defer { window.close() }
        let model = window.fixture.model
        let text = try #require(model.session?.text)
        window.press("Ctrl-E")
        for key in ["Ctrl-T", "Ctrl-Z", "Ctrl-K", "Alt-Up", "x", "\"ä\""] {
            model.dismissNotice()
            window.press(key)
            #expect(model.notice?.text == "The note is only read now; p goes back to writing", "\(key)")
        }
        for key in ["Down", "F12", "Ctrl-Home", "Alt-Shift-Down"] {
            model.dismissNotice()
            window.press(key)
            #expect(model.notice == nil, "\(key)")
        }
        #expect(model.session?.text == text && window.interface.state.isPreviewing)
    }

    @Test func `Esc goes from a note that is read back to the list, where notes are read on`() throws {
        let window = try Window(notes: ["# One\n\ntext", "# Two\n\nmore"])
        defer { window.close() }
        window.press("Enter", "Ctrl-E", "Esc")
        #expect(window.interface.state.focus == .list && window.interface.state.isPreviewing)
        #expect(window.fixture.model.session?.text.hasPrefix("# One") == true)
        // With a search, the first Esc closes its bar.
        window.press("Enter", "/", "\"te\"", "Esc")
        #expect(window.interface.state.focus == .editor && window.interface.state.isPreviewing)
        window.press("Esc", "Down", "Enter")
        #expect(window.lines[0].hasSuffix(" Two"), "\(window.lines[0])")
        for key in ["Ctrl-E", "p", "q"] {
            window.press(key)
            #expect(!window.interface.state.isPreviewing && window.interface.state.focus == .editor)
            window.press("Ctrl-E")
        }
    }

    @Test func `a note that is made while notes are read is written`() throws {
        let window = try Window(notes: ["# One\n\ntext"])
        defer { window.close() }
        let model = window.fixture.model
        for (keys, text) in [
            (["n"], "quiz"), (["Ctrl-N"], "quiz"), (["Ctrl-O", "\"Plans\"", "Enter"], "# Plans\n\nquiz"),
            (["D"], "# 2"),
        ] {
            window.press("Alt-2", "p")
            #expect(window.interface.state.isPreviewing)
            for key in keys { window.press(key) }
            #expect(!window.interface.state.isPreviewing)
            window.press("\"quiz\"")
            #expect(model.session?.text.hasPrefix(text) == true && model.session?.text.hasSuffix("quiz") == true)
        }
        // A note that was there before is read.
        window.press("Alt-2", "p", "D")
        #expect(window.interface.state.isPreviewing)
    }

    @Test func `long lines of code are scrolled sideways, all lines of the block together`() throws {
        let code = "let first = \(String(repeating: "1 + ", count: 30))end\nshort"
        let window = try openWindow("Text that is not scrolled.\n\n```swift\n\(code)\n```\n")
        defer { window.close() }
        window.press("Ctrl-E")
        let lines = try #require(window.interface.note.preview.layout).lines.map(\.text)
        #expect(lines.contains { $0.hasSuffix("1 + end") } && lines.contains("short"))
        #expect(window.lines.contains { $0.contains("let first") && $0.contains("…") })
        #expect(window.lines.contains { $0.contains("short") && !$0.contains("…") })
        window.press("Right")
        #expect(window.lines.contains { $0.contains("t = 1 + 1") })
        #expect(!window.lines.contains { $0.contains("let first") })
        #expect(!window.lines.contains { $0.contains("short") })
        #expect(window.lines.contains { $0.contains("Text that is not scrolled.") })
        for _ in 0..<30 { window.press("Right") }
        #expect(window.lines.contains { $0.contains("1 + end") })
        for _ in 0..<30 { window.press("Left") }
        #expect(window.lines.contains { $0.contains("let first") })
    }
}

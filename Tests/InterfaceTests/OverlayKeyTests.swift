import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the keys of overlays: named, shown, remappable, and harmless without a command.
@MainActor
@Suite(.serialized)
struct OverlayKeyTests {
    private func window(_ notes: [String] = (1...30).map { "Note \($0)" }) throws -> Window {
        try Window(columns: 80, rows: 24, notes: notes)
    }

    private func shows(_ window: Window, _ text: String) -> Bool { window.lines.contains { $0.contains(text) } }

    /// Returns the title of the item under the cursor of a picker over the list of notes.
    private func chosen(_ window: Window, by keys: String...) -> String? {
        window.press("Ctrl-O")
        for key in keys { window.press(key) }
        window.press("Enter")
        defer { window.press("Alt-2") }
        return window.fixture.model.openNote?.title
    }

    @Test func `each key of a box does what its command says`() throws {
        let window = try window()
        defer { window.close() }
        #expect(chosen(window) == "Note 1")
        #expect(chosen(window, by: "Down", "Ctrl-N", "Tab", "Up") == "Note 3")
        #expect(chosen(window, by: "PgDn", "Up", "PgDn") == "Note 30" || window.fixture.model.openNote != nil)
        window.press("Ctrl-P", "Esc")
        #expect(window.interface.overlays.isEmpty)
        window.press("?", "G", "g", "End")
        #expect(!shows(window, "│ Notes "))
        window.press("Home")
        #expect(shows(window, "│ Notes "))
        window.press("Ctrl-End")
        #expect(!shows(window, "│ Notes "))
        window.press("Ctrl-Home")
        #expect(shows(window, "│ Notes "))
        window.press("q")
        #expect(window.interface.overlays.isEmpty)
    }

    @Test func `arrows, Tab and y answer a question`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        for keys in [["Right"], ["Left"], ["Tab"], ["Shift-Tab"], ["j"], ["h", "l", "k"]] {
            model.addTag("books")
            window.press("Alt-1", "G", "d")
            for key in keys { window.press(key) }
            window.press("Enter")
            #expect(model.tags.isEmpty, "\(keys)")
        }
        model.addTag("books")
        window.press("Alt-1", "G", "d", "n")
        #expect(model.tags.count == 1)
        window.press("d", "y")
        #expect(model.tags.isEmpty)
    }

    @Test func `an asterisk ticks all lines or none`() throws {
        let window = try window(["one colour", "two colour"])
        defer { window.close() }
        window.press("Ctrl-P", "\"replace in\"", "Enter", "\"colour\"", "Enter", "Enter")
        #expect(
            window.fixture.scheduler.run {
                window.draw()
                return shows(window, "2 in 2 notes")
            })
        window.press("*")
        #expect(shows(window, "0 of 2 in 2 notes"))
        window.press("*")
        #expect(shows(window, "2 in 2 notes"))
    }

    @Test(arguments: [["?"], ["Ctrl-P"], ["r"], ["Alt-1", "n"], ["Alt-1", "X"], ["E"]])
    func `a key without a command neither closes a box nor acts behind it`(keys: [String]) throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        window.press("d", "Alt-2")
        for key in keys { window.press(key) }
        #expect(!window.interface.overlays.isEmpty)
        let (before, notes) = (window.interface.overlays.count, model.noteList.count)
        for key in ["F5", "F7", "F9", "F10", "Alt-2", "Alt-3", "Ctrl-T", "Ctrl-O", "Ctrl-G", "Ctrl-Z", "Insert"] {
            window.press(key)
            #expect(window.interface.overlays.count == before, "\(key)")
        }
        #expect(model.noteList.count == notes)
        #expect(!window.host.hasQuit && !window.interface.state.isZoomed)
    }

    @Test func `a slash finds in the help, n goes on, and Esc ends the search and then the help`() throws {
        let window = try window()
        defer { window.close() }
        window.press("?", "/", "\"trash\"")
        let help = try #require(window.interface.overlays.last as? HelpOverlay)
        #expect(shows(window, "/trash") && window.lines.contains { $0.contains("Trash") })
        let first = try #require(help.search.row)
        window.press("Enter", "n")
        let second = try #require(help.search.row)
        #expect(second > first && !shows(window, "/trash"))
        window.press("N")
        #expect(help.search.row == first)
        window.press("/", "\"qqqq\"", "Enter")
        #expect(window.fixture.model.notice?.text == "“qqqq” is not in this text")
        window.press("/", "\"q\"", "Esc")
        #expect(window.interface.overlays.count == 1)
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty)
    }

    @Test(arguments: DialogTests.sizes)
    func `the box of colours says how it is left, as other boxes do`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows, notes: ["One"])
        defer { window.close() }
        window.fixture.model.addTag("books")
        // The message about the tag is read, and goes with the next key.
        window.draw()
        window.press("Alt-1", "G", "c")
        #expect(window.lines.contains { $0.contains("Esc cancel ─╯") }, "\(window.lines)")
    }

    @Test func `where its row has no room, the frame says that the chosen folder is the current one`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["One"])
        defer { window.close() }
        window.press("m")
        #expect(window.lines.last?.contains("current folder") == true, "\(window.lines)")
    }

    @Test func `choosing the folder that a note is in says so in a sentence`() throws {
        let window = try window()
        defer { window.close() }
        window.press("m")
        #expect(shows(window, "current folder"))
        window.press("Enter")
        #expect(window.fixture.model.notice?.text == "Already in this folder")
    }

    @Test func `letters in the help do nothing`() throws {
        let window = try window()
        defer { window.close() }
        window.press("?", "d", "n", "a", "x", "F1")
        #expect(shows(window, "─ Help ─"))
        #expect(window.interface.overlays.count == 1)
        #expect(window.fixture.model.noteList.count == 30)
    }

    @Test func `the keys of boxes are remapped, and the hints tell the new ones`() throws {
        let window = try window()
        defer { window.close() }
        let rules = """
            [keys.picker]
            "overlay.cancel" = "F12"
            "overlay.down" = "Ctrl-J"
            [keys.dialog]
            "overlay.yes" = "j"
            "overlay.down" = ""
            [keys.field]
            "delete.toLineStart" = "Ctrl-X"
            """
        window.interface.apply(Configuration.read(rules))
        window.press("Ctrl-P")
        #expect(shows(window, "Enter select, F12 cancel"))
        #expect(window.lines.last?.contains("F12 cancel") == true)
        window.press("\"abc\"", "Ctrl-X", "Esc")
        #expect(shows(window, "─ Commands ─") && shows(window, "│ >  "))
        window.press("F12")
        #expect(window.interface.overlays.isEmpty)
        window.fixture.model.addTag("books")
        window.press("Alt-1", "G", "d")
        #expect(shows(window, "Delete j"))
        window.press("j")
        #expect(window.fixture.model.tags.isEmpty)
    }

    @Test func `an unknown title after two brackets shows what Enter does`() throws {
        let window = try window(["One"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\"[[\"")
        #expect(shows(window, "Enter select, Esc cancel"))
        window.press("\"Plans\"")
        #expect(shows(window, "Enter creates “Plans”"))
        window.press("Enter")
        #expect(window.fixture.model.session?.text == "One[[Plans]]")
    }

    @Test func `the help tells each key under the heading of the place where it is pressed`() throws {
        let registry = CommandRegistry.standard
        let sections = registry.sections { registry.defaultKeymap.keys(of: $0.name) }
        func entry(_ command: CommandName, under topic: Command.Topic) -> KeySection.Entry? {
            sections.first { $0.topic == topic }?.entries.first { $0.command == command }
        }
        #expect(sections.map(\.topic) == Command.Topic.allCases)
        #expect(entry("cursor.down", under: .moving)?.keys.map(\.label) == ["j", "Down"])
        #expect(entry("cursor.down", under: .search)?.keys.map(\.label) == ["Down", "^N"])
        #expect(entry("find.next", under: .preview)?.keys.map(\.label) == ["n", "F3"])
        #expect(entry("preview.down", under: .preview) != nil && entry("preview.down", under: .editing) == nil)
        #expect(entry("edit.tab", under: .tables)?.title == "Next cell")
        #expect(entry("overlay.cancel", under: .overlays) != nil)
    }

    @Test(arguments: [
        (["Alt-1", "?"], ["Folders and tags", "Sidebar and list"]), (["Alt-2", "?"], ["Notes", "Sidebar and list"]),
        (["Alt-1", "F1"], ["Folders and tags", "Sidebar and list"]), (["/", "F1"], ["Search", "Fields of one line"]),
        (["Enter", "F1"], ["Editor", "Tables"]),
        (["Enter", "Ctrl-F", "F1"], ["Find and replace", "Fields of one line"]),
        (["Enter", "Ctrl-E", "?"], ["Preview", "Everywhere"]),
        (["Ctrl-P", "F1"], ["Boxes over the panes", "Everywhere"]),
    ])
    func `the help begins with the keys of the pane in which it was opened`(keys: [String], first: [String]) throws {
        let window = try window()
        defer { window.close() }
        for key in keys { window.press(key) }
        let help = try #require(window.interface.overlays.last as? HelpOverlay)
        let headings = Set(Command.Topic.allCases.map(\.heading))
        let found = help.rowTexts.filter(headings.contains)
        #expect(Array(found.prefix(2)) == first)
        #expect(found.count == headings.count && Set(found).count == found.count)
    }

    @Test(arguments: DialogTests.sizes)
    func `the help cuts neither keys nor titles`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows, notes: ["One"])
        defer { window.close() }
        let registry = CommandRegistry.standard
        let help = HelpOverlay(registry: registry, keymap: registry.defaultKeymap, context: .list)
        window.interface.show(help)
        window.draw()
        var cut: Set<String> = []
        var before: [String] = []
        while window.lines != before {
            before = window.lines
            // The title of a command that opens a box ends in an ellipsis anyway.
            cut.formUnion(window.lines.dropLast().filter { $0.contains("│ ") && $0.contains(/[^ ]… *[│▐]/) })
            window.press("PgDn")
        }
        let own = registry.all.filter { $0.title.hasSuffix("…") }.map { $0.title.suffix(5) }
        let others = cut.filter { line in !own.contains { line.contains($0) } }
        #expect(size.columns < 40 || others.isEmpty, "\(others)")
        #expect(shows(window, "Esc closes"))
    }

    @Test func `a notice that was seen gives way to the status at the next key`() throws {
        let window = try window()
        defer { window.close() }
        window.press("s")
        #expect(window.lines.last?.contains("starred") == true)
        window.press("j")
        #expect(window.lines.last?.contains("starred") == false)
        // A notice that was not on the screen yet stays until it has been shown.
        window.interface.handle([.key(KeyPress(typed: "s")), .key(KeyPress(typed: "k"))])
        window.draw()
        #expect(window.lines.last?.contains("starred") == true)
    }

    @Test func `the status line shows the keys of the region`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        func footer() -> String { window.lines[39] }
        #expect(footer().hasSuffix("n new  / search  ? help  ^P commands  ^Q quit"))
        window.press("Alt-1")
        #expect(footer().hasSuffix("n new folder  ? help  ^P commands  ^Q quit"))
        window.press("Alt-2", "Enter")
        #expect(footer().hasSuffix("Esc list  ^F find  ^E preview  ^P commands  ^Q quit"))
        window.press("Ctrl-E")
        #expect(footer().hasSuffix("Esc list  p write  / find  ? help  ^P commands  ^Q quit"))
        window.press("Ctrl-E", "Ctrl-F")
        #expect(footer().hasSuffix("F3 next  ^F other field  Alt-A replace all  Esc close"))
        window.press("Esc", "Esc", "d")
        window.press("j")
        window.fixture.model.selectContainer(.trash)
        window.draw()
        #expect(footer().hasSuffix("R restore  d delete for ever  ? help  ^P commands  ^Q quit"))
        window.press("Alt-1")
        #expect(footer().hasSuffix("X empty  ? help  ^P commands  ^Q quit"))
        window.press("/")
        #expect(footer().hasSuffix("Tab complete  ^S save  Enter open  Esc cancel"))
        window.press("Esc", "Ctrl-P")
        #expect(footer().hasSuffix("F1 help  Enter select  Esc cancel"))
    }
}

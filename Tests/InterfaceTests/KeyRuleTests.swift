import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests keys that the user assigns to commands, and sequences of keys.
@MainActor
@Suite(.serialized)
struct KeyRuleTests {
    private func keymap(_ text: String) -> (keymap: Keymap, problems: [String]) {
        let reading = Configuration.read(text)
        let bound = CommandRegistry.standard.keymap(with: reading.configuration.keys)
        return (bound.keymap, (reading.problems + bound.problems).map(\.text))
    }

    private func chord(_ text: String) -> KeyChord {
        guard let chord = KeyChord(text) else { preconditionFailure("no key is called \(text)") }
        return chord
    }

    private func press(_ text: String) -> KeyPress { KeyPress(chord(text).key, chord(text).modifiers) }

    @Test func `a rule takes the place of the default keys in its context alone`() throws {
        let (keymap, problems) = keymap("[keys.list]\n\"note.new\" = [\"+\", \"Insert\"]\n")
        #expect(problems.isEmpty)
        #expect(keymap.command(for: press("+"), in: .list) == "note.new")
        #expect(keymap.command(for: press("Insert"), in: .list) == "note.new")
        #expect(keymap.command(for: press("n"), in: .list) == nil)
        #expect(keymap.command(for: press("Ctrl-N"), in: .list) == "note.new")
    }

    @Test func `a key that quits is left when every key is taken away`() throws {
        let rules = CommandRegistry.standard.all.map { "\"\($0.name)\" = \"\"" }.joined(separator: "\n")
        let (keymap, problems) = keymap("[keys.everywhere]\n\(rules)\n")
        #expect(keymap.command(for: press("Ctrl-Q"), in: .editor) == "app.quit")
        #expect(keymap.command(for: press("Ctrl-N"), in: .editor) == nil)
        #expect(problems.count == 1 && problems[0].contains("app.quit keeps Ctrl-Q"), "\(problems)")
    }

    @Test func `with a key of its own that quits, or the palette's, Ctrl-Q may be another command's`() throws {
        let (keymap, problems) = keymap("[keys.everywhere]\napp.quit = \"F12\"\napp.palette = \"\"\n")
        #expect(problems.isEmpty)
        #expect(keymap.command(for: press("F12"), in: .editor) == "app.quit")
        #expect(keymap.command(for: press("Ctrl-Q"), in: .editor) == nil)
    }

    @Test(arguments: ["\"\"", "false", "[]"])
    func `keys are taken away`(nothing: String) throws {
        let (keymap, problems) = keymap("[keys.everywhere]\napp.quit = \(nothing)\n")
        #expect(problems.isEmpty)
        #expect(keymap.command(for: press("Ctrl-Q"), in: .editor) == nil)
        #expect(keymap.command(for: press("q"), in: .list) == "app.quit")
    }

    @Test func `two rules for one key are reported, and the later one holds`() throws {
        let (keymap, problems) = keymap("[keys.list]\n\"note.new\" = \"+\"\n\"note.star\" = \"+\"\n")
        #expect(problems == ["+ is taken from note.new in list"])
        #expect(keymap.command(for: press("+"), in: .list) == "note.star")
    }

    @Test func `a key of another command is taken with a report, unless a rule speaks of that one`() throws {
        let (keymap, problems) = keymap("[keys.list]\n\"note.star\" = \"n\"\n")
        #expect(problems == ["n is taken from note.new in list; if you mean it, add \"note.new\" = \"\" there"])
        #expect(keymap.command(for: press("n"), in: .list) == "note.star")
        let (swapped, noProblems) = self.keymap("[keys.list]\n\"note.star\" = \"n\"\n\"note.new\" = \"s\"\n")
        #expect(noProblems.isEmpty)
        #expect(swapped.command(for: press("s"), in: .list) == "note.new")
    }

    @Test func `a key of a command of all panes is taken with a report`() throws {
        let (keymap, problems) = keymap("[keys.list]\n\"note.star\" = \"j\"\n")
        #expect(problems == ["j is taken from cursor.down in list; if you mean it, add \"cursor.down\" = \"\" there"])
        #expect(keymap.command(for: press("j"), in: .list) == "note.star")
        #expect(keymap.command(for: press("j"), in: .sidebar) == "cursor.down")
        let (_, meant) = self.keymap("[keys.list]\n\"note.star\" = \"j\"\n\"cursor.down\" = \"\"\n")
        #expect(meant.isEmpty)
    }

    @Test(arguments: ["[keys]\nnote.star = \"j\"\n", "[keys.everywhere]\n\"note.star\" = \"j\"\n"])
    func `a key that a nearer context gives to another command is reported`(rules: String) {
        let (_, problems) = keymap(rules)
        #expect(
            problems == [
                "j runs cursor.down in browsing, so note.star does not get it there; "
                    + "write the rule below [keys.browsing]"
            ])
        #expect(keymap("[keys]\nnote.star = \"Ctrl-F12\"\napp.quit = \"Ctrl-Q\"\n").problems.isEmpty)
        let (meant, none) = keymap(rules + "[keys.browsing]\n\"cursor.down\" = \"J\"\n")
        #expect(none.isEmpty)
        #expect(meant.command(for: press("j"), in: .list) == "note.star")
    }

    @Test func `a sequence is pressed key by key, and what is shared between places is found in all`() throws {
        let (keymap, problems) = keymap(
            "[keys.everywhere]\n\"edit.save\" = \"Ctrl-X Ctrl-S\"\n[keys.list]\n\"note.star\" = \"Ctrl-X s\"\n")
        #expect(problems.isEmpty)
        let first = keymap.outcome(of: press("Ctrl-X"), in: .list)
        guard case .prefix(let pending) = first else { return #expect(Bool(false), "\(first)") }
        #expect(keymap.outcome(of: press("s"), after: pending, in: .list) == .command("note.star"))
        #expect(keymap.outcome(of: press("Ctrl-S"), after: pending, in: .list) == .command("edit.save"))
        #expect(keymap.outcome(of: press("x"), after: pending, in: .list) == .nothing)
        #expect(keymap.continuations(of: pending, in: .list).map(\.chord.description) == ["Ctrl-S", "s"])
    }

    @Test func `a key that begins longer ones gives way, with a report`() throws {
        let (keymap, problems) = keymap("[keys.browsing]\n\"note.goTo\" = \"g t\"\n")
        #expect(problems == ["g begins g t, so cursor.first loses it in browsing"])
        #expect(keymap.outcome(of: press("g"), in: .list) == .prefix([chord("g")]))
        let (_, silent) = self.keymap("[keys.browsing]\n\"cursor.first\" = \"g g\"\n\"note.goTo\" = \"g t\"\n")
        #expect(silent.isEmpty)
        let (kept, refused) = self.keymap(
            "[keys.browsing]\n\"cursor.first\" = \"g g\"\n\"note.goTo\" = \"g\"\n")
        #expect(refused == ["g begins longer keys in browsing, so note.goTo cannot have it"])
        #expect(kept.outcome(of: press("g"), in: .list) == .prefix([chord("g")]))
    }

    // MARK: In the window

    private static let rules = """
        [keys.browsing]
        "cursor.first" = "g g"
        "cursor.last" = "g e"
        "note.goTo" = "g o t"
        """

    private func window(_ size: Size = Size(columns: 120, rows: 40)) throws -> Window {
        let window = try Window(columns: size.columns, rows: size.rows, notes: ["One", "Two", "Three"])
        window.interface.apply(Configuration.read(Self.rules))
        window.draw()
        return window
    }

    @Test func `after a prefix the window says what can follow, and the next key does it`() throws {
        let window = try window()
        defer { window.close() }
        let before = window.lines
        window.press("g")
        #expect(window.lines.contains { $0.contains(" g ") && $0.contains("Esc cancel") })
        #expect(window.lines.contains { $0.contains("To the last") && $0.contains("more keys") })
        window.press("e")
        #expect(window.fixture.model.listCursor == 2)
        window.press("g", "g")
        #expect(window.fixture.model.listCursor == 0)
        #expect(window.lines == before)
        window.press("g", "o", "t")
        #expect(window.lines.contains { $0.contains("Go to note") })
    }

    @Test func `Esc leaves a sequence, another key too, and says so`() throws {
        let window = try window()
        defer { window.close() }
        let before = window.lines
        window.press("g", "Esc")
        #expect(window.lines == before)
        window.press("g", "x")
        #expect(window.fixture.model.notice?.text == "g x has no command here")
        #expect(window.fixture.model.noteList.count == 3)
    }

    @Test func `palette, help and status line show the keys that the user gave`() throws {
        let window = try window()
        defer { window.close() }
        let rules = "keys.everywhere.\"app.quit\" = \"Ctrl-X Ctrl-C\"\nkeys.browsing.\"app.quit\" = \"\"\n"
        window.interface.apply(Configuration.read(rules))
        window.draw()
        #expect(window.lines.last?.hasSuffix("^X ^C quit") == true)
        window.press("?", "/", "\"Quit\"", "Enter")
        #expect(window.lines.contains { $0.contains("^X ^C") && $0.contains("Quit") })
        window.press("Esc", "Esc", "Ctrl-P", "\"quit\"")
        #expect(window.lines.contains { $0.contains("Quit") && $0.contains("^X ^C") })
    }

    @Test(arguments: [
        Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 12),
        Size(columns: 20, rows: 5),
    ])
    func `the panel of a prefix at every size`(size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        window.press("g")
        try expectFrame(window, "prefix", withStatus: true)
    }
}

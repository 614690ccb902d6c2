import Terminal
import Testing

@testable import Interface

struct KeyChordTests {
    @Test(arguments: [
        ("Ctrl-Q", KeyChord(.character("q"), .control), "^Q"),
        ("ctrl-q", KeyChord(.character("q"), .control), "^Q"),
        ("Alt-1", KeyChord(.character("1"), .alt), "Alt-1"),
        ("Shift-F6", KeyChord(.function(6), .shift), "Shift-F6"),
        ("g", KeyChord(.character("g")), "g"),
        ("G", KeyChord(.character("G")), "G"),
        ("Space", KeyChord(.character(" ")), "Space"),
        ("PgDn", KeyChord(.pageDown), "PgDn"),
        ("*", KeyChord(.character("*")), "*"),
        ("F10", KeyChord(.function(10)), "F10"),
    ])
    func `a chord is read as it is written, and has a short label`(text: String, chord: KeyChord, label: String) {
        #expect(KeyChord(text) == chord)
        #expect(chord.label == label)
        #expect(KeyChord(chord.description) == chord)
    }

    @Test(arguments: ["", "Ctrl-", "Hyperspace", "F0", "F99", "ab"])
    func `what is not a key is not a chord`(text: String) {
        #expect(KeyChord(text) == nil)
    }

    @Test func `a Cyrillic key finds the command of the Latin key in its place`() {
        var keymap = Keymap()
        keymap.bind(KeyBinding(.everywhere, KeyChord(.character("c"), .control)), to: "copy")
        let press = KeyPress(.character("с"), .control, baseLayoutKey: "c")
        #expect(keymap.command(for: press, in: .editor) == "copy")
    }

    @MainActor
    @Test func `a Cyrillic key with Control works in what lies over the panes`() throws {
        let window = try Window(notes: ["One", "Two", "Three"])
        defer { window.close() }
        window.press("Ctrl-O")
        window.send(.key(KeyPress(.character("т"), .control, baseLayoutKey: "n")), .key(KeyPress(.enter)))
        #expect(window.fixture.model.openNote?.title == "Two")
        window.press("Ctrl-P")
        window.send(.key(KeyPress(.character("й"), .control, baseLayoutKey: "q")))
        #expect(window.interface.overlays.isEmpty)
    }

    @MainActor
    @Test func `no command on Alt with a letter of browsing destroys more than text that undo brings back`() {
        let alt = CommandRegistry.standard.all.filter { command in
            command.defaultKeys.contains { binding in
                binding.keys.chords.contains { $0.modifiers.contains(.alt) && $0.isCharacter }
            }
        }.map(\.name)
        // Esc and a letter after it may arrive like Alt with that letter, and cannot be distinguished.
        let harmless: Set<CommandName> = [
            "pane.sidebar", "pane.list", "pane.editor", "pane.zoom", "caret.wordLeft", "caret.wordRight",
            "delete.wordForward", "find.replaceAll", "find.case", "find.word", "find.expression", "fold.toggle",
            "fold.none", "magic.chat", "magic.menu", "pane.toggleSidebar", "tasks.byDay", "carets.allMatches",
            "carets.lineEnds", "insert.snippet", "text.reflow", "selection.pipe", "beside.go", "beside.show",
            "overlay.order",
        ]
        let others = alt.filter { !harmless.contains($0) }
        #expect(others.isEmpty, "\(others)")
    }

    @Test func `the nearest context wins`() {
        var keymap = Keymap()
        keymap.bind(KeyBinding(.browsing, KeyChord(.character("n"))), to: "general")
        keymap.bind(KeyBinding(.sidebar, KeyChord(.character("n"))), to: "folder")
        #expect(keymap.command(for: KeyPress(typed: "n"), in: .sidebar) == "folder")
        #expect(keymap.command(for: KeyPress(typed: "n"), in: .list) == "general")
        #expect(keymap.command(for: KeyPress(typed: "n"), in: .editor) == nil)
    }

    @MainActor
    @Test func `no key stands for two commands in one place`() {
        var seen: [KeyBinding: CommandName] = [:]
        for command in CommandRegistry.standard.all {
            for binding in command.defaultKeys {
                #expect(seen[binding] == nil, "\(binding.keys) in \(binding.context): \(command.name)")
                seen[binding] = command.name
            }
        }
    }
}

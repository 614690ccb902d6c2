import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the commands that the palette offers for typed words.
@MainActor
@Suite(.serialized)
struct PaletteTests {
    /// Returns the names of the commands that match a typed text, best first.
    private func commands(for typed: String) -> [String] {
        CommandRegistry.standard.all
            .compactMap { command -> (name: String, score: Int)? in
                let rank = PaletteRank(
                    title: command.title, name: command.name.description,
                    synonyms: commandSynonyms[command.name] ?? "", isMotion: command.isMotion)
                return rank.score(of: PaletteRank.words(of: typed)).map { (command.name.description, $0) }
            }
            .sorted { $0.score > $1.score }
            .map(\.name)
    }

    @Test func `a synonym belongs to a command that exists`() {
        let unknown = commandSynonyms.keys.filter { CommandRegistry.standard[$0] == nil }
        #expect(unknown.isEmpty)
    }

    @Test(arguments: [
        ("preview", "note.preview"), ("daily", "note.today"), ("journal", "note.today"), ("outline", "note.outline"),
        ("history", "note.history"), ("diff", "note.history"), ("create", "note.new"), ("word count", "view.count"),
        ("config", "app.configuration"), ("backup", "app.backup"),
        ("undelete", "note.restore"), ("w", "edit.save"), ("q", "app.quit"), ("favorite", "note.star"),
        ("note.history", "note.history"), ("todo", "tasks.byDay"), ("agenda", "note.calendar"),
        ("graph", "note.linkTree"),
        ("split", "beside.show"), ("vault", "app.notebook"), ("ai", "magic.menu"), ("push", "sync.now"),
        ("shell", "selection.pipe"), ("spellcheck", "spelling.correct"), ("resize", "pane.wider"), ("e", "note.goTo"),
    ])
    func `words that people use find the command`(typed: String, command: String) {
        #expect(commands(for: typed).contains(command), "\(typed) finds \(commands(for: typed))")
    }

    @Test(arguments: [
        ("w", "edit.save"), ("q", "app.quit"), ("x", "app.quit"), ("star", "note.star"), ("daily", "note.today"),
        ("url", "note.copyURL"), ("merge", "note.merge"), ("backup", "app.backup"), ("trash", "note.trash"),
        ("chat", "magic.chat"), ("assistant", "magic.assist"), ("format", "magic.format"),
    ])
    func `a whole synonym or first word comes before the beginnings of others`(typed: String, command: String) {
        #expect(commands(for: typed).first == command, "\(typed) finds \(commands(for: typed))")
    }

    @Test func `a command comes before motions that are called alike`() throws {
        let found = commands(for: "delete")
        let note = try #require(found.firstIndex(of: "note.trash"))
        let letter = try #require(found.firstIndex(of: "delete.backward"))
        #expect(note < letter)
    }

    @Test func `a command with a key in the pane comes before others that match as well`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("Ctrl-P", "\"new\"")
        let rows = window.lines.filter { $0.contains("New ") }
        #expect(rows.count > 3 && rows.first?.contains(/New note {2,}n\b/) == true, "\(rows)")
    }

    @Test func `a command whose whole title is typed comes before all others, whatever is at hand`() {
        let commands = CommandRegistry.standard.all
        func rank(_ command: Command, isAtHand: Bool) -> PaletteRank {
            PaletteRank(
                title: command.title, name: command.name.description, synonyms: commandSynonyms[command.name] ?? "",
                isMotion: command.isMotion, isAtHand: isAtHand)
        }
        let others = commands.map { (title: $0.title, rank: rank($0, isAtHand: true)) }
        for command in commands {
            let words = PaletteRank.words(of: command.title)
            let own = rank(command, isAtHand: false).score(of: words) ?? 0
            let better = others.filter {
                PaletteRank.words(of: $0.title) != words && $0.rank.score(of: words) ?? 0 >= own
            }
            #expect(better.isEmpty, "\(command.title): \(better.map(\.title))")
        }
    }

    @Test func `letters scattered over a title find nothing`() {
        #expect(!commands(for: "sort").contains("edit.cut"))
        #expect(commands(for: "sort").first?.hasPrefix("list.") == true)
        #expect(commands(for: "xyzzy").isEmpty)
    }

    /// The texts for which a picker was asked for its items.
    @MainActor
    private final class Asked {
        var texts: [String] = []
    }

    @Test func `what is typed or pasted without end is matched no further than a title is long`() throws {
        let window = try Window(notes: [])
        defer { window.close() }
        let asked = Asked()
        let picker = PickerOverlay(title: "Anything") { typed in
            asked.texts.append(typed)
            return []
        }
        window.interface.show(picker)
        let long = String(repeating: "a", count: PickerOverlay.maximumQueryLength - 2)
        picker.paste(long, in: window.interface)
        for _ in 0..<500 { picker.type("b", in: window.interface) }
        picker.paste(String(repeating: "c", count: 1_000_000), in: window.interface)
        #expect(asked.texts == ["", long, long + "b", long + "bb"])
        #expect(picker.field?.text.utf8.count == long.utf8.count + 1_000_500)
    }

    @Test func `the initials of a title find it`() {
        #expect(commands(for: "gtan").contains("note.goTo"))
    }

    @Test func `a colon opens the palette, so that the hand of vim writes no note`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press(":", "\"w\"", "Enter")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.noteList.count == 1)
        #expect(window.fixture.model.openNote?.title == "One")
    }

    @Test func `the hand of vim runs no other command where nothing can be saved`() throws {
        let window = try Window(notes: [])
        defer { window.close() }
        window.press(":", "\"w\"", "Enter")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.notice?.kind == .refused)
        #expect(window.fixture.model.noteList.count == 0)
    }

    @Test func `a letter alone makes no welcome note among other notes`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("w")
        #expect(window.lines.contains { $0.contains("Add the welcome note?") })
        window.press("Enter")
        #expect(window.fixture.model.noteList.count == 1)
        window.press("w", "y")
        #expect(window.fixture.model.openNote?.title == "Welcome to TakeNote")
    }

    @Test func `what stands in a prompt is replaced by typing`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("r", "\"Two\"", "Enter")
        #expect(window.fixture.model.openNote?.title == "Two")
        window.press("E", "\"/tmp/x\"")
        #expect(window.lines.contains { $0.contains("│ /tmp/x ") })
    }

    @Test func `O turns the order of the list round`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        let model = window.fixture.model
        let before = [model.noteList[0]?.title, model.noteList[1]?.title]
        window.press("O")
        #expect([model.noteList[1]?.title, model.noteList[0]?.title] == before)
        #expect(window.lines[0].contains("↑ created"))
        window.press("O")
        #expect([model.noteList[0]?.title, model.noteList[1]?.title] == before)
    }

    @Test func `the whole reason why a command is off stands in the box's last row`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["one"])
        defer { window.close() }
        window.press("Ctrl-P", "\"correct the spelling\"")
        #expect(!window.lines.contains { $0.contains("│") && $0.contains(Texts.Spelling.off) })
        #expect(window.lines.contains { $0.contains("╰") && $0.contains(Texts.Spelling.off) }, "\(window.lines)")
        window.press("Esc", "Ctrl-P", "\"go to a note\"")
        #expect(window.lines.contains { $0.contains("╰") && $0.contains("Esc cancel") })
    }

    @Test func `while the hands are in the text, commands on the text come before others that match as well`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["One\nTwo"])
        defer { window.close() }
        func row(_ title: String) -> Int? { window.lines.firstIndex { $0.contains(title) } }
        window.press("Ctrl-P", "\"dupl\"")
        let (note, line) = (try #require(row("Duplicate the note")), try #require(row("Duplicate the selection")))
        #expect(note < line)
        window.press("Esc", "Enter", "Ctrl-Home", "Ctrl-P", "\"dupl\"", "Enter")
        #expect(window.fixture.model.session?.text == "One\nOne\nTwo")
    }
}

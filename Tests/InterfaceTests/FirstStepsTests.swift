import NoteStore
import Terminal
import Testing
import ViewModel

@testable import Interface

/// Tests the first steps that a new notebook shows instead of a note, and how they disappear.
@MainActor
@Suite(.serialized)
struct FirstStepsTests {
    private let keep = "w keeps this as a note to try things in"

    @Test(arguments: DialogTests.sizes)
    func `a new notebook shows the first steps where there is room beside the list`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows)
        defer { window.close() }
        try expectFrame(window, "first-steps", withStatus: true)
        window.press("Alt-3")
        try expectFrame(window, "first-steps-read", withStatus: true)
    }

    @Test func `no heading stands at the end without what is below it`() throws {
        for rows in 12...60 {
            let window = try Window(columns: 120, rows: rows)
            defer { window.close() }
            let editor = window.lines.prefix(rows - 2).map { $0.split(separator: "│").last.map(String.init) ?? "" }
            let foot = try #require(editor.firstIndex { $0.contains(keep) })
            let last = editor[..<foot].last { !$0.allSatisfy(\.isWhitespace) } ?? ""
            #expect(!last.allSatisfy { " ━─".contains($0) }, "\(rows) rows: \(last)")
        }
    }

    @Test func `the text is not a note, and the first note takes its place for good`() throws {
        let window = try Window()
        defer { window.close() }
        let model = window.fixture.model
        #expect(window.lines[0].contains("Welcome to TakeNote"))
        #expect(window.lines.contains { $0.contains("No notes yet.") })
        #expect(model.allNotesFolder?.noteCount == 0 && model.openNote == nil)
        window.press("n", "\"First\"", "Esc")
        #expect(!window.lines.contains { $0.contains(keep) })
        window.press("d")
        model.selectContainer(.trash)
        model.perform(try #require(model.deletionForever()))
        model.selectContainer(.inbox)
        window.draw()
        #expect(model.isNew)
        #expect(!window.lines.contains { $0.contains("Welcome") || $0.contains(keep) })
    }

    @Test func `a note from elsewhere ends the first steps`() throws {
        let window = try Window()
        defer { window.close() }
        try window.fixture.add("From a shell")
        window.fixture.model.readOutsideChanges()
        window.draw()
        #expect(!window.lines.contains { $0.contains(keep) })
        #expect(window.lines.contains { $0.contains("From a shell") })
        // It is in the list, and opens on request.
        #expect(window.lines[0].contains("No note is open."))
        window.press("Enter")
        #expect(window.lines[0].contains("From a shell"))
    }

    @Test func `Enter does what the first line of the text says`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("Enter")
        let model = window.fixture.model
        #expect(model.openNote?.title == WelcomeNote.title)
        // The box says that Enter writes in the note, and Ctrl-T ticks it.
        #expect(window.interface.state.focus == .editor)
        window.press("Ctrl-T")
        #expect(model.session?.text.contains("- [x] Press `Enter`") == true)
        window.press("\"qwzx\"", "Ctrl-Z")
        #expect(model.session?.text.contains("qwzx") == false && window.host.suspensions == 0)
    }

    @Test(arguments: [(120, 40), (80, 24)])
    func `the key that the text names for the sidebar leads to it`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows)
        defer { window.close() }
        #expect(WelcomeNote.text.contains("In the list, `Shift-Tab` goes to the sidebar. There `n` creates a folder"))
        window.press("Enter", "Esc", "Shift-Tab")
        #expect(window.interface.state.focus == .sidebar)
        window.press("n")
        #expect(window.lines.contains { $0.contains("New folder") })
        window.press("Esc")
        #expect(window.fixture.model.session?.text == WelcomeNote.text)
    }

    @Test(arguments: [(120, 40), (80, 24)])
    func `the text stays where it is when it becomes a note`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows)
        defer { window.close() }
        func row(_ words: String) -> Int? { window.lines.firstIndex { $0.contains(words) } }
        let before = ["Welcome to TakeNote", "Your notes are Markdown, and they", "Write"].map(row)
        window.press("Enter")
        let editor = try #require(window.interface.layout.panes[.editor])
        let first = window.screen.text(row: 0).dropFirst(editor.column)
        #expect(first.contains("# Welcome to TakeNote"), "\(window.lines)")
        #expect(["# Welcome to TakeNote", "Your notes are Markdown, and they", "## Write"].map(row) == before)
        #expect(try #require(window.cursor).position.row > 5)
    }

    @Test func `Enter writes in the first steps also while they have the keys`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("Alt-3", "Enter", "Ctrl-T")
        #expect(window.fixture.model.session?.text.contains("- [x] Press `Enter`") == true)
    }

    @Test func `w makes a note of the text, and so does a click on the line that says so`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("w")
        #expect(window.fixture.model.openNote?.title == WelcomeNote.title)
        #expect(window.fixture.model.session?.text == WelcomeNote.text)

        let other = try Window()
        defer { other.close() }
        let row = try #require(other.lines.firstIndex { $0.contains(keep) })
        other.send(.mouse(MouseEvent(.press, .left, at: Position(column: 80, row: row))))
        #expect(other.fixture.model.openNote?.title == WelcomeNote.title)
    }

    @Test func `with the keys in the empty pane they mean what they mean in the list, and scroll`() throws {
        let window = try Window(columns: 80, rows: 24)
        defer { window.close() }
        window.press("Alt-3", "End")
        #expect(window.lines.contains { $0.contains("Finished with this note?") })
        window.press("g")
        #expect(window.lines[0].contains("Welcome to TakeNote"))
        window.send(.mouse(MouseEvent(.wheel(columns: 0, rows: 1), .none, at: Position(column: 60, row: 5))))
        #expect(!window.lines[0].contains("Welcome to TakeNote"))
        window.press("Esc")
        #expect(window.interface.state.focus == .list)
        window.press("Alt-3", "n", "\"x\"")
        #expect(window.fixture.model.session?.text == "x")
    }

    @Test func `a text pasted into the empty pane is the first note`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("Alt-3")
        window.send(.paste("Just a text"))
        #expect(window.fixture.model.session?.text == "Just a text")
    }

    @Test(arguments: [("[[Nope#]]", "Nope"), ("[[Nope#Part]]", "Nope"), ("[[C# tips]]", "C# tips")])
    func `a link to a part of a note that does not exist makes the note of its title`(
        link: String, title: String
    ) throws {
        let window = try Window(notes: ["see \(link)"])
        defer { window.close() }
        let model = window.fixture.model
        window.press("Enter", "Ctrl-Home", "Right", "Right", "Right", "Right", "Right", "Right", "Ctrl-]", "Enter")
        #expect(model.session?.text == "# \(title)\n\n")
        window.press("Esc", "n", "\"see [[Other#\"", "Enter")
        model.saveNow()
        let titles = try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title)
        #expect(titles.contains("Other") && !titles.contains("Other#"), "\(titles)")
    }

    @Test func `a link to a title that no note has makes the note`() throws {
        let window = try Window(notes: ["see [[My reading list]]"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "Right", "Right", "Right", "Right", "Right", "Right", "Ctrl-]")
        #expect(window.lines.contains { $0.contains("New note “My reading list”") })
        window.press("Esc")
        #expect(window.fixture.model.noteList.count == 1)
        window.press("Ctrl-]", "Enter")
        let model = window.fixture.model
        #expect(model.session?.text == "# My reading list\n\n")
        model.saveNow()
        model.readOutsideChanges()
        #expect(model.openNote?.title == "My reading list")
        #expect(model.backlinks.map(\.source.title) == ["see My reading list"])
        window.press("F5", "Ctrl-]")
        #expect(model.openNote?.title == "My reading list")
    }
}

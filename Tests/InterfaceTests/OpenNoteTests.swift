import Load
import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests that only an action of the user changes the open note.
@MainActor
@Suite(.underLoad) struct OpenNoteTests {
    private func notebookOfApples(_ count: Int = 4) throws -> Window {
        let notes = (0..<count).map { index in "apple \(index)\n\(String(repeating: "apple ", count: 9 - index))" }
        return try Window(notes: notes)
    }

    private func text(_ id: NoteID, in window: Window) throws -> String {
        try #require(try window.fixture.notebook.notes.text(id))
    }

    /// Saves the typed text, and waits for all consequences.
    private func save(_ window: Window) {
        window.fixture.scheduler.advance(by: .milliseconds(400))
        let model = window.interface.model
        #expect(window.fixture.scheduler.run { model.session?.saveState == .saved })
        settle(window)
    }

    /// Waits until the window has received every change of the notebook so far; a new tag shows that.
    private func settle(_ window: Window) {
        let fixture = window.fixture
        let containers = fixture.model.containers.count
        #expect(throws: Never.self) { try fixture.notebook.tags.create("seen \(containers)") }
        #expect(fixture.scheduler.run { fixture.model.containers.count > containers })
        #expect(fixture.scheduler.run { !fixture.model.isSearchPending && fixture.model.isSearchRanked })
        window.draw()
    }

    @Test func `typing goes on in the hit that was opened when saving ranks the hits anew`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("/", "\"apple\"")
        #expect(window.fixture.scheduler.run { model.noteList.count == 4 && model.isSearchRanked })
        window.press("Down", "Down", "Enter")
        let open = try #require(model.openNote?.id)
        #expect(open == model.noteUnderCursor?.id)
        window.press("\"X\"")
        save(window)
        // The hits are read and ranked again.
        #expect(window.fixture.scheduler.run { (0..<4).contains { model.noteList[$0]?.title.hasPrefix("X") == true } })
        #expect(model.openNote?.id == open)
        window.press("\"YZ\"")
        save(window)
        #expect(try text(open, in: window).hasPrefix("XYZ"))
        #expect(model.noteUnderCursor?.id == open)
    }

    @Test func `keys given to an editor without a text stay with the list when one of them opens a note`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        model.closeNote()
        let before = try (0..<4).map { try text(#require(model.noteList[$0]?.id), in: window) }
        window.press("Alt-3", "Space", "\"漢é\"")
        save(window)
        let after = try (0..<4).compactMap { try model.noteList[$0].map { try text($0.id, in: window) } }
        #expect(before.allSatisfy(after.contains))
    }

    @Test func `hits that arrive after Enter put no other note under the caret`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        // No result has arrived yet when Enter is pressed.
        window.press("/", "\"apple 3\"", "Enter", "\"X\"")
        let open = try #require(model.openNote)
        #expect(open.title == "apple 3")
        settle(window)
        window.press("\"Y\"")
        #expect(model.openNote?.id == open.id)
        save(window)
        #expect(try text(open.id, in: window).hasPrefix("XY"))
    }

    @Test func `a note that another program moves away stays under the caret`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        let folder = try window.fixture.notebook.folders.create("Elsewhere", in: nil)
        window.press("Down", "Enter", "\"X\"")
        let open = try #require(model.openNote?.id)
        save(window)
        let other = try Notebook.open(window.fixture.notebook.path, mode: .command)
        try other.notes.move([open], to: folder.id)
        #expect(window.fixture.scheduler.run { model.noteList.count == 3 })
        window.press("\"Y\"")
        #expect(model.openNote?.id == open)
        save(window)
        #expect(try text(open, in: window).hasPrefix("XY"))
        try other.close()
    }

    @Test(arguments: ["plain", "vim"])
    func `nothing changes the text of a note in the Trash, and it is said how to restore it`(keys: String) throws {
        let window = try notebookOfApples()
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"\(keys)\"\n"))
        let model = window.interface.model
        let note = try #require(model.openNote)
        window.host.system[.copied] = "clipboard"
        window.press("d", "Alt-1", "j", "j", "j", "Alt-2")
        #expect(model.trashFolderSelected && model.openNote?.id == note.id)
        let text = try text(note.id, in: window)
        window.press("Enter")
        for key in ["i", "X", "[", "Enter", "Tab", "Backspace", "Ctrl-T", "Ctrl-V", "Alt-Down", "Ctrl-K", "x"] {
            model.dismissNotice()
            window.press(key)
            #expect(model.session?.text == text, "\(key)")
            #expect(window.interface.overlays.isEmpty, "\(key)")
            if key == "X", keys == "plain" {
                #expect(model.notice?.text == "The note is in the Trash; R in the list restores it")
            }
        }
        window.send(.paste("pasted"))
        #expect(model.session?.text == text)
        model.saveNow()
        #expect(try window.fixture.notebook.notes.row(note.id)?.place == .trash)
        window.press("Esc", "Alt-2", "e")
        #expect(window.host.editedOutside.isEmpty)
        window.press("R")
        model.show(try #require(try window.fixture.notebook.notes.row(note.id)))
        window.press("Alt-3", "i", "\"i\"")
        #expect(model.session?.text != text)
    }

    @Test func `commands that change the text at the caret wait until it is seen`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("Enter", "Ctrl-E")
        let text = model.session?.text
        for name in ["insert.date", "line.duplicate", "edit.task", "delete.lineEnd", "edit.newLine"] {
            window.interface.perform(CommandName(name))
            #expect(model.session?.text == text, "\(name)")
            #expect(model.notice?.text.hasPrefix("The note is only read now; ") == true, "\(name)")
        }
        window.press("Ctrl-E", "Ctrl-P", "\"duplicate the sel\"", "Enter")
        #expect(model.session?.text != text)
    }

    @Test func `typing in a note that another program put into the Trash brings it back, and says so`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("Down", "Enter", "\"X\"")
        let open = try #require(model.openNote?.id)
        save(window)
        let other = try Notebook.open(window.fixture.notebook.path, mode: .command)
        try other.trash.add([open])
        #expect(window.fixture.scheduler.run { model.openNote?.place == .trash })
        #expect(model.notice?.text.contains("Trash") == true)
        window.press("\"Y\"")
        save(window)
        #expect(try text(open, in: window).hasPrefix("XY"))
        #expect(try window.fixture.notebook.notes.row(open)?.place == .live)
        #expect(model.notice?.text.contains("back") == true)
        try other.close()
    }

    @Test func `typing in a note that another program deleted for ever keeps the text, and says so`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("Down", "Enter", "\"X\"")
        let open = try #require(model.openNote?.id)
        save(window)
        let other = try Notebook.open(window.fixture.notebook.path, mode: .command)
        try other.trash.add([open])
        try other.trash.deleteForever([open])
        #expect(window.fixture.scheduler.run { model.noteList.count == 3 })
        settle(window)
        #expect(model.session?.noteID == open)
        window.press("\"Y\"")
        save(window)
        #expect(try text(open, in: window).hasPrefix("XY"))
        #expect(model.notice?.text.contains("kept") == true)
        try other.close()
    }

    @Test(arguments: ["F10", "Alt-3", "Tab", "click", "Alt-Z"])
    func `with marked notes a letter is never typed into a note that is not shown`(way: String) throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("Space", "Space")
        #expect(model.showMultiNoteView)
        let texts = try (0..<4).compactMap { model.noteList[$0]?.id }.map { ($0, try text($0, in: window)) }
        if way == "click" {
            window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 100, row: 3))))
        } else {
            window.press(way)
        }
        let isShown = !model.showMultiNoteView
        let shown = model.session?.noteID
        window.press("\"ä\"")
        window.fixture.model.saveNow()
        for (id, before) in texts where !(isShown && id == shown) {
            #expect(try text(id, in: window) == before)
        }
    }

    @Test func `marks that come while the editor has the keys give them to the list`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        window.press("Enter")
        window.interface.perform("note.mark")
        window.interface.perform("note.mark")
        let before = try #require(model.session?.text)
        window.press("\"ä\"")
        #expect(model.session?.text == before || !model.showMultiNoteView)
    }

    @Test func `undo of an action leaves the open note where it is`() throws {
        let window = try notebookOfApples()
        defer { window.close() }
        let model = window.interface.model
        let first = try #require(model.noteList[0]?.id)
        window.press("d", "Enter", "\"X\"")
        let open = try #require(model.openNote?.id)
        model.undoAction()
        #expect(model.openNote?.id == open)
        #expect(model.noteUnderCursor?.id == open)
        #expect(model.noteList.index(of: first) != nil)
        window.press("\"Y\"")
        save(window)
        #expect(try text(open, in: window).hasPrefix("XY"))
    }

    @Test func `a capture into an empty notebook opens nothing by itself`() throws {
        let window = try Window()
        defer { window.close() }
        let model = window.interface.model
        let other = try Notebook.open(window.fixture.notebook.path, mode: .command)
        _ = try other.notes.create(NewNote(text: "theirs"))
        #expect(window.fixture.scheduler.run { model.noteList.count == 1 })
        #expect(model.session == nil)
        window.press("Enter", "\"mine \"")
        #expect(model.session?.text == "mine theirs")
        try other.close()
    }
}

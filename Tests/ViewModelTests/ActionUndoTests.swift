import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests undo and redo of actions on notes and folders.
@MainActor
@Suite(.serialized)
struct ActionUndoTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    @Test func `a window undoes its own acts first, and says of others that they are not its own`() throws {
        defer { fixture.close() }
        let rows = try ["one", "two"].map { try fixture.add($0) }
        model.start()
        let now = TemporaryNotebook.now
        let options = Notebook.Options(now: { now })
        let other = try Notebook.open(model.notebook.path, mode: .command, options: options)
        model.moveNoteToTrash([rows[0]])
        try other.notes.setStarred([rows[1].id], true)
        model.undoAction()
        #expect(model.notice?.text == "Undone: move “one” to the Trash")
        #expect(try other.notes.row(rows[1].id)?.starred == true)
        model.redoAction()
        #expect(model.notice?.text == "Redone: move “one” to the Trash")
        // What the other one did since to the same note comes first.
        try other.trash.restore([rows[0].id])
        model.undoAction()
        #expect(model.notice?.text == "Undone: restore “one”, not done in this window")
        try other.close()
    }

    @Test(arguments: [
        (59.0, "not done in this window"), (150, "done 2 minutes ago, not in this window"),
        (3.5 * 86_400, "done 3 days ago, not in this window"),
    ])
    func `undo of what an earlier window did says when that was`(age: Double, words: String) throws {
        defer { fixture.close() }
        let row = try fixture.add("one")
        let date = TemporaryNotebook.now.addingTimeInterval(-age)
        let options = Notebook.Options(now: { date })
        let earlier = try Notebook.open(model.notebook.path, mode: .command, options: options)
        try earlier.notes.setStarred([row.id], true)
        try earlier.close()
        model.start()
        model.undoAction()
        #expect(model.notice?.text == "Undone: star “one”, \(words)")
        model.redoAction()
        #expect(model.notice?.text.hasPrefix("Redone: star “one”") == true)
    }

    @Test func `undo of a tag's renaming in many texts asks, and names the tag`() throws {
        defer { fixture.close() }
        for number in 1...11 { try fixture.add("note \(number) #old") }
        try fixture.add("hand #few")
        model.start()
        let tags = model.notebook.tags
        model.renameInTexts(try #require(try tags.find(named: "few")), to: "some")
        #expect(model.undoQuestion == nil)
        model.renameInTexts(try #require(try tags.find(named: "old")), to: "new")
        let (question, action) = try #require(model.undoQuestion)
        #expect(question.title == "Undo: rename tag “old” in 11 notes?")
        model.undoAction(action)
        #expect(model.notice?.text == "Undone: rename tag “old” in 11 notes")
        model.undoAction()
        #expect(model.notice?.text == "Undone: rename tag “few” in 1 note")
    }

    @Test func `undo of what changed many notes asks, and names it`() throws {
        defer { fixture.close() }
        let rows = try (1...11).map { try fixture.add("note \($0)") }
        model.start()
        model.noteStarredToggle(Array(rows.prefix(10)))
        #expect(model.undoQuestion == nil)
        model.moveNoteToTrash(rows)
        let (question, action) = try #require(model.undoQuestion)
        #expect(question.title == "Undo: move 11 notes to the Trash?")
        #expect(question.text == "It was done just now, in this window.")
        let other = try Notebook.open(model.notebook.path, mode: .command)
        #expect(try other.actions.nextUndo()?.isOwn == false)
        // The question was about this action alone, which the other one undoes before the answer.
        #expect(try other.actions.undo()?.kind == .trash)
        model.undoAction(action)
        #expect(model.notice?.text == "Nothing was undone: another program has undone or done something meanwhile")
        #expect(try other.notes.row(rows[0].id)?.starred == true)
        try other.close()
    }

    @Test func `a window redoes what it has undone itself`() throws {
        defer { fixture.close() }
        let rows = try ["one", "two", "three"].map { try fixture.add($0) }
        model.start()
        let other = try Notebook.open(model.notebook.path, mode: .command)
        try other.notes.setStarred([rows[0].id], true)
        model.noteStarredToggle([rows[1]])
        #expect(try other.actions.undo()?.subject == "one")
        model.undoAction()
        model.redoAction()
        #expect(model.notice?.text == "Redone: star “two”")
        #expect(try other.notes.row(rows[0].id)?.starred == false)
        // What is left was undone by the other one, which redoes it likewise.
        #expect(try other.actions.redo()?.subject == "one")
        try other.close()
    }

    @Test func `undo puts the cursor on the note that it brings back`() throws {
        defer { fixture.close() }
        for title in ["one", "two", "three"] { try fixture.add(title) }
        model.start()
        model.moveListCursor(to: 1)
        let title = try #require(model.noteUnderCursor?.title)
        model.moveNoteToTrash()
        #expect(model.noteUnderCursor?.title != title)
        model.undoAction()
        #expect(model.noteUnderCursor?.title == title && model.openNote?.title == title)
    }

    @Test func `undo among the hits of a search puts the cursor on the one that it brings back`() throws {
        defer { fixture.close() }
        for number in 0..<4 { try fixture.add("pear \(number)", age: Double(number)) }
        model.start()
        model.search(for: "pear")
        #expect(fixture.scheduler.run { model.isSearchRanked && titles.count == 4 })
        model.moveListCursor(to: 1)
        let title = try #require(model.noteUnderCursor?.title)
        model.moveNoteToTrash()
        #expect(fixture.scheduler.run { titles.count == 3 && model.openNote?.title == model.noteUnderCursor?.title })
        model.undoAction()
        #expect(fixture.scheduler.run { titles.count == 4 })
        #expect(model.noteUnderCursor?.title == title && model.openNote?.title == title)
    }

    @Test func `undo leaves the cursor where the user has put it before the hits are there`() throws {
        defer { fixture.close() }
        for number in 0..<4 { try fixture.add("pear \(number)", age: Double(number)) }
        model.start()
        model.search(for: "pear")
        #expect(fixture.scheduler.run { model.isSearchRanked && titles.count == 4 })
        model.moveListCursor(to: 0)
        model.moveNoteToTrash()
        #expect(fixture.scheduler.run { titles.count == 3 && model.openNote?.title == model.noteUnderCursor?.title })
        model.undoAction()
        model.moveListCursor(to: 2)
        let title = try #require(model.noteUnderCursor?.title)
        #expect(fixture.scheduler.run { titles.count == 4 })
        #expect(model.noteUnderCursor?.title == title && model.openNote?.title == title)
    }

    @Test func `redo leaves the note that it takes away, and opens the next one`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.moveNoteToTrash()
        model.undoAction()
        #expect(model.openNote?.title == "A")
        model.redoAction()
        #expect(titles == ["B", "C"])
        #expect(model.openNote?.title == "B" && model.noteUnderCursor?.title == "B")
        #expect(model.notice?.kind == .done)
    }

    @Test func `redo of a deleted folder leaves its notes`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        try fixture.add("D", folder: home.id)
        model.folderDelete(home)
        model.undoAction()
        #expect(model.openNote?.title == "D")
        model.redoAction()
        #expect(model.selectedContainer?.id == .inbox)
        #expect(model.openNote?.title == "A")
    }

    @Test func `undo leaves the note that it moves out of the list`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        try fixture.add("D", age: 9, folder: home.id)
        model.onMoveToFolder(home.id)
        model.selectContainer(home.id)
        #expect(model.openNote?.title == "A")
        model.undoAction()
        #expect(titles == ["D"])
        #expect(model.openNote?.title == "D")
    }

    @Test func `going back finds the note from which a new one was made`() throws {
        defer { fixture.close() }
        let rows = try ["one", "two"].map { try fixture.add($0) }
        model.start()
        model.show(rows[0])
        model.show(rows[1])
        model.addNote()
        model.session?.type("New")
        model.saveNow()
        model.show(rows[0])
        model.goBack()
        #expect(model.openNote?.title == "New")
        model.goBack()
        #expect(model.openNote?.title == "two")
        // A new note that was left unused is not one to go back to.
        model.addNote()
        model.show(rows[0])
        model.goBack()
        #expect(model.openNote?.title == "two")
    }

    @Test func `undo of what was deleted for ever since says so, and the next undo goes on`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.noteStarredToggle()
        model.moveNoteToTrash()
        let title = try #require(model.notebook.actions.nextUndo()?.subject)
        model.selectContainer(.trash)
        model.perform(try #require(model.deletionForever()))
        model.undoAction()
        #expect(
            model.notice?.text
                == "Cannot undo: move “\(title)” to the Trash; what it changed was deleted for ever since")
        model.redoAction()
        #expect(model.notice?.text.hasPrefix("Cannot redo: ") == true)
        model.undoAction()
        model.undoAction()
        #expect(model.notice?.text.hasPrefix("Cannot undo: star ") == true)
    }

    @Test func `undo in a list that became empty opens the note that comes back`() throws {
        defer { fixture.close() }
        let note = try fixture.add("one")
        model.start()
        model.moveNoteToTrash()
        #expect(model.noteList.count == 0 && model.openNote == nil)
        model.undoAction()
        #expect(model.openNote?.id == note.id && model.noteUnderCursor?.id == note.id)
    }
}

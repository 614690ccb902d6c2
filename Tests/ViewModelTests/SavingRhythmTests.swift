import Dispatch
import NoteStore
import TestSupport
import Testing

@testable import ViewModel

/// Tests when a text is saved, and how much of the dependent data.
@MainActor
@Suite struct SavingRhythmTests {
    private let test: TemporaryNotebook
    private var model: TakeNoteVM { test.model }

    init() throws {
        test = try TemporaryNotebook()
        try test.add("Title\n\nold")
        model.start()
    }

    private func stored() throws -> String? { try model.openNote.flatMap { try test.notebook.notes.text($0.id) } }

    /// Types a letter every tenth of a second.
    private func type(seconds: Int) {
        for _ in 0..<seconds * 10 {
            model.session?.type("x")
            test.scheduler.advance(by: .milliseconds(100))
        }
    }

    /// Lets time pass, because a save requested during another save is tried again.
    private func waitForSave() {
        #expect(
            test.scheduler.run {
                test.scheduler.advance(by: .milliseconds(50))
                return model.session?.saveState == .saved
            })
    }

    @Test func `a pause saves everything`() throws {
        model.session?.type("new ")
        test.scheduler.advance(by: .milliseconds(299))
        #expect(try stored() == "Title\n\nold")
        test.scheduler.advance(by: .milliseconds(1))
        waitForSave()
        #expect(try stored() == "new Title\n\nold")
        #expect(try test.notebook.search.hits("new", stage: .instant).count == 1)
        test.close()
    }

    @Test func `while typing goes on the text is saved every other second, and the index waits for a pause`() throws {
        type(seconds: 1)
        #expect(try stored() == "Title\n\nold")
        type(seconds: 1)
        #expect(test.scheduler.run { (try? stored())?.hasPrefix("xxxxx") == true })
        #expect(try test.notebook.search.hits("xxxxx", stage: .instant).isEmpty)
        model.session?.type(" ")
        test.scheduler.advance(by: .seconds(1))
        waitForSave()
        #expect(try test.notebook.search.hits("xxxxx", stage: .instant).count == 1)
        test.close()
    }

    @Test func `a note that was left is linked by its new title before it is saved`() throws {
        let first = try #require(model.openNote)
        let isFree = DispatchSemaphore(value: 0)
        model.saver.perform { isFree.wait() }
        let added = try #require(model.addNote())
        model.session?.type("Reading list")
        model.show(first)
        #expect(try test.notebook.notes.row(added.id)?.title != "Reading list")
        for text in ["read", "list", "Reading list"] {
            #expect(model.notesToLink(text).map(\.id) == [added.id])
        }
        #expect(model.notesToLink("reading lists").isEmpty)
        isFree.signal()
        test.scheduler.advance(by: .milliseconds(50))
        #expect(test.scheduler.run { (try? test.notebook.notes.row(added.id))?.title == "Reading list" })
        #expect(model.notesToLink("read").map(\.id) == [added.id])
        test.close()
    }

    @Test func `what typing has left is indexed in the next pause, though nothing more is typed`() throws {
        type(seconds: 2)
        #expect(test.scheduler.run { model.session?.saveState == .saved })
        #expect(try test.notebook.search.hits("xxxxx", stage: .instant).isEmpty)
        test.scheduler.advance(by: .seconds(1))
        #expect(test.scheduler.run { (try? test.notebook.search.hits("xxxxx", stage: .instant))?.count == 1 })
        test.close()
    }

    @Test func `a note that is left is saved with everything, and so is all when the program ends`() throws {
        let other = try test.add("Other", age: -100)
        try model.reload()
        let first = try #require(model.openNote)
        type(seconds: 2)
        model.onNoteSelect(other)
        model.session?.type("last words ")
        model.stop()
        #expect(try test.notebook.search.hits("xxxxx", stage: .instant).map(\.id) == [first.id])
        #expect(try test.notebook.search.hits("words", stage: .instant).map(\.id) == [other.id])
        test.close()
    }
}

import TestSupport
import Testing
import TextPrimitives
import ViewModel

/// Tests changes of editor settings while texts are open.
@MainActor
@Suite(.serialized)
struct EditorSettingsTests {
    @Test func `a change of the settings shows at once in the open text and in those left a moment ago`() throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        try fixture.add(String(repeating: "word ", count: 40), age: 10)
        try fixture.add("short\n\ttab")
        fixture.model.start()
        let short = try #require(fixture.model.session)
        fixture.model.moveListCursor(to: 1)
        let long = try #require(fixture.model.session)
        short.resize(columns: 20, rows: 10)
        long.resize(columns: 20, rows: 10)
        #expect(long.visibleRows().count == 10)
        fixture.model.editorSettings.wrap = false
        #expect(long.visibleRows().count == 1)
        #expect(short.settings.wrap == false)
        fixture.model.editorSettings.tabWidth = 8
        #expect(short.visibleRows().last?.visual.width == 11)
    }

    @Test func `a text that was scrolled away from its caret stays when its pane is laid out anew`() throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        try fixture.add((1...200).map { "line \($0) " + String(repeating: "word ", count: 12) }.joined(separator: "\n"))
        fixture.model.start()
        let session = try #require(fixture.model.session)
        session.resize(columns: 40, rows: 10)
        session.scroll(by: 100)
        let top = try #require(session.visibleRows().first).line
        #expect(session.caretCell(in: session.visibleRows()) == nil)
        fixture.model.cellWidth = CellWidth { $0 == "w" ? 2 : 1 }
        #expect(session.visibleRows().first?.line == top)
        session.resize(columns: 30, rows: 8)
        #expect(session.visibleRows().first?.line == top)
        session.move(.right)
        #expect(session.caretCell(in: session.visibleRows()) != nil)
        // A caret that is visible stays so.
        for _ in 0..<6 { session.move(.down) }
        session.resize(columns: 20, rows: 4)
        #expect(session.caretCell(in: session.visibleRows()) != nil)
    }

    @Test func `typing follows the settings`() throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        try fixture.add("")
        fixture.model.editorSettings = EditorSettings(tabWidth: 2, softTabs: false, autoPairs: true)
        fixture.model.start()
        let session = try #require(fixture.model.session)
        session.tab(backwards: false)
        session.type("(")
        #expect(session.text == "\t()")
        fixture.model.editorSettings = EditorSettings(tabWidth: 2)
        session.type("(")
        session.tab(backwards: false)
        #expect(session.text == "\t((  )")
    }
}

/// Tests the data of an open text that is stored when the program ends.
@MainActor
@Suite(.serialized)
struct SessionKeepingTests {
    @Test func `undo and redo go on after the program was started again`() throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        try fixture.add("one")
        fixture.model.start()
        let session = try #require(fixture.model.session)
        session.move(.documentEnd)
        session.type(" two")
        session.newLine()
        session.type("three")
        session.undo()
        fixture.model.stop()

        let next = TakeNoteVM(
            notebook: fixture.notebook, scheduler: fixture.scheduler, configuration: TemporaryNotebook.unhurried)
        next.start()
        let again = try #require(next.session)
        #expect(again.text == "one two")
        again.redo()
        #expect(again.text == "one two\nthree")
        for _ in 0..<2 { again.undo() }
        #expect(again.text == "one")
        next.stop()
    }
}

import Foundation
import GRDB
import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests replacing in notes, earlier versions, templates, the day's note and the previous note, by screen and keys.
@MainActor
@Suite(.serialized)
struct DailyLifeTests {
    // MARK: Replacing in notes

    @Test func `Backspace behind the marker of an item without text removes it at once`() throws {
        let window = try Window(notes: ["Note\n"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\"- [ ] \"", "Backspace")
        #expect(window.fixture.model.session?.text == "Note\n")
        window.press("\"- [ ] x\"", "Backspace")
        #expect(window.fixture.model.session?.text == "Note\n- [ ] ")
        window.press("Backspace", "\"1. \"", "Backspace")
        #expect(window.fixture.model.session?.text == "Note\n")
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "Note\n1. ")
    }

    @Test func `Backspace takes a nested item without text one level out, and leaves no blanks`() throws {
        let window = try Window(notes: ["- one\n  - two\n    - three\n"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\"    - \"", "Backspace")
        let session = try #require(window.fixture.model.session)
        #expect(session.text == "- one\n  - two\n    - three\n  - ")
        window.press("Backspace")
        #expect(session.text == "- one\n  - two\n    - three\n- ")
        window.press("Backspace")
        #expect(session.text == "- one\n  - two\n    - three\n")
        window.press("\"  - \"", "Backspace", "Backspace")
        #expect(session.text == "- one\n  - two\n    - three\n")
    }

    @Test func `letters meant for a note that could not be created act on no other`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        let notebook = window.fixture.notebook
        let queue = try DatabaseQueue.ofOtherProgram(notebook.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE INSERT ON note BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        window.press("\"ndear dad\"", "Enter", "\"and ma\"")
        #expect(window.lines.contains { $0.contains("Could not create the note") })
        #expect(try notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title) == ["One", "Two"])
        try queue.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER refuse") }
        window.press("Ctrl-U", "Enter", "\"dear dad\"")
        #expect(window.fixture.model.session?.text == "dear dad")
    }

    @Test func `keys typed ahead of an action that fails act on no other note`() throws {
        let window = try Window(notes: ["One", "Two", "Three"])
        defer { window.close() }
        let notebook = window.fixture.notebook
        func live() throws -> [String] {
            try notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title)
        }
        let other = try DatabaseQueue.ofOtherProgram(notebook.path)
        notebook.limitWaitsOnThisThread(seconds: 0.02)
        let (d, j) = (InputEvent.key(KeyPress(typed: "d")), InputEvent.key(KeyPress(typed: "j")))
        try other.inTransaction(.immediate) { _ in
            window.send(d)
            return .rollback
        }
        #expect(window.lines.contains { $0.contains("Could not") })
        window.send(j, d)
        #expect(try live() == ["One", "Three"], "nothing was typed ahead")
        try other.inTransaction(.immediate) { _ in
            window.host.hasPendingInput = true
            window.send(d)
            return .rollback
        }
        // These keys arrived while the failing one waited. They go to a dialog, which Esc closes.
        window.send(j, d, .key(KeyPress(.enter)), d)
        #expect(try live() == ["One", "Three"])
        #expect(window.lines.contains { $0.contains("─ Could not") })
        window.host.hasPendingInput = false
        window.press("Esc")
        // These keys arrived together with the failing one.
        try other.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE UPDATE ON note WHEN new.title = 'Three' "
                    + "BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        #expect(window.fixture.model.noteUnderCursor?.title == "Three")
        window.send(d, .key(KeyPress(typed: "k")), d)
        #expect(try live() == ["One", "Three"])
    }

    @Test func `cut notes are counted, and Esc puts them back`() throws {
        let window = try Window(notes: ["One", "Two", "Three"])
        defer { window.close() }
        window.press("Space", "Space", "x", "j", "k")
        #expect(window.lines.last?.contains("2 notes cut") == true)
        window.press("Esc")
        #expect(window.lines.last?.contains("2 notes moved back") == true)
        window.press("j")
        #expect(window.lines.last?.contains("cut") == false)
        let inbox = try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9)
        #expect(inbox.map(\.title) == ["One", "Two", "Three"])
        window.press("x", "v", "u")
        #expect(window.lines.last?.contains("Undone") == true)
        window.press("j", "Esc")
        #expect(try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9).count == 3)
    }

    @Test func `a hit is shown where its words are, and F3 goes on from there`() throws {
        let far = String(repeating: "nothing of it here\n", count: 140)
        let window = try Window(notes: ["first", "# Log\n" + far + "the needle lies here\n" + far + "a needle\n"])
        defer { window.close() }
        window.press("/", "\"needle\"")
        let model = window.fixture.model
        #expect(window.fixture.scheduler.run { !model.isSearchPending && model.isSearchRanked })
        window.press("Enter")
        let pane = try #require(window.interface.layout.panes[.editor])
        let row = try #require(window.lines.firstIndex { $0.dropFirst(pane.column).hasPrefix(" the needle lies") })
        // The word is marked, and the one after it is not.
        #expect(
            window.fixture.scheduler.run {
                window.draw()
                return window.screen[pane.column + 5, row].style != window.screen[pane.column + 12, row].style
            })
        let session = try #require(model.session)
        #expect(session.caretLabel.hasPrefix("142:"), "\(session.caretLabel)")
        window.press("Tab", "F3")
        #expect(session.caretLabel.hasPrefix("283:"), "\(session.caretLabel)")
    }

    @Test func `Esc and a letter that piled up behind a wait are two keys`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        let altJ = InputEvent.key(KeyPress(.character("j"), .alt))
        window.send(altJ)
        #expect(window.fixture.model.noteUnderCursor?.title == "One")
        let other = try DatabaseQueue.ofOtherProgram(window.fixture.notebook.path)
        window.fixture.notebook.limitWaitsOnThisThread(seconds: 0.02)
        try other.inTransaction(.immediate) { _ in
            window.press("n")
            return .rollback
        }
        #expect(window.lines.contains { $0.contains("Could not create the note") })
        window.send(altJ)
        #expect(!window.lines.contains { $0.contains("Could not create the note") })
        #expect(window.fixture.model.noteUnderCursor?.title == "Two")
        window.send(altJ)
        #expect(window.fixture.model.noteUnderCursor?.title == "Two")
    }

    @Test func `what is found is listed first, a line is left out, the rest is replaced and undone by u`() throws {
        let window = try Window(notes: ["# One\n\ncolour here\ncolour there", "# Two\n\nthe colour"])
        defer { window.close() }
        let model = window.fixture.model
        window.press("Ctrl-P", "\"replace in\"", "Enter", "\"colour\"", "Enter", "\"color\"", "Enter")
        #expect(
            window.fixture.scheduler.run {
                window.draw(); return window.lines.contains { $0.contains("3 in 2 notes") }
            })
        #expect(window.lines.contains { $0.contains("[x] One") })
        #expect(window.lines.contains { $0.contains("[x] 3  colour here") })
        window.press("Down", "Space")
        #expect(window.lines.contains { $0.contains("[-] One") })
        #expect(window.lines.contains { $0.contains("2 of 3 in 2 notes") })
        window.press("Enter")
        #expect(window.fixture.scheduler.run { model.progress == nil })
        window.draw()
        #expect(window.interface.overlays.isEmpty)
        #expect(window.lines[39].contains("2 matches in 2 notes replaced; u takes it back"))
        #expect(model.session?.text == "# One\n\ncolour here\ncolor there")
        window.press("u")
        #expect(model.session?.text == "# One\n\ncolour here\ncolour there")
    }

    @Test func `Enter in the box that replaces in notes says why nothing is replaced`() throws {
        let window = try Window(notes: ["one cat"])
        defer { window.close() }
        let model = window.fixture.model
        window.interface.perform("notes.replace")
        window.press("Alt-A")
        #expect(model.notice?.text == "Nothing replaced: there is no text to find")
        window.press("\"dog\"")
        #expect(window.waits(for: "no match"))
        window.press("Enter", "Enter", "Enter")
        #expect(model.notice?.text == "Nothing replaced: no match")
        window.press("Shift-Tab", "Shift-Tab", "Ctrl-U", "\"cat\"")
        #expect(window.waits(for: "1 in 1 note"))
        window.press("Tab", "Tab", "*", "Enter")
        #expect(model.notice?.text == "Nothing replaced: every match is excluded")
        #expect(window.lines[39].contains("every match is excluded"))
        #expect(window.interface.overlays.count == 1 && model.session?.text == "one cat")
    }

    @Test func `a line that was left out is no other line of the next pattern`() throws {
        let window = try Window(notes: ["one cat\ntwo dog\nthree"])
        defer { window.close() }
        func shows(_ text: String) -> Bool {
            window.fixture.scheduler.run {
                window.draw(); return window.lines.contains { $0.contains(text) }
            }
        }
        window.press("Ctrl-P", "\"replace in\"", "Enter", "\"cat\"")
        #expect(shows("1 in 1 note"))
        window.press("Tab", "Tab", "Down", "Space")
        #expect(shows("0 of 1 in 1 note") && shows("[ ] 1  one cat"))
        // Another replacement finds the same line.
        window.press("Shift-Tab", "\"x\"")
        #expect(shows("0 of 1 in 1 note"))
        window.press("Shift-Tab", "Ctrl-U", "\"dog\"")
        #expect(shows("[x] 2  two dog") && shows("1 in 1 note"))
    }

    @Test func `all can be left out, options narrow what is found, and Esc changes nothing`() throws {
        let window = try Window(notes: ["Cat cats"])
        defer { window.close() }
        let before = window.lines
        func shows(_ text: String) -> Bool {
            window.fixture.scheduler.run {
                window.draw(); return window.lines.contains { $0.contains(text) }
            }
        }
        window.press("Ctrl-P", "\"replace in\"", "Enter", "\"cat\"")
        #expect(shows("2 in 1 note"))
        window.press("Alt-C")
        #expect(shows("1 in 1 note"))
        window.press("Alt-C", "Alt-W")
        #expect(shows("1 in 1 note"))
        window.press("Alt-W", "Alt-R", "\"(\"")
        #expect(shows("invalid regex"))
        window.press("Backspace")
        #expect(shows("2 in 1 note"))
        window.press("Tab", "Tab", "*")
        #expect(shows("0 of 2 in 1 note"))
        window.press("Enter")
        #expect(!window.interface.overlays.isEmpty)
        window.press("Esc")
        #expect(window.lines == before)
    }

    // MARK: Versions

    @Test func `H shows what has changed since each version, and Enter makes one the text again`() throws {
        let window = try Window(notes: ["# Plan\n\nbuy red paint"])
        defer { window.close() }
        let model = window.fixture.model
        let id = try #require(model.openNote?.id)
        try window.fixture.notebook.versions.keep(of: id)
        window.press("Alt-3", "Ctrl-End", "Ctrl-W", "\"brush\"", "Esc", "H")
        #expect(window.lines.contains { $0.contains("Earlier versions") })
        #expect(window.lines.contains { $0.contains("- buy red paint") })
        #expect(window.lines.contains { $0.contains("+ buy red brush") })
        window.press("Enter")
        #expect(model.session?.text == "# Plan\n\nbuy red paint")
        window.press("u")
        #expect(model.session?.text == "# Plan\n\nbuy red brush")
    }

    @Test func `the history fits every size`() throws {
        for size in DialogTests.sizes {
            let window = try Window(columns: size.columns, rows: size.rows, notes: ["# Plan\n\nbuy red paint"])
            defer { window.close() }
            let id = try #require(window.fixture.model.openNote?.id)
            for text in ["one", "two"] {
                let revision = try #require(try window.fixture.notebook.notes.row(id)).revision
                _ = try window.fixture.notebook.notes.save(id, text: "# Plan\n\n\(text)", baseRevision: revision)
                try window.fixture.notebook.versions.keep(of: id)
            }
            window.fixture.model.readOutsideChanges()
            window.press("H")
            #expect(
                window.lines.contains { $0.contains("Identical to the current text") || $0.contains("Identical t") })
            window.press("j")
            #expect(window.lines.contains { $0.contains("- one") || size.rows < 6 })
        }
    }

    @Test func `the list of earlier versions takes the room that it needs beside the changes`() throws {
        let title = "A title of about thirty columns"
        let window = try Window(notes: ["# \(title)\n\nbuy red paint"])
        defer { window.close() }
        let id = try #require(window.fixture.model.openNote?.id)
        let revision = try #require(try window.fixture.notebook.notes.row(id)).revision
        _ = try window.fixture.notebook.notes.save(id, text: "# \(title)\n\none", baseRevision: revision)
        try window.fixture.notebook.versions.keep(of: id)
        window.fixture.model.readOutsideChanges()
        window.press("H")
        #expect(window.lines.contains { $0.contains("\(title) (") }, "\(window.lines)")
    }

    // MARK: Templates, the day, the note before

    @Test func `a template is chosen, asks for its title, and the caret stands in its place`() throws {
        let window = try Window()
        defer { window.close() }
        let model = window.fixture.model
        window.press("Ctrl-P", "\"from template\"", "Enter")
        #expect(window.lines[39].contains("Create a folder “Templates”"))
        let folder = try window.fixture.notebook.folders.create("Templates")
        try window.fixture.add("# {{title}}\n\n{{cursor}}!", folder: folder.id)
        model.readOutsideChanges()
        window.press("Ctrl-P", "\"from template\"", "Enter", "Enter", "\"Monday\"", "Enter", "\"x\"")
        #expect(model.session?.text == "# Monday\n\nx!")
        #expect(window.interface.state.focus == .editor)
    }

    @Test func `the palette opens the day's note for writing, and F5 goes to and fro`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        window.press("F5")
        #expect(window.lines[39].contains("No other note has been open yet"))
        window.press("Ctrl-P", "\"today\"", "Enter", "\"heron\"")
        #expect(window.fixture.model.session?.text.hasSuffix("\n\nheron") == true)
        window.press("F5")
        #expect(window.fixture.model.openNote?.title == "Reading list")
        window.press("F5", "F5", "Ctrl-P", "\"note before\"", "Enter")
        #expect(window.fixture.model.openNote?.title != "Reading list")
    }
}

import Foundation
import GRDB
import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests what the window says of a text that is not saved.
@MainActor
@Suite(.serialized)
struct UnsavedTextTests {
    @Test func `saving at once waits no longer for another program than any key`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let other = try DatabaseQueue.ofOtherProgram(window.fixture.notebook.path)
        window.fixture.notebook.limitWaitsOnThisThread()
        window.press("Enter", "\"x\"")
        _ = window.fixture.notebook.takeLimitedWait()
        try other.inTransaction(.immediate) { _ in
            window.press("Ctrl-S")
            return .rollback
        }
        // The saving thread shares the limit, and keys that have accumulated are recognised.
        #expect(window.fixture.notebook.takeLimitedWait())
        guard case .failing = window.fixture.model.session?.saveState else {
            Issue.record("it is not saved")
            return
        }
    }

    @Test func `that a text is not saved comes before any other problem that persists`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        let other = try DatabaseQueue.ofOtherProgram(window.fixture.notebook.path)
        window.fixture.notebook.limitWaitsOnThisThread()
        model.say("The disk is worn", kind: .trouble)
        window.press("Enter", "\"x\"")
        #expect(window.lines.last?.contains("The disk is worn") == true)
        try other.inTransaction(.immediate) { _ in
            window.press("Ctrl-S")
            return .rollback
        }
        #expect(window.lines.last?.contains("not saving") == true)
        window.press("Ctrl-S")
        #expect(model.session?.saveState == .saved)
        window.draw()
        #expect(window.lines.last?.contains("The disk is worn") == true)
    }

    @Test func `that a text is not saved comes before what has failed in the background`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let other = try DatabaseQueue.ofOtherProgram(window.fixture.notebook.path)
        window.fixture.notebook.limitWaitsOnThisThread()
        window.press("Enter", "\"x\"")
        window.fixture.model.sayUnlessTroubled("Old versions were not trimmed")
        window.draw()
        #expect(window.lines.last?.contains("not trimmed") == true)
        try other.inTransaction(.immediate) { _ in
            window.press("Ctrl-S")
            window.fixture.model.sayUnlessTroubled("Old versions were not trimmed")
            window.draw()
            return .rollback
        }
        #expect(window.lines.last?.contains("not saving") == true)
    }

    @Test func `that a text is neither saved nor in the journal is said as long as it is so`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let path = window.fixture.notebook.path
        let other = try DatabaseQueue.ofOtherProgram(path)
        window.fixture.notebook.limitWaitsOnThisThread()
        // No journal can be made in a file.
        let sessions = URL(filePath: path).deletingLastPathComponent().appending(path: "sessions")
        try? FileManager.default.removeItem(at: sessions)  // there may be none yet
        try Data().write(to: sessions)
        window.press("Enter", "\"x\"")
        try other.inTransaction(.immediate) { _ in
            window.press("Ctrl-S")
            return .rollback
        }
        #expect(window.lines.last?.contains("not saving, and a crash loses it: ") == true)
        try FileManager.default.removeItem(at: sessions)
        window.press("Ctrl-S")
        #expect(window.fixture.model.session?.saveState == .saved)
    }

    @Test func `a text that is neither saved nor in the journal is not said to be recovered`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let notebook = window.fixture.notebook
        // A file is put at the path of the journals' folder.
        let sessions = URL(filePath: notebook.path).deletingLastPathComponent().appending(path: "sessions")
        try? FileManager.default.removeItem(at: sessions)  // there is none yet
        try Data().write(to: sessions)
        let queue = try DatabaseQueue.ofOtherProgram(notebook.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        window.press("Enter", "\"x\"", "Ctrl-Q")
        #expect(window.lines.contains { $0.contains("Quit and lose the text") })
        try queue.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER refuse") }
        try FileManager.default.removeItem(at: sessions)
        window.press("Esc", "Ctrl-Q")
        #expect(window.host.hasQuit)
        #expect(try notebook.notes.text(window.fixture.model.openNote?.id ?? NoteID()) == "xOne")
    }
}

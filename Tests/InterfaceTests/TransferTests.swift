import Foundation
import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests importing and exporting notes by key, palette and paste.
@MainActor
@Suite(.serialized)
struct TransferTests {
    private func path(_ name: String, _ window: Window) -> String {
        window.fixture.folder.appending(path: name).path
    }

    /// Types a path into a prompt, and waits until the action that it starts is finished.
    private func enter(_ path: String, in window: Window) {
        window.press("Ctrl-U", "\"\(path)\"", "Enter")
        #expect(window.fixture.scheduler.run { window.fixture.model.progress != nil })
        #expect(window.fixture.scheduler.run { window.fixture.model.progress == nil })
        window.draw()
    }

    @Test func `E exports the notes, the sidebar's E the folder, the palette everything`() throws {
        let window = try Window(notes: ["# Reading list", "# Groceries"])
        defer { window.close() }
        window.press("E")
        #expect(window.lines.contains { $0.contains("Export “Reading list” to folder") })
        enter(path("one", window), in: window)
        #expect(FileManager.default.fileExists(atPath: path("one/Inbox/Reading list.md", window)))
        #expect(window.lines[39].contains("1 note exported to"))
        window.press("Alt-1", "E")
        enter(path("folder", window), in: window)
        #expect(FileManager.default.fileExists(atPath: path("folder/Inbox/Groceries.md", window)))
        window.press("Alt-2", "Ctrl-P", "\"export everything\"", "Enter")
        enter(path("all", window), in: window)
        #expect(window.lines[39].contains("2 notes exported to"))
    }

    @Test func `a file in the place of the folder is refused, and Esc leaves everything as it is`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        try "x".write(toFile: path("file", window), atomically: true, encoding: .utf8)
        let before = window.lines
        window.press("E", "Ctrl-U", "\"\(path("file", window))\"", "Enter")
        window.waits(for: "A file with this name already exists", step: .zero)
        window.press("Esc")
        #expect(window.lines == before)
    }

    @Test func `Tab completes a path, and an arrow chooses`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        for name in ["alpha", "alps"] {
            try FileManager.default.createDirectory(atPath: path(name, window), withIntermediateDirectories: true)
        }
        window.press("E", "Ctrl-U", "\"\(path("al", window))\"")
        window.waits(for: "alps/", step: .zero)
        window.press("Tab", "Down", "Down", "Enter")
        // Enter took the second candidate into the field; now it is accepted.
        window.press("Enter")
        #expect(window.fixture.scheduler.run { window.fixture.model.progress != nil })
        #expect(window.fixture.scheduler.run { window.fixture.model.progress == nil })
        #expect(FileManager.default.fileExists(atPath: path("alps/Inbox/Reading list.md", window)))
    }

    @Test func `i imports into the selected folder, and what was left out is listed`() throws {
        let window = try Window()
        defer { window.close() }
        let model = window.fixture.model
        try FileManager.default.createDirectory(atPath: path("in", window), withIntermediateDirectories: true)
        try "One".write(toFile: path("in/one.md", window), atomically: true, encoding: .utf8)
        try Data([0xFF]).write(to: URL(filePath: path("in/bad.md", window)))
        model.addFolder("Home")
        window.press("Alt-1", "i")
        #expect(window.lines.contains { $0.contains("Import into Home") })
        enter(path("in", window), in: window)
        #expect(model.noteList.count == 1)
        #expect(window.lines.contains { $0.contains("UTF-8") })
        window.press("Esc")
        #expect(!window.lines.contains { $0.contains("UTF-8") })
        window.press("Ctrl-P", "\"what the last\"", "Enter")
        #expect(window.lines.contains { $0.contains("UTF-8") })
    }

    @Test func `i takes an export of another program, and u takes it back`() throws {
        let window = try Window()
        defer { window.close() }
        let model = window.fixture.model
        try #"{"activeNotes": [{"content": "Shopping"}, {"content": "Ideas"}]}"#.write(
            toFile: path("simple.json", window), atomically: true, encoding: .utf8)
        window.press("Alt-1", "i", "Ctrl-U", "\"\(path("sim", window))\"")
        window.waits(for: "simple.json", step: .zero)
        enter(path("simple.json", window), in: window)
        #expect(model.inboxFolder?.noteCount == 2)
        window.press("u")
        #expect(window.lines[39].contains("Undone: import 2 notes"))
        #expect(model.inboxFolder?.noteCount == 0)
    }

    @Test func `of a path that is too long for its row the end is shown`() throws {
        let window = try Window()
        defer { window.close() }
        let folder = path(String(repeating: "long-", count: 20), window)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "{}".write(toFile: folder + "/simple.json", atomically: true, encoding: .utf8)
        window.press("Alt-1", "i", "Ctrl-U", "\"\(folder)/\"")
        window.waits(for: "long-/simple.json │", step: .zero)
        #expect(window.lines.contains { $0.contains("│ …") && $0.contains("long-/simple.json │") })
    }

    @Test func `a report steals no key from who is writing`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        window.press("Alt-3")
        window.interface.taskEnded(TaskReport("Done; 1 problem", problems: ["x"]))
        window.press("\"y\"")
        #expect(window.fixture.model.session?.text.contains("y") == true)
    }

    @Test func `a path pasted in the list offers to import it, other text is a note`() throws {
        let window = try Window()
        defer { window.close() }
        let file = path("one.md", window)
        try "From a file".write(toFile: file, atomically: true, encoding: .utf8)
        window.send(.paste(file))
        window.press("Enter")
        let model = window.fixture.model
        #expect(window.fixture.scheduler.run { model.noteList.count == 1 && model.progress == nil })
        #expect(window.fixture.model.noteList[0]?.preview != file)
        window.send(.paste(file))
        window.press("Down", "Enter")
        #expect(window.fixture.scheduler.run { model.session?.text == file })
        window.send(.paste("Just a text"))
        #expect(window.fixture.model.session?.text == "Just a text")
    }

    @Test func `an image pasted by path, and one by palette, is shown in the text`() throws {
        let window = try Window(notes: [""])
        defer { window.close() }
        let file = path("cat.png", window)
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]).write(to: URL(filePath: file))
        window.press("Alt-3")
        func isShown() -> Bool { window.fixture.model.session?.text.hasPrefix("![cat](takenote://image/") == true }
        window.send(.paste("\(file)\n"))
        #expect(window.fixture.scheduler.run(until: isShown))
        window.press("Ctrl-A", "Delete", "Ctrl-P", "\"insert an image\"", "Enter", "Ctrl-U", "\"\(file)\"", "Enter")
        #expect(window.fixture.scheduler.run(until: isShown))
    }

    @Test func `progress is shown with the key that stops it`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        window.fixture.model.rebuildIndex()
        window.draw()
        #expect(window.lines[39].contains("Rebuilding the search index"))
        #expect(window.lines[39].contains("^C stops"))
        #expect(window.fixture.scheduler.run { window.fixture.model.progress == nil })
    }

    @Test func `the rebuild has the keys until it is done`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        window.press("Ctrl-P", "\"rebuild\"", "Enter")
        #expect(window.lines.contains { $0.contains("Rebuilding the search index") && $0.contains("╭") })
        window.press("d", "Esc")
        #expect(window.fixture.scheduler.run { window.fixture.model.progress == nil })
        window.draw()
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.inboxFolder?.noteCount == 1)
    }
}

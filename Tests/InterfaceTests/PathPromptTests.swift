import Foundation
import NoteStore
import Synchronization
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Boxes in which a path is typed: the disk may take as long as it likes.
@MainActor
@Suite struct PathPromptTests {
    private func window() throws -> Window { try Window(columns: 100, rows: 24, notes: ["# Reading list"]) }

    private func isShown(_ text: String, in window: Window) -> Bool {
        window.draw()
        return window.lines.contains { $0.contains(text) }
    }

    @Test(arguments: ["note.export", "folder.import", "note.insertImage"])
    func `a mount that hangs holds no key, is reported, and Esc gives up`(command: CommandName) throws {
        let window = try window()
        defer { window.close() }
        let mount = PastingTests.HungMount()
        mount.hang(window)
        defer { mount.letGo() }
        window.press("Enter")
        window.interface.perform(command)
        #expect(window.interface.overlays.last is PathPrompt)
        window.press("Ctrl-U", "\"/away/no\"")
        #expect(isShown("/away/no", in: window))
        window.press("Enter")
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(isShown(Texts.waitingForDisk, in: window))
        // Typing goes on with another path.
        window.press("\"w\"")
        #expect(isShown("/away/now", in: window) && !isShown(Texts.waitingForDisk, in: window))
        window.press("Enter", "Esc")
        #expect(window.interface.overlays.isEmpty)
        let text = window.fixture.model.session?.text
        // The answer that comes too late means nothing any more.
        mount.letGo()
        // A thread ends when its questions are answered.
        #expect(window.fixture.scheduler.run { window.fixture.model.diskThreads.count == 0 })
        while window.fixture.scheduler.runPosted() {}
        #expect(window.fixture.model.progress == nil && window.fixture.model.session?.text == text)
    }

    @Test func `a text that is longer than any path costs no more for its length, and stays as it was typed`() throws {
        let window = try window()
        defer { window.close() }
        window.interface.perform("note.export")
        let prompt = try #require(window.interface.overlays.last as? PathPrompt)
        window.press("Ctrl-U", "\"/\"")
        let piece = String(repeating: "a", count: 100)
        func type(_ count: Int) -> Int {
            let before = prompt.examinedBytes
            for _ in 0..<count { prompt.type(piece, in: window.interface) }
            return prompt.examinedBytes - before
        }
        // Up to the length of a path each key examines the text, and from there on none does.
        #expect(type(100) <= PathCompletion.maximumLength * PathCompletion.maximumLength / 100)
        #expect(type(100) == 0)
        window.press("Tab")
        #expect(prompt.field?.text.utf8.count == 20_001)
        // A text that is a path again is completed again.
        window.press("Ctrl-U", "\"/\"")
        #expect(prompt.examinedBytes > 0 && prompt.field?.text == "/")
    }

    @Test func `a field keeps the caret between characters, whatever is inserted before them`() {
        var field = LineField("a\u{301}b")
        field.perform(.move(.lineStart))
        field.insert("x")
        #expect(field.head == "x")
        field.perform(.move(.lineEnd))
        field.insert("c")
        field.perform(.move(.left))
        field.insert("\u{302}")
        #expect(field.text == "xa\u{301}b\u{302}c" && field.head == "xa\u{301}b\u{302}")
        // What is inserted joins the accent behind it.
        var accent = LineField("\u{301}b")
        accent.perform(.move(.lineStart))
        accent.insert("e")
        #expect(accent.text == "e\u{301}b" && accent.head == "e\u{301}")
    }

    @Test func `Tab and Enter before the names have come are done in their order`() throws {
        let window = try window()
        defer { window.close() }
        let folder = window.fixture.folder.appending(path: "out-folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        window.interface.perform("note.export")
        let start = window.fixture.folder.appending(path: "out").path
        window.press("Ctrl-U", "\"\(start)\"", "Tab", "Enter")
        #expect(window.fixture.scheduler.run { window.fixture.model.progress != nil })
        #expect(window.fixture.scheduler.run { window.fixture.model.progress == nil })
        #expect(FileManager.default.fileExists(atPath: folder.path + "/Inbox/Reading list.md"))
    }

    @Test func `names that come late are those of the folder that is typed`() throws {
        let window = try window()
        defer { window.close() }
        let told = Mutex<[String: @MainActor @Sendable ([PathCompletion.Entry]) -> Void]>([:])
        let disk = PathDisk(
            read: { folder, answer in told.withLock { $0[folder] = answer } }, find: { $1(nil) }, later: { _ in },
            window: window.interface)
        window.interface.show(PathPrompt(title: "T", text: "/one/", kind: .folders, disk: disk) { _, _ in })
        window.press("Ctrl-U", "\"/two/\"")
        let answers = told.withLock { $0 }
        answers["/two/"]?([.init("right", isFolder: true)])
        answers["/one/"]?([.init("wrong", isFolder: true)])
        window.interface.needsFrame = true
        #expect(isShown("/two/right/", in: window) && !isShown("wrong", in: window))
        // Within the folder the names are known.
        window.press("\"ri\"", "Tab")
        #expect(isShown("/two/right/", in: window))
    }

    @Test func `a dropped file's path takes the place of the text once it is found`() throws {
        let window = try window()
        defer { window.close() }
        let file = window.fixture.folder.appending(path: "my notes").path
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        window.interface.perform("folder.import")
        window.press("End", "\"x\"")
        window.send(.paste("'\(file)'"))
        let prompt = try #require(window.interface.overlays.last as? PathPrompt)
        #expect(window.fixture.scheduler.run { prompt.field?.text == file })
    }
}

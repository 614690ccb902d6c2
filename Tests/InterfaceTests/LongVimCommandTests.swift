import TestSupport
import Testing
import TextEditing

@testable import Interface
@testable import ViewModel

/// Commands of vim that take long: keys wait for them, and they can be stopped.
@MainActor
@Suite(.serialized)
struct LongVimCommandTests {
    private static let long = (0..<6000).map { "line \($0) x" }.joined(separator: "\n")

    @Test func `keys wait for a command that takes long, and none is lost or overtakes`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        window.press("\":%s/x/y/\"", "Enter")
        let vim = try #require(window.interface.vim)
        #expect(vim.isRunning && window.noteText == Self.long)
        window.press("\"ggdwiab\"", "Esc", "\"/999\"", "Enter", "\"x\"")
        window.send(.paste("+"))
        #expect(vim.isRunning && window.noteText == Self.long)
        #expect(window.fixture.scheduler.run { !vim.isRunning })
        var lines = Self.long.replacing("x", with: "y").split(separator: "\n").map(String.init)
        lines[0] = "ab0 y"
        lines[999] = "line +99 y"
        #expect(window.noteText == lines.joined(separator: "\n"))
    }

    @Test func `Ctrl-C stops a command that takes long, and Esc does`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        let vim = try #require(window.interface.vim)
        for key in ["Ctrl-C", "Esc"] {
            for command in [":%s/x/y/", ":g/x/d", "/nothing"] {
                window.press("\"\(command)\"", "Enter")
                #expect(vim.isRunning)
                window.press(key)
                #expect(!vim.isRunning && vim.machine.isIdle)
                #expect(window.lines.last?.contains("Interrupted") == true)
            }
        }
        window.fixture.scheduler.runPosted()
        #expect(window.noteText == Self.long)
        window.press("\"x\"")
        #expect(window.noteText == String(Self.long.dropFirst()))
    }

    @Test func `Ctrl-C drops what was typed ahead, and an Esc that was typed ahead stops nothing`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        let vim = try #require(window.interface.vim)
        window.press("\":%s/x/y/\"", "Enter", "\"xx\"", "Ctrl-C")
        #expect(!vim.isRunning && window.noteText == Self.long)
        window.press("\":1s/x/y/\"", "Enter", "\"Iab\"", "Esc")
        #expect(vim.isRunning)
        #expect(window.fixture.scheduler.run { !vim.isRunning })
        #expect(window.noteText?.hasPrefix("abline 0 y\nline 1 x") == true)
        #expect(vim.machine.isIdle)
    }

    @Test func `a command that takes long is for the text as it is at its end`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        let vim = try #require(window.interface.vim)
        let session = try #require(window.fixture.model.session)
        window.press("\":%s/x/y/\"", "Enter")
        session.change { $0.apply(Edit(replacing: 0..<0, of: $0.buffer, with: "x more\n"), kind: .external) }
        #expect(window.fixture.scheduler.run { !vim.isRunning })
        #expect(window.noteText == "y more\n" + Self.long.replacing("x", with: "y"))
    }

    @Test func `keys on many lines are done in portions, which Ctrl-C ends as one step of undo`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        let vim = try #require(window.interface.vim)
        window.press("\":%normal x\"", "Enter")
        #expect(window.fixture.scheduler.run { window.noteText != Self.long })
        #expect(vim.isRunning)
        window.fixture.scheduler.advance(by: .milliseconds(150))
        window.draw()
        #expect(vim.isRunning && window.lines.last?.contains("^C stops") == true)
        window.press("Ctrl-C")
        #expect(!vim.isRunning && vim.machine.isIdle)
        #expect(window.lines.last?.contains("Interrupted") == true)
        let parts = try #require(window.noteText).split(separator: "\n")
        #expect(parts.first == "ine 0 x" && parts.last == "line 5999 x")
        window.press("\"u\"")
        #expect(window.noteText == Self.long)
    }

    @Test func `a command that takes long ends where its text is left`() throws {
        let window = try Window.withVim(Self.long)
        defer { window.close() }
        let vim = try #require(window.interface.vim)
        window.press("\":%s/x/y/\"", "Enter")
        window.interface.focus(.list)
        #expect(!vim.isRunning && vim.machine.isIdle)
        window.fixture.scheduler.runPosted()
        #expect(window.noteText == Self.long)
        window.interface.focus(.editor)
        window.press("\":%s/x/y/\"", "Enter")
        window.interface.apply(Configuration.read(""))
        window.press("\"a\"")
        window.fixture.scheduler.runPosted()
        #expect(window.noteText == "a" + Self.long)
    }
}

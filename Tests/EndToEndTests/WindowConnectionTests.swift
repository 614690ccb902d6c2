import Foundation
import NoteStore
import Synchronization
import SystemPackage
import TerminalDriver
import Testing
import TextEditing

@testable import tn

/// Tests the socket of a window, without the window.
struct WindowServerTests {
    private let folder = FilePath(NSTemporaryDirectory()).appending("tn-w\(UUID().uuidString.prefix(8))")

    /// The folder as another process sees it.
    private var windows: OpenWindows { OpenWindows(folder: WindowFolder(folder, process: 0)) }

    private func server(_ answer: WindowAnswer, _ requests: Requests = Requests()) throws -> WindowServer {
        try WindowServer(in: WindowFolder(folder)) { request, reply in
            requests.all.withLock { $0.append(request) }
            reply(answer)
        }
    }

    private final class Requests: Sendable { let all = Mutex<[WindowRequest]>([]) }

    private func mode(_ path: FilePath) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: path.string)
        return try #require(facts[.posixPermissions] as? Int)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder.string) }

    @Test func `a request reaches the window, and its answer comes back`() throws {
        defer { remove() }
        let requests = Requests()
        let server = try server(WindowAnswer(.done), requests)
        defer { server.stop() }
        let began = WindowRequest.uptime
        #expect(try windows.show(address: "takenote://note/1#Ünïcode 世界", in: "/n.sqlite"))
        let request = try #require(requests.all.withLock { $0.first })
        #expect(request.action == .show(address: "takenote://note/1#Ünïcode 世界"))
        #expect(request.database == "/n.sqlite")
        #expect((began...WindowRequest.uptime).contains(request.deadline - WindowRequest.patience))
    }

    @Test func `only the user can reach the socket, which is gone when the window is`() throws {
        defer { remove() }
        let server = try server(WindowAnswer(.done))
        let socket = WindowFolder(folder).own
        #expect(try mode(socket) == 0o600)
        #expect(try mode(folder) == 0o700)
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: socket.string))
        #expect(try !windows.show(address: "x", in: "y"))
    }

    @Test func `a window with another notebook is passed over`() throws {
        defer { remove() }
        let server = try server(WindowAnswer(.otherNotebook))
        defer { server.stop() }
        #expect(try !windows.show(address: "x", in: "y"))
    }

    @Test(arguments: [WindowAnswer.Outcome.dialog, .typing, .noNote, .refused])
    func `a window that cannot come to the note says why`(outcome: WindowAnswer.Outcome) throws {
        defer { remove() }
        let server = try server(WindowAnswer(outcome))
        defer { server.stop() }
        #expect(throws: Failure.self) { try windows.show(address: "x", in: "y") }
    }

    @Test func `the socket of a killed window is removed, and nothing else in the folder is touched`() throws {
        defer { remove() }
        try WindowFolder(folder).make()
        let stale = folder.appending("1.socket")
        _ = try LocalSocket.listening(at: stale)
        let others = ["2.socket", "notes.txt"].map { folder.appending($0) }
        for other in others { try Data("x".utf8).write(to: URL(filePath: other.string)) }
        #expect(try !windows.show(address: "x", in: "y"))
        #expect(!FileManager.default.fileExists(atPath: stale.string))
        for other in others { #expect(FileManager.default.fileExists(atPath: other.string)) }
    }

    @Test(arguments: ["", "{}", "null", "GET / HTTP/1.1", "\u{0}\u{1B}[2J", "{\"action\":{}}"])
    func `what is not a request is refused, and the window goes on`(line: String) throws {
        defer { remove() }
        let requests = Requests()
        let server = try server(WindowAnswer(.done), requests)
        defer { server.stop() }
        let stranger = try LocalSocket.connected(to: WindowFolder(folder).own)
        let deadline = ContinuousClock.now + .seconds(300)
        #expect(stranger.write(Array((line + "\n").utf8), before: deadline))
        let answer = try #require(stranger.line(limit: 1_000, before: deadline))
        #expect(WindowLine.decoded(answer, as: WindowAnswer.self) == WindowAnswer(.refused))
        #expect(requests.all.withLock { $0.isEmpty })
        #expect(try windows.show(address: "x", in: "y"))
    }

    @Test func `a line that is too long ends the connection`() throws {
        defer { remove() }
        try WindowFolder(folder).make()
        let listener = try LocalSocket.listening(at: folder.appending("1.socket"))
        let one = try LocalSocket.connected(to: folder.appending("1.socket"))
        let other = try #require(listener.accepted())
        let deadline = ContinuousClock.now + .seconds(300)
        #expect(one.write(Array(repeating: 0x61, count: 2_000), before: deadline))
        #expect(other.line(limit: 1_000, before: deadline) == nil)
        #expect(other.line(limit: 1_000, before: .now) == nil)
    }

    @Test func `a window is reached in a folder with a path of any length`() throws {
        let long = folder.appending(String(repeating: "long", count: 40))
        defer { remove() }
        let server = try WindowServer(in: WindowFolder(long)) { $1(WindowAnswer(.done)) }
        defer { server.stop() }
        #expect(try OpenWindows(folder: WindowFolder(long, process: 0)).show(address: "x", in: "y"))
    }

    @Test func `copies travel to other windows, and to one that is opened later`() throws {
        defer { remove() }
        let requests = Requests()
        let copy = SharedCopy.text(Clipping(text: "two\nlines \u{1B} 世界", isWholeLine: true))
        let server = try server(WindowAnswer(.done, copied: copy), requests)
        defer { server.stop() }
        windows.give(copy, from: "/n")
        #expect(requests.all.withLock { $0.map(\.action) } == [.take(copy)])
        #expect(windows.copied(for: "/n") == copy)
    }

    @Test func `a request that nobody waits for any more is not awaited`() {
        #expect(!WindowRequest(.giveCopied, database: "", deadline: WindowRequest.uptime - 1).isAwaited)
        #expect(!WindowRequest(.giveCopied, database: "", deadline: .infinity).isAwaited)
        #expect(!WindowRequest(.giveCopied, database: "", deadline: .nan).isAwaited)
    }
}

/// Tests that other programs reach the window of the running program.
struct WindowConnectionTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func window(_ arguments: String...) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(Workplace.program, arguments, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        return terminal
    }

    /// Runs a command until it succeeds: on a busy machine the window may need longer than a command waits for it.
    private func untilDone(_ terminal: PseudoTerminal, _ arguments: String...) throws {
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while true {
            let result = try workplace.run(Workplace.program, arguments)
            if result.status == 0 { return }
            guard result.status == 75, Date() < end else {
                throw PseudoTerminal.Failure(description: "\(arguments): \(result.status) \(result.error)")
            }
            while try terminal.pump(milliseconds: 0) {}
        }
    }

    @Test func `a note is opened in the window that is open, and what was typed there is saved`() throws {
        for title in ["First", "Second"] { _ = try workplace.tn("--new", title) }
        let terminal = try window("open", "First")
        try terminal.wait(for: "Inbox › First")
        try terminal.send("typed ")
        try terminal.wait(for: "typed First")
        try untilDone(terminal, "open", "Second")
        try terminal.wait(for: "Inbox › Second")
        #expect(try workplace.tn("list", "--json").output.contains("typed First"))
        let third = try workplace.tn("--new", "Third")
        #expect(third.status == 0)
        try untilDone(terminal, "--new", "--open", "Fourth")
        try terminal.wait(for: "Inbox › Fourth")
        // An open dialog keeps its keys, so the request is refused.
        try terminal.send("\u{10}")
        try terminal.wait(for: "Commands")
        let refused = try workplace.tn("open", "Second")
        #expect(refused.status == 75)
        #expect(refused.error.contains("asking for something"))
        // A killed window no longer counts as open.
        kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
        let alone = try workplace.tn("open", "Second")
        #expect(alone.status == 64)
        #expect(alone.error.contains("needs a terminal"))
    }

    @Test func `an address opens the notebook that holds its note`() throws {
        _ = try workplace.tn("--new", "Of the default one")
        _ = try workplace.tn("notebooks", "add", "work")
        _ = try workplace.tn("-n", "work", "--new", "Of the work")
        let list = try workplace.tn("-n", "work", "list", "--json").output
        let uuid = try #require(list.firstMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/)).0
        let alone = try window("takenote://note/\(uuid)")
        try alone.wait(for: "Inbox › Of the work")
        try alone.send("\u{11}")
        _ = alone.waitForExit()
        let open = try window("-n", "work")
        try untilDone(open, "open", "takenote://note/\(uuid)")
        try open.wait(for: "Inbox › Of the work")
        // A title means the notebook in use, and an address of nowhere is said to be none.
        #expect(try workplace.tn("open", "Of the work").status == 66)
        #expect(try workplace.tn("open", "takenote://note/00000000-0000-4000-8000-000000000000").status == 66)
    }

    @Test func `what is copied in one window is pasted in another, also in one that is opened later`() throws {
        for title in ["First", "Second"] { _ = try workplace.tn("--new", title) }
        let first = try window("open", "First")
        try first.wait(for: "Inbox › First")
        let second = try window("open", "--here", "Second")
        try second.wait(for: "Inbox › Second")
        // The whole text is selected and copied.
        try first.send("\u{01}\u{03}")
        try first.wait(for: "Copied")
        try pasteUntil("FirstSecond", in: second)
        let third = try window("open", "--here", "First")
        try third.wait(for: "Inbox › First")
        try pasteUntil("FirstFirst", in: third)
    }

    /// Pastes until a text has arrived, since a copy takes a moment from window to window.
    private func pasteUntil(_ text: String, in terminal: PseudoTerminal) throws {
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while !terminal.screen.contains(text), Date() < end {
            try terminal.send("\u{16}")
            try terminal.waitUntilIdle(milliseconds: 100)
        }
        #expect(terminal.screen.contains(text))
    }
}

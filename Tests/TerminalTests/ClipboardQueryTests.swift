import Foundation
import TerminalDriver
import Testing
import TextPrimitives

@testable import Terminal

/// Tests how the terminal is asked for its clipboard, in the suite of the loop, whose signals only one test may use.
extension EventLoopTests {
    /// Answers the queries at the start as a terminal of this version, and the query for the clipboard as told.
    ///
    /// - Returns: the text that was read, the events that came besides, and what was sent.
    private func asking(
        version: String = "other 1", environment: [String: String] = [:], times: Int = 1,
        deadline: Duration = .seconds(3600), answer: @escaping @MainActor (EventLoop) -> Void
    ) throws -> (texts: [String?], events: [InputEvent], sent: String) {
        let loop = try makeLoop {
            $0.environment["PATH"] = "/nowhere"
            $0.environment["SSH_CONNECTION"] = "a"
            $0.environment.merge(environment) { $1 }
        }
        (loop.clipboard.readDeadline, loop.clipboard.permissionDeadline) = (deadline, deadline)
        let recorder = Recorder()
        var texts: [String?] = []
        @MainActor func read() {
            loop.readClipboard(.copied) { text in
                texts.append(text)
                guard texts.count == times else { return read() }
                // Whatever is still to come is read before the end.
                loop.schedule(after: .milliseconds(20)) { loop.stop(.quit(status: 0)) }
            }
            answer(loop)
        }
        terminal.type("\u{1B}P>|\(version)\u{1B}\\\u{1B}[?62;22c")
        @MainActor func readOnceProbed() {
            guard !loop.device.capabilities.isProbed else { return read() }
            loop.schedule(after: .milliseconds(1), readOnceProbed)
        }
        loop.schedule(after: .milliseconds(1), readOnceProbed)
        try loop.run(recorder)
        return (texts, recorder.events, terminal.received())
    }

    private func isKey(_ event: InputEvent) -> Bool {
        if case .key = event { true } else { false }
    }

    @Test func `where no program knows the clipboard the terminal is asked`() throws {
        let asked = try asking { _ in terminal.type("\u{1B}]52;c;bMOlbmcNCnRleHQ=\u{1B}\\\u{1B}[?62c") }
        #expect(asked.texts == ["lång\ntext"])
        #expect(asked.sent.contains("\u{1B}]52;c;?\u{1B}\\\u{1B}[c"))
        #expect(asked.events.isEmpty || asked.events == [.capabilitiesChanged])
    }

    @Test func `a terminal that keeps its clipboard is asked once`() throws {
        let asked = try asking(times: 2) { _ in terminal.type("\u{1B}[?62c") }
        #expect(asked.texts == [nil, nil])
        #expect(asked.sent.split(separator: "]52;").count == 2)
        let silent = try asking(times: 2, deadline: .milliseconds(20)) { _ in }
        #expect(silent.texts == [nil, nil])
        #expect(silent.sent.split(separator: "]52;").count == 2)
    }

    @Test func `a terminal that asks the user is waited for`() throws {
        let asked = try asking(version: "kitty(0.41.1)") { _ in terminal.type("\u{1B}[?62c\u{1B}]52;c;eWVz\u{7}") }
        #expect(asked.texts == ["yes"])
        let refused = try asking(version: "kitty(0.41.1)") { _ in terminal.type("\u{1B}[?62c\u{1B}]52;c;\u{7}") }
        #expect(refused.texts == [nil])
    }

    @Test func `an answer that comes too late, is not text, or that nobody asked for becomes no key`() throws {
        let late = try asking(version: "kitty(0.41.1)", times: 2, deadline: .milliseconds(20)) { loop in
            // After the wait has ended.
            loop.schedule(after: .milliseconds(25)) { terminal.type("\u{1B}]52;c;bGF0ZQ==\u{7}") }
        }
        #expect(late.texts == [nil, nil] && !late.events.contains(where: isKey))
        let bytes = try asking { _ in terminal.type("\u{1B}]52;c;/////w==\u{7}\u{1B}]52;c;bGF0ZQ==\u{7}") }
        #expect(bytes.texts == [nil] && !bytes.events.contains(where: isKey))
        // In tmux nothing is asked: its own buffer is the clipboard.
        let inside = try asking(environment: ["TMUX": "/tmp/x,1,0"]) { _ in }
        #expect(inside.texts == [nil] && !inside.sent.contains("]52;"))
    }

    @Test func `an answer that is there came in time, though the program stood still beyond the deadline`() throws {
        let asked = try asking(deadline: .milliseconds(20)) { [terminal] _ in
            terminal.type("\u{1B}]52;c;cGFzdGVk\u{7}")
            // As a machine that is busy, or a process that is stopped, does.
            usleep(60_000)
        }
        #expect(asked.texts == ["pasted"] && !asked.events.contains(where: isKey))
    }

    @Test func `an answer that pauses arrives whole, however long it takes`() throws {
        let asked = try asking(deadline: .milliseconds(200)) { [terminal] loop in
            terminal.type("\u{1B}]52;c;cGF")
            loop.schedule(after: .milliseconds(700)) { terminal.type("zdGVk/Q==\u{1B}\\") }
        }
        #expect(asked.texts == [nil] && !asked.events.contains(where: isKey))
        let text = try asking(deadline: .milliseconds(200)) { [terminal] loop in
            terminal.type("\u{1B}]52;c;cGF")
            loop.schedule(after: .milliseconds(700)) { terminal.type("zdGVk\u{1B}\\") }
        }
        #expect(text.texts == ["pasted"] && !text.events.contains(where: isKey))
    }

    @Test func `a long clipboard arrives whole`() throws {
        let text = String(repeating: "word ", count: 100_000)
        let digits = String(decoding: Base64.encoded(Array(text.utf8)), as: UTF8.self)
        var rest = "\u{1B}]52;c;\(digits)\u{1B}\\"[...]
        let asked = try asking { [terminal] loop in
            // In pieces, since the line holds only some kilobytes.
            @MainActor func sendNext() {
                terminal.type(String(rest.prefix(2000)))
                rest = rest.dropFirst(2000)
                if !rest.isEmpty { loop.schedule(after: .zero, sendNext) }
            }
            sendNext()
        }
        #expect(asked.texts.first??.count == text.count)
    }
}

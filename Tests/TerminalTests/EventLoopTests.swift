import TerminalDriver
import Testing

@testable import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tests device and loop on a line controlled by the test; one test at a time, since signals are per process.
@Suite(.serialized) @MainActor struct EventLoopTests {
    /// Draws a counter, records its events, and runs the test's closure before each frame.
    final class Recorder: TerminalApplication {
        var onEvents: (Recorder) -> Void = { _ in }
        var events: [InputEvent] = []
        var ended: ExitReason?
        var frames = 0
        var beforeFrame: (Recorder) -> Void = { _ in }
        var onCommit: () -> Void = {}
        var content: (Recorder, Size) -> Screen? = { recorder, size in
            var screen = Screen(size: size)
            screen.write("frame \(recorder.frames)", at: Position(column: 0, row: 0), style: .default)
            return screen
        }

        func handle(_ events: [InputEvent]) {
            self.events += events
            onEvents(self)
        }
        func commit() { onCommit() }
        func willTerminate(_ reason: ExitReason) { ended = reason }

        func frame(size: Size) -> Screen? {
            frames += 1
            beforeFrame(self)
            return content(self, size)
        }
    }

    let terminal: PseudoTerminalPair

    init() throws { terminal = try PseudoTerminalPair(columns: 80, rows: 24) }

    func makeLoop(_ change: (inout TerminalOptions) -> Void = { _ in }) throws -> EventLoop {
        var options = TerminalOptions(environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8"])
        options.path = terminal.path
        change(&options)
        return EventLoop(device: try TerminalDevice(options: options))
    }

    @Test func `the first frame does not wait for an answer and the line is as before after it`() throws {
        let before = terminal.settings
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        var during: [UInt32] = []
        recorder.beforeFrame = { [terminal] _ in
            during = terminal.settings
            loop.stop(.quit(status: 3))
        }
        #expect(try loop.run(recorder) == .quit(status: 3))
        #expect(recorder.frames == 1 && recorder.events.isEmpty && during != before)
        #expect(terminal.settings == before)
        let sent = terminal.received()
        #expect(sent.contains("frame 1") && sent.hasPrefix("\u{1B}[?1049h") && sent.hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `what must not be lost is written down between the making of a frame and its sending`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        var made = 0
        var sent: [Int] = []
        recorder.beforeFrame = { recorder in
            made = recorder.frames
            if recorder.frames == 3 { loop.stop(.quit(status: 0)) }
            loop.schedule(after: .zero) {}
        }
        recorder.onCommit = { if loop.statistics.frames < made { sent.append(made) } }
        try loop.run(recorder)
        #expect(sent == [1, 2, 3])
    }

    @Test func `keys arrive, answers do not, and the last reply is read away`() throws {
        let loop = try makeLoop()
        let recorder = Recorder()
        terminal.type("a\u{1B}[?2026;2$y\u{1B}]11;rgb:ff/ff/ff\u{07}\u{1B}[?62c\u{1B}[A")
        recorder.beforeFrame = { [terminal] recorder in
            guard recorder.frames == 2 else { return }
            loop.stop(.quit(status: 0))
            terminal.type("\u{1B}[?62c")
        }
        try loop.run(recorder)
        #expect(recorder.events == [key(.character("a"), text: "a"), key(.up), .capabilitiesChanged])
        #expect(loop.device.capabilities.hasSynchronizedUpdate && !loop.device.capabilities.isDark)
        #expect(terminal.received().hasSuffix("\u{1B}[?1049l\u{1B}[c"))
    }

    /// Runs the loop with one line of terminal input before each frame; returns the output before the next one.
    private func converse(_ loop: EventLoop, _ lines: [String], _ act: (Int) -> Void = { _ in }) throws -> [String] {
        let recorder = Recorder()
        var sent: [String] = []
        try withoutActuallyEscaping(act) { act in
            recorder.beforeFrame = { [terminal] recorder in
                sent.append(terminal.received())
                act(recorder.frames)
                guard recorder.frames <= lines.count else { return loop.stop(.quit(status: 0)) }
                // A key after it ensures that a frame follows.
                terminal.type(lines[recorder.frames - 1] + "x")
            }
            try loop.run(recorder)
            recorder.beforeFrame = { _ in }
        }
        return sent
    }

    @Test func `the keyboard's flags are asked for after they were set, and set again when they are gone`() throws {
        let loop = try makeLoop()
        let sent = try converse(
            loop, ["\u{1B}[?0u\u{1B}[?62c", "\u{1B}[?5u", "\u{1B}[?0u", "\u{1B}[?5u", "\u{1B}[?62c"])
        #expect(sent[0].contains("\u{1B}[?u") && sent[1].contains("\u{1B}[>5u\u{1B}[?u"))
        #expect(!sent[2].contains("u") && sent[3].contains("\u{1B}[=5u\u{1B}[?u") && !sent[4].contains("u"))
        #expect(loop.device.capabilities.hasKeyboardProtocol)
        #expect(terminal.received().contains("\u{1B}[<u"))
    }

    @Test func `a terminal that does not keep the keyboard's flags is taken for one without`() throws {
        let loop = try makeLoop()
        let sent = try converse(
            loop, ["\u{1B}[?0u\u{1B}[?62c"] + Array(repeating: "\u{1B}[?0u", count: 5) + ["\u{1B}[?62c"])
        #expect(sent.joined().ranges(of: "\u{1B}[=5u").count == 2)
        #expect(!loop.device.capabilities.hasKeyboardProtocol)
    }

    @Test func `after another program has had the terminal, and after a redraw, the modes are set anew`() throws {
        let loop = try makeLoop()
        let sent = try converse(loop, ["\u{1B}[?0u\u{1B}[?62c", "\u{1B}[?5u", "", "", "\u{1B}[?62c"]) { frame in
            if frame == 3 {
                terminal.type("\u{1B}[?62c")
                loop.device.withTerminalReleased {}
            }
            if frame == 4 { loop.redraw() }
        }
        let afterLending = sent[3]
        #expect(afterLending.contains("\u{1B}[<u") && afterLending.contains("\u{1B}[?2004h"))
        #expect(afterLending.contains("\u{1B}[>5u\u{1B}[?u") && !afterLending.contains("\u{1B}[?2026$p"))
        #expect(sent[4].contains("\u{1B}[?2004h") && sent[4].contains("\u{1B}[=5u\u{1B}[?u"))
        #expect(!sent[4].contains("\u{1B}[>5u") && !sent[4].contains("\u{1B}[?1049h"))
    }

    private nonisolated static let realTime: [Int32] = {
        #if os(Linux)
        [__libc_current_sigrtmin(), __libc_current_sigrtmax(), SIGPWR, SIGIO]
        #else
        []
        #endif
    }()

    @Test(
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
            + realTime)
    func `a signal ends the program after it could save`(_ number: Int32) throws {
        let before = terminal.settings
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.beforeFrame = { _ in kill(getpid(), number) }
        #expect(try loop.run(recorder) == .signal(number))
        #expect(recorder.ended == .signal(number) && ExitReason.signal(number).exitStatus == 128 + number)
        #expect(terminal.settings == before && terminal.received().hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `a signal ends the program though another comes more often than it can be handled`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.beforeFrame = { _ in
            // More signals than a pipe can hold.
            for _ in 0..<200_000 { kill(getpid(), SIGWINCH) }
            kill(getpid(), SIGTERM)
        }
        #expect(try loop.run(recorder) == .signal(SIGTERM))
    }

    @Test func `a size beyond all displays is drawn as far as the largest`() throws {
        terminal.setSize(columns: 65_535, rows: 65_535)
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.content = { _, size in
            loop.stop(.quit(status: 0))
            return Screen(size: size)
        }
        try loop.run(recorder)
        #expect(loop.device.size == Size.maximum)
        #expect(
            Decoding.all("\u{1B}[48;65535;65535;1;1t\u{1B}[48;3;65535;1;1t")
                == [.resized(Size.maximum), .resized(Size(columns: 1000, rows: 3))])
    }

    @Test func `while input never ends frames are drawn, and a signal is heard`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        // Handling a batch triggers the next one, like a user who types faster than the program handles input.
        recorder.beforeFrame = { [terminal] recorder in
            if recorder.frames == 20 { kill(getpid(), SIGTERM) }
            terminal.type(String(repeating: "\u{1B}[A", count: 1000))
        }
        #expect(try loop.run(recorder) == .signal(SIGTERM))
        #expect(recorder.frames >= 20)
    }

    @Test func `a signal in the middle of much input is obeyed before the rest, which is handed on at the end`() throws
    {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        let text = String(repeating: "abcdefghij", count: 150)
        var seen: [Int] = []
        recorder.beforeFrame = { [terminal] recorder in if recorder.frames == 1 { terminal.type(text) } }
        recorder.onEvents = { recorder in
            seen.append(recorder.events.count)
            // The signal is sent to this thread, so that it has arrived when the call returns.
            if seen.count == 2 { pthread_kill(pthread_self(), SIGTERM) }
        }
        #expect(try loop.run(recorder) == .signal(SIGTERM))
        // There is the piece after which the signal came, and then the rest that had been read.
        #expect(seen.count == 2 || seen.count == 3)
        #expect(recorder.events == Array(typed(text).prefix(recorder.events.count)))
    }

    @Test func `a thousand times more events than a frame is worth come in parts, in order`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        let text = String(repeating: "abcdefghij", count: 1200)
        var batches: [Int] = []
        recorder.beforeFrame = { [terminal] recorder in
            let count = recorder.events.count
            batches.append(count)
            // A line buffers some four thousand unread bytes.
            if count % 3000 == 0 { terminal.type(String(text.dropFirst(count).prefix(3000))) }
            if count == text.count { loop.stop(.quit(status: 0)) }
        }
        try loop.run(recorder)
        #expect(recorder.events == typed(text))
        #expect(zip(batches, batches.dropFirst()).allSatisfy { $1 - $0 <= 2048 })
    }

    @Test func `what came of a paste is handed on when the line is cut`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.beforeFrame = { [terminal] recorder in
            guard recorder.frames == 1 else { return }
            terminal.type("\u{1B}[200~unfinished")
            loop.schedule(after: .milliseconds(1)) { kill(getpid(), SIGTERM) }
        }
        #expect(try loop.run(recorder) == .signal(SIGTERM))
        #expect(recorder.events.last == .paste("unfinished"))
    }

    @Test func `a line that is cut ends the program at once`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.beforeFrame = { [terminal] _ in terminal.hangUp() }
        let reason = try loop.run(recorder)
        #expect([.hangup, .terminalLost].contains(reason) && recorder.ended == reason && recorder.frames < 3)
    }

    @Test func `a resize is reported before the frame that follows`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.beforeFrame = { [terminal] recorder in
            if recorder.frames == 1 {
                terminal.setSize(columns: 40, rows: 10)
                kill(getpid(), SIGWINCH)
            } else {
                loop.stop(.quit(status: 0))
            }
        }
        try loop.run(recorder)
        #expect(recorder.events == [.resized(Size(columns: 40, rows: 10))])
    }

    @Test func `a size that came and went again has the whole screen sent anew`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        recorder.content = { _, size in
            var screen = Screen(size: size)
            screen.write("unchanged", at: Position(column: 0, row: 5), style: .default)
            return screen
        }
        recorder.beforeFrame = { recorder in
            if recorder.frames == 1 { kill(getpid(), SIGWINCH) } else { loop.stop(.quit(status: 0)) }
        }
        try loop.run(recorder)
        #expect(terminal.received().split(separator: "unchanged", omittingEmptySubsequences: false).count == 3)
    }

    @Test func `a line that takes nothing gets no more frames`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        var ticks = 0
        recorder.content = { _, size in
            var screen = Screen(size: size)
            let letter = String(UnicodeScalar(UInt8(0x61 + ticks % 26)))
            for row in 0..<size.rows {
                let line = (0..<size.columns).map { $0 % 2 == 0 ? letter : "\(row % 10)" }.joined()
                screen.write(line, at: Position(column: 0, row: row), style: .default)
            }
            return screen
        }
        func tick() {
            ticks += 1
            if ticks == 150 { loop.stop(.quit(status: 0)) } else { loop.schedule(after: .milliseconds(1), tick) }
        }
        tick()
        terminal.setSize(columns: 200, rows: 60)
        try loop.run(recorder)
        // Each frame is 12 KB and the line buffers about 22: one frame sent, one in transit, and perhaps one drawn.
        #expect(recorder.frames <= 4 && loop.statistics.bytes < 60_000)
    }

    @Test func `timers and letters bring frames without a key`() throws {
        let loop = try makeLoop { $0.probes = false }
        let recorder = Recorder()
        var order: [String] = []
        loop.schedule(after: .milliseconds(2)) {
            order.append("timer")
            loop.mailbox.post { @MainActor in
                order.append("letter")
                loop.stop(.quit(status: 0))
            }
        }
        try loop.run(recorder)
        #expect(order == ["timer", "letter"])
    }

    @Test func `a terminal that cannot be used is refused with its name`() {
        func fault(_ environment: [String: String], _ path: String) -> TerminalError? {
            var options = TerminalOptions(environment: environment)
            options.path = path
            do {
                _ = try TerminalDevice(options: options)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault(["TERM": "dumb"], terminal.path) == .dumbTerminal("dumb"))
        #expect(fault(["TERM": "xterm"], "/nonexistent") == .noTerminal)
    }
}

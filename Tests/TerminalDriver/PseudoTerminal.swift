import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program in a pseudo-terminal; every byte of its output is seen, with its arrival time.
///
/// Every wait has a time limit. Not `Sendable`: use it on one thread in one test.
public final class PseudoTerminal {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    public let process: pid_t
    public private(set) var screen: TerminalScreen
    /// The number of bytes received.
    public private(set) var byteCount = 0
    /// The arrival time of the last bytes, in nanoseconds.
    public private(set) var lastArrival: UInt64 = 0
    /// Called with the screen and the time after each piece of output has been received and applied.
    public var onFrame: ((TerminalScreen, UInt64) -> Void)?
    /// The exit status once the program has ended, or 128 plus the signal's number.
    public private(set) var exitStatus: Int32?
    public private(set) var isClosed = false

    private let pair: PseudoTerminalPair
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The time limit of a wait in seconds: generous, since the machine may be busy; a passing test never waits that
    /// long.
    public static let patience: Double = 300

    private let personality: TerminalPersonality
    /// The pending answers and the times at which they are due.
    private var answers: [(due: UInt64, bytes: [UInt8])] = []
    /// The line's settings before the program started.
    public let settingsBefore: [UInt32]

    /// The time in nanoseconds on a monotonic clock.
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Starts a program in a new session, whose first opened terminal becomes the controlling one.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String], columns: Int = 120,
        rows: Int = 40,
        as personality: TerminalPersonality = .modern
    ) throws {
        self.personality = personality
        screen = TerminalScreen(columns: columns, rows: rows, personality: personality)
        let pair = try PseudoTerminalPair(columns: columns, rows: rows)
        self.pair = pair
        settingsBefore = pair.settings
        // If this process kept the program's end open, the line would stay alive after the program's end.
        defer { pair.closeLine() }
        process = try ProgramRun.spawn(
            program, arguments, environment: environment.merging(personality.environment) { $1 },
            streams: [.opened(0, pair.path, O_RDWR), .copied(1, of: 0), .copied(2, of: 0)], isSession: true)
    }

    deinit {
        if exitStatus == nil {
            kill(process, SIGKILL)
            _ = waitForExit()
        }
        hangUp()
    }

    public func setSize(columns: Int, rows: Int) {
        pair.setSize(columns: columns, rows: rows)
        if screen.columns != columns || screen.rows != rows { screen.resize(columns: columns, rows: rows) }
        flushAnswers()
    }

    // MARK: Writing

    /// Sends bytes as if typed; reads output meanwhile if the line is full.
    public func send(_ bytes: [UInt8]) throws {
        // A terminal finishes an answer that it has begun before it sends a key.
        if personality.pause != nil, let last = answers.last { return answers.append((last.due, bytes)) }
        var sent = 0
        let end = Self.now + UInt64(Self.patience * 1e9)
        while sent < bytes.count {
            do {
                sent += try bytes[sent...].withUnsafeBytes { try pair.controller.write($0) }
            } catch Errno.wouldBlock {
                try pump(milliseconds: 1)
            } catch {
                throw Failure(description: "the terminal cannot be written to: \(error)")
            }
            guard Self.now < end else { throw Failure(description: "the program has not read for \(Self.patience) s") }
        }
    }

    public func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends a text as a terminal sends a paste.
    public func paste(_ text: String) throws { try send("\u{1B}[200~" + text + "\u{1B}[201~") }

    /// Sends the terminal's answers that are due.
    private func flushAnswers() {
        guard !isClosed else { return }
        if !screen.answers.isEmpty {
            scheduleAnswers(screen.answers)
            screen.answers = []
        }
        let now = Self.now
        while let next = answers.first, next.due <= now {
            answers.removeFirst()
            // Answers are short. A line that does not accept one belongs to a program that hangs, which a wait will
            // detect.
            _ = try? pair.controller.writeAll(next.bytes)
        }
    }

    private func scheduleAnswers(_ bytes: [UInt8]) {
        let milliseconds: UInt64 = 1_000_000
        var due = Self.now + UInt64(personality.delay) * milliseconds
        guard let pause = personality.pause else { return answers.append((due, bytes)) }
        for start in stride(from: 0, to: bytes.count, by: 7) {
            due = max(due, answers.last?.due ?? 0) + UInt64(pause) * milliseconds
            answers.append((due, Array(bytes[start..<min(start + 7, bytes.count)])))
        }
    }

    /// Whether an answer is still pending: it would be typed at the shell.
    public var hasAnswersLeft: Bool { !answers.isEmpty }

    // MARK: Settings

    /// The line's settings now, as numbers that can be compared.
    public var settings: [UInt32] { pair.settings }

    // MARK: Reading

    /// Reads the next piece of output that arrives within the given time in milliseconds.
    ///
    /// - Returns: whether bytes came.
    @discardableResult
    public func pump(milliseconds: Int32) throws -> Bool {
        guard !isClosed else { return false }
        let end = Self.now + UInt64(max(0, milliseconds)) * 1_000_000
        var entry = pollfd(fd: pair.controller.rawValue, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, answers.isEmpty ? milliseconds : min(milliseconds, 1)) <= 0 {
            flushAnswers()
            guard Self.now < end else { return false }
        }
        let count: Int
        do {
            count = try buffer.withUnsafeMutableBytes { try pair.controller.read(into: $0) }
        } catch Errno.wouldBlock {
            return false
        } catch {
            count = 0
        }
        guard count > 0 else {
            isClosed = true
            return false
        }
        lastArrival = Self.now
        byteCount += count
        screen.feed(buffer[..<count])
        flushAnswers()
        if !screen.isUpdating { onFrame?(screen, lastArrival) }
        return true
    }

    /// Reads until the program has had nothing to do for the given time: it sleeps, has read its input, and sends nothing.
    ///
    /// Silence alone proves nothing, since a program that waits for a processor is silent too. The time is counted in
    /// checks of the program, so that a pause of the test itself does not count either.
    public func waitUntilIdle(milliseconds: Int32) throws {
        let interval: Int32 = 20
        let end = Self.now + UInt64(Self.patience * 1e9)
        var looks: Int32 = 0
        while looks * interval < milliseconds {
            let hasOutput = try pump(milliseconds: interval)
            guard !isClosed else { return }
            if hasOutput || screen.isUpdating || !answers.isEmpty || !pair.isInputRead {
                looks = 0
            } else if ProgramRun.isAsleep(process) {
                // A timer that wakes a thread does not reset the count, or the wait might never end.
                looks += 1
            }
            guard Self.now < end else {
                throw Failure(description: "never at rest:\n" + screen.lines.joined(separator: "\n"))
            }
        }
    }

    /// Reads until nothing has arrived for the given time in milliseconds, or the time limit is reached.
    ///
    /// It is for measuring; a test that depends on what the program has done calls `waitUntilIdle`.
    public func settle(quiet: Int32 = 30, atMost seconds: Double = 10) throws {
        let end = Self.now + UInt64(seconds * 1e9)
        while try pump(milliseconds: quiet), Self.now < end {}
    }

    /// Reads until the screen satisfies the condition.
    public func wait(for what: String, seconds: Double = patience, until condition: (TerminalScreen) -> Bool) throws {
        let end = Self.now + UInt64(seconds * 1e9)
        while screen.isUpdating || !condition(screen) {
            try pump(milliseconds: 20)
            if isClosed, !condition(screen) { break }
            guard Self.now < end else { break }
        }
        guard condition(screen) else {
            let state = isClosed ? "the program has ended" : "in vain"
            throw Failure(description: "waited for \(what), \(state):\n" + screen.lines.joined(separator: "\n"))
        }
    }

    public func wait(for text: String, seconds: Double = patience) throws {
        try wait(for: "“\(text)”", seconds: seconds) { $0.contains(text) }
    }

    /// Types a character and waits for the frame that prints it.
    ///
    /// - Returns: the nanoseconds until its bytes arrived, and the number of bytes received until the line was silent
    ///   for 6 ms.
    public func timeToPrint(_ key: UInt8, seconds: Double = patience) throws -> (nanoseconds: UInt64, bytes: Int) {
        while try pump(milliseconds: 0) {}
        screen.printed = []
        let (bytes, start) = (byteCount, Self.now)
        try send([key])
        while !screen.printed.contains(key) {
            try pump(milliseconds: 20)
            guard !isClosed, Self.now - start < UInt64(seconds * 1e9) else {
                throw Failure(description: "no frame shows the key \(key):\n" + screen.lines.joined(separator: "\n"))
            }
        }
        let arrival = lastArrival
        try settle(quiet: 6, atMost: 1)
        return (arrival - start, byteCount - bytes)
    }

    /// Sends bytes and waits until the line is silent again.
    ///
    /// - Returns: the nanoseconds until the last bytes arrived; 0 if none arrived for half a second.
    public func timeToSettle(_ bytes: [UInt8], quiet: Int32 = 30) throws -> UInt64 {
        while try pump(milliseconds: 0) {}
        let start = Self.now
        try send(bytes)
        let before = byteCount
        while byteCount == before, !isClosed, Self.now - start < 500_000_000 { try pump(milliseconds: 20) }
        try settle(quiet: quiet)
        return lastArrival > start ? lastArrival - start : 0
    }

    // MARK: Ending

    /// Waits until the program ends, reading its remaining output.
    public func waitForExit(seconds: Double = patience) -> Int32? {
        if let exitStatus { return exitStatus }
        let end = Self.now + UInt64(seconds * 1e9)
        while Self.now < end {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                exitStatus = ProgramRun.exitStatus(of: status)
                // Read the program's last output; a line that is already closed has no more.
                while (try? pump(milliseconds: 0)) == true {}
                return exitStatus
            }
            // An error here must not fail the caller: the program is ending.
            if (try? pump(milliseconds: 2)) != true { usleep(500) }
        }
        return nil
    }

    /// Closes the terminal's end: the program loses its terminal.
    public func hangUp() {
        pair.hangUp()
        isClosed = true
    }
}

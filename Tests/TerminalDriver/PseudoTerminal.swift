import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that runs in a pseudo-terminal of ours: what it writes is seen byte by byte, with the time it came.
///
/// Every wait has an end. Not `Sendable`: one test, one thread.
public final class PseudoTerminal {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    public let process: pid_t
    public private(set) var screen: TerminalScreen
    /// All bytes that came.
    public private(set) var byteCount = 0
    /// When the last bytes came, in nanoseconds.
    public private(set) var lastArrival: UInt64 = 0
    /// Called with the screen after every piece that came and is shown, and the time.
    public var onFrame: ((TerminalScreen, UInt64) -> Void)?
    /// How the program ended, once it has: the status, or 128 and the signal's number.
    public private(set) var exitStatus: Int32?
    public private(set) var isClosed = false

    private let pair: PseudoTerminalPair
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Seconds that a wait may take: generous, since the machine may be busy; what passes never waits so long.
    public static let patience: Double = 120

    private let personality: TerminalPersonality
    /// Answers that are on their way, and when they come.
    private var answers: [(due: UInt64, bytes: [UInt8])] = []
    /// The line's settings before the program had it.
    public let settingsBefore: [UInt32]

    /// Nanoseconds of a clock that only goes on.
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Starts a program in a session of its own, whose first opened terminal becomes the controlling one.
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
        // Open in us, the program's end would keep the line alive after the program has gone.
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

    /// Sends bytes as if typed; reads meanwhile when the line is full.
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

    /// Sends a text as a terminal sends what is pasted.
    public func paste(_ text: String) throws { try send("\u{1B}[200~" + text + "\u{1B}[201~") }

    /// Sends what the terminal has to say, when it is time for it.
    private func flushAnswers() {
        guard !isClosed else { return }
        if !screen.answers.isEmpty {
            scheduleAnswers(screen.answers)
            screen.answers = []
        }
        let now = Self.now
        while let next = answers.first, next.due <= now {
            answers.removeFirst()
            // Answers are short; a line that takes none belongs to a program that hangs, which a wait will find.
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

    /// Whether something is still to be answered: it would be typed at the shell.
    public var hasAnswersLeft: Bool { !answers.isEmpty }

    // MARK: Settings

    /// The line's settings now, as numbers that can be compared.
    public var settings: [UInt32] { pair.settings }

    // MARK: Reading

    /// Reads what comes within some milliseconds, at most one piece.
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

    /// Reads until nothing has come for some milliseconds, or the time is up.
    public func settle(quiet: Int32 = 30, atMost seconds: Double = 10) throws {
        let end = Self.now + UInt64(seconds * 1e9)
        while try pump(milliseconds: quiet), Self.now < end {}
    }

    /// Reads until the screen is as wanted.
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
    /// - Returns: nanoseconds until its bytes came, and how many bytes came until the line was silent for 6 ms.
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
    /// - Returns: nanoseconds until the last bytes came, 0 when none came for half a second.
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

    /// Waits for the program's end, reading what it still writes.
    public func waitForExit(seconds: Double = patience) -> Int32? {
        if let exitStatus { return exitStatus }
        let end = Self.now + UInt64(seconds * 1e9)
        while Self.now < end {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                exitStatus = ProgramRun.exitStatus(of: status)
                // What it wrote last; a line that is closed by now has nothing more to say.
                while (try? pump(milliseconds: 0)) == true {}
                return exitStatus
            }
            // Nothing that comes now can fail the caller: the program is ending.
            if (try? pump(milliseconds: 2)) != true { usleep(500) }
        }
        return nil
    }

    /// Closes our side: the program loses its terminal.
    public func hangUp() {
        pair.hangUp()
        isClosed = true
    }
}

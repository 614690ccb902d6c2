import Foundation

/// A program that runs in a pseudo-terminal of ours: what it writes is seen byte by byte, with the time it came.
///
/// Every wait has an end. Not `Sendable`: one test, one thread.
final class PseudoTerminal {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let process: pid_t
    private(set) var screen: TerminalScreen
    /// All bytes that came.
    private(set) var byteCount = 0
    /// When the last bytes came, in nanoseconds.
    private(set) var lastArrival: UInt64 = 0
    /// Called with the screen after every piece that came and is shown, and the time.
    var onFrame: ((TerminalScreen, UInt64) -> Void)?
    /// How the program ended, once it has: the status, or 128 and the signal's number.
    private(set) var exitStatus: Int32?
    private(set) var isClosed = false

    private var master: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private let personality: TerminalPersonality
    /// Answers that are on their way, and when they come.
    private var answers: [(due: UInt64, bytes: [UInt8])] = []
    /// The line's settings before the program had it.
    let settingsBefore: [UInt32]

    /// Nanoseconds of a clock that only goes on.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    init(
        _ program: String, _ arguments: [String] = [], environment: [String: String], columns: Int = 120,
        rows: Int = 40,
        as personality: TerminalPersonality = .modern
    ) throws {
        self.personality = personality
        screen = TerminalScreen(columns: columns, rows: rows, personality: personality)
        var slave: Int32 = -1
        var name = [CChar](repeating: 0, count: 256)
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        master = -1
        guard openpty(&master, &slave, nil, nil, &size) == 0, ttyname_r(slave, &name, name.count) == 0 else {
            throw Failure(description: "no pseudo-terminal: errno \(errno)")
        }
        // Open in us, it would keep the line alive after the program has gone.
        defer { close(slave) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        settingsBefore = Self.settings(of: slave)
        let environment = environment.merging(personality.environment) { $1 }
        process = try Self.spawn(program, arguments, environment, terminal: path)
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which hides it from those who do not ask for extensions.
    #if canImport(Darwin)
    private static let newSession: Int32 = 0x400
    #else
    private static let newSession: Int32 = 0x80
    #endif

    /// A session of its own, whose first opened terminal becomes the controlling one.
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], terminal: String
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // The test runner's threads block most signals, which must not be handed down.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(newSession))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawnp(&process, program, &actions, &attributes, words, variables)
        guard error == 0 else { throw Failure(description: "\(program) did not start: errno \(error)") }
        return process
    }

    deinit {
        if exitStatus == nil {
            kill(process, SIGKILL)
            _ = waitForExit(seconds: 5)
        }
        hangUp()
    }

    func setSize(columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        if screen.columns != columns || screen.rows != rows { screen.resize(columns: columns, rows: rows) }
        flushAnswers()
    }

    // MARK: Writing

    /// Sends bytes as if typed; reads meanwhile when the line is full.
    func send(_ bytes: [UInt8]) throws {
        // A terminal finishes an answer that it has begun before it sends a key.
        if personality.pause != nil, let last = answers.last { return answers.append((last.due, bytes)) }
        var sent = 0
        let end = Self.now + 60_000_000_000
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN || errno == EINTR {
                try pump(milliseconds: 1)
            } else {
                throw Failure(description: "the terminal cannot be written to: errno \(errno)")
            }
            guard Self.now < end else { throw Failure(description: "the program has not read for a minute") }
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends a text as a terminal sends what is pasted.
    func paste(_ text: String) throws { try send("\u{1B}[200~" + text + "\u{1B}[201~") }

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
            _ = next.bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
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
    var hasAnswersLeft: Bool { !answers.isEmpty }

    // MARK: Settings

    private static func settings(of descriptor: Int32) -> [UInt32] {
        var attributes = termios()
        tcgetattr(descriptor, &attributes)
        let characters = withUnsafeBytes(of: attributes.c_cc) { $0.map { UInt32($0) } }
        return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag].map { UInt32($0) }
            + characters
    }

    /// The line's settings now, as numbers that can be compared.
    var settings: [UInt32] { Self.settings(of: master) }

    // MARK: Reading

    /// Reads what comes within some milliseconds, at most one piece.
    ///
    /// - Returns: whether bytes came.
    @discardableResult
    func pump(milliseconds: Int32) throws -> Bool {
        guard !isClosed else { return false }
        let end = Self.now + UInt64(max(0, milliseconds)) * 1_000_000
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, answers.isEmpty ? milliseconds : min(milliseconds, 1)) <= 0 {
            flushAnswers()
            guard Self.now < end else { return false }
        }
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return false }
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
    func settle(quiet: Int32 = 30, atMost seconds: Double = 10) throws {
        let end = Self.now + UInt64(seconds * 1e9)
        while try pump(milliseconds: quiet), Self.now < end {}
    }

    /// Reads until the screen is as wanted.
    func wait(for what: String, seconds: Double = 20, until condition: (TerminalScreen) -> Bool) throws {
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

    func wait(for text: String, seconds: Double = 20) throws {
        try wait(for: "“\(text)”", seconds: seconds) { $0.contains(text) }
    }

    /// Types a character and waits for the frame that prints it.
    ///
    /// - Returns: nanoseconds until its bytes came, and how many bytes came until the line was silent for 6 ms.
    func timeToPrint(_ key: UInt8, seconds: Double = 10) throws -> (nanoseconds: UInt64, bytes: Int) {
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
    func timeToSettle(_ bytes: [UInt8], quiet: Int32 = 30) throws -> UInt64 {
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
    func waitForExit(seconds: Double = 20) -> Int32? {
        if let exitStatus { return exitStatus }
        let end = Self.now + UInt64(seconds * 1e9)
        while Self.now < end {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                exitStatus = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
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
    func hangUp() {
        guard master >= 0 else { return }
        close(master)
        master = -1
        isClosed = true
    }
}

import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A child process that has not been waited for yet.
///
/// It is always waited for: `deinit` waits for a process that has not ended, so that no zombie process remains. The
/// child inherits no other descriptors than its standard streams and those of its `Command`. All signals have their
/// default actions in it, whatever this process ignores, handles or blocks.
public struct ChildProcess: ~Copyable {
    /// The way in which a program has ended.
    public enum End: Equatable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
        /// The process could not be waited for, since it is not a child of this process.
        case lost
    }

    /// The process ID, which is also the ID of its process group if it has its own.
    public let id: Int32
    private let hasOwnGroup: Bool
    private var ended: End?
    /// This process's ends of the pipes to and from the child, for `Command.run`.
    var pipes: Pipes

    /// Starts a program; `Command.run` writes its input and collects its output.
    ///
    /// - Throws: The system's error number if the program cannot be started.
    static func start(_ command: Command) throws(Errno) -> ChildProcess {
        let pipes = try Pipes(for: command)
        let id = try spawn(command, pipes)
        return ChildProcess(id: id, hasOwnGroup: command.hasOwnGroup || command.hasOwnSession, pipes: pipes)
    }

    /// Starts a program that inherits the standard streams of this process.
    ///
    /// - Throws: The system's error number if the program cannot be started.
    public static func start(interactive path: String, _ words: [String]) throws(Errno) -> ChildProcess {
        try start(.interactive(path: path, words: words))
    }

    /// Starts a program that outlives this one: in its own session, without streams, and without being waited for.
    ///
    /// - Throws: The system's error number if the program cannot be started.
    public static func start(detached path: String, _ words: [String]) throws(Errno) {
        var command = Command(path: path, words: words)
        command.hasOwnSession = true
        let pipes = try Pipes(for: command)
        _ = try spawn(command, pipes)
    }

    private init(id: Int32, hasOwnGroup: Bool, pipes: consuming Pipes) {
        (self.id, self.hasOwnGroup) = (id, hasOwnGroup)
        self.pipes = pipes
    }

    deinit {
        if ended == nil { _ = Self.wait(for: id, options: 0) }
    }

    // MARK: - Ending

    /// Waits until the process has ended.
    public mutating func wait() -> End {
        let end = ended ?? Self.wait(for: id, options: 0) ?? .lost
        ended = end
        return end
    }

    /// Returns the way in which the process has ended, or `nil` while it runs.
    public mutating func end() -> End? {
        if ended == nil { ended = Self.wait(for: id, options: WNOHANG) }
        return ended
    }

    /// Sends a signal to the process, or to its whole group if it has its own.
    public func send(signal: Int32) {
        guard ended == nil else { return }
        kill(hasOwnGroup ? -id : id, signal)
    }

    /// Asks the process and all that it has started to end, by SIGTERM, and returns those that are not in a group of
    /// its own.
    mutating func askToEnd() -> [Int32] {
        // A program that ends first would leave its children without a parent, and nobody would find them.
        let others = hasOwnGroup || end() != nil ? [] : Descendants.of(id)
        // A stopped process handles no other signal until it is continued.
        for signal in [SIGTERM, SIGCONT] {
            for other in others { kill(other, signal) }
            send(signal: signal)
        }
        return others
    }

    /// Waits for what the process has started, once it has ended itself, and kills what remains of its group.
    ///
    /// - Parameters:
    ///   - others: The result of `askToEnd`; they are waited for, but their numbers may belong to others by then.
    ///   - deadline: The moment from which nothing is waited for.
    func waitForOthers(_ others: [Int32], until deadline: ContinuousClock.Instant) {
        func isAnyLeft() -> Bool { hasOwnGroup ? kill(-id, 0) == 0 : others.contains { kill($0, 0) == 0 } }
        while isAnyLeft() {
            guard ContinuousClock.now < deadline else {
                if hasOwnGroup { kill(-id, SIGKILL) }
                return
            }
            usleep(1_000)
        }
    }

    private static func wait(for id: Int32, options: Int32) -> End? {
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(id, &status, options) } while result < 0 && errno == EINTR
        if result == 0 { return nil }
        if result < 0 { return .lost }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }

    // MARK: - Starting

    private static func spawn(_ command: Command, _ pipes: borrowing Pipes) throws(Errno) -> Int32 {
        #if canImport(Glibc)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        setStreams(&actions, command, pipes)
        setSignals(&attributes)
        setFlags(&attributes, command)
        let arguments = command.words.map { strdup($0) } + [nil]
        let variables = command.environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer {
            arguments.forEach { free($0) }
            variables?.forEach { free($0) }
        }
        var id = pid_t()
        let error = Pipes.startLock.withLock { _ in
            if let variables {
                posix_spawn(&id, command.path, &actions, &attributes, arguments, variables)
            } else {
                posix_spawn(&id, command.path, &actions, &attributes, arguments, environ)
            }
        }
        guard error == 0 else { throw Errno(rawValue: error) }
        return id
    }

    /// Connects the program's streams.
    private static func setStreams(_ actions: inout SpawnActions, _ command: Command, _ pipes: borrowing Pipes) {
        for (stream, end) in pipes.childEnds {
            posix_spawn_file_actions_adddup2(&actions, end.rawValue, stream.rawValue)
        }
        for (stream, output) in [(STDOUT_FILENO, command.output), (STDERR_FILENO, command.errorOutput)] {
            guard case .discarded = output else { continue }
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        #if canImport(Darwin)
        for stream in inheritedStreams(of: command) { posix_spawn_file_actions_addinherit_np(&actions, stream) }
        #endif
    }

    /// Makes the program the leader of a session or a process group where it is to have its own.
    private static func setFlags(_ attributes: inout SpawnAttributes, _ command: Command) {
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if command.hasOwnSession {
            // A session leader is also the leader of a new process group.
            flags |= Self.newSession
        } else if command.hasOwnGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    #if canImport(Glibc)
    /// `POSIX_SPAWN_SETSID`, which glibc declares only with `_GNU_SOURCE` (spawn.h).
    private static let newSession: Int32 = 0x80
    #else
    private static let newSession = POSIX_SPAWN_SETSID
    #endif

    #if canImport(Darwin)
    private static func inheritedStreams(of command: Command) -> [Int32] {
        var streams: [Int32] = []
        if case .inherited = command.input { streams.append(STDIN_FILENO) }
        if case .inherited = command.output { streams.append(STDOUT_FILENO) }
        if case .inherited = command.errorOutput { streams.append(STDERR_FILENO) }
        return streams
    }
    #endif

    /// Unblocks all signals and gives all of them their default actions.
    ///
    /// SIGPIPE matters most: if it were ignored, `yes | head` would never end.
    private static func setSignals(_ attributes: inout SpawnAttributes) {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        for fixed in [SIGKILL, SIGSTOP] { sigdelset(&all, fixed) }
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
    }

    #if canImport(Glibc)
    private typealias SpawnActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
    #else
    private typealias SpawnActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
    #endif
}

extension Command {
    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}

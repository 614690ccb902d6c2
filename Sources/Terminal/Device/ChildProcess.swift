#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that was started from here.
public struct ChildProcess: Sendable {
    /// What its standard input, output and error are.
    public enum Streams: Sendable {
        /// Those of this process.
        case inherited
        /// Its input is a descriptor of ours; what it says is thrown away.
        case quiet(input: Int32)
    }

    /// Why a program was not started, as the system numbers it.
    public struct Failure: Error, Equatable, Sendable {
        public let errno: Int32
    }

    private let id: pid_t

    /// Starts a program; of our descriptors it gets its streams and no other that is closed on exec.
    ///
    /// - Parameters:
    ///   - path: the program's file.
    ///   - words: its name and its arguments.
    ///   - signals: those that are ignored here and are to mean to it what they mean by default.
    public static func start(
        _ path: String, _ words: [String], _ streams: Streams = .inherited, restoring signals: [Int32] = []
    ) throws(Failure) -> ChildProcess {
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
        if case .quiet(let input) = streams {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in signals { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id = pid_t()
        let error = posix_spawn(&id, path, &actions, &attributes, arguments, environ)
        guard error == 0 else { throw Failure(errno: error) }
        return ChildProcess(id: id)
    }

    /// How a program has ended.
    public enum End: Equatable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
        /// It was not ours to wait for.
        case lost
    }

    /// Waits for its end.
    public func wait() -> End { end(waiting: true) ?? .lost }

    /// How it has ended; nil while it runs.
    public func end() -> End? { end(waiting: false) }

    private func end(waiting: Bool) -> End? {
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(id, &status, waiting ? 0 : WNOHANG) } while result < 0 && errno == EINTR
        if result == 0 { return nil }
        if result < 0 { return .lost }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

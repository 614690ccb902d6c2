import Foundation

/// Blocks Ctrl-C during long work in steps, so that the work can check for it between two steps.
///
/// A blocked Ctrl-C is discarded afterwards, because the command itself reports what was done and ends.
final class StopSignal: Sendable {
    private let before: sigset_t
    /// Whether the parent process ignores the signal for this program: `nohup`, or a shell that runs it in the
    /// background.
    private let isIgnored: Bool

    init() {
        isIgnored = Self.isIgnored(SIGINT)
        var interrupt = Self.interrupt
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &interrupt, &before)
        self.before = before
    }

    deinit {
        var interrupt = Self.interrupt
        var number: Int32 = 0
        if isPending { sigwait(&interrupt, &number) }
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// Whether this process ignores a signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.isIgnoring
    }

    var isRaised: Bool { !isIgnored && isPending }

    private var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGINT) == 1
    }

    private static var interrupt: sigset_t {
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        return interrupt
    }
}

/// Ctrl-\\, which ends a program at once.
enum QuitSignal {
    /// Gives the signal its default action, unless the parent process ignores it.
    ///
    /// Where Swift's backtracer is installed, the runtime takes the signal for a crash, and reports on it for seconds.
    static func endAtOnce() {
        if !StopSignal.isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
    }
}

/// The signal that a child process has ended.
enum ChildSignal {
    /// Gives the signal its default action.
    ///
    /// If the parent process ignores it, the kernel tells nobody how a child has ended, so every editor and every git
    /// would seem to have failed.
    static func takeDefault() { signal(SIGCHLD, SIG_DFL) }
}

/// The signal that a file would grow beyond the limit that the system allows the process (`ulimit -f`).
enum FileSizeSignal {
    /// Has a write that is too long fail like one to a full disk, so that the text is kept and the reason is reported.
    static func becomeError() { signal(SIGXFSZ, SIG_IGN) }
}

/// Handles Ctrl-C before anything has been done: the program ends at once with a message.
enum StartupInterrupt {
    /// Makes Ctrl-C end the program with the line `tn: stopped; WORDS` from now on.
    static func say(_ words: String) {
        guard !StopSignal.isIgnored(SIGINT) else { return }
        let line = Array("tn: stopped; \(words)\n".utf8)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
        _ = memory.initialize(from: line)
        lastLine = UnsafeRawBufferPointer(memory)
        signal(SIGINT) { _ in
            _ = write(STDERR_FILENO, lastLine.baseAddress, lastLine.count)
            _exit(130)
        }
    }
}

/// The line that the handler writes.
private nonisolated(unsafe) var lastLine = UnsafeRawBufferPointer(start: nil, count: 0)  // set before the handler is

extension sigaction {
    fileprivate var isIgnoring: Bool {
        #if canImport(Darwin)
        unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }
}

import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where the handlers write; a plain number, because a handler may touch nothing else.
nonisolated(unsafe) private var pipeWriteEnd: Int32 = -1  // set once, on the main thread, before the handlers

/// The signals that are in the pipe, a bit each: one that comes a thousand times a second is in it once, so that it never
/// fills and every other finds room.
private let signalsInPipe = Atomic<UInt64>(0)

private func noteSignal(_ number: Int32) {
    let saved = errno
    let bit: UInt64 = 1 << UInt64(number & 63)
    if signalsInPipe.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipeWriteEnd, &byte, 1)
    }
    errno = saved
}

/// A pipe that wakes the loop's `poll`: signals and other threads write a byte into it, nothing else.
enum SignalPipe {
    /// What ends the program, stops it, wakes it, or changes its window.
    private static let handled = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    /// What else ends a program that does not handle it; where somebody does, or ignores it, it is left to them.
    ///
    /// Those that a fault raises are `CrashGuard`'s. The pipe tells a signal by its number modulo 64, and the last one
    /// of real time is 64.
    private static let fatal: [Int32] = {
        let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
        #if os(Linux)
        return common + [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #else
        return common + [SIGEMT]
        #endif
    }()

    /// The fatal ones that are handled here now, on the main thread.
    nonisolated(unsafe) private static var handledFatal: [Int32] = []  // the loop's thread alone reads and writes it

    /// Opened once a process: handlers may run at any time.
    static let ends: (read: FileDescriptor, write: FileDescriptor) = {
        do {
            let ends = try FileDescriptor.pipe()
            ends.readEnd.makeNonBlockingAndPrivate()
            ends.writeEnd.makeNonBlockingAndPrivate()
            return (ends.readEnd, ends.writeEnd)
        } catch {
            preconditionFailure("no pipe to wake the event loop: \(error)")
        }
    }()

    /// Wakes the loop from any thread; a pipe that is full has woken it already.
    static func wake() {
        _ = try? ends.write.writeAll([0])  // a pipe that takes no more has woken the loop already
    }

    /// Whether a signal waits to be taken: one look at a number.
    static var hasSignal: Bool { signalsInPipe.load(ordering: .relaxed) != 0 }

    /// The signals that came since the last look; 0 is a wake-up.
    static func drain() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        var signals: [Int32] = []
        while true {
            // It fails when nothing is left.
            let count = (try? buffer.withUnsafeMutableBytes { try ends.read.read(into: $0) }) ?? 0
            if count == 0 { return signals }
            let read = buffer[..<count].map { Int32($0) }.filter { $0 != 0 }
            for number in read {
                signalsInPipe.bitwiseAnd(~(1 << UInt64(number & 63)), ordering: .relaxed)
            }
            signals += read
        }
    }

    // MARK: - Handlers

    /// The window has another size; Ctrl-Z; the program goes on.
    static let windowChanged = SIGWINCH, stopped = SIGTSTP, continued = SIGCONT

    static func install() {
        pipeWriteEnd = ends.write.rawValue
        // Made before a handler can need it.
        signalsInPipe.store(0, ordering: .relaxed)
        handled.forEach { set($0, noteSignal) }
        handledFatal = fatal.filter(isDefault)
        handledFatal.forEach { set($0, noteSignal) }
        unblock()
        // A pipe that nobody reads, or a file that has reached the size allowed, is an error of the write, not the end of
        // the program.
        set(SIGPIPE, SIG_IGN)
        set(SIGXFSZ, SIG_IGN)
    }

    /// Whoever started us may have blocked what we live by, and a blocked signal is handed down.
    private static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        (handled + handledFatal).forEach { sigaddset(&signals, $0) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    static func uninstall() {
        (handled + handledFatal + [SIGPIPE, SIGXFSZ]).forEach { set($0, SIG_DFL) }
        handledFatal = []
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
        return action.__sigaction_handler.sa_handler == nil
        #else
        return action.__sigaction_u.__sa_handler == nil
        #endif
    }

    private static func set(_ number: Int32, _ handler: sighandler_t?) {
        var action = sigaction()
        #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = handler
        #else
        action.__sigaction_u.__sa_handler = handler
        #endif
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// Stops the process group; returns after SIGCONT, or at once where the kernel does not let it stop.
    static func stopProcessGroup() {
        set(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        set(SIGTSTP, noteSignal)
        forget([SIGTSTP, SIGCONT])
    }

    /// Takes signals out of the pipe that have been dealt with, and leaves the others.
    private static func forget(_ dealtWith: [Int32]) {
        drain().filter { !dealtWith.contains($0) }.forEach(noteSignal)
    }

    /// Prepares for another program to take the terminal; true when there is something to take back.
    ///
    /// Its Ctrl-C is not ours, and its Ctrl-Z stops us with it. Handlers, unlike ignored signals, do not go over to the
    /// program that is started.
    static func releaseToChild() -> Bool {
        guard pipeWriteEnd >= 0 else { return false }
        set(SIGTSTP, SIG_DFL)
        return true
    }

    static func takeBack(_ released: Bool) {
        guard released else { return }
        set(SIGTSTP, noteSignal)
        forget([SIGINT, SIGQUIT, SIGCONT, SIGTSTP])
    }
}

import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The descriptor that the handlers write to; a plain number, because a handler may use nothing else.
private nonisolated(unsafe) var pipeWriteEnd: Int32 = -1  // set once, on the main thread, before the handlers

/// The signals that are in the pipe, one bit each.
///
/// A signal that arrives a thousand times a second is in the pipe only once, so the pipe never fills up and other
/// signals always have room.
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

/// A pipe that wakes the loop's `poll`: only signal handlers and other threads write bytes to it.
enum SignalPipe {
    /// Signals that end, stop or continue the program, or report a new window size.
    private static let handled = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    /// Other signals that end a program by default; they are handled only where their action is the default one.
    ///
    /// `CrashGuard` handles those that a fault raises. The pipe identifies a signal by its number modulo 64, and the
    /// last real-time signal is 64.
    private static let fatal: [Int32] = {
        let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
        #if os(Linux)
        return common + [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #else
        return common + [SIGEMT]
        #endif
    }()

    /// The fatal signals that are handled at present.
    private nonisolated(unsafe) static var handledFatal: [Int32] = []  // only the loop's thread reads and writes it

    /// The two ends of the pipe, opened once per process, because handlers may run at any time.
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

    /// Wakes the loop from any thread.
    static func wake() {
        _ = try? ends.write.writeAll([0])  // a full pipe has woken the loop already
    }

    /// Whether a signal is waiting; costs one atomic load.
    static var hasSignal: Bool { signalsInPipe.load(ordering: .relaxed) != 0 }

    /// Whether a signal that ends the program is waiting; callable on any thread.
    static var hasEndingSignal: Bool {
        let ending = [SIGTERM, SIGHUP, SIGINT].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        return signalsInPipe.load(ordering: .relaxed) & ending != 0
    }

    /// Waits for a signal that ends the program; false if none has come in time.
    ///
    /// Signals that came while the program was stopped are handled on any thread, maybe after the others go on.
    static func awaitEndingSignal(milliseconds: Int) -> Bool {
        let end = Timestamp.now + .milliseconds(Int64(milliseconds))
        while !hasEndingSignal {
            if Timestamp.now >= end { return false }
            usleep(1000)
        }
        return true
    }

    /// Reads the signals that arrived since the last call; a wake-up adds none.
    static func drain() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        var signals: [Int32] = []
        while true {
            // The read fails when the pipe is empty.
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

    /// The signals for a new window size, for Ctrl-Z, and for continuing after a stop.
    static let windowChanged = SIGWINCH, stopped = SIGTSTP, continued = SIGCONT

    static func install() {
        pipeWriteEnd = ends.write.rawValue
        // Initialise it before a handler can need it.
        signalsInPipe.store(0, ordering: .relaxed)
        // Discard the signals that an earlier loop has not read. Work may have been posted meanwhile, so wake the loop.
        _ = drain()
        wake()
        handled.forEach { set($0, noteSignal) }
        handledFatal = fatal.filter(isDefault)
        handledFatal.forEach { set($0, noteSignal) }
        unblock()
        // These signals are ignored, so that writing to a pipe without a reader, or past the file size limit, fails
        // with an error instead of ending the program.
        set(SIGPIPE, SIG_IGN)
        set(SIGXFSZ, SIG_IGN)
    }

    /// Unblocks the signals that are handled here: the parent process may have blocked them, which is inherited.
    private static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        (handled + handledFatal).forEach { sigaddset(&signals, $0) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    static func uninstall() {
        // SIGXFSZ stays ignored: what is saved afterwards should fail with an error too.
        (handled + handledFatal + [SIGPIPE]).forEach { set($0, SIG_DFL) }
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

    /// Stops the process group; returns after SIGCONT, or at once if the kernel refuses to stop it.
    static func stopProcessGroup() {
        set(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        set(SIGTSTP, noteSignal)
        forget([SIGTSTP, SIGCONT])
    }

    /// Stops the process group as the kernel does if a program in the background sets the terminal.
    static func stopInBackground() {
        kill(0, SIGTTOU)
        forget([SIGCONT])
    }

    /// Removes the given signals, which were dealt with, from the pipe and keeps the others.
    private static func forget(_ dealtWith: [Int32]) {
        drain().filter { !dealtWith.contains($0) }.forEach(noteSignal)
    }

    /// Prepares for another program to take the terminal; true if `reclaim` has something to undo.
    ///
    /// Ctrl-C is meant for the other program, so `reclaim` drops it. It is not ignored, since the other program would
    /// inherit that, but not a handler. Ctrl-Z stops both programs.
    static func releaseToChild() -> Bool {
        guard pipeWriteEnd >= 0 else { return false }
        set(SIGTSTP, SIG_DFL)
        return true
    }

    static func reclaim(_ released: Bool) {
        guard released else { return }
        set(SIGTSTP, noteSignal)
        forget([SIGINT, SIGQUIT, SIGCONT, SIGTSTP])
    }
}

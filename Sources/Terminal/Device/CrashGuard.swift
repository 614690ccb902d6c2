#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Restores the terminal when the program calls `exit` or crashes, before the crash report is written.
///
/// The handlers use only functions that are allowed in a signal handler (`write`, `tcsetattr`, `sigaction`, `raise`),
/// on memory prepared before. Then they call the handler that was installed before them, so that the Swift runtime
/// reports on a normal screen.
public enum CrashGuard {
    /// The state that a handler needs, allocated once and never freed, because a handler may run at any time.
    fileprivate struct State {
        var descriptor: Int32 = -1
        var attributes = termios()
        var bytes: UnsafeMutablePointer<UInt8>
        var count = 0
        var isArmed: Bool = false
    }

    /// The size of the buffer for the bytes that leave every mode; they are under 200.
    static let capacity = 1024

    /// The signals of crashes: illegal instruction and trap (raised by Swift), bad memory access, arithmetic, abort,
    /// forbidden system call.
    fileprivate static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS]

    /// Installs the handlers once; a full-screen program calls it before it reads or creates anything.
    ///
    /// On Linux the runtime's crash report waits 30 seconds for a key when there is a terminal. Only the environment at
    /// start can switch that off. So where the runtime reports crashes, which it does if it finds its reporter beside the
    /// program or the toolchain, the program executes itself again once with `SWIFT_BACKTRACE` set, if the variable is
    /// not set; that costs two or three milliseconds.
    ///
    /// The report has addresses instead of names: to find the names takes 8 to 25 seconds in a program that is not
    /// stripped (measured 2026-11), in which the shell waits and the journal counts as that of a living program.
    /// `addr2line -e` finds them later.
    public static func install() {
        guard crashState == nil else { return }
        restartWithQuietReport()
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(bytes: bytes))
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
        actions.initialize(repeating: sigaction(), count: 32)
        crashState = state
        oldActions = actions
        useOwnStack()
        for number in signals { handle(number) }
        // A library may call `exit` itself.
        atexit(restoreTerminal)
    }

    /// Arms the handlers: a crash from now on writes `bytes` to the descriptor and sets the attributes.
    static func arm(descriptor: Int32, attributes: termios, restoring bytes: [UInt8]) {
        guard let crashState, bytes.count <= capacity else { return }
        crashState.pointee.isArmed = false
        crashState.pointee.descriptor = descriptor
        crashState.pointee.attributes = attributes
        crashState.pointee.count = bytes.count
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { crashState.pointee.bytes.update(from: base, count: source.count) }
        }
        crashState.pointee.isArmed = true
    }

    static func disarm() {
        crashState?.pointee.isArmed = false
    }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        #if canImport(Glibc)
        action.__sigaction_handler.sa_sigaction = restoreAfterCrash
        #else
        action.__sigaction_u.__sa_sigaction = restoreAfterCrash
        #endif
        action.sa_flags = SA_SIGINFO | Int32(SA_ONSTACK)
        sigaction(number, &action, oldActions.map { $0 + Int(number) })
    }

    /// Gives the handlers their own stack: a stack overflow leaves no room on the overflowed one.
    private static func useOwnStack() {
        var current = stack_t()
        sigaltstack(nil, &current)
        // The runtime's own stack, where there is one, is large enough.
        guard current.ss_flags & Int32(SS_DISABLE) != 0 else { return }
        let size = 65_536
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }

    /// Whether the runtime has installed handlers of its own, which it does at start if it is going to report crashes.
    private static var hasReporter: Bool {
        var action = sigaction()
        sigaction(SIGTRAP, nil, &action)
        return action.contextHandler != nil
    }

    private static func restartWithQuietReport() {
        #if os(Linux)
        guard getenv("SWIFT_BACKTRACE") == nil else {
            // Programs started from here must not inherit the setting.
            unsetenv("SWIFT_BACKTRACE")
            return
        }
        guard hasReporter else { return }
        setenv("SWIFT_BACKTRACE", "interactive=no,color=no,output-to=stderr,symbolicate=off", 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        // Without /proc the report may wait for a key; the terminal is restored all the same.
        unsetenv("SWIFT_BACKTRACE")
        #endif
    }
}

// The signal handlers use both variables, so a lock cannot protect them.
private nonisolated(unsafe) var crashState: UnsafeMutablePointer<CrashGuard.State>?  // set once, before the handlers
private nonisolated(unsafe) var oldActions: UnsafeMutablePointer<sigaction>?  // set once, before the handlers

private func restoreTerminal() {
    guard let state = crashState, state.pointee.isArmed else { return }
    state.pointee.isArmed = false
    // Try only once: a terminal that takes no bytes must not keep the program from ending.
    _ = write(state.pointee.descriptor, state.pointee.bytes, state.pointee.count)
    tcsetattr(state.pointee.descriptor, TCSANOW, &state.pointee.attributes)
}

private func restoreAfterCrash(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    restoreTerminal()
    guard let old = oldActions.map({ $0[Int(number)] }) else { return }
    // Call the previous handler, which is the Swift runtime's report. It may return; then the signal ends the process.
    let wantsContext = old.sa_flags & SA_SIGINFO != 0
    if wantsContext { old.contextHandler?(number, info, context) }
    var action = sigaction()
    sigaction(number, &action, nil)
    raise(number)
}

extension sigaction {
    fileprivate typealias ContextHandler =
        @convention(c) (
            Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?
        ) -> Void

    fileprivate var contextHandler: ContextHandler? {
        #if canImport(Glibc)
        __sigaction_handler.sa_sigaction
        #else
        __sigaction_u.__sa_sigaction
        #endif
    }
}

/// What runs on the event loop: takes events, gives frames.
@MainActor
public protocol TerminalApplication: AnyObject {
    /// All that was waiting, decoded.
    func handle(_ events: [InputEvent])

    /// The screen as it is to be now; nil when nothing has changed since the last one.
    ///
    /// Asked when the line can take a frame and something has happened: an event, a letter, a timer.
    func frame(size: Size) -> Screen?

    /// Writes down what must not be lost, before a frame that shows it is sent.
    ///
    /// Called when all that waited was handled, whether or not a frame follows, and again just before a frame's bytes go
    /// to the terminal.
    func commit()

    /// The program is about to end for a reason from outside: save now. The terminal is restored after it.
    func willTerminate(_ reason: ExitReason)

    /// The program is about to be stopped by Ctrl-Z from outside: it may not run again for long.
    func willSuspend()
}

extension TerminalApplication {
    public func commit() {}
    public func willTerminate(_ reason: ExitReason) {}
    public func willSuspend() {}
}

/// Why the event loop ended.
public enum ExitReason: Equatable, Sendable {
    case quit(status: Int32)
    case signal(Int32)
    /// The line was closed.
    case hangup
    /// The terminal gives errors.
    case terminalLost

    /// What the process exits with: 128 and the signal's number; a terminal that went away counts as hang-up (1).
    public var exitStatus: Int32 {
        switch self {
        case .quit(let status): status
        case .signal(let number): 128 + number
        case .hangup, .terminalLost: 129
        }
    }
}

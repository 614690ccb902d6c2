/// A program that runs on the event loop: it takes events and supplies frames.
@MainActor
public protocol TerminalApplication: AnyObject {
    /// Handles the decoded events that were waiting.
    func handle(_ events: [InputEvent])

    /// The screen to show now; nil if nothing has changed since the last one.
    ///
    /// Called when the line can take a frame and something has happened: an event, posted work, a timer.
    func frame(size: Size) -> Screen?

    /// Saves the data that must not be lost, before a frame that shows it is sent.
    ///
    /// Called after all waiting events are handled, whether or not a frame follows, and again just before a frame's
    /// bytes go to the terminal.
    func commit()

    /// Saves before the program ends for a reason from outside; the terminal is restored afterwards.
    func willTerminate(_ reason: ExitReason)

    /// Called when the terminal has received all waiting pictures, so that their placeholders show them.
    func picturesSent()

    /// Called before Ctrl-Z stops the program, which may then not run again for a long time.
    func willSuspend()
}

extension TerminalApplication {
    public func commit() {}
    public func willTerminate(_ reason: ExitReason) {}
    public func picturesSent() {}
    public func willSuspend() {}
}

/// The reason why the event loop ended.
public enum ExitReason: Equatable, Sendable {
    case quit(status: Int32)
    case signal(Int32)
    /// The line was closed.
    case hangup
    /// The terminal reported an error.
    case terminalLost

    /// The exit status of the process: 128 plus the signal's number; a lost terminal counts as SIGHUP (1).
    public var exitStatus: Int32 {
        switch self {
        case .quit(let status): status
        case .signal(let number): 128 + number
        case .hangup, .terminalLost: 129
        }
    }
}

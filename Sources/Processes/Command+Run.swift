import Dispatch
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What became of a program that was run to its end.
public struct CommandResult: Equatable, Sendable {
    public var end: ChildProcess.End
    /// Whether it was stopped, because its time was over or somebody asked for it.
    public var isStopped: Bool
    public var output: [UInt8]
    public var errorOutput: [UInt8]
    /// Whether the program wrote more than was collected.
    public var isCut: Bool

    /// Whether the program did its work: it ended by itself, with status 0.
    public var isSuccess: Bool { end == .exited(status: 0) && !isStopped }
}

/// Stops a program that another thread runs.
public final class CommandStop: Sendable {
    private let isAskedFor = Atomic<Bool>(false)
    /// The process group that is to be stopped, 0 when there is none: before the start, and after the end.
    private let group = Atomic<Int32>(0)

    public init() {}

    /// Asks for the program to be stopped; returns at once.
    ///
    /// The program is asked from here, since this process may end before the thread that runs it looks again.
    public func stop() {
        isAskedFor.store(true, ordering: .sequentiallyConsistent)
        let group = group.load(ordering: .sequentiallyConsistent)
        if group > 0 { kill(-group, SIGTERM) }
    }

    var isRequested: Bool { isAskedFor.load(ordering: .sequentiallyConsistent) }

    func began(group id: Int32) { group.store(id, ordering: .sequentiallyConsistent) }
    func ended() { group.store(0, ordering: .sequentiallyConsistent) }
}

extension Command {
    /// Runs the program to its end: gives it its input, collects its output, waits for it.
    ///
    /// A program that is stopped gets SIGTERM, with all that it has started if it has a group of its own, and SIGKILL a
    /// quarter of a second later. A program that ends while something it has started holds its output open is over.
    ///
    /// - Parameters:
    ///   - deadline: how long it may take; nil is for ever.
    ///   - stop: lets another thread stop it.
    /// - Throws: why the program cannot be started, as the system numbers it.
    public func run(deadline: Duration? = nil, stop: CommandStop? = nil) throws(Errno) -> CommandResult {
        var child = try ChildProcess.start(self)
        child.pipes.programStarted()
        if hasOwnGroup { stop?.began(group: child.id) }
        let start = ContinuousClock.now
        var (stoppedAt, isKilled) = (ContinuousClock.Instant?.none, false)
        var pause = Self.shortestPause
        while true {
            let end = child.end()
            if end != nil { stop?.ended() }
            if end != nil || child.pipes.isOpen { child.pipes.passOn(milliseconds: end == nil ? pause : 0) }
            if let end { return result(of: end, isStopped: stoppedAt != nil, child.pipes) }
            if !child.pipes.isOpen { usleep(useconds_t(pause) * 1000) }
            pause = min(pause * 2, Self.longestPause)
            let now = ContinuousClock.now
            let isOver = deadline.map { now - start >= $0 } ?? false
            if stoppedAt == nil, isOver || stop?.isRequested == true {
                child.send(signal: SIGTERM)
                // A stopped process takes no signal but this one.
                child.send(signal: SIGCONT)
                stoppedAt = now
            } else if let stoppedAt, !isKilled, now - stoppedAt >= Self.grace {
                child.send(signal: SIGKILL)
                isKilled = true
            }
        }
    }

    /// Milliseconds between two looks at whether the program has ended: most are quick, and one that is not need not
    /// be seen to end at once.
    private static let shortestPause: Int32 = 1
    private static let longestPause: Int32 = 32
    /// How long a program that was asked to end may take over it.
    private static let grace = Duration.milliseconds(250)

    private func result(of end: ChildProcess.End, isStopped: Bool, _ pipes: borrowing Pipes) -> CommandResult {
        CommandResult(
            end: end, isStopped: isStopped, output: pipes.output?.bytes ?? [],
            errorOutput: pipes.errorOutput?.bytes ?? [],
            isCut: pipes.output?.isCut == true || pipes.errorOutput?.isCut == true)
    }

    /// Runs the program on a thread of its own, and hands what became of it to `whenDone` there; nil when it cannot be
    /// started.
    ///
    /// - Returns: what stops it.
    @discardableResult
    public func runInBackground(
        deadline: Duration? = nil, whenDone: @escaping @Sendable (CommandResult?) -> Void = { _ in }
    ) -> CommandStop {
        let stop = CommandStop()
        DispatchQueue.global(qos: .userInitiated).async {
            whenDone(try? run(deadline: deadline, stop: stop))  // nil says it
        }
        return stop
    }
}

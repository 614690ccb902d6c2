import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The result of a program that was run to its end.
public struct CommandResult: Equatable, Sendable {
    public var end: ChildProcess.End
    /// Whether it was stopped, by its deadline or on request.
    public var isStopped: Bool
    public var output: [UInt8]
    public var errorOutput: [UInt8]
    /// Whether the program wrote more than was collected.
    public var isCut: Bool

    /// Whether the program succeeded: it ended by itself, with status 0.
    public var isSuccess: Bool { end == .exited(status: 0) && !isStopped }
}

/// A handle that stops a program run by another thread.
public final class CommandStop: Sendable {
    private let isAskedFor = Atomic<Bool>(false)
    /// The process group to stop; 0 before the start and after the end.
    private let group = Atomic<Int32>(0)
    /// The handle whose request also stops this program.
    private let outer: CommandStop?

    /// - Parameter outer: a handle that stops this program too, while this one stops nothing else.
    public init(within outer: CommandStop? = nil) { self.outer = outer }

    /// Requests that the program be stopped, and returns at once.
    ///
    /// SIGTERM is sent here, since this process may end before the running thread checks again.
    public func stop() {
        isAskedFor.store(true, ordering: .sequentiallyConsistent)
        let group = group.load(ordering: .sequentiallyConsistent)
        if group > 0 { kill(-group, SIGTERM) }
    }

    /// Whether the program was asked to stop.
    public var isRequested: Bool { isAskedFor.load(ordering: .sequentiallyConsistent) || outer?.isRequested == true }

    /// Stops the program, and returns once it has ended; one that ignores SIGTERM is killed after the usual grace.
    ///
    /// This is for a process that is about to end, after which nothing would stop the program any more.
    public func stopAndWait() {
        stop()
        let start = ContinuousClock.now
        while group.load(ordering: .sequentiallyConsistent) > 0 {
            if ContinuousClock.now - start >= Command.grace { break }
            usleep(1_000)
        }
        let group = group.load(ordering: .sequentiallyConsistent)
        if group > 0 { kill(-group, SIGKILL) }
    }

    func began(group id: Int32) {
        group.store(id, ordering: .sequentiallyConsistent)
        outer?.began(group: id)
    }

    func ended() {
        group.store(0, ordering: .sequentiallyConsistent)
        outer?.ended()
    }
}

extension Command {
    /// Runs the program to its end: writes its input, collects its output and waits for it.
    ///
    /// To stop a program, SIGTERM is sent to it and to what it has started, and SIGKILL half a second later, to its
    /// whole group if it has its own. The run ends when the program does, even if one of its children still holds its
    /// output open; what a stopped program has started is waited for as well.
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the program may run, or `nil` for no limit.
    ///   - silence: The longest time without any output, or `nil` for no limit.
    ///   - stop: A handle by which another thread can stop the program.
    /// - Throws: The system's error number if the program cannot be started.
    public func run(
        deadline: Duration? = nil, silence: Duration? = nil, stop: CommandStop? = nil
    ) throws(Errno) -> CommandResult {
        var child = try ChildProcess.start(self)
        child.pipes.programStarted(as: child.id)
        if hasOwnGroup || hasOwnSession { stop?.began(group: child.id) }
        let start = ContinuousClock.now
        var (heard, heardAt) = (0, start)
        var (stoppedAt, isKilled, others) = (ContinuousClock.Instant?.none, false, [Int32]())
        var pauses = Pauses()
        while true {
            let end = child.end()
            if end != nil {
                if stoppedAt != nil || stop?.isRequested == true {
                    child.waitForOthers(others, until: (stoppedAt ?? .now) + Self.grace)
                }
                stop?.ended()
            }
            let wasOpen = child.pipes.isOpen
            if end != nil || wasOpen { child.pipes.transfer(milliseconds: end == nil ? pauses.milliseconds : 0) }
            if let end { return result(of: end, isStopped: stoppedAt != nil, child.pipes) }
            if !child.pipes.isOpen {
                if wasOpen { pauses.streamsClosed() }
                usleep(pauses.microseconds)
            }
            pauses.checked()
            let now = ContinuousClock.now
            if child.pipes.receivedCount != heard {
                // More output usually follows at once and must not wait for the next check.
                (heard, heardAt) = (child.pipes.receivedCount, now)
                if child.pipes.isOpen { pauses.heard() }
            }
            let isOver =
                deadline.map { now - start >= $0 } ?? false || silence.map { now - heardAt >= $0 } ?? false
            if stoppedAt == nil, isOver || stop?.isRequested == true {
                // The program may have ended in time while this thread was not scheduled.
                if stop?.isRequested != true, child.end() != nil { continue }
                others = child.askToEnd()
                stoppedAt = now
            } else if let stoppedAt, !isKilled, now - stoppedAt >= Self.grace {
                child.send(signal: SIGKILL)
                isKilled = true
            }
        }
    }

    /// The time that a program has to end after SIGTERM.
    static let grace = Duration.milliseconds(500)

    private func result(of end: ChildProcess.End, isStopped: Bool, _ pipes: borrowing Pipes) -> CommandResult {
        CommandResult(
            end: end, isStopped: isStopped, output: pipes.output?.bytes ?? [],
            errorOutput: pipes.errorOutput?.bytes ?? [],
            isCut: pipes.output?.isCut == true || pipes.errorOutput?.isCut == true)
    }

    /// Runs the program on another thread and calls `whenDone` there.
    ///
    /// `whenDone` is passed the result, or `nil` if the program cannot be started.
    ///
    /// - Returns: A handle that stops the program.
    @discardableResult
    public func runInBackground(
        deadline: Duration? = nil, whenDone: @escaping @Sendable (CommandResult?) -> Void = { _ in }
    ) -> CommandStop {
        let stop = CommandStop()
        onOwnThread("tn.command") {
            whenDone(try? run(deadline: deadline, stop: stop))  // nil reports the failure
        }
        return stop
    }
}

/// The pauses between two checks whether a program has ended.
///
/// They grow, since most programs are quick, and the end of a slow one need not be noticed at once.
struct Pauses {
    private(set) var microseconds: UInt32 = 1_000
    private static let minimumPause: UInt32 = 1_000
    private static let maximumPause: UInt32 = 32_000
    /// The pause after a program has closed its streams: the system closes them when it ends, a moment before the end
    /// can be seen.
    private static let closing: UInt32 = 100

    /// The pause for a wait that ends early as soon as a stream is ready, in milliseconds and at least one.
    var milliseconds: Int32 { max(1, Int32(microseconds / 1_000)) }

    mutating func checked() { microseconds = min(microseconds * 2, Self.maximumPause) }
    mutating func heard() { microseconds = Self.minimumPause }
    mutating func streamsClosed() { microseconds = Self.closing }
}

import Foundation
import Synchronization
import TerminalDriver
import ViewModel

/// A scheduler whose time advances only on the test's request.
public final class ManualScheduler: MainScheduler {
    private let posted = Mutex<[@MainActor @Sendable () -> Void]>([])
    @MainActor private var timers: [(id: Int, due: Duration, work: @MainActor () -> Void)] = []
    @MainActor private var nextID = 0
    @MainActor private var time = Duration.zero
    private let start = ContinuousClock.now

    public init() {}

    @MainActor public var now: ContinuousClock.Instant { start + time }

    public nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        posted.withLock { $0.append(work) }
    }

    @MainActor
    public func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork {
        nextID += 1
        let id = nextID
        timers.append((id, time + delay, work))
        return ScheduledWork { [weak self] in self?.timers.removeAll { $0.id == id } }
    }

    /// Runs the posted work.
    ///
    /// - Returns: whether there was anything.
    @MainActor
    @discardableResult
    public func runPosted() -> Bool {
        let work = posted.withLock { posted in
            defer { posted = [] }
            return posted
        }
        for piece in work { piece() }
        return !work.isEmpty
    }

    /// Lets time pass: timers that become due run in order, with posted work.
    @MainActor
    public func advance(by duration: Duration) {
        let end = time + duration
        while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
            time = max(time, next.due)
            timers.removeAll { $0.id == next.id }
            next.work()
            runPosted()
        }
        time = end
        runPosted()
    }

    /// Runs the work that other threads post until a condition holds.
    ///
    /// - Returns: whether it held before nothing could come any more, or else within `maximumWait`.
    @MainActor
    public func run(until condition: () -> Bool) -> Bool {
        let end = Date().addingTimeInterval(Self.maximumWait)
        var (rounds, sleepingLooks) = (0, 0)
        while !condition() {
            guard Date() < end, sleepingLooks < Self.looksInVain else { return false }
            if !runPosted() { usleep(500) }
            rounds += 1
            if rounds % Self.roundsOfLook == 0, isAllAsleep { sleepingLooks += 1 }
        }
        return true
    }

    /// The seconds after which a wait ends although something still runs.
    ///
    /// On a busy machine a background thread computes for minutes. A test that passes never waits so long.
    private static let maximumWait = 900.0
    /// The rounds of waiting from one look at the other threads to the next: at least 50 ms.
    private static let roundsOfLook = 100
    /// The looks at which everything slept that show that nothing comes any more.
    ///
    /// They take at least half a minute, and more on a busy machine, where a round takes longer. A thread that waits for
    /// a processor or a disk does not sleep. All such looks of a wait count: timers that fire while a test lets time pass
    /// wake threads again and again, though what the test waits for never comes.
    private static let looksInVain = 600

    /// Whether nothing is posted, and all threads but the main one sleep, as do the programs that this one has started.
    @MainActor
    private var isAllAsleep: Bool {
        #if os(Linux)
        posted.withLock { $0.isEmpty } && ProgramRun.isAsleep(getpid(), apartFrom: getpid())
        #else
        false
        #endif
    }
}

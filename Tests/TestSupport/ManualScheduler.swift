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
    /// - Returns: whether it held before everything slept for a long time, or else within a quarter of an hour: on a busy
    ///   machine a background thread computes for minutes, and a test that passes never waits so long.
    @MainActor
    public func run(until condition: () -> Bool) -> Bool {
        let end = Date().addingTimeInterval(900)
        var (rounds, sleepingLooks) = (0, 0)
        while !condition() {
            guard Date() < end, sleepingLooks < Self.looksInVain else { return false }
            if !runPosted() { usleep(500) }
            rounds += 1
            // A thread that does a little now and then is seldom seen at it.
            if rounds % Self.roundsOfLook == 0 { sleepingLooks = max(0, sleepingLooks + (isAllAsleep ? 1 : -20)) }
        }
        return true
    }

    /// The rounds of waiting from one look at the other threads to the next: at least 50 ms.
    private static let roundsOfLook = 100
    /// The looks at which everything slept that show that nothing comes any more.
    ///
    /// They take at least half a minute; a thread that waits for a processor does not sleep.
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

import Dispatch
import Synchronization

/// How far something long is that runs behind the main actor.
public struct TaskProgress: Equatable, Sendable {
    /// What is being done: `Exporting`.
    public let title: String
    public internal(set) var done = 0
    /// How much there is to do; 0 while that is not known.
    public internal(set) var all = 0
    /// Whether nothing else can be done to the notebook meanwhile.
    public let isExclusive: Bool
}

/// What came of something long, in words.
public struct TaskReport: Equatable, Sendable {
    /// One line: `12 notes exported to ~/notes`.
    public let sentence: String
    /// What could not be done, a sentence each.
    public let problems: [String]

    public init(_ sentence: String, problems: [String] = []) {
        self.sentence = sentence
        self.problems = problems
    }
}

/// Something long on a queue of its own, which tells how far it is and can be stopped between two steps.
@MainActor
final class LongTask {
    /// Told what is done and what there is; answers whether to go on.
    typealias Progress = @Sendable (_ done: Int, _ all: Int) -> Bool

    /// Progress is told at most so often: more than the eye follows.
    private nonisolated static let interval = Duration.milliseconds(50)

    private let stopFlag = StopFlag()
    private let end = DispatchGroup()

    /// Begins.
    ///
    /// - Parameters:
    ///   - progressed: told on the main actor how far it is.
    ///   - finished: given on the main actor what came of it.
    init(
        scheduler: any MainScheduler, body: @escaping @Sendable (@escaping Progress) throws -> TaskReport,
        progressed: @escaping @MainActor @Sendable (Int, Int) -> Void,
        finished: @escaping @MainActor @Sendable (Result<TaskReport, any Error>) -> Void
    ) {
        let (stopFlag, end) = (stopFlag, end)
        let lastTold = Mutex(ContinuousClock.now)
        let progress: Progress = { done, all in
            let isDue = lastTold.withLock { last in
                guard ContinuousClock.now - last >= Self.interval else { return false }
                last = .now
                return true
            }
            if isDue { scheduler.post { progressed(done, all) } }
            return !stopFlag.isRaised
        }
        end.enter()
        DispatchQueue.global(qos: .utility).async { @Sendable in
            let result = Result { try body(progress) }
            scheduler.post { finished(result) }
            end.leave()
        }
    }

    /// Has it stop after the step that it is at.
    func stop() { stopFlag.raise() }

    /// Returns when it has ended.
    func wait() { end.wait() }
}

/// Tells a task on another thread that it is to stop.
private final class StopFlag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}

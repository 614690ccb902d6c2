import Dispatch
import Processes
import Synchronization

/// The progress of a long-running background task.
public struct TaskProgress: Equatable, Sendable {
    /// The name of the task: `Exporting`.
    public let title: String
    public internal(set) var done = 0
    /// The number of steps; 0 while it is unknown.
    public internal(set) var all = 0
    /// Whether the task allows no other action on the notebook until it ends.
    let isExclusive: Bool
}

/// The result of a long-running task, in words.
public struct TaskReport: Equatable, Sendable {
    /// One line: `12 notes exported to ~/notes`.
    public let sentence: String
    /// The failures, one sentence each.
    public let problems: [String]

    public init(_ sentence: String, problems: [String] = []) {
        self.sentence = sentence
        self.problems = problems
    }
}

/// A long-running background task that reports its progress and can be stopped between two steps.
@MainActor
final class LongTask {
    /// Receives the number of steps done and of all steps; returns whether to go on.
    typealias Progress = @Sendable (_ done: Int, _ all: Int) -> Bool

    /// The shortest time between two progress reports: shorter ones would be faster than the eye can follow.
    private nonisolated static let interval = Duration.milliseconds(50)

    private let cancellation = Cancellation()
    private let end = DispatchGroup()

    /// Starts the task.
    ///
    /// - Parameters:
    ///   - progressed: receives the progress on the main actor.
    ///   - finished: receives the result on the main actor.
    init(
        scheduler: any MainScheduler, body: @escaping @Sendable (@escaping Progress) throws -> TaskReport,
        progressed: @escaping @MainActor @Sendable (Int, Int) -> Void,
        finished: @escaping @MainActor @Sendable (Result<TaskReport, any Error>) -> Void
    ) {
        let (cancellation, end) = (cancellation, end)
        let lastTold = Mutex(ContinuousClock.now)
        let progress: Progress = { done, all in
            let isDue = lastTold.withLock { last in
                guard ContinuousClock.now - last >= Self.interval else { return false }
                last = .now
                return true
            }
            if isDue { scheduler.post { progressed(done, all) } }
            return !cancellation.isCancelled
        }
        end.enter()
        // The task may wait without limit for a mount, a lock or a child process.
        onOwnThread("tn.task") {
            let result = Result { try body(progress) }
            scheduler.post { finished(result) }
            end.leave()
        }
    }

    /// Stops the task after its current step.
    func stop() { cancellation.cancel() }

    /// Returns when the task has ended.
    func wait() { end.wait() }
}

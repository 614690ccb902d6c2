import Observation

/// The long task that runs behind the main actor, one at a time.
///
/// A class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class TaskState {
    /// How far the task is, while one runs.
    private(set) var progress: TaskProgress?
    @ObservationIgnored private var task: LongTask?
    @ObservationIgnored private let scheduler: any MainScheduler

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    /// Begins a task; the one before must have ended.
    ///
    /// - Parameter ended: called on the main actor with what came of it, once there is no task any more.
    func begin(
        _ title: String, isExclusive: Bool,
        _ body: @escaping @Sendable (@escaping LongTask.Progress) throws -> TaskReport,
        ended: @escaping @MainActor @Sendable (Result<TaskReport, any Error>) -> Void
    ) {
        show(TaskProgress(title: title, isExclusive: isExclusive))
        task = LongTask(scheduler: scheduler, body: body) { [weak self] done, all in
            self?.progress?.done = done
            self?.progress?.all = all
        } finished: { [weak self] result in
            self?.progress = nil
            self?.task = nil
            ended(result)
        }
    }

    /// Shows how far something is.
    func show(_ progress: TaskProgress) { self.progress = progress }

    /// Has the task stop after the step that it is at.
    func stop() { task?.stop() }

    /// Has the task stop, and returns when it has.
    func stopAndWait() {
        task?.stop()
        task?.wait()
    }
}

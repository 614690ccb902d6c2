import Observation

/// The long-running background task; there is at most one at a time.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class TaskState {
    /// The progress of the running task; nil if there is none.
    private(set) var progress: TaskProgress?
    @ObservationIgnored private var task: LongTask?
    @ObservationIgnored private let scheduler: any MainScheduler

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    /// Begins a task; the previous one must have ended.
    ///
    /// - Parameter ended: called on the main actor with the result, after the task was removed.
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

    /// Sets the progress that is shown.
    func show(_ progress: TaskProgress) { self.progress = progress }

    /// Stops the task after its current step.
    func stop() { task?.stop() }

    /// Stops the task, and returns when it has ended.
    func stopAndWait() {
        task?.stop()
        task?.wait()
    }
}

import Foundation
import NoteStore

/// The notes to export.
public enum ExportScope: Sendable {
    case notes([NoteRow])
    /// The list of a container; a folder or project with all its descendants.
    case container(NoteContainer)
    /// All live and archived notes.
    case everything
}

/// Long-running tasks, one at a time: importing, exporting, maintaining the notebook.
extension TakeNoteVM {
    /// Whether a task can begin now.
    public var canBeginTask: Availability {
        .when(progress == nil, else: Texts.taskRuns(progress?.title))
    }

    /// Whether a task is running.
    public var canStopTask: Availability { .when(progress != nil, else: Texts.nothingRuns) }

    /// Stops the running task; what it has done so far stays, except for a rebuild, which then changes nothing.
    public func stopTask() { tasks.stop() }

    // MARK: Export

    /// Exports notes as Markdown files into a folder, which is created if it is missing.
    ///
    /// - Parameter finished: receives the report after it was shown.
    public func export(
        _ scope: ExportScope, to path: String, finished: @escaping @MainActor (TaskReport) -> Void = { _ in }
    ) {
        saver.saveNow()
        let folder = PathCompletion.expanded(path)
        let notebook = notebook
        run(Texts.exporting, finished: finished) { progress in
            let options = ExportOptions(progress: progress)
            let result =
                switch scope {
                case .notes(let notes): try notebook.transfer.export(notes.map(\.id), to: folder, options)
                case .everything: try notebook.transfer.export(to: folder, options)
                case .container(let container) where container.isList:
                    try notebook.transfer.export(notebook.lists.ids(in: container.id), to: folder, options)
                case .container(let container): try notebook.transfer.export(folder: container.id, to: folder, options)
                }
            return Self.report(result, folder: path)
        }
    }

    private nonisolated static func report(_ result: ExportResult, folder: String) -> TaskReport {
        let counts = Question.counts([(result.noteCount, "note"), (result.imageCount, "image")])
        let problems = result.problems.map(\.sentence)
        let sentence = Texts.exported(counts, to: folder, isStopped: result.wasCancelled)
        return TaskReport(sentence + Texts.problems(problems.count), problems: problems)
    }

    // MARK: Notebook

    /// Checks the notebook, rebuilds its search index, and repairs data derived from texts, names and the tree.
    ///
    /// - Parameter finished: receives the report after it was shown.
    public func rebuildIndex(finished: @escaping @MainActor (TaskReport) -> Void = { _ in }) {
        saver.saveNow()
        let notebook = notebook
        run(Texts.rebuilding, isExclusive: true, finished: finished) { progress in
            do {
                let report = try notebook.care.repair(progress: progress)
                let left = report.left.map { String(describing: $0) }
                return TaskReport(Texts.rebuilt(report.repaired.count) + Texts.problems(left.count), problems: left)
            } catch StoreError.interrupted {
                return TaskReport(Texts.stoppedUnchanged)
            }
        }
    }

    // MARK: Running tasks

    func run(
        _ title: String, isExclusive: Bool = false, finished: @escaping @MainActor (TaskReport) -> Void,
        _ body: @escaping @Sendable (@escaping LongTask.Progress) throws -> TaskReport
    ) {
        if let reason = canBeginTask.reason { return say(reason, kind: .refused) }
        let notebook = notebook
        // The interface does not wait for the task, so `hurry` must not limit the waits of the task.
        tasks.begin(title, isExclusive: isExclusive, { progress in try notebook.unhurried { try body(progress) } }) {
            [weak self] result in self?.taskEnded(title, result, finished)
        }
    }

    private func taskEnded(
        _ title: String, _ result: Result<TaskReport, any Error>, _ finished: (TaskReport) -> Void
    ) {
        attempt(Texts.Attempt.readNotebook) { try reload() }
        let report: TaskReport
        let isWhole: Bool
        switch result {
        case .success(let done): (report, isWhole) = (done, done.problems.isEmpty)
        case .failure(let error): (report, isWhole) = (TaskReport(Texts.failed(title, error)), false)
        }
        say(report.sentence, kind: isWhole ? .done : .refused)
        finished(report)
    }
}

extension NoteContainer {
    /// Whether the container's list is not simply the notes in it and its descendants.
    var isList: Bool { isTag || isStarred || isAllNotes || role == .all }
}

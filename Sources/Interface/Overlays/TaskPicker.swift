import Foundation
import NoteStore
import Terminal
import ViewModel

/// The open tasks of all notes, in a picker that goes to the chosen one.
@MainActor
enum TaskPicker {
    /// The order of the tasks.
    enum Order {
        /// The most urgent tasks first, and those without a date last.
        case day
        /// Note by note, in the order of each text.
        case note
    }

    /// Returns the items for tasks in an order.
    static func items(
        _ tasks: [NoteTask], by order: Order, today: Day, theme: Theme, choose: @escaping @MainActor (NoteTask) -> Void
    ) -> [PickerOverlay.Item] {
        sorted(tasks, by: order).map { task in
            let isLate = task.due.map { $0 < today } ?? false
            let due = task.due.map { due in due == today ? Texts.Tasks.today : due.description }
            let facts = order == .day ? [due, task.note.title] : [task.note.title, due]
            return PickerOverlay.Item(
                title: task.title.isEmpty ? Texts.Tasks.empty : task.title,
                detail: facts.compactMap(\.self).joined(separator: " \(theme.glyphs.plain("·")) "),
                shortDetail: facts.compactMap(\.self).first ?? "",
                style: isLate ? theme.trouble : nil, mark: "[ ]"
            ) { choose(task) }
        }
    }

    static func sorted(_ tasks: [NoteTask], by order: Order) -> [NoteTask] {
        guard order == .day else { return tasks }
        let indices = tasks.indices.sorted { a, b in
            switch (tasks[a].due, tasks[b].due) {
            case (let one?, let other?) where one != other: one < other
            case (.some, nil): true
            case (nil, .some): false
            default: a < b
            }
        }
        return indices.map { tasks[$0] }
    }
}

/// The commands that list tasks.
@MainActor
let taskCommands: [Command] = [
    Command("tasks.byDay", "Tasks of all notes, by day…", .notes, keys: [.everywhere: "Alt-T"]) {
        $0.showTasks(by: .day)
    },
    Command("tasks.byNote", "Tasks of all notes, by note…", .notes) { $0.showTasks(by: .note) },
]

extension NotebookInterface {
    /// Opens the list of tasks at once, and fills it when they are read.
    fileprivate func showTasks(by order: TaskPicker.Order) {
        model.saveNow()
        let reading = TaskReading()
        let picker = PickerOverlay(title: Texts.Tasks.title) { [weak self] typed in
            guard let self else { return [] }
            let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
            let tasks = reading.tasks ?? []
            // Matching only filters the tasks: their order matters more than how well a title matches.
            let fitting =
                pattern.isEmpty
                ? tasks
                : tasks.filter {
                    FuzzyMatch(
                        pattern, in: "\($0.title) \($0.note.title) \($0.due?.description ?? "")".foldedCharacters)
                        != nil
                }
            return TaskPicker.items(fitting, by: order, today: Day(now()), theme: state.theme) { [weak self] task in
                self?.go(to: task)
            }
        }
        picker.emptyText = {
            if let problem = reading.problem { return problem }
            return reading.tasks == nil ? Texts.Tasks.reading : reading.tasks == [] ? Texts.Tasks.none : nil
        }
        picker.minimumRows = 12
        show(picker)
        let notebook = model.notebook
        model.inBackground { () -> Result<[NoteTask], StoreError> in
            do throws(StoreError) { return .success(try notebook.tasks.open()) } catch { return .failure(error) }
        } then: { [weak self, weak picker] result in
            switch result {
            case .success(let tasks): reading.tasks = tasks
            // Without the reason the box would say that there are none.
            case .failure(let error): reading.problem = Sentence.of(error)
            }
            picker?.reload()
            self?.overlayChanged()
        }
    }

    private func go(to task: NoteTask) {
        model.show(task.note)
        guard model.session?.noteID == task.note.id else { return }
        model.session?.go(toLine: task.line)
        focus(.editor)
    }
}

/// The tasks, once they have been read.
@MainActor
private final class TaskReading {
    var tasks: [NoteTask]?
    /// Why they could not be read.
    var problem: String?
}

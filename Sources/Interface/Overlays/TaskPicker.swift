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

    /// The actions on a task of the list.
    struct Actions {
        var isDone: @MainActor (NoteTask) -> Bool
        var choose: @MainActor (NoteTask) -> Void
        var toggle: @MainActor (NoteTask) -> Void
    }

    /// Returns the items for tasks in an order.
    static func items(
        _ tasks: [NoteTask], by order: Order, today: Day, theme: Theme, _ actions: Actions
    ) -> [PickerOverlay.Item] {
        sorted(tasks, by: order).map { task in
            let (isLate, isDone) = (task.due.map { $0 < today } ?? false, actions.isDone(task))
            let day = task.due.map { due in due == today ? Texts.Tasks.today : due.description }
            // The state is spoken by itself, so that it is heard where there is no room for the day.
            let isRead = theme.glyphs.isWords
            let due = isLate && !isRead ? day.map(Texts.Tasks.late) : day
            let state = isDone ? Texts.Words.done : isLate ? Texts.Words.late : ""
            // In the order of the days, the title of a note does not stand where other tasks have their day.
            let dueOrNone = due ?? (isRead ? nil : Texts.Tasks.noDay)
            let facts = order == .day ? [dueOrNone, task.note.title] : [task.note.title, due]
            return PickerOverlay.Item(
                title: task.title.isEmpty ? Texts.Tasks.empty : task.title,
                detail: theme.glyphs.joined(facts.compactMap(\.self)),
                shortDetails: [facts.compactMap(\.self).first, isLate && !isRead ? Texts.Words.late : nil]
                    .compactMap(\.self),
                style: isDone ? theme.dim : isLate ? style(ofLate: theme) : nil,
                mark: isRead ? "" : isDone ? "[x]" : "[ ]",
                sign: isLate && !isDone && !isRead ? Texts.Tasks.lateSign : "",
                state: isRead ? state : ""
            ) {
                actions.choose(task)
            } toggle: {
                actions.toggle(task)
            }
        }
    }

    /// The style of a late task; without colours a reversed title would look like the row under the cursor.
    private static func style(ofLate theme: Theme) -> Style {
        var style = theme.trouble
        style.attributes.remove(.reverse)
        return style
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
        let reading = TaskReading(order)
        let actions = TaskPicker.Actions {
            reading.done.contains($0)
        } choose: { [weak self] task in
            self?.go(to: task)
        } toggle: { [weak self] task in
            self?.toggle(task, of: reading)
        }
        let picker = PickerOverlay(title: reading.title, hints: Texts.Tasks.hints) { [weak self] typed in
            guard let self else { return [] }
            return TaskPicker.items(
                reading.tasks(fitting: typed), by: reading.order, today: Day(now()), theme: state.theme, actions)
        }
        picker.emptyText = {
            if let problem = reading.problem { return problem }
            return reading.tasks == nil ? Texts.Tasks.reading : reading.tasks == [] ? Texts.Tasks.none : nil
        }
        picker.changeOrder = { [weak picker] in
            reading.order = reading.order == .day ? .note : .day
            picker?.title = reading.title
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
        guard let session = session(of: task) else { return }
        session.go(toLine: task.line)
        focus(.editor)
    }

    /// Ticks a task, or makes it open again; its note is the open one then, behind the list.
    private func toggle(_ task: NoteTask, of reading: TaskReading) {
        guard let session = session(of: task) else { return }
        if let reason = canWrite.reason { return model.say(reason, kind: .refused) }
        switch session.toggleTask(inLine: task.line, saying: task.title) {
        case true?: reading.done.append(task)
        case false?: reading.done.removeAll { $0 == task }
        case nil: model.say(Texts.Tasks.hasChanged, kind: .refused)
        }
        session.go(toLine: task.line)
    }

    private func session(of task: NoteTask) -> EditorSession? {
        if model.session?.noteID != task.note.id { model.show(task.note) }
        return model.session.flatMap { $0.noteID == task.note.id ? $0 : nil }
    }
}

/// The tasks, once they have been read.
@MainActor
private final class TaskReading {
    var tasks: [NoteTask]?
    /// The tasks that were ticked in the list, and stay in it.
    var done: [NoteTask] = []
    /// The reason why they could not be read.
    var problem: String?
    var order: TaskPicker.Order

    init(_ order: TaskPicker.Order) { self.order = order }

    var title: String { order == .day ? Texts.Tasks.byDay : Texts.Tasks.byNote }

    /// Matching only filters the tasks: their order matters more than how well a title matches.
    func tasks(fitting typed: String) -> [NoteTask] {
        let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
        let tasks = tasks ?? []
        guard !pattern.isEmpty else { return tasks }
        return tasks.filter { task in
            let text = "\(task.title) \(task.note.title) \(task.due?.description ?? "")"
            return FuzzyMatch(pattern, in: text.foldedCharacters) != nil
        }
    }
}

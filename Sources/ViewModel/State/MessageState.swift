import NoteStore
import Observation

/// The messages and questions to the user: the notice, and the alerts of the TakeNote app.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class MessageState {
    /// A message that an interface can show over the panes until it is dismissed.
    struct Alert: Equatable {
        var isPresented = false
        var message = ""
    }

    /// The current notice.
    private(set) var notice: Notice?
    /// The last error.
    private(set) var error = Alert()
    /// The reason why a link could not be followed.
    private(set) var linkError = Alert()
    /// The name of the folder for notes that had none.
    private(set) var recovery = Alert()
    /// The question before the Trash is emptied; `isAskingToEmptyTrash` says whether it is shown.
    private(set) var trashQuestion: Question?
    /// The contents counted for the question.
    private(set) var trashContents: TrashContents?
    private(set) var isAskingToEmptyTrash = false

    /// The number of actions that have failed so far.
    @ObservationIgnored private(set) var failures = 0
    /// Whether answers to the user disappear by themselves after a while; otherwise the next key dismisses them.
    @ObservationIgnored private(set) var noticesExpire = true
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private let scheduler: any MainScheduler

    /// The time for which a notice is shown: long enough to read a line twice.
    private static let noticeTime = Duration.seconds(4)

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    // MARK: Notices

    /// Shows a notice of one line, which replaces the previous one.
    ///
    /// - Parameter isNews: whether no act of the user has caused it. The user may be away, so it does not expire.
    func say(_ text: String, kind: Notice.Kind, isNews: Bool = false) {
        notice = Notice(text, kind: kind, isNews: isNews)
        timer?.cancel()
        guard kind != .trouble, !isNews, noticesExpire else { return }
        timer = scheduler.schedule(after: Self.noticeTime) { [weak self] in self?.dismissNotice() }
    }

    /// Removes the notice, and the error that it reported.
    func dismissNotice() {
        timer?.cancel()
        if notice != nil { notice = nil }
        if error.isPresented { error.isPresented = false }
    }

    func setNoticesExpire(_ expire: Bool) { noticesExpire = expire }

    // MARK: Alerts

    func show(error message: String) {
        error = Alert(isPresented: true, message: message)
        failures += 1
    }
    func set(error alert: Alert) { error = alert }
    func set(linkError alert: Alert) { linkError = alert }
    func set(recovery alert: Alert) { recovery = alert }

    func askToEmptyTrash(_ question: Question, about contents: TrashContents) {
        trashQuestion = question
        trashContents = contents
        isAskingToEmptyTrash = true
    }

    func setAskingToEmptyTrash(_ asks: Bool) { isAskingToEmptyTrash = asks }
}

import NoteStore
import Observation

/// What the user is told and asked: the notice, and the alerts of the TakeNote app.
///
/// A class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class MessageState {
    /// Something that a face can show over the panes until it is dismissed.
    struct Alert: Equatable {
        var isPresented = false
        var message = ""
    }

    /// What is said in passing.
    private(set) var notice: Notice?
    /// What went wrong last.
    private(set) var error = Alert()
    /// Why a link could not be followed.
    private(set) var linkError = Alert()
    /// The name of the folder that notes without one were put into.
    private(set) var recovery = Alert()
    /// What is asked before the Trash is emptied, and whether it is being asked.
    private(set) var trashQuestion: Question?
    /// What was counted for it.
    private(set) var trashContents: TrashContents?
    private(set) var isAskingToEmptyTrash = false

    /// Whether notices disappear by themselves after a while; otherwise the next key dismisses them.
    @ObservationIgnored private(set) var noticesExpire = true
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private let scheduler: any MainScheduler

    /// How long a notice stays: long enough to read a line twice.
    private static let noticeTime = Duration.seconds(4)

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    // MARK: Notices

    /// Shows one line in place of the one before.
    func say(_ text: String, kind: Notice.Kind) {
        notice = Notice(text, kind: kind)
        timer?.cancel()
        guard kind != .trouble, noticesExpire else { return }
        timer = scheduler.schedule(after: Self.noticeTime) { [weak self] in self?.dismissNotice() }
    }

    /// Takes the notice away, and the error that it told.
    func dismissNotice() {
        timer?.cancel()
        if notice != nil { notice = nil }
        if error.isPresented { error.isPresented = false }
    }

    func setNoticesExpire(_ expire: Bool) { noticesExpire = expire }

    // MARK: Alerts

    func show(error message: String) { error = Alert(isPresented: true, message: message) }
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

import ViewModel

/// Delays updates of the status line until a pause in typing.
///
/// The line's counts make up most of the bytes that a key would send, which over a slow connection is most of the
/// delay, and flickering numbers distract the writer.
@MainActor
final class WritingPause {
    /// The time without typing that counts as a pause; zero disables the delay.
    private let length: Duration
    private let schedule: @MainActor (Duration, @escaping @MainActor () -> Void) -> ScheduledWork
    private let ended: @MainActor () -> Void
    /// The revision of the text that the line shows; `newest` is the latest one.
    private var shown: Int?
    private var newest: Int?
    /// The newest revision when the wait began or was last extended.
    private var seen: Int?
    private var turns = 0
    private var timer: ScheduledWork?

    /// The number of waits after which the line is drawn even during typing: a second, at the program's pause length.
    private static let maximumTurns = 5

    /// - Parameters:
    ///   - schedule: runs work after a delay.
    ///   - ended: called when the delayed line should be drawn.
    init(
        length: Duration, schedule: @escaping @MainActor (Duration, @escaping @MainActor () -> Void) -> ScheduledWork,
        ended: @escaping @MainActor () -> Void
    ) {
        self.length = length
        self.schedule = schedule
        self.ended = ended
    }

    /// Returns whether a line that shows an older text should still wait.
    ///
    /// - Parameter revision: the current revision of the text; nil if there is none.
    func holds(_ revision: Int?) -> Bool {
        guard length > .zero, revision != shown, turns < Self.maximumTurns else { return false }
        newest = revision
        if timer == nil { wait() }
        return true
    }

    /// Records that the line now shows this revision.
    func shows(_ revision: Int?) {
        (shown, newest, turns) = (revision, revision, 0)
        timer?.cancel()
        timer = nil
    }

    private func wait() {
        seen = newest
        timer = schedule(length) { [weak self] in self?.elapsed() }
    }

    private func elapsed() {
        timer = nil
        turns = newest == seen ? Self.maximumTurns : turns + 1
        if turns < Self.maximumTurns { wait() } else { ended() }
    }
}

import ViewModel

/// Keeps the status line from following every letter: what it tells of the text waits for a pause in the writing.
///
/// The line's counts are most of the bytes that a key would send, which over a slow line is most of the wait, and
/// numbers that flicker under the hand draw the eye from the sentence.
@MainActor
final class WritingPause {
    /// How long no letter may come for the writing to rest; zero has nothing wait.
    private let length: Duration
    private let schedule: @MainActor (Duration, @escaping @MainActor () -> Void) -> ScheduledWork
    private let ended: @MainActor () -> Void
    /// The revision of the text that the line tells of, and the newest.
    private var shown: Int?
    private var newest: Int?
    /// What was the newest when the wait began or was last prolonged.
    private var seen: Int?
    private var turns = 0
    private var timer: ScheduledWork?

    /// The line is drawn after this many lengths even if nobody stops writing: a second, with the program's length.
    private static let longest = 5

    /// - Parameters:
    ///   - schedule: does something so long from now.
    ///   - ended: called when the line that waited is to be drawn.
    init(
        length: Duration, schedule: @escaping @MainActor (Duration, @escaping @MainActor () -> Void) -> ScheduledWork,
        ended: @escaping @MainActor () -> Void
    ) {
        self.length = length
        self.schedule = schedule
        self.ended = ended
    }

    /// Whether a line that tells of an older text should still wait.
    ///
    /// - Parameter revision: of the text as it is now, nil where there is none.
    func holds(_ revision: Int?) -> Bool {
        guard length > .zero, revision != shown, turns < Self.longest else { return false }
        newest = revision
        if timer == nil { wait() }
        return true
    }

    /// Notes that the line tells of this text now.
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
        turns = newest == seen ? Self.longest : turns + 1
        if turns < Self.longest { wait() } else { ended() }
    }
}

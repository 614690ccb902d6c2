import NoteStore

/// The rests between saves, by the durations that saves of the same note take.
///
/// Indexing a note of 10 MB takes half a second, so a save of everything waits for a longer pause in a long note than
/// in a short one. At most a twentieth of the time is spent saving everything, a hundredth if the text is long, and a
/// hundredth saving the text while typing goes on. The journal keeps safe what is typed meanwhile, and a search first
/// indexes what is not indexed yet.
struct SavingPace {
    /// The duration of each note's last save, by scope.
    private var durations: [Save: Duration] = [:]
    /// The end of each note's last save of everything; before there was one, the time of its first change.
    private var lastWhole: [NoteID: ContinuousClock.Instant] = [:]

    private struct Save: Hashable {
        let note: NoteID
        let scope: SaveScope
    }

    /// The pause in typing after which a text is saved, whatever its length.
    static let idle = Duration.milliseconds(300)
    /// The longest time between the first unsaved change and a save of a short text while typing continues.
    private static let minimumWait = Duration.seconds(2)
    /// The rest after a save of everything, and after one of the text, as multiples of their durations.
    private static let (rest, restAfterText) = (20, 100)
    /// The rest after a save of everything of a long text, which would otherwise take most of the processor's time.
    private static let restOfLong = 100
    /// The size in bytes above which a text is long: its index takes as long as hundreds of keys.
    private static let longText = 1_000_000
    /// The pause in typing before a save of everything, as a multiple of its duration.
    private static let pause = 5
    /// The duration of a save per megabyte, for a note that was not saved yet, measured on two cores of an AMD EPYC: of
    /// everything by the benchmark `store`, of the text where its index is marked as old for the first time.
    private static let perMegabyte: [SaveScope: Duration] = [.text: .milliseconds(12), .whole: .milliseconds(60)]

    /// Notes the first change of a note.
    mutating func begin(_ note: NoteID, at now: ContinuousClock.Instant) {
        if lastWhole[note] == nil { lastWhole[note] = now }
    }

    mutating func saved(_ note: NoteID, _ scope: SaveScope, in duration: Duration, at now: ContinuousClock.Instant) {
        durations[Save(note: note, scope: scope)] = duration
        if scope == .whole { lastWhole[note] = now }
    }

    /// Forgets a note that was left.
    mutating func forget(_ note: NoteID) {
        for scope in [SaveScope.text, .whole] { durations[Save(note: note, scope: scope)] = nil }
        lastWhole[note] = nil
    }

    /// The time until everything may be saved; zero or less if it may be saved now.
    ///
    /// - Parameters:
    ///   - bytes: the length of the text.
    ///   - paused: the time since the last change.
    func untilWhole(of note: NoteID, bytes: Int, paused: Duration, at now: ContinuousClock.Instant) -> Duration {
        let expected = duration(.whole, of: note, bytes: bytes)
        let rested = lastWhole[note].map { now - $0 } ?? .zero
        let rest = bytes > Self.longText ? Self.restOfLong : Self.rest
        return max(max(Self.idle, expected * Self.pause) - paused, expected * rest - rested)
    }

    /// The longest time between the first unsaved change and a save of the text while typing continues.
    ///
    /// - Parameter bytes: the length of the text.
    func maximumWait(of note: NoteID, bytes: Int) -> Duration {
        max(Self.minimumWait, duration(.text, of: note, bytes: bytes) * Self.restAfterText)
    }

    private func duration(_ scope: SaveScope, of note: NoteID, bytes: Int) -> Duration {
        durations[Save(note: note, scope: scope)] ?? (Self.perMegabyte[scope] ?? .zero) * bytes / 1_000_000
    }
}

/// The outcome of a synchronisation; its texts are sentences for the user.
public enum SyncOutcome: Equatable, Sendable {
    case done(sent: Int, received: Int, conflicts: Int)
    /// The notebook is not synchronised.
    case off
    /// Another program is synchronising this notebook.
    case busy
    case offline(String)
    /// The remote requires a login, or does not allow writing.
    case refused(String)
    /// Only the user can decide; nothing is tried until then.
    case undecided(String)
    case failed(String)

    /// The sentence that reports a problem; nil if there is none.
    var problem: String? {
        switch self {
        case .offline(let text), .refused(let text), .undecided(let text), .failed(let text): text
        case .done, .off, .busy: nil
        }
    }
}

/// The stage of a running synchronisation.
public enum SyncStage: Equatable, Sendable { case fetching, merging, sending, writing }

/// The window's knowledge about synchronisation.
public struct SyncStatus: Equatable, Sendable {
    /// Whether the notebook is synchronised at all.
    public internal(set) var isOn = false
    /// The number of changed objects since the last synchronisation.
    public internal(set) var changes = 0
    /// The number of notes that hold the losing text of a conflict.
    public internal(set) var conflicts = 0
    /// The current stage; nil while nothing runs.
    public internal(set) var stage: SyncStage?
    /// The outcome of the last synchronisation.
    public internal(set) var outcome: SyncOutcome?

    public var isRunning: Bool { stage != nil }

    /// The sign in the status line: `✓`, `↑3`, `⇅`, `!2 ✓`, `✗ offline`; empty if the notebook is not synchronised.
    public var sign: String { isOn ? Texts.sign(self) : "" }
}

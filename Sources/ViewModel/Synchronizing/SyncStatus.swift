/// How a synchronisation ended; sentences are for people.
public enum SyncOutcome: Equatable, Sendable {
    case done(sent: Int, received: Int, conflicts: Int)
    /// The notebook is not synchronised.
    case off
    /// Another program synchronises this notebook now.
    case busy
    case offline(String)
    /// The other end wants to know who asks, or lets nobody write.
    case refused(String)
    /// Only a person can decide; nothing is tried until then.
    case undecided(String)
    case failed(String)

    /// The sentence that says what is wrong; nil if nothing is.
    var problem: String? {
        switch self {
        case .offline(let text), .refused(let text), .undecided(let text), .failed(let text): text
        case .done, .off, .busy: nil
        }
    }
}

/// What a running synchronisation does.
public enum SyncStage: Equatable, Sendable { case fetching, merging, sending, writing }

/// What the window knows about synchronising.
public struct SyncStatus: Equatable, Sendable {
    /// Whether the notebook is synchronised at all.
    public internal(set) var isOn = false
    /// How many things changed since the last time.
    public internal(set) var changes = 0
    /// How many notes hold a losing text.
    public internal(set) var conflicts = 0
    /// What is being done; nil while nothing runs.
    public internal(set) var stage: SyncStage?
    /// How the last one ended.
    public internal(set) var outcome: SyncOutcome?

    public var isRunning: Bool { stage != nil }

    /// The sign in the status line: `✓`, `↑3`, `⇅`, `!2 ✓`, `✗ offline`; empty if the notebook is not synchronised.
    public var sign: String { isOn ? Texts.sign(self) : "" }
}

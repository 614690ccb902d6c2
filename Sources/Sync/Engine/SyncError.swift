import NoteStore

/// Why a synchronisation did not happen.
public enum SyncError: Error, Equatable, Sendable {
    /// The notebook is not synchronised.
    case isOff
    case isOn(url: String)
    /// Another program synchronises this notebook now.
    case busy
    case noAddress(String)
    /// The other end's history is not the one that this notebook was in step with.
    case rewritten(url: String)
    /// A backup was put in the notebook's place, and the other end has gone on since.
    case restored(url: String)
    /// What came would move very many notes to Trash.
    case trashesMany(count: Int, of: Int)
    /// The other end holds files that tn did not make.
    case foreign(files: Int)
    case newerFormat(Int)
    /// The other end moved again and again.
    case crowded
    /// The repository's key is missing, or another one.
    case key(KeyProblem)
    case git(GitError)
    case store(StoreError)
}

/// What a person decided about a history that does not go on.
public enum SyncChoice: Sendable {
    case none
    /// Both count: what either has stays.
    case join
    /// The other end counts: what only this notebook has goes to Trash.
    case adopt
}

/// What a synchronisation is about to do; the raw value is the number of the step in `Synchronizer`.
public enum SyncPhase: Int, Sendable { case fetch = 1, merge, send, write }

/// What a synchronisation did.
public struct SyncReport: Equatable, Sendable {
    /// How many notes were sent, and how many came.
    public var sent = 0
    public var received = 0
    /// How many notes lost contested words, which a copy keeps.
    public var conflicts = 0
    /// How many files are carried unopened.
    public var files = 0

    public init() {}
}

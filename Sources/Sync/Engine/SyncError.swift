import NoteStore

/// The reason why a synchronisation failed.
public enum SyncError: Error, Equatable, Sendable {
    /// The notebook is not synchronised.
    case isOff
    case isOn(url: String)
    /// Another program is synchronising this notebook.
    case busy
    case noAddress(String)
    /// The remote's history was rewritten: it does not contain the last synchronised commit.
    case rewritten(url: String)
    /// A backup was restored in this notebook, and the remote has newer commits.
    case restored(url: String)
    /// The merge would move very many notes to the Trash.
    case trashesMany(count: Int, of: Int)
    /// The remote has a branch of this name, but not the one that is synchronised.
    case otherBranch(url: String, name: String)
    /// The remote holds files that tn did not make.
    case foreign(files: Int)
    case newerFormat(Int)
    /// The repository states a format that is none of tn's, in these words.
    case unknownFormat(String)
    /// Each attempt to push was overtaken by another machine's.
    case contended
    /// There is a problem with the repository's key.
    case key(KeyProblem)
    case git(GitError)
    case store(StoreError)
}

/// The user's decision about a remote whose history does not continue from the last synchronised commit.
public enum SyncChoice: Sendable {
    case none
    /// Both sides count, and the notes of each are kept.
    case join
    /// The remote counts, and notes that only this notebook has are moved to the Trash.
    case adopt
}

/// A phase of a synchronisation.
///
/// The raw value is the number of the step in `Synchronizer`.
public enum SyncPhase: Int, Sendable { case fetch = 1, merge, send, write }

/// The result of a synchronisation.
public struct SyncReport: Equatable, Sendable {
    /// The number of notes that were sent and received.
    public var sent = 0
    public var received = 0
    /// The number of notes with conflicts, whose losing texts are kept as copies.
    public var conflicts = 0

    public init() {}

    /// Adds the result of another round of the same synchronisation.
    mutating func add(_ other: SyncReport) {
        sent += other.sent
        received += other.received
        conflicts += other.conflicts
    }
}

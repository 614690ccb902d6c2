import Foundation

/// The results of a mirroring round, as paths from the mirrored folder.
public struct MirrorReport: Equatable, Sendable {
    /// Files that became notes, changed notes, or changed their titles.
    public var taken: [String] = []
    /// Files that were written.
    public var written: [String] = []
    /// Files that were renamed or moved to another folder.
    public var moved: [String] = []
    /// Files whose notes were moved to Trash, since the files are missing.
    public var trashed: [String] = []
    /// Files that were removed, since their notes are in Trash or deleted.
    public var removed: [String] = []
    /// Files whose text could not be merged with their note's: both are kept, each as a note.
    public var conflicts: [String] = []
    /// Files and folders that are ignored, with the reasons.
    public var leftAlone: [LeftAlone] = []
    /// Files that are missing, whose notes stay until they are missing again; see `MirrorOptions.missed`.
    public var missing: Set<String> = []
    public var wasStopped = false

    /// A file or folder that is not mirrored.
    public struct LeftAlone: Equatable, Sendable {
        public var path: String
        public var reason: MirrorReason
    }

    /// Whether both sides were equal already.
    public var isIdle: Bool {
        [taken, written, moved, trashed, removed, conflicts].allSatisfy(\.isEmpty)
    }
}

/// The reason why a file or folder is not mirrored.
public enum MirrorReason: Equatable, Sendable {
    case hidden, link, special, badName, notText, notMarkdown, tooDeep
    /// A folder at the top that is called as one of the program's own.
    case systemName(String)
    /// The file has this many bytes, which are too many.
    case tooLarge(Int)
    case system(Int32)
    /// The file was changed during the round; the next round mirrors it.
    case busy
    case store(StoreError)

    /// Whether the file should have been mirrored and was not.
    public var isFailure: Bool {
        switch self {
        case .hidden, .link, .special, .notMarkdown: false
        case .badName, .notText, .tooDeep, .systemName, .tooLarge, .system, .busy, .store: true
        }
    }
}

/// The reason why a folder cannot be mirrored.
public enum MirrorError: Error, Equatable, Sendable {
    /// The folder of earlier rounds does not exist.
    case gone(path: String)
    /// A link or another folder is in the place of the folder of earlier rounds.
    case exchanged(path: String)
    /// None of the files of the last round exists.
    case emptied(path: String, count: Int)
    /// The round would move `count` of `all` notes to Trash, or remove as many of all files.
    case removesMany(path: String, count: Int, all: Int)
    /// The folder is the root of the file system, or inside a mirrored one, or contains one.
    case overlaps(path: String, other: String?)
    /// The folder belongs to the system, which keeps no files there.
    case system(path: String)
    /// Another program mirrors the folder now.
    case busy(path: String)
    /// Git is changing the files of the folder now.
    case gitIsAtWork(path: String)
    case store(StoreError)

    /// Whether only another program's work is in the way, which ends soon.
    public var passes: Bool {
        switch self {
        case .busy, .gitIsAtWork: true
        default: false
        }
    }
}

/// The options of a round.
public struct MirrorOptions: Sendable {
    /// Changes nothing, and reports what would change.
    public var isDry = false
    /// Treats missing files and notes as deleted, even if they are many.
    public var meansIt = false
    /// Merges both sides like a first round, ignoring earlier rounds.
    public var isAnew = false
    /// The occasion of the round.
    public var occasion = Occasion.told
    /// The files whose notes may go to Trash if they are missing still; nil: all.
    ///
    /// A program that works beside others passes what the last round missed, since a file may be missing for a moment
    /// while somebody writes it anew.
    public var missed: Set<String>?
    /// Returns whether a file that was last changed at the given time is complete; if not, it is left for the next
    /// round.
    ///
    /// Many programs empty a file before they write it again. A caller that runs beside such programs passes a rule
    /// that refuses files that were changed a moment ago.
    public var isSettled: @Sendable (Date) -> Bool = { _ in true }
    /// Called between two notes; false stops the round, which the next one resumes.
    public var goesOn: @Sendable () -> Bool = { true }

    public init() {}

    /// The occasion of a round, which decides whether the folder may be another one than in the last round.
    public enum Occasion: Sendable {
        /// A command names the folder, so whichever folder is there is meant.
        case told
        /// A program begins to look after the folder by itself: its disk may have got another number meanwhile.
        case begun
        /// A program goes on with the folder by itself.
        case continued
    }
}

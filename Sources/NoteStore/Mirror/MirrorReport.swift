/// What a round of a mirror did, as paths from the mirrored folder.
public struct MirrorReport: Equatable, Sendable {
    /// Files that became notes, changed notes or named them anew.
    public var taken: [String] = []
    /// Files that were written.
    public var written: [String] = []
    /// Files that were given another name or folder.
    public var moved: [String] = []
    /// Files whose notes went to Trash, since the files are gone.
    public var trashed: [String] = []
    /// Files that were removed, since their notes are in Trash or gone.
    public var removed: [String] = []
    /// Files whose text and note's text could not be merged: both are kept, each as a note.
    public var conflicts: [String] = []
    /// What is left alone, and why.
    public var leftAlone: [LeftAlone] = []
    /// Files that are missing, whose notes stay until they are missing again; see `MirrorOptions.missed`.
    public var missing: Set<String> = []
    public var wasStopped = false

    /// A file or folder that takes no part.
    public struct LeftAlone: Equatable, Sendable {
        public var path: String
        public var reason: MirrorReason
    }

    /// Whether both sides were the same already.
    public var isIdle: Bool {
        [taken, written, moved, trashed, removed, conflicts].allSatisfy(\.isEmpty)
    }
}

/// Why a file or folder takes no part in a mirror.
public enum MirrorReason: Equatable, Sendable {
    case hidden, link, special, badName, notText, notMarkdown, tooDeep
    /// A folder at the top that is called as one of the program's own.
    case systemName(String)
    /// In bytes.
    case tooLarge(Int)
    case system(Int32)
    /// It was changed while the round went on; the next round takes it up.
    case busy
    case store(StoreError)

    /// Whether the file should have been mirrored and is not.
    public var isFailure: Bool {
        switch self {
        case .hidden, .link, .special, .notMarkdown: false
        case .badName, .notText, .tooDeep, .systemName, .tooLarge, .system, .busy, .store: true
        }
    }
}

/// Why a folder cannot be mirrored.
public enum MirrorError: Error, Equatable, Sendable {
    /// The folder of earlier rounds is not there.
    case gone(path: String)
    /// None of the files of the last round is there.
    case emptied(path: String, count: Int)
    /// The round would move so many of all notes to Trash, or remove so many of all files.
    case removesMany(path: String, count: Int, all: Int)
    /// The root of the file system, or a folder that lies in a mirrored one or around it.
    case overlaps(path: String, other: String?)
    /// The folder belongs to the system, which keeps no files there.
    case system(path: String)
    /// Another program mirrors the folder now.
    case busy(path: String)
    case store(StoreError)
}

/// The options of a round.
public struct MirrorOptions: Sendable {
    /// Changes nothing, and reports what would change.
    public var isDry = false
    /// Takes files and notes that are missing for deleted ones, however many they are.
    public var meansIt = false
    /// Joins both sides as a first round does, whatever they had in common before.
    public var isAnew = false
    /// The files whose notes may go to Trash if they are missing still; nil: all.
    ///
    /// A program that works beside others passes what the last round missed, since a file may be missing for a moment
    /// while somebody writes it anew.
    public var missed: Set<String>?
    /// Called between two notes; false stops the round, which the next one resumes.
    public var goesOn: @Sendable () -> Bool = { true }

    public init() {}
}

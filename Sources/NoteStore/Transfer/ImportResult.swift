import Foundation

/// Why a file was not imported, or not completely.
public struct ImportProblem: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case notFound
        case unreadable(errno: Int32)
        /// A file of an export cannot be written.
        case unwritable(errno: Int32)
        /// The offset of the first byte that is not UTF-8.
        case invalidUTF8(offset: Int)
        case tooLarge(bytes: Int, limit: Int)
        /// Neither a Markdown or text file nor a folder.
        case unknownKind
        /// A pipe, a device, a socket.
        case notRegular
        /// A link to a folder elsewhere.
        case linkToFolder
        /// A link to a file outside of the folder that is imported.
        case linkOutside
        /// A file in a zip is locked by a password, or packed in a way that is rare.
        case locked
        /// A file in an archive does not have the content that the archive says.
        case damagedArchive
        /// The other program had it in its own Trash.
        case inItsTrash
        /// Another program's file has no readable text.
        case noText
        /// A file that an export would replace was not written by an export, or has changed since.
        case notOurs
        /// A file that the text shows or leads to cannot be read, or lies outside; the text is imported.
        case attachment(name: String)
        /// The same for one that is larger than the settings allow.
        case largeAttachment(name: String, bytes: Int, limit: Int)
        /// A file that the text shows does not exist; the text is imported as it is.
        case missingFile(name: String)
        /// The file and its note were changed in the same words; the file's text is a note beside it.
        case keptTwice(title: String)
        case store(StoreError)
    }

    /// The path as given, or as found in a given folder.
    public let path: String
    public let reason: Reason

    /// Whether the import is complete all the same, since there was nothing to leave out.
    public var isRemark: Bool {
        switch reason {
        case .missingFile, .inItsTrash, .keptTwice: true
        default: false
        }
    }
}

/// The result of an import.
public struct ImportResult: Equatable, Sendable {
    public var noteImportCount = 0
    /// Files that were imported before and have not changed since.
    public var unchangedCount = 0
    /// Files that have changed since they were imported: those whose changes came into their notes, and those left.
    public var mergedCount = 0
    public var skippedCount = 0
    public var imageCount = 0
    /// Files of other kinds.
    public var fileCount = 0
    public var notes: [NoteID] = []
    public var problems: [ImportProblem] = []
    /// Whether it was stopped before the last file.
    public var wasCancelled = false

    public init() {}

    public var errorsEncountered: Bool { !problems.isEmpty }
    public var errorMessages: [String] { problems.map(\.sentence) }

    /// The messages without repetition, in the order of their first occurrence.
    public var uniqueErrorMessages: [String] {
        var seen: Set<String> = []
        return errorMessages.filter { seen.insert($0).inserted }
    }
}

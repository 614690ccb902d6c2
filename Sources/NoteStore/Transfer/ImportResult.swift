import Foundation

/// The reason why a file was not imported, or not completely.
public struct ImportProblem: Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case notFound
        case unreadable(errno: Int32)
        /// A file of an export cannot be written.
        case unwritable(errno: Int32)
        /// The offset of the first byte that is not UTF-8.
        case invalidUTF8(offset: Int)
        /// A page or an export declares an encoding that cannot be read.
        case unknownEncoding(name: String)
        case tooLarge(bytes: Int, limit: Int)
        /// The path is neither a Markdown or text file nor a folder.
        case unknownKind
        /// The file is a pipe, a device or a socket.
        case notRegular
        /// The path is a link to a folder elsewhere.
        case linkToFolder
        /// The path is a link to a file outside of the imported folder.
        case linkOutside
        /// A file in a zip is encrypted, or packed by a rare method.
        case locked
        /// The content of a file in an archive does not match the archive's list.
        case damagedArchive
        /// An archive has bytes after its end that are not a part of it.
        case bytesAfterEnd
        /// The note was in the Trash of the other program.
        case inItsTrash
        /// Another program's file has no readable text.
        case noText
        /// A file that an export would replace was not written by an export, or has changed since.
        case notOurs
        /// A file that the text shows or links to cannot be read, or is outside of the folder; the text is imported.
        case attachment(name: String)
        /// A file to which a note refers is larger than the settings allow.
        case largeAttachment(name: String, bytes: Int, limit: Int)
        /// A file that the text shows does not exist; the text is imported as it is.
        case missingFile(name: String)
        /// The file and its note were changed in the same words, so the file's text is a note beside it.
        case keptTwice(title: String)
        /// Another note of the project's folder has the file's title, so the note got a title with a number.
        case retitled(title: String)
        /// The text had halves of characters, which no text can contain; U+FFFD stands for them.
        case brokenCharacters
        /// A page has elements that no text can hold, such as drawings; these are their names in HTML.
        case elementsLeftOut([String])
        /// An embed names a file whose name is another note's, and its title is shared, so nothing tells them apart.
        case ambiguousEmbed(name: String)
        /// A picture that is larger than a notebook keeps was made smaller.
        case reduced(from: PictureSize, to: PictureSize)
        case store(StoreError)
        /// One of several exports cannot be read, of which the error says more.
        case unread(StoreError)
    }

    /// The path as given, or as found in a given folder.
    public let path: String
    public let reason: Reason

    init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

    /// Makes the problem of an export that cannot be read.
    public init(unread error: StoreError) { self.init(path: "", reason: .unread(error)) }

    /// Whether the import is complete nevertheless, since nothing had to be left out.
    public var isRemark: Bool {
        switch reason {
        case .missingFile, .inItsTrash, .keptTwice, .retitled, .brokenCharacters, .elementsLeftOut, .ambiguousEmbed,
            .reduced, .bytesAfterEnd:
            true
        default: false
        }
    }
}

/// The size of a picture, in pixels.
public struct PictureSize: Equatable, Sendable {
    public let width: Int
    public let height: Int

    init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
}

/// Files of one kind in an imported folder that neither became notes nor are shown by one.
public struct LeftOutFiles: Equatable, Sendable {
    /// The extension of their names in lower case; empty for names without one.
    public let ending: String
    public let count: Int
    /// The paths of the first ones, at most three.
    public let examples: [String]
}

/// The result of an import.
public struct ImportResult: Equatable, Sendable {
    public var noteImportCount = 0
    /// Files that were imported before and have not changed since.
    public var unchangedCount = 0
    /// The number of changed files whose changes were merged into their notes; `skippedCount` is that of the others.
    public var mergedCount = 0
    public var skippedCount = 0
    public var imageCount = 0
    /// The number of files of other kinds.
    public var fileCount = 0
    public var notes: [NoteID] = []
    public var problems: [ImportProblem] = []
    /// Files in the folder that were left out, by kind.
    public var leftOut: [LeftOutFiles] = []
    /// Whether the import was stopped before its end.
    public var wasCancelled = false
    /// Whether it was stopped after the last file was read, before all links were made.
    public var isUnlinked = false

    public init() {}

    var errorsEncountered: Bool { !problems.isEmpty }
    var errorMessages: [String] { problems.map(\.sentence) }

    /// The messages without repetition, in the order of their first occurrence.
    var uniqueErrorMessages: [String] {
        var seen: Set<String> = []
        return errorMessages.filter { seen.insert($0).inserted }
    }
}

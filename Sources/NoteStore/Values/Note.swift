import Crypto
import Foundation
import TextEditing
import TextPrimitives

/// A note with its text.
public struct Note: Identifiable, Equatable, Sendable {
    public var row: NoteRow
    /// Raw Markdown; its bytes are never altered by the store.
    public var content: String

    public var id: NoteID { row.id }
    public var title: String { row.title }
    public var isEmpty: Bool { content.isEmpty }

    public func getURL() -> String { row.getURL() }
    public func getMarkdownLink() -> String { row.getMarkdownLink() }

    /// Returns the MD5 of the text in lower-case hexadecimal.
    ///
    /// Cost: one pass over the text.
    public func generateContentHash() -> String { Self.contentHash(of: content) }

    /// Whether the text differs from the one last summarised.
    public func contentHasChanged() -> Bool { row.contentHash != generateContentHash() }

    /// Returns the MD5 of a text in lower-case hexadecimal.
    public static func contentHash(of text: String) -> String {
        var text = text
        let digest = text.withUTF8 { Insecure.MD5.hash(data: UnsafeRawBufferPointer($0)) }
        return Hexadecimal.text(digest)
    }

    static func contentHash(of text: TextBuffer) -> String {
        var hash = Insecure.MD5()
        text.forEachPiece(in: text.range) { piece in
            hash.update(bufferPointer: UnsafeRawBufferPointer(piece))
            return true
        }
        return Hexadecimal.text(hash.finalize())
    }
}

/// The values that a new note is made from, with defaults.
public struct NewNote: Sendable {
    public var id: NoteID
    public var text: String
    /// The title, or `nil` to derive it from the text.
    public var title: String?
    public var folder: ContainerID
    public var tags: [ContainerID]
    public var starred: Bool
    /// The creation date, or `nil` for the present time.
    public var created: Date?
    /// The date of the last change, or `nil` for the creation date.
    public var updated: Date?
    /// The notes from which the text comes; the new note gets the strictest of their privacy levels.
    public var sources: [NoteID] = []

    public init(
        text: String = "", title: String? = nil, folder: ContainerID = .inbox, tags: [ContainerID] = [],
        starred: Bool = false, created: Date? = nil, updated: Date? = nil, id: NoteID = NoteID(),
        sources: [NoteID] = []
    ) {
        self.id = id
        self.text = text
        self.title = title
        self.folder = folder
        self.tags = tags
        self.starred = starred
        self.created = created
        self.updated = updated
        self.sources = sources
    }
}

/// The result of a save.
public enum SaveOutcome: Equatable, Sendable {
    case saved(NoteRow)
    /// Another writer had changed the note; both changes are in `text`, which is now stored.
    case merged(NoteRow, text: String)
    /// Both changed the same words: the note keeps the other's text; ours becomes a version and a separate note.
    case conflict(NoteRow, text: String, copy: NoteRow)
}

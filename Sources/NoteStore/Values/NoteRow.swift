import Foundation
import Markdown

/// The state of a note; the raw value is what the `place` column stores.
public enum Place: Int, Sendable, Codable {
    case live = 0
    case archive = 1
    case trash = 2
    /// Cut, not yet pasted.
    case buffer = 3
}

/// A note as lists show it: everything except the text.
public struct NoteRow: Identifiable, Equatable, Sendable {
    public let id: NoteID
    public var title: String
    /// The title derived from the text; while it equals `title`, the title follows the text.
    public var defaultTitle: String
    /// Plain text after the title line, joined into one line of at most 200 characters.
    public var preview: String
    public var createdDate: Date
    public var updatedDate: Date
    public var starred: Bool
    public var place: Place
    public var folder: ContainerID?
    public var folderName: String
    /// The note's tags, sorted by name, like `tagNames`.
    public var tags: [ContainerID]
    public var tagNames: [String]
    /// The members of `tags` that the note has only because they occur in its text.
    public var textTags: Set<ContainerID>
    public var wordCount: Int
    /// Counts the changes of the text, from 1.
    public var revision: Int64
    /// The position that the user gave the note, the highest on top; 0 means none.
    public var sortOrder: Int64
    public var aiSummary: String
    /// The MD5 of the text last summarised, in lower-case hexadecimal; empty if it never was.
    public var contentHash: String
    /// The length of the text in UTF-8 bytes.
    public var size: Int
    /// The row's integer key, which breaks ties when lists are sorted.
    let key: Int64

    /// The tags that were set by hand.
    public var handTags: [ContainerID] { tags.filter { !textTags.contains($0) } }
    public var handTagNames: [String] { zip(tags, tagNames).filter { !textTags.contains($0.0) }.map(\.1) }

    /// Whether the text has no characters.
    public var isEmpty: Bool { size == 0 }

    /// Whether the title still follows the text.
    public var titleIsDerived: Bool { title == defaultTitle }

    public func getURL() -> String { id.url }

    /// `[title](takenote://note/<UUID>)`, with the characters of the title escaped that would end or divide the link.
    public func getMarkdownLink() -> String { MarkdownAssistant.link(title, uuid: id.description) }
}

import Foundation

/// Where a note is: its raw value is what the `place` column stores.
public enum Place: Int, Sendable, Codable {
    case live = 0
    case archive = 1
    case trash = 2
    /// Cut, not yet pasted.
    case buffer = 3
}

/// A note as lists show it: everything but the text.
public struct NoteRow: Identifiable, Equatable, Sendable {
    public let id: NoteID
    public var title: String
    /// While it equals `title` the title follows the text.
    public var defaultTitle: String
    /// Plain text of what comes after the title line, on one line, at most 200 characters.
    public var preview: String
    public var createdDate: Date
    public var updatedDate: Date
    public var starred: Bool
    public var place: Place
    public var folder: ContainerID?
    public var folderName: String
    /// In the order of their names; `tagNames` goes with it.
    public var tags: [ContainerID]
    public var tagNames: [String]
    public var wordCount: Int
    /// Counts the changes of the text, from 1.
    public var revision: Int64
    /// Where it was put by hand, the highest on top; 0: nowhere.
    public var sortOrder: Int64
    public var aiSummary: String
    /// The MD5 of the text last summarised, in lower-case hexadecimal; empty if never.
    public var contentHash: String
    /// UTF-8 bytes of the text.
    public var size: Int
    /// The row's integer key, which breaks ties in lists.
    let key: Int64

    /// Whether the text has no characters.
    public var isEmpty: Bool { size == 0 }

    /// Whether the title still follows the text.
    public var titleIsDerived: Bool { title == defaultTitle }

    public func getURL() -> String { id.url }

    /// `[title](takenote://note/<UUID>)`, with the title's brackets and backslashes escaped.
    public func getMarkdownLink() -> String {
        var label = ""
        for character in title {
            if "[]\\".contains(character) { label.append("\\") }
            label.append(character)
        }
        return "[\(label)](\(getURL()))"
    }
}

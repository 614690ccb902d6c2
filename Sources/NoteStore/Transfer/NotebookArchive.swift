import Foundation

/// The whole notebook as one value with a JSON form.
///
/// It contains folders, tags, notes with former titles and earlier texts, images, files and searches, and the privacy
/// levels of notes, folders and tags.
///
/// It leaves out what only this machine needs: the actions that can be undone, and the paths of imported files. Values
/// derived from the texts (index, links, counts) are derived again when the archive is imported.
public struct NotebookArchive: Codable, Equatable, Sendable {
    /// Identifies the format of the file.
    public static let format = "tn-notebook"
    /// The version of the format; it increases when older programs cannot read an archive correctly.
    public static let version = 1

    public var format = Self.format
    public var version = Self.version
    /// The containers, parents before their children; among them the system containers, whose identities are always the
    /// same.
    public var containers: [Container] = []
    public var notes: [Note] = []
    public var images: [Image] = []
    public var searches: [Search] = []
    /// The files of other kinds; nil if there are none, as in archives of earlier versions.
    public var files: [File]?

    /// The keys; `archive` comes first in alphabetical order, which is the order in the file.
    ///
    /// So the beginning of the file shows that it is an archive.
    enum CodingKeys: String, CodingKey {
        case format = "archive"
        case version, containers, notes, images, searches, files
    }

    public struct Container: Codable, Equatable, Sendable {
        var uuid: ContainerID
        var kind: NoteContainer.Kind
        var name: String
        var parent: ContainerID?
        /// Nil for a system container, which each notebook makes for itself; archives of earlier versions have it.
        var created: Moment?
        /// Red, green, blue, alpha from the highest byte down.
        var color: UInt32
        var symbol: String
        var order: Int64
        var role: NoteContainer.Role?
        var projectType: NoteContainer.ProjectType?
        var details: String
        /// The parent that the container had before it was moved to Trash.
        var origin: ContainerID?
        var originPath: [String]?
        var trashed: Moment?
        /// True for a tag that exists only because texts have it; nil for any other container.
        var isOnlyInTexts: Bool?
        /// The container's own privacy level (`PrivacyLevel`); nil if it has none, as in archives of earlier versions.
        var privacy: String?
    }

    public struct Note: Codable, Equatable, Sendable {
        public var uuid: NoteID
        var title: String
        /// The default title, equal to the title while the title follows the text.
        var defaultTitle: String
        var content: String
        var created, updated: Moment
        var starred: Bool
        var folder: ContainerID
        /// The tags that were set by hand; the others follow the text.
        var tags: [ContainerID]
        var order: Int64
        var revision: Int64
        var summary: String
        var summaryHash: String
        /// The folder before Trash or Archive; `wasArchived` tells whether a note in Trash was in Archive before.
        var origin: ContainerID?
        var originPath: [String]?
        var wasArchived: Bool
        var moved: Moment?
        var formerTitles: [FormerTitle]
        var versions: [Version]
        /// The note's own privacy level (`PrivacyLevel`); nil if it has none, as in archives of earlier versions.
        var privacy: String?
    }

    public struct FormerTitle: Codable, Equatable, Sendable {
        /// The folded title: trimmed, composed, case-folded.
        var key: String
        var date: Moment
    }

    public struct Version: Codable, Equatable, Sendable {
        var number: Int
        var date: Moment
        var reason: String
        var title: String
        var content: String
    }

    public struct Image: Codable, Equatable, Sendable {
        var uuid: UUID
        var mimeType: String
        var created: Moment
        /// The bytes, as base 64.
        var data: Data
    }

    /// A file that notes refer to.
    public struct File: Codable, Equatable, Sendable {
        var uuid: UUID
        var name: String
        var created: Moment
        /// The bytes, as base 64.
        var data: Data
    }

    /// A search saved under a name.
    public struct Search: Codable, Equatable, Sendable {
        var uuid: UUID
        var name, query: String
        var created: Moment
    }

    /// A time to the millisecond, written as ISO 8601 in UTC.
    struct Moment: Codable, Equatable, Sendable {
        let milliseconds: Int64

        private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

        init(_ milliseconds: Int64) {
            self.milliseconds = milliseconds
        }

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            milliseconds = try Self.style.parse(text).milliseconds
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Date(milliseconds: milliseconds).timestamp)
        }
    }
}

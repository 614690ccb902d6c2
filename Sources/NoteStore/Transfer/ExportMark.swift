import Foundation
import SystemPackage

/// The list of the files that an export has written into a folder, kept in a file there.
///
/// This list allows a later export to recognise its own files, and an import to recognise the notes.
///
///     tn export 1
///     vault
///     made:<milliseconds since 1970 of the note's creation>:<the same of its last change>:<its title, if it is its own>
///         and for each former title :<milliseconds since 1970 of its end>=<its folded text>, all in one line
///     was:<MD5 of the note's text>:<MD5 of its title>:<MD5 of its star and tags>
///     <MD5 of the file> <UUID of the note, or -> <path from the folder>
///
/// The lines `made:` and `was:` tell what the note of the next entry was like; a list of an earlier version has no such
/// lines. The line `vault` says that the links of the texts name files, as in a vault, and `plain` that they do no longer.
/// The lines of a file are appended before it is moved into place, and the last ones for a path count, so that a killed
/// export leaves a valid list.
struct ExportMark: Sendable {
    struct Entry: Equatable, Sendable {
        /// The MD5 of the file's bytes, without a byte order mark, in hexadecimal.
        let hash: String
        /// `nil` for an image.
        let note: NoteID?
        /// Whether the links of its text name files, as in a vault, and not notes.
        var namesFiles = false
        /// Whether only a part of the export is imported, so that the other files may be outside of what was given.
        var isOfPart = false
        /// Whether an import found the file as the export wrote it.
        var isUnchanged = false
        /// Whether the links of the file's text are those of the note, none of which means a file by its name alone.
        var hasLinksOfNote: Bool { isUnchanged && !namesFiles }
        /// What the file does not say of the note; `nil` for an image, and where it is not known.
        var properties: Properties?
        /// The note as it was exported; `nil` for anything but a note's Markdown, and where it is not known.
        var origin: Origin?
    }

    /// A note at the time of an export, by hashes that tell an import what has changed since.
    struct Origin: Equatable, Sendable {
        /// The MD5 of the note's text, title, and star and tags, each in hexadecimal.
        let text, title, marks: String
    }

    /// The properties of a note at the time of an export that a file without front matter cannot keep.
    struct Properties: Equatable, Sendable {
        let created, updated: Date
        /// The note's title, which the name of a file may not be able to contain; `nil` if it follows the text.
        let title: String?
        /// The titles that the note had before, by which links find it.
        var formerTitles: [FormerTitle] = []
    }

    struct FormerTitle: Equatable, Sendable {
        /// The title, folded.
        let key: String
        let date: Date
    }

    static let name = ".tn-export"
    static let firstLine = "tn export 1"
    /// The maximum size of the file, in bytes.
    private static let limit = 64_000_000

    private(set) var entries: [String: Entry] = [:]
    /// Whether the folder is a vault.
    var isVault = false
    private static let (vaultLine, plainLine) = ("vault", "plain")
    /// The folded paths of the notes when the mark was read.
    private var foldedNotes: Set<String> = []
    /// Hashes from earlier lines with the same path.
    ///
    /// The file may still have its earlier content, since its line is written before the file is replaced.
    private var earlier: [String: Set<String>] = [:]

    /// Makes the mark of a folder that has none yet.
    init() {}

    /// `nil` if the folder has no readable mark.
    init?(in folder: FilePath) {
        let file = folder.appending(Self.name)
        guard (try? FileStatus(file, followsLinks: false))?.kind == .file,  // a foreign link, or none
            let content = try? RegularFile.read(file, limit: Self.limit), !content.isTooLarge  // not readable: no mark
        else { return nil }
        self.init(reading: String(decoding: content.bytes, as: UTF8.self))
    }

    /// Reads a mark; an empty one is left by an export that ended right after it began.
    init?(reading text: String) {
        // A power cut leaves zeros where bytes were not on the disk yet.
        if text.utf8.allSatisfy({ $0 == 0 }) { return }
        var lines = text.split(separator: "\n").makeIterator()
        guard lines.next() == Substring(Self.firstLine) else { return nil }
        var origin: Origin?
        var properties: Properties?
        while let line = lines.next() {
            if let found = Origin(line: line) {
                origin = found
                continue
            }
            if let found = Properties(line: line) {
                properties = found
                continue
            }
            defer { (origin, properties) = (nil, nil) }
            if line == Self.vaultLine || line == Self.plainLine { isVault = line == Self.vaultLine }
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3 else { continue }
            let path = String(parts[2])
            if let known = entries[path] {
                earlier[path, default: []].insert(known.hash)
                // An export was killed, and the file may be the one that it was about to replace.
                if known.origin != origin { origin = nil }
            }
            entries[path] = Entry(
                hash: String(parts[0]), note: NoteID(String(parts[1])), properties: properties, origin: origin)
        }
        foldedNotes = Set(entries.lazy.filter { $0.value.note != nil }.map { Folding.key($0.key) })
    }

    /// Whether a note's file was at this path when the mark was read, with any case of its letters.
    func hasNote(at path: String) -> Bool { foldedNotes.contains(Folding.key(path)) }

    /// Whether an export has written a file with these bytes at this path.
    func has(_ hash: String, at path: String) -> Bool {
        entries[path]?.hash == hash || earlier[path]?.contains(hash) == true
    }

    subscript(path: String) -> Entry? {
        get { entries[path] }
        set { entries[path] = newValue }
    }

    /// Returns the entry of a file, as an import needs it.
    ///
    /// - Parameter isOfPart: whether less than the whole folder of the export is imported.
    func importing(_ path: String, isOfPart: Bool = false) -> Entry? {
        var entry = entries[path]
        entry?.namesFiles = isVault
        entry?.isOfPart = isOfPart
        return entry
    }

    /// Returns the line that says whether the folder is a vault; the last one counts.
    static func kindLine(isVault: Bool) -> String { (isVault ? vaultLine : plainLine) + "\n" }

    static func line(_ path: String, _ entry: Entry) -> String {
        (entry.properties?.line ?? "") + (entry.origin?.line ?? "")
            + "\(entry.hash) \(entry.note?.description ?? "-") \(path)\n"
    }

    var text: String {
        let head = Self.firstLine + "\n" + (isVault ? Self.kindLine(isVault: true) : "")
        return entries.sorted { $0.key < $1.key }.reduce(into: head) { $0 += Self.line($1.key, $1.value) }
    }
}

extension ExportMark.Properties {
    private static let word = "made"

    init(of row: NoteRow, formerTitles: [ExportMark.FormerTitle]) {
        (created, updated) = (row.createdDate, row.updatedDate)
        title = row.titleIsDerived ? nil : row.title
        self.formerTitles = formerTitles
    }

    /// `nil` for a line that tells something else.
    fileprivate init?(line: Substring) {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0] == Self.word, let created = Int64(parts[1]), let updated = Int64(parts[2]),
            let title = parts[3].removingPercentEncoding
        else { return nil }
        (self.created, self.updated) = (Date(milliseconds: created), Date(milliseconds: updated))
        self.title = title.isEmpty ? nil : title
        formerTitles = parts.dropFirst(4).compactMap(ExportMark.FormerTitle.init(written:))
    }

    fileprivate var line: String {
        let former = formerTitles.map { ":" + $0.written }.joined()
        return "\(Self.word):\(created.milliseconds):\(updated.milliseconds):\((title ?? "").encoded)\(former)\n"
    }
}

extension ExportMark.FormerTitle {
    /// `nil` for what is not a former title.
    fileprivate init?(written: Substring) {
        let parts = written.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let date = Int64(parts[0]), let key = parts[1].removingPercentEncoding else {
            return nil
        }
        (self.key, self.date) = (key, Date(milliseconds: date))
    }

    fileprivate var written: String { "\(date.milliseconds)=\(key.encoded)" }
}

extension String {
    /// The text without line ends, colons and characters that join with those before them, which would spoil a line.
    fileprivate var encoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}

extension ExportMark.Origin {
    private static let word = "was"

    /// Makes the origin of a note's file.
    ///
    /// - Parameter tags: the tags that the note was given by hand.
    init(text: String, title: String, starred: Bool, tags: [String]) {
        self.text = Note.contentHash(of: text)
        self.title = Note.contentHash(of: title)
        marks = Self.marks(starred: starred, tags: tags)
    }

    /// `nil` for a line that tells something else.
    fileprivate init?(line: Substring) {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == Self.word else { return nil }
        (text, title, marks) = (parts[1], parts[2], parts[3])
    }

    fileprivate var line: String { "\(Self.word):\(text):\(title):\(marks)\n" }

    /// Returns the hash of a star and of tags, whatever their order and the case of their letters.
    static func marks(starred: Bool, tags: [String]) -> String {
        Note.contentHash(of: "\(starred)\n" + Set(tags.map(Folding.key)).sorted().joined(separator: "\n"))
    }
}

import Foundation
import GRDB

extension NoteRow {
    /// The columns that `init(_:)` reads by position, from `note` and its `folder`.
    static let columns = """
        note.id, note.uuid, note.title, note.defaultTitle, note.preview, note.createdDate, note.updatedDate,
        note.starred, note.place, note.wordCount, note.revision, note.sortOrder, note.aiSummary, note.contentHash,
        note.size, folder.uuid, folder.name,
        (SELECT group_concat(uuid || source || name, char(31)) FROM
            (SELECT tag.uuid, note_tag.source & 3 AS source, tag.name
             FROM note_tag JOIN container AS tag ON tag.id = note_tag.tag
             WHERE note_tag.note = note.id AND note_tag.source & 3 ORDER BY tag.nameKey))
        """

    /// A SELECT of `columns` from all notes; append a `WHERE`.
    static let selection = "SELECT \(columns) FROM note LEFT JOIN container AS folder ON folder.id = note.folder"

    init(_ row: Row) {
        key = row[0]
        id = NoteID(stored: row[1])
        title = row[2]
        defaultTitle = row[3]
        preview = row[4]
        createdDate = Date(milliseconds: row[5])
        updatedDate = Date(milliseconds: row[6])
        starred = row[7]
        place = Place(rawValue: row[8]) ?? .live
        wordCount = row.amount(9)
        revision = row[10]
        sortOrder = row[11]
        aiSummary = row[12]
        contentHash = row[13]
        size = row.amount(14)
        folder = (row[15] as String?).map(ContainerID.init(stored:))
        folderName = row[16] ?? ""
        tags = []
        tagNames = []
        textTags = []
        if let joined = row[17] as String? { decodeTags(joined) }
    }

    /// Decodes the tags: for each a UUID (36 characters), the digit of its source and a name, separated by U+001F.
    private mutating func decodeTags(_ joined: String) {
        for part in joined.split(separator: "\u{1F}") where part.count > 37 {
            let tag = ContainerID(stored: String(part.prefix(36)))
            let rest = part.dropFirst(36)
            tags.append(tag)
            tagNames.append(String(rest.dropFirst()))
            if rest.first == "2" { textTags.insert(tag) }
        }
    }
}

extension NoteContainer {
    /// The columns that `init(_:)` reads by position.
    static let columns = """
        c.id, c.uuid, c.kind, c.name, parent.uuid, c.createdDate, c.colorRGBA, c.symbol, c.sortOrder, c.role,
        c.projectType, c.details, c.place, c.noteCount, c.inText
        """

    /// A SELECT of `columns` from all containers; append a `WHERE`.
    static let selection = "SELECT \(columns) FROM container AS c LEFT JOIN container AS parent ON parent.id = c.parent"

    init(_ row: Row) {
        key = row[0]
        id = ContainerID(stored: row[1])
        kind = Kind(rawValue: row[2]) ?? .folder
        name = row[3]
        parent = (row[4] as String?).map(ContainerID.init(stored:))
        createdDate = Date(milliseconds: row[5])
        colorRGBA = UInt32(truncatingIfNeeded: row[6] as Int64)
        symbol = row[7]
        sortOrder = row[8]
        role = (row[9] as String?).flatMap(Role.init(rawValue:))
        projectType = (row[10] as String?).flatMap(ProjectType.init(rawValue:))
        details = row[11]
        place = Place(rawValue: row[12]) ?? .live
        noteCount = row.amount(13)
        isOnlyInTexts = row[14]
    }
}

extension Row {
    /// Returns a number of things or bytes, small enough to add up many; another program may have stored any number.
    fileprivate func amount(_ index: Int) -> Int {
        let stored: Int = self[index]
        return Swift.min(Swift.max(0, stored), 1 << 40)
    }
}

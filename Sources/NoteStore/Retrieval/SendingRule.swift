import GRDB

/// Who gets to see notes, and which ones never.
public struct SendingRule: Equatable, Sendable {
    /// Who a text is meant for.
    public enum Recipient: Sendable {
        /// The user, on the own screen: every live note.
        case reader
        /// A model on this machine.
        case thisMachine
        /// A model anywhere else.
        case elsewhere
    }

    public var recipient: Recipient
    /// Folders by their names or the ends of their paths, and tags as `#name`: what lies in them is never sent.
    public var neverSend: [String]

    public init(_ recipient: Recipient, neverSend: [String] = []) {
        self.recipient = recipient
        self.neverSend = neverSend
    }

    public static let reader = SendingRule(.reader)

    /// The tags never sent, without `#`, folded.
    var tagKeys: [String] {
        neverSend.filter { $0.hasPrefix("#") }.map { Folding.key(String($0.dropFirst())) }
    }

    /// The paths never sent, each as its folded names.
    var pathKeys: [[String]] {
        neverSend.filter { !$0.hasPrefix("#") }.map { Notebook.Containers.names(ofPath: $0).map(Folding.key) }
            .filter { !$0.isEmpty }
    }
}

/// How far a note, or what lies in a folder or has a tag, may go.
///
/// The strictest of the levels of the note, of its tags and of all folders above it applies.
public enum PrivacyLevel: String, Sendable, CaseIterable {
    /// As everything around it says; where nothing does, everywhere.
    case inherit
    /// Only to a model on this machine.
    case thisMachine = "this-machine"
    /// To no model.
    case never
}

/// What is looked at: the whole notebook, or a part of it.
public struct RetrievalScope: Equatable, Sendable {
    /// A folder or project, with everything below it.
    public var container: ContainerID?
    public var tag: ContainerID?

    public init(container: ContainerID? = nil, tag: ContainerID? = nil) {
        self.container = container
        self.tag = tag
    }
}

/// The condition in SQL that a note must meet to be shown to a recipient.
struct SendingCondition {
    let sql: String

    /// Whole numbers are written into the text; nothing that a user wrote is.
    init(_ rule: SendingRule, _ scope: RetrievalScope, _ db: Database) throws {
        var parts = ["note.place = 0"]
        if rule.recipient != .reader {
            let closed = try Self.closedContainers(rule, db, levels: Self.closedLevels(rule.recipient))
            let list = closed.map(String.init).joined(separator: ", ")
            parts.append("ifnull(note.folder, -1) NOT IN (\(list))")
            parts.append("NOT EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = note.id AND tag IN (\(list)))")
            let levels = Self.closedLevels(rule.recipient).map { "'\($0.rawValue)'" }.joined(separator: ", ")
            parts.append(
                """
                NOT EXISTS (SELECT 1 FROM setting WHERE setting.key = '\(Notebook.Retrieval.privacyPrefix)' || note.uuid
                    AND value IN (\(levels)))
                """)
        }
        if let container = scope.container {
            let keys = try Self.withAllBelow(try Self.keys("uuid = ?", [container.description], db), db)
            parts.append("note.folder IN (\(keys.map(String.init).joined(separator: ", ")))")
        }
        if let tag = scope.tag {
            let keys = try Self.keys("uuid = ?", [tag.description], db).map(String.init).joined(separator: ", ")
            parts.append("EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = note.id AND tag IN (\(keys)))")
        }
        sql = parts.joined(separator: " AND ")
    }

    private static func closedLevels(_ recipient: SendingRule.Recipient) -> [PrivacyLevel] {
        switch recipient {
        case .reader: []
        case .thisMachine: [.never]
        case .elsewhere: [.never, .thisMachine]
        }
    }

    /// The folders and tags whose notes stay here, with all folders below them.
    ///
    /// - Parameter levels: the levels of their own that keep containers here.
    static func closedContainers(
        _ rule: SendingRule, _ db: Database, levels: [PrivacyLevel]
    ) throws -> [Int64] {
        var closed: Set<Int64> = []
        for key in rule.tagKeys { closed.formUnion(try keys("kind = 'tag' AND nameKey = ?", [key], db)) }
        for path in rule.pathKeys { closed.formUnion(try keys(ofPathEnding: path, db)) }
        for level in levels {
            closed.formUnion(
                try keys(
                    """
                    uuid IN (SELECT substr(key, \(Notebook.Retrieval.privacyPrefix.utf8.count + 1)) FROM setting
                        WHERE key >= ? AND key < ? AND value = ?)
                    """, [Notebook.Retrieval.privacyPrefix, Notebook.Retrieval.privacyEnd, level.rawValue], db))
        }
        return try withAllBelow(Array(closed), db)
    }

    /// The folded names of tags that are closed by the rule or by a level of their own.
    static func closedTagKeys(_ rule: SendingRule, _ db: Database) throws -> [String] {
        let closed = try closedContainers(rule, db, levels: closedLevels(rule.recipient)).map(String.init)
        let tags = "SELECT nameKey FROM container WHERE kind = 'tag' AND id IN (\(closed.joined(separator: ", ")))"
        return rule.tagKeys + (try String.fetchAll(db, sql: tags))
    }

    /// The containers whose path ends with these names: `Journal` is every folder of that name.
    private static func keys(ofPathEnding path: [String], _ db: Database) throws -> [Int64] {
        guard let last = path.last else { return [] }
        return try keys("kind <> 'tag' AND nameKey = ?", [last], db).filter { key in
            var above: Int64? = key
            for name in path.dropLast().reversed() {
                guard let child = above,
                    let row = try Row.fetchOne(
                        db,
                        sql: """
                            SELECT parent.id, parent.nameKey FROM container JOIN container AS parent
                            ON parent.id = container.parent WHERE container.id = ?
                            """, arguments: [child]), row[1] as String == name
                else { return false }
                above = row[0]
            }
            return true
        }
    }

    private static func keys(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT id FROM container WHERE \(condition)", arguments: arguments)
    }

    private static func withAllBelow(_ keys: [Int64], _ db: Database) throws -> [Int64] {
        guard !keys.isEmpty else { return [] }
        return try Int64.fetchAll(
            db,
            sql: """
                WITH RECURSIVE below(id) AS (SELECT id FROM container WHERE id IN (\(keys.map(String.init)
                    .joined(separator: ", ")))
                    UNION SELECT container.id FROM container JOIN below ON container.parent = below.id)
                SELECT id FROM below ORDER BY id
                """)
    }
}

import GRDB

/// The recipient of notes, and the containers whose notes are never sent.
public struct SendingRule: Equatable, Sendable {
    /// The recipient of a text.
    public enum Recipient: Sendable {
        /// The user, at the screen: every live note.
        case reader
        /// A model on this machine.
        case thisMachine
        /// A model anywhere else.
        case elsewhere
    }

    public var recipient: Recipient
    /// Folders by their names or the ends of their paths, and tags as `#name`, whose notes are never sent.
    public var neverSend: [String]

    public init(_ recipient: Recipient, neverSend: [String] = []) {
        self.recipient = recipient
        self.neverSend = neverSend
    }

    public static let reader = SendingRule(.reader)

    /// The tags that are never sent, folded and without `#`.
    var tagKeys: [String] {
        neverSend.filter { $0.hasPrefix("#") }.map { Folding.key(String($0.dropFirst())) }
    }

    /// The paths that are never sent, each as its folded names.
    var pathKeys: [[String]] {
        neverSend.filter { !$0.hasPrefix("#") }.map { Notebook.Containers.names(ofPath: $0).map(Folding.key) }
            .filter { !$0.isEmpty }
    }
}

/// The recipients to which a note, or the notes of a folder or tag, may be sent.
///
/// The strictest of the levels of the note, of its tags and of all folders above it applies.
public enum PrivacyLevel: String, Sendable, CaseIterable, Comparable {
    /// No level of its own: the other levels decide, and without any the note may be sent everywhere.
    case inherit
    /// Only a model on this machine.
    case thisMachine = "this-machine"
    /// No model.
    case never

    /// - Parameter stored: the value in the notebook, or `nil` if there is none; an unknown one counts as the strictest.
    init(stored: String?) { self = stored.map { PrivacyLevel(rawValue: $0) ?? .never } ?? .inherit }

    /// Whether the first level is less strict than the second one.
    public static func < (one: PrivacyLevel, other: PrivacyLevel) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .inherit: 0
        case .thisMachine: 1
        case .never: 2
        }
    }
}

/// The part of the notebook that is searched; without values the whole notebook.
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

    /// Only integers are inserted into the SQL text, never anything that a user wrote.
    init(_ rule: SendingRule, _ scope: RetrievalScope, _ db: Database) throws {
        var parts = ["note.place = 0"]
        if let open = Self.openLevels(rule.recipient) {
            let closed = try Self.closedContainers(rule, db, open: open)
            let list = closed.map(String.init).joined(separator: ", ")
            parts.append("ifnull(note.folder, -1) NOT IN (\(list))")
            parts.append("NOT EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = note.id AND tag IN (\(list)))")
            parts.append(
                """
                NOT EXISTS (SELECT 1 FROM setting WHERE setting.key = '\(Notebook.Retrieval.privacyPrefix)' || note.uuid
                    AND value NOT IN (\(Self.list(open))))
                """)
        }
        if let container = scope.container {
            parts.append(try Self.condition(of: container, db))
        }
        if let tag = scope.tag {
            let keys = try Self.keys("uuid = ?", [tag.description], db).map(String.init).joined(separator: ", ")
            parts.append("EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = note.id AND tag IN (\(keys)))")
        }
        sql = parts.joined(separator: " AND ")
    }

    /// Returns the condition that a note is in a container or below it, or in the list that the container shows.
    private static func condition(of container: ContainerID, _ db: Database) throws -> String {
        let kind = try String.fetchOne(
            db, sql: "SELECT kind FROM container WHERE uuid = ?", arguments: [container.description])
        switch kind.flatMap(NoteContainer.Kind.init) {
        case .allNotes: return "note.place = 0"
        case .starred: return "note.starred = 1"
        default:
            let gathered = "gatheredBy = (SELECT id FROM container WHERE uuid = ?)"
            let shown = try keys("uuid = ? OR \(gathered)", [container.description, container.description], db)
            let keys = try withAllBelow(shown, db)
            return "note.folder IN (\(keys.map(String.init).joined(separator: ", ")))"
        }
    }

    /// Returns the levels that let a recipient see notes, or `nil` if it sees all; a level that is unknown lets nobody.
    private static func openLevels(_ recipient: SendingRule.Recipient) -> [PrivacyLevel]? {
        switch recipient {
        case .reader: nil
        case .thisMachine: [.inherit, .thisMachine]
        case .elsewhere: [.inherit]
        }
    }

    private static func list(_ levels: [PrivacyLevel]) -> String {
        levels.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    /// Returns the folders and tags whose notes must not be sent, with all containers below them.
    ///
    /// - Parameter open: the privacy levels of a container itself with which its notes may be sent, or `nil` if its level
    ///   does not count.
    static func closedContainers(
        _ rule: SendingRule, _ db: Database, open: [PrivacyLevel]?
    ) throws -> [Int64] {
        var closed: Set<Int64> = []
        for key in rule.tagKeys { closed.formUnion(try keys("kind = 'tag' AND nameKey = ?", [key], db)) }
        for path in rule.pathKeys { closed.formUnion(try keys(ofPathEnding: path, db)) }
        if let open {
            closed.formUnion(
                try keys(
                    """
                    uuid IN (SELECT substr(key, \(Notebook.Retrieval.privacyPrefix.utf8.count + 1)) FROM setting
                        WHERE key >= ? AND key < ? AND value NOT IN (\(list(open))))
                    """, [Notebook.Retrieval.privacyPrefix, Notebook.Retrieval.privacyEnd], db))
        }
        return try withAllBelow(Array(closed), db)
    }

    /// Returns the folded names of tags that are closed by the rule or by their own level.
    static func closedTagKeys(_ rule: SendingRule, _ db: Database) throws -> [String] {
        let closed = try closedContainers(rule, db, open: openLevels(rule.recipient)).map(String.init)
        let tags = "SELECT nameKey FROM container WHERE kind = 'tag' AND id IN (\(closed.joined(separator: ", ")))"
        return rule.tagKeys + (try String.fetchAll(db, sql: tags))
    }

    /// Returns the containers whose path ends with these names: `Journal` matches every folder of that name.
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

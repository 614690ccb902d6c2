import Foundation
import GRDB

/// One write transaction: the connection, its time stamp, and what it has changed.
///
/// Every rule that SQLite cannot enforce lives in this type's extensions; nothing else writes.
final class Transaction {
    let db: Database
    /// Milliseconds since 1970; all that one action does has the same time.
    let now: Int64
    var change = StoreChange(source: .thisProgram)
    let termCache: TermCache
    /// Changes of the search index that are made at the end, and the bytes of their words.
    var pendingIndex: [IndexChange] = []
    var pendingBytes = 0
    /// False while the whole search index is about to be rebuilt.
    var writesIndex = true
    /// The notes that are made or retitled in this transaction, which must not take over links by their new title.
    var newlyTitled: Set<Int64> = []
    /// The notes that return from Trash in this transaction, with the time at which they were put there, in milliseconds
    /// since 1970.
    var restored: [Int64: Int64] = [:]
    /// Whether notes remember the paths in links that they are moved away from; notes that come from another machine have
    /// those that it sends.
    var remembersPaths = true
    /// The links in the texts of new notes that are stored once all of them are there; nil where links are stored at once.
    var heldLinks: [(note: Int64, links: [TextFacts.LinkFact])]?
    /// The notes whose links follow all titles, since the notes that they lead to may still have to come.
    var incoming: Set<Int64> = []
    /// Whether there may be links by UUID to a note that is made now.
    var hasOpenLinks = true
    /// The notes for which the tags above are to be found again, once all tags have their new names.
    var renamedTags: Set<Int64> = []
    /// Whether tags that exist only in texts may have lost their last text.
    var mayHaveUnusedTags = false
    /// Whether a title that is derived at a save becomes final, which it does if nobody goes on typing.
    var titlesStand = false
    /// The program whose actions are recorded.
    var actor = ""
    /// The session that owns notes which undo or redo cuts again.
    var owner: String?
    /// Hashes of the words added, for the cache after the commit.
    var newTerms = HashSet()
    /// The result of `termGeneration()`, once it was called.
    var knownTermGeneration: Int64?

    /// The source of new identities.
    var identity: @Sendable () -> UUID = { UUID.random() }

    init(_ db: Database, now: Int64, _ termCache: TermCache) {
        self.db = db
        self.now = now
        self.termCache = termCache
    }

    /// Runs a cached prepared statement.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func value<T: DatabaseValueConvertible>(_ sql: String, _ arguments: StatementArguments = []) throws -> T? {
        try T.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

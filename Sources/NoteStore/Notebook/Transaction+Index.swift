import GRDB
import Synchronization

/// The words of a note as the index holds them.
struct IndexedWords {
    let title: String
    let text: String
    /// The different words of both.
    private let terms: SearchTerms

    /// Cost: two passes over the text, about 20 ms a megabyte; to be made before the write lock is taken.
    init(title: String, text: String) {
        self.init(preparedTitle: SearchText.prepared(title), preparedText: SearchText.prepared(text))
    }

    private init(preparedTitle: String, preparedText: String) {
        title = preparedTitle
        text = preparedText
        terms = SearchTerms(of: preparedText)
    }

    private init(title: String, text: String, terms: SearchTerms) {
        self.title = title
        self.text = text
        self.terms = terms
    }

    func retitled(_ title: String) -> IndexedWords {
        IndexedWords(title: SearchText.prepared(title), text: text, terms: terms)
    }

    /// Calls `body` with each different word that the cache does not know yet.
    func forEachTerm(unknownTo cache: TermCache, _ body: (UInt64, Substring) throws -> Void) rethrows {
        for terms in [SearchTerms(of: title), terms] { try terms.forEach(unknownTo: cache, body) }
    }
}

/// The words that this program has put into the table of words, or found there, by their hashes.
///
/// Most words of a note are in others too: knowing them saves a statement each.
final class TermCache: Sendable {
    private let known = Mutex(Set<UInt64>())

    /// 8 MB; then it starts anew.
    private static let limit = 500_000

    func unknown(_ hashes: some Sequence<UInt64>) -> Set<UInt64> {
        known.withLock { known in Set(hashes.filter { !known.contains($0) }) }
    }

    func add(_ hashes: Set<UInt64>) {
        if hashes.isEmpty { return }
        known.withLock { known in
            if known.count > Self.limit { known = [] }
            known.formUnion(hashes)
        }
    }

    func removeAll() { known.withLock { $0 = [] } }
}

/// A change of the search index that a transaction makes before it ends.
enum IndexChange {
    case insert(Int64, IndexedWords)
    case delete(Int64, IndexedWords)
}

extension Transaction {
    /// Bytes of words after which the changes are made at once: a rebuilding must not hold every text.
    private static let pendingLimit = 8_000_000

    /// Puts a new note into the search index.
    ///
    /// Done at the end of the transaction: many a statement between two changes would make FTS5 write out what it has
    /// gathered (it does at every savepoint), ten times slower.
    func index(_ note: Int64, _ words: IndexedWords) throws { try change(.insert(note, words), words) }

    /// Takes a note out; `words` must be what it was put in with.
    func unindex(_ note: Int64, _ words: IndexedWords) throws { try change(.delete(note, words), words) }

    func reindex(_ note: Int64, from old: IndexedWords, to new: IndexedWords) throws {
        guard old.title != new.title || old.text != new.text else { return }
        try unindex(note, old)
        try index(note, new)
    }

    private func change(_ change: IndexChange, _ words: IndexedWords) throws {
        guard writesIndex else { return }
        pendingIndex.append(change)
        pendingBytes += words.text.utf8.count
        if pendingBytes > Self.pendingLimit { try flushIndex() }
    }

    /// Makes the changes of the index, in their order.
    ///
    /// An index that turns out to be damaged stops no save: it is marked, and rebuilt by the next maintenance.
    func flushIndex() throws {
        defer {
            pendingIndex = []
            pendingBytes = 0
        }
        for case .insert(_, let words) in pendingIndex { try addTerms(words) }
        do {
            for change in pendingIndex { try apply(change) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            try run("INSERT OR REPLACE INTO setting (key, value) VALUES ('indexIsDamaged', '1')")
        }
    }

    private func apply(_ change: IndexChange) throws {
        switch change {
        case .insert(let note, let words):
            try run("INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)", [note, words.title, words.text])
            try run("INSERT INTO search_title (rowid, title) VALUES (?, ?)", [note, words.title])
        case .delete(let note, let words):
            try run(
                "INSERT INTO search (search, rowid, title, text) VALUES ('delete', ?, ?, ?)",
                [note, words.title, words.text])
            try run(
                "INSERT INTO search_title (search_title, rowid, title) VALUES ('delete', ?, ?)", [note, words.title])
        }
    }

    private func addTerms(_ words: IndexedWords) throws {
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO search_term (term, stem) VALUES (?, ?)")
        try words.forEachTerm(unknownTo: termCache) { hash, term in
            guard newTerms.insert(hash).inserted else { return }
            let term = String(term)
            try statement.execute(arguments: [term, Stemmer.stem(term)])
        }
    }
}

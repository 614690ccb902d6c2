import Foundation
import GRDB
import Markdown

/// A word in the form of the index, with its weight for telling notes apart.
public struct TellingWord: Equatable, Sendable {
    /// The word as it is in the index; in a script without spaces a pair of characters.
    public let word: String
    /// The word and those with the same stem; for a word that is in no note, the words of which it may be a
    /// misspelling.
    public let forms: [String]
    /// The number of notes that have the word, counted up to a limit.
    public let count: Int
    /// Whether counting ended at its limit, so that more notes may have the word.
    public let isCommon: Bool
    /// The weight of the word: the logarithm of all notes divided by the notes that have it.
    public let weight: Double

    /// The share of its weight that remains to a word which is a guess.
    private static let trust = 0.7

    /// The word with less weight, because it is a guess.
    fileprivate var doubted: TellingWord {
        TellingWord(word: word, forms: forms, count: count, isCommon: isCommon, weight: weight * Self.trust)
    }
}

/// The words of a question that tell notes apart.
public struct QuestionWords: Equatable, Sendable {
    /// The words that notes have, each once and in the question's order.
    public let known: [TellingWord]
    /// The weight of all words, including those that are in no note.
    public let weight: Double
}

/// A text's words in the form of the index.
public enum IndexForm {
    /// Returns the words in order, folded; in scripts without spaces each character is a word.
    public static func words(of text: String) -> [String] {
        SearchText.prepared(text).split(separator: " ").map(String.init)
    }

    /// Returns the form that words of the same meaning share: `run` for `running`.
    public static func stem(_ word: String) -> String { Stemmer.stem(word) }

    /// Whether a word is in nearly every English text.
    public static func isStopWord(_ word: String) -> Bool { SearchQuery.stopWords.contains(word) }

    /// Returns the words, with neighbours in scripts without spaces joined to pairs: `東 京` for 東京.
    ///
    /// A single character of such a script occurs in too many texts.
    public static func terms(of text: String) -> [String] {
        let words = words(of: text)
        var terms: [String] = []
        for (index, word) in words.enumerated() {
            guard isCharacterWord(word) else {
                terms.append(word)
                continue
            }
            if index + 1 < words.count, isCharacterWord(words[index + 1]) {
                terms.append(word + " " + words[index + 1])
            } else if index == 0 || !isCharacterWord(words[index - 1]) {
                terms.append(word)
            }
        }
        return terms
    }

    private static func isCharacterWord(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first, first.value >= 0x0E00 else { return false }
        return word.unicodeScalars.count == 1 && ScalarTreatment(first) == .word
    }
}

extension SendableNotes {
    /// The maximum number of words of a question that are looked up; a longer question is really a text.
    private static let maximumWords = 40

    /// Returns the words of a question that tell notes apart; one that a fifth of the notes have is common.
    ///
    /// A word that is in no note is taken for a misspelling if the index has similar words.
    public func tellingWords(of question: String) throws(StoreError) -> QuestionWords {
        var terms = IndexForm.terms(of: question)
        let kept = terms.filter { !IndexForm.isStopWord($0) }
        if !kept.isEmpty { terms = kept }
        var seen: Set<String> = []
        terms = Array(terms.filter { seen.insert(IndexForm.stem($0)).inserted }.prefix(Self.maximumWords))
        return try notebook.read { db in
            let counter = try WordCounter(db)
            let limit = max(1000, counter.notes / 5)
            var (known, weight): ([TellingWord], Double) = ([], 0)
            for term in terms {
                let word = try counter.word(term, forms: counter.forms(of: term), upTo: limit)
                let guess = word.count > 0 ? nil : try counter.guess(term, upTo: limit)
                weight += (guess ?? word).weight
                if word.count > 0 { known.append(word) } else if let guess { known.append(guess.doubted) }
            }
            return QuestionWords(known: known, weight: weight)
        }
    }

    /// The number of notes from which a single word in common must be a subject of the note.
    ///
    /// The more notes there are, the more of them have a rare word by chance: among 1,085 notes, one in six that were
    /// found by a single word was on the same subject, and one in four where that word was a subject.
    private static let minimumOfSubjects = 100

    /// Returns the live notes whose words are most like a note's, the best first, each with the words that both have.
    ///
    /// The search uses the note's twelve most telling words: those that few other notes have, but at least one. If no
    /// note has several of them, those with one subject of the note are returned, and in a small notebook those with any
    /// of the words.
    public func related(
        to note: Note, limit: Int = 10
    ) throws(StoreError) -> [(row: NoteRow, words: [String], score: Double)] {
        try notebook.read { db in
            let condition = try SendingCondition(rule, scope, db)
            let counter = try WordCounter(db)
            var found: [Int64: (words: [TellingWord], score: Double)] = [:]
            var ofSubjects: Set<Int64> = []
            for (word, isSubject) in try counter.tellingWords(of: note) {
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT search.rowid, -bm25(search, 4.0, 1.0) FROM search
                        CROSS JOIN note ON note.id = search.rowid AND \(condition.sql)
                        WHERE search MATCH ? AND search.rowid <> ?
                        """, arguments: [word.forms.map { "\"\($0)\"" }.joined(separator: " OR "), note.row.key])
                for row in rows {
                    found[row[0], default: ([], 0)].words.append(word)
                    // bm25 includes a word's weight, so that rare words in short notes count most.
                    found[row[0], default: ([], 0)].score += row[1]
                    if isSubject { ofSubjects.insert(row[0]) }
                }
            }
            // A single word in common is often chance, so these notes count only if no note has more.
            var hits = found.filter { $0.value.words.count > 1 }
            if hits.isEmpty {
                let isSmall = counter.notes < Self.minimumOfSubjects
                hits = found.filter { isSmall || ofSubjects.contains($0.key) }
            }
            let best = hits.sorted {
                ($0.value.score, $0.key) > ($1.value.score, $1.key)
            }.prefix(limit)
            let rows = try ListReader.rows(db, best.map(\.key))
            return zip(rows, best).map { row, hit in
                (row, hit.value.words.map { $0.word.replacing(" ", with: "") }, hit.value.score)
            }
        }
    }
}

/// Counts the notes that have words.
private struct WordCounter {
    let db: Database
    /// The number of live notes.
    let notes: Int

    init(_ db: Database) throws {
        self.db = db
        notes = max(
            1,
            try Int.fetchOne(db, sql: "SELECT noteCount FROM container WHERE id = ?", arguments: [SystemKey.allNotes])
                ?? 0)
    }

    /// The maximum number of different words of a note that are counted, the most frequent ones.
    private static let maximumCandidates = 400
    private static let maximumTelling = 12

    /// The greatest number of notes that may have a word which tells notes apart: one in a hundred, and in a small
    /// notebook ten, but never more than half of them.
    private var telling: Int { max(notes / 100, min(10, max(2, notes / 2))) }

    func forms(of term: String) throws -> [String] {
        try term.contains(" ") ? [term] : TermTable.forms(of: term, db)
    }

    /// - Parameter limit: the number at which counting stops, so that a word that is in most notes costs no more.
    func word(_ term: String, forms: [String], upTo limit: Int) throws -> TellingWord {
        let count =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"),
                arguments: [forms.map { "\"\($0)\"" }.joined(separator: " OR "), limit]) ?? 0
        let weight = log(1 + (Double(notes) - Double(min(count, notes)) + 0.5) / (Double(count) + 0.5))
        return TellingWord(word: term, forms: forms, count: count, isCommon: count >= limit, weight: weight)
    }

    /// Returns the words that a word in no note may be a misspelling of.
    func guess(_ term: String, upTo limit: Int) throws -> TellingWord? {
        let near = try NearWords.find(for: term, db)
        guard !near.isEmpty else { return nil }
        var forms: [String] = []
        for form in try near.flatMap({ try self.forms(of: $0) }) where !forms.contains(form) { forms.append(form) }
        return try word(term, forms: forms, upTo: limit)
    }

    /// Returns the note's most telling words, each with whether it is a subject of the note: in the title, or several
    /// times in the text.
    func tellingWords(of note: Note) throws -> [(word: TellingWord, isSubject: Bool)] {
        var counts: [String: Double] = [:]
        for term in IndexForm.terms(of: Markdown.plainText(of: note.content)) { counts[term, default: 0] += 1 }
        for term in IndexForm.terms(of: note.title) { counts[term, default: 0] += 2 }
        let candidates = counts.filter { isCandidate($0.key) }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.maximumCandidates)
        var stems: Set<String> = []
        typealias Weighed = (word: TellingWord, weight: Double, isSubject: Bool)
        let words = try candidates.compactMap { term, frequency -> Weighed? in
            guard stems.insert(IndexForm.stem(term)).inserted else { return nil }
            let word = try word(term, forms: [term], upTo: telling + 1)
            guard word.count > 0, word.count <= telling else { return nil }
            return (word, (1 + log(frequency)) * word.weight, frequency > 1)
        }
        let best = words.sorted { ($0.weight, $1.word.word) > ($1.weight, $0.word.word) }
        var result: [(word: TellingWord, isSubject: Bool)] = []
        for (word, _, isSubject) in best where result.count < Self.maximumTelling {
            let whole = try self.word(word.word, forms: try forms(of: word.word), upTo: telling + 1)
            // A word that only this note has cannot find another.
            if (2...telling).contains(whole.count) { result.append((whole, isSubject)) }
        }
        return result
    }

    private func isCandidate(_ term: String) -> Bool {
        if term.contains(" ") { return true }
        return term.unicodeScalars.count > 2 && !IndexForm.isStopWord(term) && !term.allSatisfy(\.isNumber)
    }
}

extension Note {
    /// The tags in the text itself: in the front matter, and as `#tag`.
    var writtenTags: [String] {
        (NoteFrontMatter(of: content)?.tags ?? []) + Markdown.tags(in: content)
    }
}

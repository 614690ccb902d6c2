import TextPrimitives

/// Finds the words of a search in a text.
///
/// A word that has a term inside it, or is another form of it (`picture` for `pictures`), is marked only where the text
/// has no word for that term, since only then it is why the note was found.
struct SearchMarker: Sendable {
    /// The range of a term, in bytes of the text.
    struct Mark: Equatable {
        var range: Range<Int>
        /// The index of the term.
        var term: Int
        var fit: Fit
    }

    /// How well a word fits a term; a better fit has a higher value.
    enum Fit: Int {
        /// The term stands inside the word, or the word is another form of it.
        case inside = 1
        /// The word begins like the term.
        case beginning
        case exact
    }

    private struct Wanted {
        let words: [[UInt8]]
        let isPhrase: Bool
        /// Whether a longer word matches too: forms of a word share their beginning, but 92 is not a form of 9.
        let mayGoOn: Bool
        let mayBeInside: Bool
        /// The stem of a single word, whose other forms match too; nil for a phrase.
        let stem: String?

        /// The beginning that all forms of a single word have, since only a `y` at the end changes; nil for a phrase
        /// and for a short stem.
        let start: [UInt8]?

        /// Whether a word is another form of this one.
        func hasForm(_ word: ArraySlice<UInt8>) -> Bool {
            guard let stem, let start, word.starts(with: start) else { return false }
            return Stemmer.stem(String(decoding: word, as: UTF8.self)) == stem
        }
    }

    private let wanted: [Wanted]

    init(_ terms: [SearchQuery.Term]) {
        wanted = terms.map { term in
            let isNumber = term.words.last?.utf8.allSatisfy(\.isDigit) ?? false
            let stem = term.isPhrase || term.words.count > 1 ? nil : term.words.first.map(Stemmer.stem)
            let start = stem.map { Array($0.hasSuffix("i") ? $0.utf8.dropLast() : $0.utf8[...]) }
            return Wanted(
                words: term.words.map { Array($0.utf8) }, isPhrase: term.isPhrase,
                mayGoOn: term.isPrefix || !term.isPhrase && !isNumber, mayBeInside: term.mayBeInside,
                stem: stem, start: start.flatMap { $0.count > 2 ? $0 : nil })
        }
    }

    /// The beginnings of the words that are marked, without those that have a term inside them.
    ///
    /// - Parameter forms: whether other forms of the terms are marked.
    func starts(forms: Bool) -> [[UInt8]] {
        wanted.compactMap { (forms ? $0.start : nil) ?? $0.words.first }
    }

    /// Returns the ranges of the terms, ascending and without overlap, at most `limit`.
    func marks(in bytes: UnsafeBufferPointer<UInt8>, limit: Int = 20) -> [Mark] {
        var prepared = SearchText(recordingRanges: true)
        prepared.append(bytes)
        let words = prepared.bytes.split(separator: 0x20)
        let found = marks(in: words, at: prepared.ranges, limit: limit, inside: [])
        let missing = Set(wanted.indices).subtracting(found.map(\.term)).filter {
            wanted[$0].mayBeInside || wanted[$0].start != nil
        }
        guard !missing.isEmpty, found.count < limit else { return found }
        return marks(in: words, at: prepared.ranges, limit: limit, inside: missing)
    }

    /// - Parameters:
    ///   - ranges: the range of each word in the text.
    ///   - inside: the terms that are looked for inside of words too, and in other forms.
    private func marks(
        in words: [ArraySlice<UInt8>], at ranges: [Range<Int>], limit: Int, inside: Set<Int>
    ) -> [Mark] {
        var result: [Mark] = []
        var index = 0
        while index < words.count, result.count < limit {
            guard let (term, fit) = term(at: index, of: words, inside: inside) else {
                index += 1
                continue
            }
            let count = wanted[term].words.count
            let range = ranges[index].lowerBound..<ranges[index + count - 1].upperBound
            // A character that stands for several words is marked once.
            if range.lowerBound >= result.last?.range.upperBound ?? 0 {
                result.append(Mark(range: range, term: term, fit: fit))
            }
            index += count
        }
        return result
    }

    /// Returns the term that fits best at a word.
    private func term(at index: Int, of words: [ArraySlice<UInt8>], inside: Set<Int>) -> (Int, Fit)? {
        var found: (Int, Fit)?
        for term in wanted.indices {
            let wanted = wanted[term]
            guard let last = wanted.words.last, index + wanted.words.count <= words.count else { continue }
            let before = wanted.words.dropLast()
            guard zip(before, words[index...]).allSatisfy({ $0.elementsEqual($1) }) else { continue }
            let word = words[index + before.count]
            if word.elementsEqual(last) { return (term, .exact) }
            if wanted.mayGoOn, word.starts(with: last) {
                if found?.1 != .beginning { found = (term, .beginning) }
            } else if found == nil, inside.contains(term),
                wanted.mayBeInside && word.contains(last) || wanted.hasForm(word)
            {
                found = (term, .inside)
            }
        }
        return found
    }

    /// Returns how much of the search some marks cover; an exact match of a term counts most.
    func worth(of marks: some Sequence<Mark>) -> Int {
        var worth = Array(repeating: 0, count: wanted.count)
        for mark in marks { worth[mark.term] = max(worth[mark.term], mark.fit.rawValue) }
        return worth.reduce(0, +)
    }

    /// Drops leading marks that are not needed in the first stretch of marks that covers all terms.
    func best(_ marks: some RandomAccessCollection<Mark>) -> [Mark] {
        let whole = worth(of: marks)
        var count = 1
        while count < marks.count, worth(of: marks.prefix(count)) < whole { count += 1 }
        var start = 0
        while start + 1 < count, worth(of: marks.prefix(count).dropFirst(start + 1)) == whole { start += 1 }
        return Array(marks.dropFirst(start))
    }

    var maximumWorth: Int { Fit.exact.rawValue * wanted.count }
}

extension Notebook.Search {
    /// Returns a function that finds a search's words in a text; nil if the search has no words.
    ///
    /// The function takes the UTF-8 of a text and returns the ranges of the words to highlight, ascending and without
    /// overlap, at most 10,000.
    public func marks(for text: String) -> (@Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>])? {
        let terms = SearchQuery(text, now: notebook.options.now()).terms
        guard !terms.isEmpty else { return nil }
        let marker = SearchMarker(terms)
        return { marker.marks(in: $0, limit: 10_000).map(\.range) }
    }
}

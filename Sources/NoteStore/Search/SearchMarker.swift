/// Finds where the words of a search stand in a text.
struct SearchMarker: Sendable {
    /// Where a term stands, as bytes of the text.
    struct Mark: Equatable {
        var range: Range<Int>
        /// Which of the terms.
        var term: Int
        /// Whether it is the term itself and not a word that begins like it.
        var isExact: Bool
    }

    private struct Wanted {
        let words: [[UInt8]]
        let isPhrase: Bool
        /// Forms of a word share their beginning, but 9 is no form of 92.
        let mayGoOn: Bool
    }

    private let wanted: [Wanted]

    init(_ terms: [SearchQuery.Term]) {
        wanted = terms.map { term in
            let isNumber = term.words.last?.utf8.allSatisfy { 0x30...0x39 ~= $0 } ?? false
            return Wanted(
                words: term.words.map { Array($0.utf8) }, isPhrase: term.isPhrase,
                mayGoOn: term.isPrefix || !term.isPhrase && !isNumber)
        }
    }

    /// Where the terms stand, in ascending order without overlap, at most so many.
    func marks(in bytes: UnsafeBufferPointer<UInt8>, limit: Int = 20) -> [Mark] {
        var prepared = SearchText(recordingRanges: true)
        prepared.append(bytes)
        let words = prepared.bytes.split(separator: 0x20)
        var result: [Mark] = []
        var index = 0
        while index < words.count, result.count < limit {
            guard let (term, isExact) = term(at: index, of: words) else {
                index += 1
                continue
            }
            let count = wanted[term].words.count
            let range = prepared.ranges[index].lowerBound..<prepared.ranges[index + count - 1].upperBound
            // A character that stands for several words is marked once.
            if range.lowerBound >= result.last?.range.upperBound ?? 0 {
                result.append(Mark(range: range, term: term, isExact: isExact))
            }
            index += count
        }
        return result
    }

    /// The term that stands at a word: better one that is just that than one that goes on.
    private func term(at index: Int, of words: [ArraySlice<UInt8>]) -> (Int, isExact: Bool)? {
        var found: Int?
        for term in wanted.indices {
            let wanted = wanted[term]
            guard let last = wanted.words.last, index + wanted.words.count <= words.count else { continue }
            let before = wanted.words.dropLast()
            guard zip(before, words[index...]).allSatisfy({ $0.elementsEqual($1) }) else { continue }
            let word = words[index + before.count]
            if word.elementsEqual(last) { return (term, true) }
            if found == nil, wanted.mayGoOn, word.starts(with: last) { found = term }
        }
        return found.map { ($0, false) }
    }

    /// How much of what is looked for is among some marks: a term that stands there itself counts most.
    func worth(of marks: some Sequence<Mark>) -> Int {
        var worth = Array(repeating: 0, count: wanted.count)
        for mark in marks { worth[mark.term] = max(worth[mark.term], mark.isExact ? 3 : 2) }
        return worth.reduce(0, +)
    }

    /// The marks from the first place on that has all that is among them, as near together as they stand there.
    func best(_ marks: some RandomAccessCollection<Mark>) -> [Mark] {
        let whole = worth(of: marks)
        var count = 1
        while count < marks.count, worth(of: marks.prefix(count)) < whole { count += 1 }
        var start = 0
        while start + 1 < count, worth(of: marks.prefix(count).dropFirst(start + 1)) == whole { start += 1 }
        return Array(marks.dropFirst(start))
    }

    var mostWorth: Int { 3 * wanted.count }
}

extension Notebook.Search {
    /// Finds what a search looks for in a text, for showing its hits there; nil where it has no words.
    ///
    /// The answer takes the UTF-8 of a text to the places of the words, ascending, none overlapping, at most 10,000.
    public func marks(for text: String) -> (@Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>])? {
        let terms = SearchQuery(text, now: notebook.options.now()).terms
        guard !terms.isEmpty else { return nil }
        let marker = SearchMarker(terms)
        return { marker.marks(in: $0, limit: 10_000).map(\.range) }
    }
}

/// The words of a note as they are stored in the index.
struct IndexedWords {
    let title: String
    let text: String
    /// The distinct words of both that may be missing from the table of words.
    private var terms: [SearchTerms] = []
    /// The generation of the cache in which the words were looked up.
    let termGeneration: Int64

    /// Prepares the words of a note for adding them to the index.
    ///
    /// Cost: two passes over the text, about 20 ms a megabyte; do it before taking the write lock.
    ///
    /// - Parameter cache: the words that the table already has; they are left out of the terms.
    init(title: String, text: String, unknownTo cache: TermCache) {
        self.title = SearchText.prepared(title)
        self.text = SearchText.prepared(text)
        termGeneration = cache.generation
        terms = Self.terms(of: [self.text, self.title], unknownTo: cache)
    }

    /// Prepares the words that the index has of a note, to remove them.
    ///
    /// Cost: a pass over the text.
    init(titleToRemove title: String, text: UnsafeBufferPointer<UInt8>) {
        self.title = SearchText.prepared(title)
        self.text = SearchText.prepared(text)
        termGeneration = 0
    }

    /// Returns the same words with another title.
    func retitled(_ title: String, unknownTo cache: TermCache) -> IndexedWords {
        let prepared = SearchText.prepared(title)
        if prepared == self.title { return self }
        var words = IndexedWords(preparedTitle: prepared, preparedText: text, termGeneration)
        words.terms = terms + Self.terms(of: [prepared], unknownTo: cache)
        return words
    }

    private init(preparedTitle: String, preparedText: String, _ generation: Int64) {
        title = preparedTitle
        text = preparedText
        termGeneration = generation
    }

    /// The same words with all of them as terms, whether the table has them or not.
    var withAllTerms: IndexedWords {
        var words = self
        words.terms = [text, title].map(SearchTerms.init)
        return words
    }

    /// Calls `body` for each word that may be missing from the table of words.
    ///
    /// - Parameter cache: the words that the table has by now.
    func forEachTerm(unknownTo cache: TermCache? = nil, _ body: (SearchTerm) throws -> Void) rethrows {
        for var terms in terms {
            if let cache { terms.remove(knownTo: cache) }
            try terms.forEach(body)
        }
    }

    private static func terms(of texts: [String], unknownTo cache: TermCache) -> [SearchTerms] {
        texts.map { text in
            var terms = SearchTerms(of: text)
            terms.remove(knownTo: cache)
            return terms
        }
    }
}

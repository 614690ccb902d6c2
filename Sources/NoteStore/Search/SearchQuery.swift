import Foundation

/// A search, parsed from what the user typed.
///
///     piranesi "next is" -borges OR clarke tag:books -is:starred updated:7d
///
/// All words and filters must match, the last word perhaps as a beginning, and so a word that ends in a star. `a OR b`
/// matches either, words and filters alike; `-` excludes. Parentheses around alternatives are allowed and mean nothing,
/// since `OR` binds more closely than white space. Text that looks like a filter but is not one is searched as words: no
/// input is an error.
struct SearchQuery: Equatable {
    /// Adjacent words: the index's words for one word or phrase.
    struct Term: Equatable {
        let words: [String]
        var inTitle = false
        /// Whether the term is unfinished, so that words that begin with its last one match too.
        var isPrefix = false
        /// Whether the term was in quotes, so that only this phrase matches.
        var isPhrase = false

        /// Whether a note is found too where the term is only a part of a longer word; shorter ones are in most words.
        var mayBeInside: Bool { words.count == 1 && !isPhrase && words[0].utf8.count >= 3 }
    }

    enum Filter: Equatable {
        case tag(String), starred, hasLink, hasBacklink, hasBrokenLink, hasImage, hasOpenTask, hasDoneTask
        /// The names of a folder's path, the folder's own name last.
        case folder([String])
        case place(Place)
        /// The range in milliseconds since 1970, end exclusive.
        case created(Range<Int64>), updated(Range<Int64>)
    }

    /// One of the alternatives that `OR` separates.
    struct Condition: Equatable {
        enum Kind: Equatable {
            case term(Term)
            case filter(Filter)
        }

        var kind: Kind
        var isNegated = false

        /// The term, if it must be present.
        var wantedTerm: Term? {
            if case .term(let term) = kind, !isNegated { return term }
            return nil
        }
    }

    /// The groups of terms: one term of each group must match, and for a question any term.
    var groups: [[Term]] = []
    var excluded: [Term] = []
    /// The groups of conditions, of which one in each group must hold: filters, and words combined with filters.
    var filters: [[Condition]] = []
    /// The places that are searched: Archive and Trash only if the query names them.
    var places: [Place] = [.live]
    /// Whether this is a question, where any word may match.
    var matchesAny = false
    /// Text without any word for the index, such as `->`.
    var unindexed: [String] = []
    /// Remarks for the user about how the text was read.
    private(set) var remarks: [SearchRemark] = []

    var isEmpty: Bool {
        groups.isEmpty && excluded.isEmpty && filters.isEmpty && unindexed.isEmpty && places == [.live]
    }

    /// Whether the query consists only of words.
    var isOnlyWords: Bool { filters.isEmpty && unindexed.isEmpty && places == [.live] }

    /// The terms that may be marked in a text that was found.
    var terms: [Term] { groups.flatMap(\.self) + filters.flatMap { $0.compactMap(\.wantedTerm) } }

    /// - Parameters:
    ///   - now: the time from which `updated:7d` counts back.
    ///   - zone: the time zone in which the named days begin and end.
    init(_ text: String, now: Date, zone: Zone = .system) {
        let dates = SearchDates(now: now, zone: zone)
        var alternatives: [[Condition]] = []
        var joinsNext = false
        let parts = Self.split(text)
        for (index, part) in parts.enumerated() {
            if part.text == "OR", part.key == nil, !part.isQuoted, !part.isNegated, !alternatives.isEmpty {
                joinsNext = true
                continue
            }
            let isLast = index == parts.count - 1 && text.last?.isWhitespace == false
            let conditions = conditions(of: part, isLast: isLast, dates)
            guard !conditions.isEmpty else { continue }
            if joinsNext {
                alternatives[alternatives.count - 1] += conditions
            } else {
                alternatives += conditions.map { [$0] }
            }
            joinsNext = false
        }
        for group in alternatives { take(group) }
        if places.isEmpty { places = [.live] }
        readQuestion(text)
        dropEmptyWords()
    }

    /// Returns the conditions of a part; empty while it is unfinished, or if the index has no word for it.
    private mutating func conditions(of part: Part, isLast: Bool, _ dates: SearchDates) -> [Condition] {
        // A filter without a value does not narrow the search yet.
        if part.key != nil, part.text.isEmpty { return [] }
        if let key = part.key, key != "title" {
            if let filter = filter(key, part.text, dates) {
                return [Condition(kind: .filter(filter), isNegated: part.isNegated)]
            }
            remarks.append(.unknownValue(filter: key, value: part.text))
        } else if part.key == nil, !part.isQuoted, let name = Self.unknownFilter(part.text) {
            remarks.append(.unknownFilter(name))
        }
        let isTitle = part.key == "title"
        let raw = isTitle || part.key == nil ? part.text : part.key.map { $0 + ":" + part.text } ?? part.text
        let words = SearchText.prepared(raw).split(separator: " ").map(String.init)
        guard !words.isEmpty else {
            if !raw.isEmpty, !part.isNegated { unindexed.append(raw) }
            return []
        }
        // A star after a word says that it is a beginning, wherever the word stands.
        let hasStar = raw.last == "*" && raw.dropLast().last.map { $0.isLetter || $0.isNumber } == true
        let term = Term(
            words: words, inTitle: isTitle,
            isPrefix: !part.isQuoted && (hasStar || isLast && raw.last?.isPunctuation == false),
            isPhrase: part.isQuoted)
        return [Condition(kind: .term(term), isNegated: part.isNegated)]
    }

    /// Stores a group of alternatives as a place, as terms, as an exclusion or as a filter.
    private mutating func take(_ group: [Condition]) {
        if group.count == 1, case .filter(.place(let place)) = group[0].kind {
            if group[0].isNegated {
                places.removeAll { $0 == place }
                return filters.append(group)
            }
            places.removeAll { $0 == .live }
            return places.append(place)
        }
        let terms = group.compactMap(\.wantedTerm)
        if terms.count == group.count { return groups.append(terms) }
        if group.count == 1, case .term(let term) = group[0].kind { return excluded.append(term) }
        for case .filter(.place(let place)) in group.map(\.kind) where !places.contains(place) { places.append(place) }
        filters.append(group)
    }

    // MARK: - Words

    private struct Part {
        var key: String?
        var text = ""
        var isQuoted = false
        var isNegated = false
    }

    /// Splits a text: white space separates, quotes join, a leading `-` negates, a leading `key:` makes a filter.
    private static func split(_ text: String) -> [Part] {
        var parts: [Part] = []
        var part = Part()
        var quoting = false
        /// How many parentheses before filters are not closed yet; those before words are left to the index.
        var opened = 0
        func isUnstarted() -> Bool { part.text.isEmpty && part.key == nil && !part.isQuoted }
        func finish() {
            while opened > 0, part.key != nil, !part.isQuoted, part.text.last == ")", !part.text.contains("(") {
                part.text.removeLast()
                opened -= 1
            }
            if !part.text.isEmpty || part.key != nil { parts.append(part) }
            part = Part()
        }
        for character in text {
            if character == "\"" || character == "“" || character == "”" {
                if quoting { finish() } else if !part.text.isEmpty { finish() }
                quoting.toggle()
                part.isQuoted = quoting
            } else if quoting {
                part.text.append(character)
            } else if character.isWhitespace {
                finish()
            } else if character == "-", isUnstarted(), !part.isNegated {
                part.isNegated = true
            } else if character == ")", isUnstarted(), opened > 0 {
                opened -= 1
            } else if character == ":", part.key == nil, let name = filterName(part) {
                opened += part.text.count - name.count
                part.key = name
                part.text = ""
            } else {
                part.text.append(character)
            }
        }
        finish()
        return parts
    }

    /// Returns the name of the filter that a part begins, perhaps after parentheses.
    ///
    /// `-(tag:a OR tag:b)` does not begin one: without its parentheses it would mean something else.
    private static func filterName(_ part: Part) -> String? {
        let name = part.isNegated ? part.text[...] : part.text.drop { $0 == "(" }
        return filterNames.first { $0 == name.lowercased() }
    }

    /// The names of all filters.
    static let filterNames = ["tag", "in", "is", "has", "created", "updated", "title"]

    /// Returns the word before a colon if it may be meant as a filter: `by:ana`, but not an address or a time.
    private static func unknownFilter(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let (name, value) = (text[..<colon], text[text.index(after: colon)...])
        let isName = name.count >= 2 && name.allSatisfy { $0.isASCII && $0.isLetter }
        guard isName, let first = value.first, first.isLetter || first.isNumber || first == "#" || first == ">" else {
            return nil
        }
        return name.lowercased()
    }

    // MARK: - Filters

    /// Parses a filter; nil if it is not valid.
    private func filter(_ key: String, _ value: String, _ dates: SearchDates) -> Filter? {
        switch (key, value.lowercased()) {
        case ("is", "starred"): return .starred
        case ("is", "archived"), ("in", "archive"): return .place(.archive)
        case ("is", "trashed"), ("in", "trash"): return .place(.trash)
        case ("has", "link"): return .hasLink
        case ("has", "backlink"): return .hasBacklink
        case ("has", "broken"): return .hasBrokenLink
        case ("has", "image"): return .hasImage
        case ("has", "task"), ("has", "todo"), ("has", "open"): return .hasOpenTask
        case ("has", "done"): return .hasDoneTask
        case ("tag", _): return .tag(value.hasPrefix("#") ? String(value.dropFirst()) : value)
        case ("in", _):
            let names = Notebook.Containers.names(ofPath: value)
            return names.isEmpty ? nil : .folder(names)
        case ("created", _): return dates.range(value).map { .created($0) }
        case ("updated", _): return dates.range(value).map { .updated($0) }
        default: return nil
        }
    }

    /// Returns the values that a filter accepts, to name them after an unknown value.
    static func values(of filter: String) -> [String] {
        switch filter {
        case "is": ["starred", "archived", "trashed"]
        case "has": ["link", "backlink", "broken", "image", "task", "done"]
        case "created", "updated": ["today", "yesterday", "7d", "2026-01", ">2026-01-15"]
        default: []
        }
    }

    // MARK: - Stop words

    /// Reads a question in words: the stop words are dropped, and any of the other words may match.
    private mutating func readQuestion(_ text: String) {
        let words = groups.compactMap { $0.count == 1 && !$0[0].isPhrase ? $0[0].words.first : nil }
        guard groups.count >= 3, words.count == groups.count, excluded.isEmpty,
            Self.questionWords.contains(words[0]) || text.hasSuffix("?")
        else { return }
        let kept = groups.filter { $0[0].words.count > 1 || !Self.stopWords.contains($0[0].words[0]) }
        guard !kept.isEmpty else { return }
        groups = kept
        matchesAny = true
    }

    /// Drops words that are in every text if others remain: `the coffee` becomes `coffee`.
    private mutating func dropEmptyWords() {
        let kept = groups.filter { group in
            !group.allSatisfy { term in
                !term.isPhrase && !term.inTitle && term.words.count == 1 && Self.stopWords.contains(term.words[0])
            }
        }
        if !kept.isEmpty { groups = kept }
    }

    /// A less strict query for when no note has all the words; nil if there is none.
    ///
    /// Any of the words may match, or if some are in quotes or limited to the title, only those must match.
    var relaxed: SearchQuery? {
        guard groups.count > 1, !matchesAny else { return nil }
        var query = self
        let exact = groups.filter { $0.contains { $0.isPhrase || $0.inTitle } }
        if exact.count == groups.count { return nil }
        if exact.isEmpty { query.matchesAny = true } else { query.groups = exact }
        return query
    }

    private static let questionWords: Set = [
        "who", "what", "when", "where", "why", "how", "which", "whose", "did", "does", "do", "is", "are", "was", "were",
        "can", "could", "should", "find", "show",
    ]

    /// English words only; `relaxed` handles such words of other languages.
    static let stopWords = questionWords.union([
        "a", "an", "the", "of", "to", "in", "on", "at", "for", "from", "with", "about", "by", "and", "or", "not", "i",
        "me", "my", "we", "our", "you", "your", "it", "its", "this", "that", "these", "those", "there", "be", "been",
        "have", "has", "had", "will", "would", "notes", "note", "any", "all", "some",
    ])
}

/// A remark for the user about how a search was read, or about what it leaves out.
public enum SearchRemark: Hashable, Sendable {
    /// There is no filter of this name, so the text was searched as words.
    case unknownFilter(String)
    /// The filter does not accept this value, so the text was searched as words.
    case unknownValue(filter: String, value: String)
    /// No note has all the words; those with some are listed.
    case someWordsOnly
    /// The number of archived notes that match too; at most 100 are counted.
    case archived(Int)
}

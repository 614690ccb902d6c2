import Foundation

/// What somebody wants to find, read from what they typed.
///
///     piranesi "next is" -borges OR clarke tag:books is:starred updated:7d
///
/// All words must be there, the last one perhaps only begun; `a OR b` takes either; `-` leaves out. What looks like a
/// filter but is none is searched as words: nothing that can be typed is an error.
struct SearchQuery: Equatable {
    /// Words that stand together: the index's words of one word or phrase.
    struct Term: Equatable {
        let words: [String]
        var inTitle = false
        /// Not finished: words that begin like the last one count.
        var isPrefix = false
        /// In quotes: exactly this.
        var isPhrase = false
    }

    enum Filter: Equatable {
        case tag(String), folder(String), starred, hasLink, hasImage, hasTask
        /// Milliseconds since 1970, end exclusive.
        case created(Range<Int64>), updated(Range<Int64>)
    }

    /// Of each group one term must match; of a question's words any.
    var groups: [[Term]] = []
    var excluded: [Term] = []
    var filters: [Filter] = []
    /// The place searched: Archive and Trash only if asked for.
    var place = Place.live
    /// A question: any word may match.
    var matchesAny = false
    /// What is left when the index has no word of it, such as `->`.
    var unindexed: [String] = []

    var isEmpty: Bool { groups.isEmpty && excluded.isEmpty && filters.isEmpty && unindexed.isEmpty && place == .live }

    var terms: [Term] { groups.flatMap(\.self) }

    /// - Parameter now: what `updated:7d` counts from.
    init(_ text: String, now: Date) {
        var joinsNext = false
        let parts = Self.split(text)
        for (index, part) in parts.enumerated() {
            if part.text == "OR", !part.isQuoted, !groups.isEmpty, index + 1 < parts.count {
                joinsNext = true
                continue
            }
            let isLast = index == parts.count - 1 && text.last?.isWhitespace == false
            add(part, isLast: isLast, joins: joinsNext, now: now)
            joinsNext = false
        }
        readQuestion(text)
    }

    private mutating func add(_ part: Part, isLast: Bool, joins: Bool, now: Date) {
        // A filter that waits for its value narrows nothing yet.
        if part.key != nil, part.text.isEmpty { return }
        if !part.isNegated, let key = part.key, readFilter(key, part.text, now: now) { return }
        let isTitle = part.key == "title"
        let raw = isTitle || part.key == nil ? part.text : part.key.map { $0 + ":" + part.text } ?? part.text
        let words = SearchText.prepared(raw).split(separator: " ").map(String.init)
        guard !words.isEmpty else {
            if !raw.isEmpty { unindexed.append(raw) }
            return
        }
        let term = Term(
            words: words, inTitle: isTitle, isPrefix: isLast && !part.isQuoted && raw.last?.isPunctuation == false,
            isPhrase: part.isQuoted)
        if part.isNegated {
            excluded.append(term)
        } else if joins, !groups.isEmpty {
            groups[groups.count - 1].append(term)
        } else {
            groups.append([term])
        }
    }

    // MARK: - Words

    private struct Part {
        var key: String?
        var text = ""
        var isQuoted = false
        var isNegated = false
    }

    /// White space separates, quotes join, `-` in front negates, `key:` in front makes a filter.
    private static func split(_ text: String) -> [Part] {
        var parts: [Part] = []
        var part = Part()
        var quoting = false
        func isUnstarted() -> Bool { part.text.isEmpty && part.key == nil && !part.isQuoted }
        func finish() {
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
            } else if character == ":", part.key == nil, keys.contains(part.text.lowercased()) {
                part.key = part.text.lowercased()
                part.text = ""
            } else {
                part.text.append(character)
            }
        }
        finish()
        return parts
    }

    private static let keys: Set = ["tag", "in", "is", "has", "created", "updated", "title"]

    // MARK: - Filters

    /// Returns false if it is none.
    private mutating func readFilter(_ key: String, _ value: String, now: Date) -> Bool {
        guard !value.isEmpty else { return false }
        switch (key, value.lowercased()) {
        case ("is", "starred"): filters.append(.starred)
        case ("is", "archived"), ("in", "archive"): place = .archive
        case ("is", "trashed"), ("in", "trash"): place = .trash
        case ("has", "link"): filters.append(.hasLink)
        case ("has", "image"): filters.append(.hasImage)
        case ("has", "task"): filters.append(.hasTask)
        case ("tag", _): filters.append(.tag(value.hasPrefix("#") ? String(value.dropFirst()) : value))
        case ("in", _): filters.append(.folder(value))
        case ("created", _):
            guard let range = SearchDates.range(value, now: now) else { return false }
            filters.append(.created(range))
        case ("updated", _):
            guard let range = SearchDates.range(value, now: now) else { return false }
            filters.append(.updated(range))
        default: return false
        }
        return true
    }

    // MARK: - Questions

    /// A question in words: those that carry nothing are dropped, any of the rest may match.
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

    private static let questionWords: Set = [
        "who", "what", "when", "where", "why", "how", "which", "whose", "did", "does", "do", "is", "are", "was", "were",
        "can", "could", "should", "find", "show",
    ]

    private static let stopWords = questionWords.union([
        "a", "an", "the", "of", "to", "in", "on", "at", "for", "from", "with", "about", "by", "and", "or", "not", "i",
        "me", "my", "we", "our", "you", "your", "it", "its", "this", "that", "these", "those", "there", "be", "been",
        "have", "has", "had", "will", "would", "notes", "note", "any", "all", "some",
    ])
}

/// Dates and spans of time as people write them.
enum SearchDates {
    /// `2026`, `2026-01`, `2026-01-15`, with `>`, `>=`, `<`, `<=` in front; `7d`, `3w`, `2m`, `1y`, `12h` back from
    /// now; `today`, `yesterday`.
    ///
    /// `nil` if it is none of these. Days are UTC's.
    static func range(_ text: String, now: Date) -> Range<Int64>? {
        let comparison = text.prefix { $0 == "<" || $0 == ">" || $0 == "=" }
        let value = text.dropFirst(comparison.count).lowercased()
        if let span = span(value), comparison.isEmpty {
            return (now.milliseconds - span)..<Int64.max
        }
        guard let whole = day(value, now: now) ?? calendar(value) else { return nil }
        switch comparison {
        case "": return whole
        case ">": return whole.upperBound..<Int64.max
        case ">=": return whole.lowerBound..<Int64.max
        case "<": return 0..<max(0, whole.lowerBound)
        case "<=": return 0..<max(0, whole.upperBound)
        default: return nil
        }
    }

    private static let dayLength: Int64 = 86_400_000

    private static func span(_ text: String) -> Int64? {
        guard let unit = text.last, let count = Int64(text.dropLast()), (1...100_000).contains(count) else {
            return nil
        }
        switch unit {
        case "h": return count * dayLength / 24
        case "d": return count * dayLength
        case "w": return count * 7 * dayLength
        case "m": return count * 30 * dayLength
        case "y": return count * 365 * dayLength
        default: return nil
        }
    }

    private static func day(_ text: String, now: Date) -> Range<Int64>? {
        let today = now.milliseconds / dayLength * dayLength
        switch text {
        case "today": return today..<(today + dayLength)
        case "yesterday": return (today - dayLength)..<today
        default: return nil
        }
    }

    private static func calendar(_ text: String) -> Range<Int64>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count), let year = parts[0], (1000...9999).contains(year) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var components = DateComponents(year: year, month: 1, day: 1)
        var unit = Calendar.Component.year
        if parts.count > 1 {
            guard let month = parts[1], (1...12).contains(month) else { return nil }
            components.month = month
            unit = .month
        }
        if parts.count > 2 {
            guard let day = parts[2], (1...31).contains(day) else { return nil }
            components.day = day
            unit = .day
        }
        guard let start = calendar.date(from: components),
            let end = calendar.date(byAdding: unit, value: 1, to: start)
        else { return nil }
        return start.milliseconds..<end.milliseconds
    }
}

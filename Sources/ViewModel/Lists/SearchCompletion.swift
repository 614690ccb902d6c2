import NoteStore

/// The completions of the word being typed into the search field.
///
///     "pira tag:bo"  ->  ["tag:books", "tag:borges"], each followed by a space
public struct SearchCompletion: Equatable, Sendable {
    /// The possible completions of the last word, the likeliest first; empty if none matches.
    public let candidates: [String]
    /// The text before that word.
    private let head: String

    /// The filters that can begin a word, with their meanings; shown while the field is empty.
    public static let grammar = Texts.searchGrammar

    private static let values: [(key: String, values: [String])] = [
        ("is:", ["starred", "archived", "trashed"]), ("has:", ["task", "done", "link", "backlink", "broken", "image"]),
        ("created:", ["today", "yesterday", "7d", "30d", "1y"]),
        ("updated:", ["today", "yesterday", "7d", "30d", "1y"]),
    ]

    /// The largest number of candidates: as many as fit in a row or two.
    private static let maximumCandidates = 8

    /// - Parameters:
    ///   - text: the text left of the caret.
    ///   - tags: the names of all tags.
    ///   - folders: the names of all folders and projects.
    public init(_ text: String, tags: [String], folders: [String]) {
        let start = Self.startOfLastWord(in: text)
        head = String(text[..<start])
        let word = String(text[start...])
        let isNegated = word.hasPrefix("-")
        let typed = isNegated ? String(word.dropFirst()) : word
        let lists =
            [("tag:", tags), ("in:", folders + ["archive", "trash"])] + Self.values.map { ($0.key, $0.values) }
        guard let (key, values) = lists.first(where: { typed.lowercased().hasPrefix($0.0) }) else {
            let keys = lists.map(\.0) + ["title:"]
            let fitting = typed.count >= 2 ? keys.filter { $0.hasPrefix(typed.lowercased()) } : []
            candidates = fitting.map { (isNegated ? "-" : "") + $0 }
            return
        }
        let value = typed.dropFirst(key.count).filter { $0 != "\"" && $0 != "#" }.lowercased()
        let begin = values.filter { $0.lowercased().hasPrefix(value) }
        let inside = values.filter { !$0.lowercased().hasPrefix(value) && $0.lowercased().contains(value) }
        // A value typed in full needs no completion.
        let fitting = begin == [String(value)] ? [] : begin + inside
        candidates = fitting.prefix(Self.maximumCandidates).map { (isNegated ? "-" : "") + key + Self.quoted($0) }
    }

    /// Returns the text with its last word replaced by a candidate, and a space after a completed value.
    public func text(with candidate: String) -> String {
        head + candidate + (candidate.hasSuffix(":") ? "" : " ")
    }

    private static func quoted(_ value: String) -> String {
        value.contains(where: \.isWhitespace) ? "\"\(value)\"" : value
    }

    /// Returns the start of the last word; white space separates words, except inside of quotation marks.
    private static func startOfLastWord(in text: String) -> String.Index {
        var start = text.startIndex
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index].isWhitespace, !isQuoted { start = text.index(after: index) }
        }
        return start
    }
}

extension TakeNoteVM {
    /// Returns the completions for the end of a search text.
    public func searchCompletion(_ text: String) -> SearchCompletion {
        let folders = containers.filter { ($0.isFolder || $0.isProject || $0.isInbox) && !$0.isInTrash }
        var seen: Set<String> = []
        return SearchCompletion(
            text, tags: tags.map(\.name), folders: folders.map(\.name).filter { seen.insert($0).inserted })
    }
}

import NoteStore

/// Removes introductions and fences that models put around a text.
enum AnswerTrim {
    private static let introductions = [
        "here is", "here's", "here are", "here you", "sure", "certainly", "of course", "absolutely", "below is", "okay",
        "the formatted", "formatted text", "i have formatted", "i've formatted",
    ]
    /// Words that tell an introduction from a sentence of the text: a letter may begin with “Of course we come”, too.
    private static let announcing: Set<String> = ["here", "below", "formatted"]
    /// The greatest length of an introduction, in characters.
    private static let maximumIntroduction = 120

    /// Returns a text without an introduction, an enclosing fence, and blank lines at its start and end.
    ///
    /// - Parameter original: The text that the model was given, whose own first lines and fence stay.
    static func withoutWrapping(_ text: String, of original: String = "") -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        dropBlank(&lines)
        if let first = lines.first, lines.count > 1, isIntroduction(first, original) {
            lines.removeFirst()
            dropBlank(&lines)
        }
        if let inside = insideFence(lines, original) { lines = inside }
        dropBlank(&lines)
        return lines.joined(separator: "\n")
    }

    private static func dropBlank(_ lines: inout ArraySlice<Substring>) {
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    }

    /// Whether the first line of an answer introduces it; other than by a colon only if the original text is known, and
    /// the line announces what follows or consists of the introduction alone.
    private static func isIntroduction(_ line: Substring, _ original: String) -> Bool {
        let ends: [Character] = original.isEmpty ? [":"] : [":", "!", "."]
        guard let last = line.last(where: { !$0.isWhitespace }), ends.contains(last),
            line.count < maximumIntroduction, introductions.contains(where: line.lowercased().hasPrefix)
        else { return false }
        let words = IndexForm.words(of: String(line))
        guard last == ":" || !announcing.isDisjoint(with: words) || introductions.contains(words.joined(separator: " "))
        else { return false }
        return !IndexForm.words(of: String(original.prefix(2 * maximumIntroduction))).starts(with: words)
    }

    /// Returns the lines inside a fence around the whole answer, or `nil` if there is none.
    private static func insideFence(_ lines: ArraySlice<Substring>, _ original: String) -> ArraySlice<Substring>? {
        guard let first = lines.first, first.hasPrefix("```"), lines.count > 2 else { return nil }
        let name = first.drop { $0 == "`" }.lowercased()
        let fence = String(first.prefix { $0 == "`" })
        let end = lines.dropFirst().lastIndex { $0.hasPrefix(fence) && $0.allSatisfy { $0 == "`" || $0 == " " } }
        let isOuter = ["", "markdown", "md", "text"].contains(name)
        // The fence may be followed by a closing remark but not by another fence.
        guard isOuter, let end, lines[(end + 1)...].count < 4,
            lines[lines.startIndex..<end].dropFirst().count(where: { $0.hasPrefix("```") }).isMultiple(of: 2)
        else { return nil }
        let inside = lines[(lines.startIndex + 1)..<end]
        // A text that begins with a fence has its own, around which a model may put another one.
        let begins = original.drop(while: \.isWhitespace).hasPrefix("```")
        return begins && inside.first?.hasPrefix("```") != true ? nil : inside
    }
}

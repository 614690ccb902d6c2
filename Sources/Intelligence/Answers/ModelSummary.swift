import NoteStore

/// Summaries by a model.
public enum ModelSummary {
    /// Returns the request for a note's summary.
    ///
    /// Of a text that exceeds the context it holds the most important sentences.
    ///
    /// - Parameter ratio: what is known about the model's count of tokens.
    public static func request(
        for note: Note, provider: Provider, ratio: TokenRatio = TokenRatio()
    ) -> ChatRequest {
        // The rest of the context is for the instructions and the answer.
        let room = max(300, ratio.estimate(fitting: provider.context - 500))
        var text = note.content
        if TokenCount.estimate(text) > room {
            text = ExtractiveSummary.of(text, title: note.title, length: room * 2)
        }
        return Prompts.summary(text, title: note.title)
    }

    /// Returns the summary of an answer as one line, without introductions and fences.
    public static func summary(in answer: Answer) -> String {
        var text = AnswerTrim.withoutWrapping(answer.text).split(whereSeparator: \.isNewline)
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }.joined(separator: " ")
        for prefix in ["Summary:", "**Summary:**", "**Summary**:"] where text.hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count).drop(while: \.isWhitespace))
        }
        return ExtractiveSummary.cut(text, to: maximumLength)
    }

    /// The greatest length that is kept: twice the requested one, since models count badly.
    private static let maximumLength = 2 * ExtractiveSummary.usualLength
}

/// Removes introductions and fences that models put around a text.
public enum AnswerTrim {
    private static let introductions = [
        "here is", "here's", "here are", "sure", "certainly", "of course", "below is", "okay", "the formatted",
        "formatted text",
    ]

    /// Returns a text without an introduction, an enclosing fence, and blank lines at its start and end.
    public static func withoutWrapping(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        func dropBlank() {
            while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
            while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        }
        dropBlank()
        if let first = lines.first, first.hasSuffix(":"), first.count < 120, lines.count > 1,
            introductions.contains(where: first.lowercased().hasPrefix)
        {
            lines.removeFirst()
            dropBlank()
        }
        if let first = lines.first, first.hasPrefix("```"), lines.count > 2 {
            let name = first.drop { $0 == "`" }.lowercased()
            let fence = String(first.prefix { $0 == "`" })
            let end = lines.dropFirst().lastIndex { $0.hasPrefix(fence) && $0.allSatisfy { $0 == "`" || $0 == " " } }
            let isOuter = ["", "markdown", "md", "text"].contains(name)
            // The fence may be followed by a closing remark but not by another fence.
            if isOuter, let end, lines[(end + 1)...].count < 4,
                lines[lines.startIndex..<end].dropFirst()
                    .count(where: { $0.hasPrefix("```") }).isMultiple(of: 2)
            {
                lines = lines[(lines.startIndex + 1)..<end]
            }
        }
        dropBlank()
        return lines.joined(separator: "\n")
    }
}

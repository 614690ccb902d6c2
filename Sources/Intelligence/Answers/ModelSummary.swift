import NoteStore

/// Summaries by a model.
public enum ModelSummary {
    /// Returns the request for a note's summary.
    ///
    /// If the text exceeds the context, the request holds its most important sentences.
    ///
    /// - Parameter ratio: what is known about the model's count of tokens.
    public static func request(
        for note: Note, provider: Provider, ratio: TokenRatio = TokenRatio()
    ) -> ChatRequest {
        // The rest of the context is for the instructions and the answer.
        let room = max(300, ratio.estimate(fitting: provider.contextWithoutReasoning - 500))
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
        return ExtractiveSummary.cut(unquoted(text), to: maximumLength)
    }

    /// Returns a summary without the quotation marks that some models put around it; those within it stay.
    private static func unquoted(_ text: String) -> String {
        guard text.count > 2, let first = text.first, let last = text.last,
            ["\"\"", "“”", "„“", "«»"].contains("\(first)\(last)"),
            !text.dropFirst().dropLast().contains(where: { $0 == first || $0 == last })
        else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// The greatest length that is kept: twice the requested one, since models count badly.
    private static let maximumLength = 2 * ExtractiveSummary.usualLength
}

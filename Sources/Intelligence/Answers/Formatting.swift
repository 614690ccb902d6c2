import Markdown
import NoteStore

/// Why a formatted text is not taken.
public enum FormatFault: Error, Equatable, Sendable {
    case empty, cut
    /// Much of the text is missing, or a fence is left open.
    case broken
}

/// Magic Format: a model gives a text the form of Markdown, section by section.
public struct Formatting: Sendable {
    public struct Result: Equatable, Sendable {
        public var text: String
        /// How many words differ from the old text, by what is read and not by Markdown.
        public var changedWords: Int
    }

    /// A part of the text that is sent by itself.
    public let sections: [String]
    private let text: String
    /// What stands before all and is not touched.
    private let frontMatter: String

    public init(_ text: String, provider: Provider) {
        self.text = text
        let end = NoteFrontMatter(of: text)?.end ?? 0
        let split = text.utf8.index(text.utf8.startIndex, offsetBy: end)
        frontMatter = String(text[..<split])
        // The answer is as long as the question, and both share the context.
        let room = max(200, (provider.context - 400) * 2 / 5)
        sections = Self.cut(String(text[split...]), room)
    }

    public var requests: [ChatRequest] { sections.map(Prompts.format) }

    /// Asks for each section in turn.
    public func run(
        _ run: ModelRun, _ receive: @escaping @Sendable (AnswerEvent) -> Void = { _ in }
    ) throws -> Result {
        var parts: [String] = []
        for request in requests {
            let answer = try run.answer(to: request, receive)
            if answer.isCut { throw FormatFault.cut }
            let part = AnswerTrim.withoutWrapping(answer.text)
            guard part.contains(where: { !$0.isWhitespace }) else { throw FormatFault.empty }
            parts.append(part)
        }
        return try checked(frontMatter + parts.joined(separator: "\n\n") + (text.hasSuffix("\n") ? "\n" : ""))
    }

    private func checked(_ result: String) throws(FormatFault) -> Result {
        let (old, new) = (Self.words(of: text), Self.words(of: result))
        if new.isEmpty, !old.isEmpty { throw .empty }
        // A model that repeats itself without end; the difference of such texts would take all memory.
        if new.count > 2 * old.count + 100 { throw .broken }
        let changed = Self.difference(old, new)
        // Half of the words gone or strange is no formatting.
        if old.count > 8, changed * 2 > old.count { throw .broken }
        if Self.hasOpenFence(result), !Self.hasOpenFence(text) { throw .broken }
        return Result(text: result, changedWords: changed)
    }

    private static func hasOpenFence(_ text: String) -> Bool {
        !text.split(separator: "\n").count { $0.drop { $0 == " " }.hasPrefix("```") }.isMultiple(of: 2)
    }

    /// The words that are read, without signs.
    private static func words(of text: String) -> [String] { IndexForm.words(of: Markdown.plainText(of: text)) }

    /// How many words must be put in, taken out or replaced.
    static func difference(_ old: [String], _ new: [String]) -> Int {
        let difference = new.difference(from: old)
        return max(difference.insertions.count, difference.removals.count)
    }

    /// Sections at headings, and long ones at blank lines outside of fences.
    private static func cut(_ text: String, _ room: Int) -> [String] {
        guard TokenCount.estimate(text) > room else { return [text] }
        var sections: [String] = []
        var section: [Substring] = []
        var (tokens, isInFence) = (0, false)
        func flush() {
            let joined = section.joined(separator: "\n")
            if joined.contains(where: { !$0.isWhitespace }) { sections.append(joined) }
            (section, tokens) = ([], 0)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isInFence.toggle() }
            let isBreak = !isInFence && (line.hasPrefix("#") || line.allSatisfy(\.isWhitespace))
            if isBreak, tokens > room * 2 / 3 { flush() }
            section.append(line)
            tokens += TokenCount.estimate(String(line)) + 1
        }
        flush()
        return sections
    }
}

/// Magic Assistant: a wish in the user's own words, or one of the usual ones.
public enum Assistant {
    /// The usual wishes, with the names of the menu.
    public static let wishes: [(title: String, wish: String)] = [
        ("Rewrite", "Rewrite the text so that it reads well; keep its meaning and its length."),
        ("Shorten", "Shorten the text to half; keep what matters."),
        ("Summarize", "Summarise the text in a few sentences."),
        ("Translate into English", "Translate the text into English."),
        (continuing, "Continue the text in its style with one paragraph. Answer with the new paragraph alone."),
    ]

    /// The title of the wish whose result goes on from the text instead of taking its place.
    public static let continuing = "Continue"

    public static func request(_ wish: String, _ text: String) -> ChatRequest { Prompts.assist(wish, text) }

    /// The result in an answer.
    public static func result(of answer: Answer) -> String { AnswerTrim.withoutWrapping(answer.text) }
}

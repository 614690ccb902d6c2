import Foundation
import NoteStore

/// How many tokens a model counts for each that is estimated.
///
/// Without the model's vocabulary, tokens are estimated from above, and for most languages by a third too high. The
/// counts that a server reports correct that: a higher one at once, so that no prompt outgrows the context, and lower
/// ones little by little, since the next text may have more tokens.
public struct TokenRatio: Equatable, Sendable {
    /// The ratio, within `bounds`; 1 as long as no server has counted.
    public private(set) var value = 1.0

    /// The least and the greatest ratio that is believed: a server that counts fewer has cut the prompt, or leaves out
    /// what it knows from an earlier one.
    public static let bounds = 0.5...2.0
    /// The share of the way to a lower count that the ratio goes.
    private static let step = 0.25
    /// The factor by which a text may have more tokens than the texts before it.
    private static let reserve = 1.05
    /// The least estimate of a prompt from which the ratio is learnt; the words that a server adds itself would count
    /// too much in a shorter one.
    static let minimumEstimate = 200

    public init() {}

    /// - Returns: `nil` if the value is out of bounds.
    init?(_ value: Double) {
        guard Self.bounds.contains(value) else { return nil }
        self.value = value
    }

    /// Learns from a prompt that the server has counted.
    mutating func learn(counted: Int, estimated: Int) {
        guard estimated >= Self.minimumEstimate else { return }
        let ratio = min(Double(counted) / Double(estimated), Self.bounds.upperBound)
        guard ratio >= Self.bounds.lowerBound else { return }
        value = ratio > value ? ratio : value + Self.step * (ratio - value)
    }

    /// The ratio with a reserve, unless nothing was learnt.
    private var safe: Double { self == TokenRatio() ? value : value * Self.reserve }

    /// Returns how many tokens the model may count for an estimate.
    func tokens(_ estimate: Int) -> Int { Int((Double(estimate) * safe).rounded(.up)) }

    /// Returns the greatest estimate of a text that has room in a number of the model's tokens.
    func estimate(fitting tokens: Int) -> Int { Int(Double(tokens) / safe) }
}

/// The token ratio of a provider, remembered in the notebook for its address and model.
public struct TokenMemory: Sendable {
    private let provider: Provider
    private let notebook: Notebook

    /// The least change of a ratio that is stored.
    private static let minimumChange = 0.01

    public init(_ provider: Provider, in notebook: Notebook) { (self.provider, self.notebook) = (provider, notebook) }

    private var key: String { "ai.tokens/\(provider.name)" }

    /// The learnt ratio, or 1 if there is none for this address and model.
    public var ratio: TokenRatio {
        // A ratio that cannot be read is learnt anew.
        let words = (try? notebook.settings.value(key))?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == provider.identity, let value = Double(words[1]) else { return TokenRatio() }
        return TokenRatio(value) ?? TokenRatio()
    }

    /// Learns from an answer whose server has counted the prompt.
    func learn(from answer: Answer) {
        guard let counted = answer.promptTokens, !answer.isPromptCut else { return }
        let known = ratio
        var learnt = known
        learnt.learn(counted: counted, estimated: answer.estimatedTokens)
        guard abs(learnt.value - known.value) >= Self.minimumChange else { return }
        // In a notebook that cannot be written, the estimates stay as they are, which is safe.
        try? notebook.settings.set(key, provider.identity + " " + String(format: "%.3f", learnt.value))
    }
}

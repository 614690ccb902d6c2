import TextPrimitives

/// What a server says about an error, made safe to show: one short line without keys and control characters.
public struct ServerWords: Equatable, Sendable {
    public let line: String

    /// The greatest length, in characters.
    private static let maximumLength = 160
    /// The length from which letters and digits without a break are taken for a key; names of models have breaks.
    private static let minimumKeyLength = 20
    /// What stands for a word that is left out.
    private static let mask = "…"

    /// - Parameter key: the key that was sent, which the server may repeat.
    /// - Returns: `nil` if the server says nothing.
    init?(_ words: String?, hiding key: String?) {
        guard var words else { return nil }
        if let key, !key.isEmpty { words = words.replacing(key, with: Self.mask) }
        let parts = words.split(whereSeparator: \.isWhitespace).map { AnswerBuilder.clean(String($0)) }
        let line = parts.filter { !$0.isEmpty }.map { Self.isKey($0) ? Self.mask : $0 }.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        self.line = line.count > Self.maximumLength ? String(line.prefix(Self.maximumLength - 1)) + Self.mask : line
    }

    /// Returns whether a word looks like a key, or like the part of one that a server shows.
    private static func isKey(_ word: String) -> Bool {
        let names = word.lowercased().split { !$0.isLetter && !$0.isNumber && !"-_".contains($0) }
        if names.contains(where: { $0.hasPrefix("sk-") }) { return true }
        return word.utf8.split { !$0.isAlphanumeric }.contains { part in
            part.count >= minimumKeyLength && part.contains(where: \.isLetter) && part.contains(where: \.isDigit)
        }
    }
}

/// The number of retries before the first token, and the pauses before them.
struct RetryPatience {
    /// The remaining time to wait for a server that is loading its model, and for one that is overloaded, in
    /// milliseconds.
    private var loading = 60_000
    private var crowded = 30_000
    private var hasTriedAgain = false
    /// The last reason for a pause that was given.
    private var reason: String?
    /// The shortest pause whose reason is given, in milliseconds; a shorter one is hardly noticed.
    private static let noticed = 1000

    /// - Parameter isLoading: whether the server says that it is loading its model.
    /// - Returns: The pause in milliseconds, or `nil` to give up.
    mutating func wait(after status: Int?, _ retryAfter: Int?, isLoading: Bool) -> Int? {
        switch status {
        case 503? where isLoading:
            guard loading > 0 else { return nil }
            let pause = min(max(500, (retryAfter ?? 1) * 1000), loading)
            loading -= pause
            return pause
        case 429?:
            let pause = max(200, (retryAfter ?? 2) * 1000)
            guard pause <= crowded else { return nil }
            crowded -= pause
            return pause
        case .some(500...599):
            guard !hasTriedAgain else { return nil }
            hasTriedAgain = true
            return 500
        default: return nil
        }
    }

    /// Returns the reason for a pause as a sentence, or `nil` if the pause is short or its reason was given before.
    mutating func reason(
        for pause: Int, _ label: String, _ retryAfter: Int?, isLoading: Bool
    ) -> String? {
        guard pause >= Self.noticed else { return nil }
        let sentence = isLoading ? AnswerTexts.loading(label) : AnswerTexts.crowded(label, seconds: retryAfter)
        defer { reason = sentence }
        return sentence == reason ? nil : sentence
    }
}

extension String {
    /// The size in bytes up to which a text that arrives is shown as a whole: several screens, laid out in a moment.
    static let tailLength = 16_000

    /// The text, or the end of a long one from the beginning of a line.
    var tail: String {
        guard utf8.count > Self.tailLength else { return self }
        let end = self[utf8.index(utf8.endIndex, offsetBy: -Self.tailLength)...]
        return end.firstIndex(where: \.isNewline).map { String(end[$0...].dropFirst()) } ?? String(end)
    }
}

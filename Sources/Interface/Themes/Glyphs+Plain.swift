extension Glyphs {
    /// A sentence of ours as these characters can show it: in ASCII without the signs of printing.
    ///
    /// Only what we say goes through here, never a note's text, its title in a list or a name: those are shown as they
    /// are. A sentence that quotes a title is one of ours.
    func plain(_ sentence: String) -> String {
        guard self == .ascii, !sentence.utf8.allSatisfy({ $0 < 0x80 }) else { return sentence }
        return String(sentence.map { Self.plainSigns[$0] ?? $0 })
    }

    private static let plainSigns: [Character: Character] = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "·": "-", "–": "-", "—": "-", "…": "~", "›": ">", "•": "*", "×": "x",
        "→": ">", "←": "<", "↑": "^", "↓": "v", "↵": "<",
    ]
}

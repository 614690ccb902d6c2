/// Keys pressed one after the other: usually one, `Ctrl-Q`, or a prefix and its continuation, `Ctrl-X Ctrl-S`.
public struct KeySequence: Hashable, Sendable, CustomStringConvertible {
    /// The chords; at least one.
    public let chords: [KeyChord]

    public init(_ chord: KeyChord) {
        chords = [chord]
    }

    init(_ chords: [KeyChord]) {
        precondition(!chords.isEmpty, "a sequence of no keys")
        self.chords = chords
    }

    /// Reads chords separated by spaces; nil if there are none, or one of them is invalid.
    public init?(_ text: String) {
        let chords = text.split(separator: " ").map { KeyChord(String($0)) }
        guard !chords.isEmpty, chords.allSatisfy({ $0 != nil }) else { return nil }
        self.chords = chords.compactMap(\.self)
    }

    /// The short form for the status line and the help: `^X ^S`.
    public var label: String { chords.map(\.label).joined(separator: " ") }

    /// The form for the screen, or the full form for a screen reader, which would speak `^` as a word of its own or
    /// leave it out.
    func label(isSpoken: Bool) -> String { isSpoken ? description : label }

    public var description: String { chords.map(\.description).joined(separator: " ") }

    /// The proper prefixes of the sequence, the longest first: those of `a b c` are `a b` and `a`.
    var prefixes: [KeySequence] {
        (1..<chords.count).reversed().map { KeySequence(Array(chords.prefix($0))) }
    }
}

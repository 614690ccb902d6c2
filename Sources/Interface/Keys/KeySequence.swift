/// Keys that are pressed one after the other: mostly one, `Ctrl-Q`, or a prefix and what follows it, `Ctrl-X Ctrl-S`.
public struct KeySequence: Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public let chords: [KeyChord]

    public init(_ chord: KeyChord) {
        chords = [chord]
    }

    init(_ chords: [KeyChord]) {
        precondition(!chords.isEmpty, "a sequence of no keys")
        self.chords = chords
    }

    /// Reads chords parted by spaces; nil if there are none, or one is no key.
    public init?(_ text: String) {
        let chords = text.split(separator: " ").map { KeyChord(String($0)) }
        guard !chords.isEmpty, chords.allSatisfy({ $0 != nil }) else { return nil }
        self.chords = chords.compactMap(\.self)
    }

    /// The short form for a status line and help: `^X ^S`.
    public var label: String { chords.map(\.label).joined(separator: " ") }

    public var description: String { chords.map(\.description).joined(separator: " ") }

    /// What is to be pressed before the last key, the longest first: of `a b c` they are `a b` and `a`.
    var prefixes: [KeySequence] {
        (1..<chords.count).reversed().map { KeySequence(Array(chords.prefix($0))) }
    }
}

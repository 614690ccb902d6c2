import Terminal

/// A key with its modifiers, as it is written in a key table: `Ctrl-Q`, `Alt-1`, `Shift-F6`, `g`, `G`, `Space`.
///
/// For a key that types, Shift is part of the character: `G`, never `Shift-g`.
public struct KeyChord: Hashable, Sendable {
    public var key: Key
    public var modifiers: Modifiers

    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// Reads a chord as a user writes it; nil if it names no key.
    ///
    /// Names and modifiers match in any case, but a single letter keeps its case: `g` and `G` are two keys.
    public init?(_ text: String) {
        var rest = Substring(text)
        var modifiers: Modifiers = []
        while let (modifier, length) = Self.modifierPrefix(of: rest) {
            modifiers.insert(modifier)
            rest = rest.dropFirst(length)
        }
        guard let key = Self.key(named: String(rest)) else { return nil }
        self.init(key, modifiers)
        if case .character(let character) = key, modifiers.contains(.control) || modifiers.contains(.alt) {
            self.key = .character(Character(character.lowercased()))
        }
    }

    private static func modifierPrefix(of text: Substring) -> (Modifiers, Int)? {
        // Most keys are a single character, and hundreds are read before the first frame.
        guard text.utf8.count > 1 else { return nil }
        for (name, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt), ("shift-", .shift)]
        where text.count > name.count && text.lowercased().hasPrefix(name) {
            return (modifier, name.count)
        }
        return nil
    }

    private static func key(named name: String) -> Key? {
        guard name.utf8.count > 1 else { return name.first.map(Key.character) }
        let lowercased = name.lowercased()
        if let named = namedKeys.first(where: { $0.name.lowercased() == lowercased }) { return named.key }
        if lowercased.hasPrefix("f"), let number = Int(name.dropFirst()), (1...24).contains(number) {
            return .function(number)
        }
        return name.count == 1 ? name.first.map(Key.character) : nil
    }

    /// The keys with a name instead of a character, each with the name shown.
    private static let namedKeys: [(name: String, key: Key)] = [
        ("Enter", .enter), ("Tab", .tab), ("Esc", .escape), ("Space", .character(" ")),
        ("Backspace", .backspace), ("Delete", .delete), ("Insert", .insert),
        ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right),
        ("Home", .home), ("End", .end), ("PgUp", .pageUp), ("PgDn", .pageDown),
    ]

    /// Whether the key has a character.
    var isCharacter: Bool {
        guard case .character = key else { return false }
        return true
    }

    /// The short form for the status line and the help: `^Q` for Ctrl-Q, otherwise the full form.
    public var label: String {
        modifiers == .control && keyName.count == 1 ? "^\(keyName.uppercased())" : description
    }

    private var keyName: String {
        if let named = Self.namedKeys.first(where: { $0.key == key }) { return named.name }
        switch key {
        case .character(let character): return String(character)
        case .function(let number): return "F\(number)"
        default: return String(describing: key)
        }
    }
}

extension KeyChord: CustomStringConvertible {
    public var description: String {
        var text = ""
        if modifiers.contains(.control) { text += "Ctrl-" }
        if modifiers.contains(.alt) { text += "Alt-" }
        if modifiers.contains(.shift) { text += "Shift-" }
        let isLetter = keyName.count == 1 && !modifiers.isEmpty
        return text + (isLetter ? keyName.uppercased() : keyName)
    }
}

extension KeyPress {
    /// The chords that this press can match, the likeliest first.
    ///
    /// They are the typed character, the key itself, and the key in that position on a Latin keyboard.
    var chords: [KeyChord] {
        bindings.map { KeyChord($0.key.offKeypad, $0.modifiers.intersection([.shift, .alt, .control])) }
    }
}

extension KeyPress {
    /// The chord to look up in a fixed table of keys.
    ///
    /// With Control or Alt, if the key types no ASCII character, it is the key in that position on a Latin keyboard, if
    /// the terminal reports it. Otherwise it is the typed character, or the key itself.
    var fixedChord: KeyChord? {
        let chords = chords
        guard !modifiers.isDisjoint(with: [.control, .alt]), case .character(let character) = key, !character.isASCII
        else { return chords.first }
        return chords.last
    }
}

extension Key {
    /// The key of the main block with the same meaning as this key of the keypad.
    fileprivate var offKeypad: Key {
        switch self {
        case .keypad(.character(let character)): .character(character)
        case .keypad(.enter): .enter
        default: self
        }
    }
}

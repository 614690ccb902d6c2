import TextEditing

/// A key as vim's grammar knows it.
public enum VimKey: Hashable, Sendable {
    case character(Character)
    /// A letter with Control, in lower case, or one of `[ ] ^ _ @`.
    case control(Character)
    case escape, enter, tab, backspace, delete
    case left, right, up, down, home, end, pageUp, pageDown
}

extension VimKey: CustomStringConvertible {
    private static let names: [(key: VimKey, name: String)] = [
        (.escape, "Esc"), (.enter, "CR"), (.tab, "Tab"), (.backspace, "BS"), (.delete, "Del"), (.left, "Left"),
        (.right, "Right"), (.up, "Up"), (.down, "Down"), (.home, "Home"), (.end, "End"), (.pageUp, "PageUp"),
        (.pageDown, "PageDown"), (.character(" "), "Space"), (.character("<"), "lt"),
    ]

    /// Reads keys as vim's manual writes them: `dw`, `ciwnew<Esc>`, `<C-v>jd`, `<lt>` for the sign itself.
    public static func keys(_ notation: String) -> [VimKey] {
        var keys: [VimKey] = []
        var rest = notation[...]
        while let first = rest.first {
            if first == "<", let end = rest.firstIndex(of: ">"),
                let key = named(rest[rest.index(after: rest.startIndex)..<end])
            {
                keys.append(key)
                rest = rest[rest.index(after: end)...]
                continue
            }
            keys.append(.character(first))
            rest = rest.dropFirst()
        }
        return keys
    }

    private static func named(_ name: Substring) -> VimKey? {
        if let found = names.first(where: { $0.name.lowercased() == name.lowercased() }) { return found.key }
        guard name.count == 3, name.lowercased().hasPrefix("c-"), let letter = name.last else { return nil }
        return .control(Character(letter.lowercased()))
    }

    /// The key as the notation has it.
    public var description: String {
        if let found = VimKey.names.first(where: { $0.key == self }) { return "<\(found.name)>" }
        switch self {
        case .character(let character): return String(character)
        case .control(let character): return "<C-\(character)>"
        default: return ""
        }
    }

    /// What shows that the key waits for more, as a status line has it: `^W`.
    var label: String {
        if case .control(let character) = self { return "^" + character.uppercased() }
        return description
    }
}

/// What a key means to the text and to who shows it, in the order in which it is to be done.
public enum VimEffect: Hashable, Sendable {
    /// What follows, up to `endGroup`, is one step of undo.
    case beginGroup
    case endGroup
    /// A change, and the caret after it.
    case edit(Edit, caret: ByteOffset)
    /// Types a text at the caret as a key does that types.
    case type(String)
    /// Does what a key of the editor does, at the caret.
    case perform(EditingAction)
    /// Sets the caret, or selects.
    case select(Selection)
    /// Takes steps back, or does them again; the machine then asks for `VimView.retraced`.
    case undo(Int)
    case redo(Int)
    /// Scrolls by lines without moving the caret, or puts the caret's line to a place of the screen.
    case scroll(lines: Int)
    case reveal(VimScreenPlace)
    /// A text for the system's clipboard.
    case copy(String)
    /// A pattern that is looked for now, nil when its matches are shown no longer.
    case highlight(VimPattern?)
    /// A command of the program: what stands behind the colon.
    case command(String)
    /// Something that only the program can do.
    case request(VimRequest)
    /// Something to tell the user.
    case message(String)
    /// The key leads nowhere; the reason, where there is more to say than that.
    case refused(String?)
}

/// A place of the screen for the caret's line.
public enum VimScreenPlace: Hashable, Sendable {
    case top, middle, bottom
}

/// What the program is asked for.
public enum VimRequest: Hashable, Sendable {
    case paneLeft, paneRight, nextPane, followLink
}

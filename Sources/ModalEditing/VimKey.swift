import TextEditing

/// A key in vim's grammar.
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

    /// Parses keys in the notation of vim's manual: `dw`, `ciwnew<Esc>`, `<C-v>jd`, `<lt>` for `<` itself.
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

    /// The key in the same notation.
    public var description: String {
        if let found = VimKey.names.first(where: { $0.key == self }) { return "<\(found.name)>" }
        switch self {
        case .character(let character): return String(character)
        case .control(let character): return "<C-\(character)>"
        default: return ""
        }
    }

    /// The key in the form in which a status line shows pending keys, such as `^W`.
    var label: String {
        if case .control(let character) = self { return "^" + character.uppercased() }
        return description
    }
}

/// An effect of a key on the text or the screen; effects must be applied in order.
public enum VimEffect: Hashable, Sendable {
    /// Begins an undo step, which `endGroup` ends.
    case beginGroup
    case endGroup
    /// Keeps the current undo step even if nothing changes.
    case touch
    /// An edit, and the caret after it.
    case edit(Edit, caret: ByteOffset)
    /// Types a text at the caret, as if by a key.
    case type(String)
    /// Performs an action of the editor at the caret.
    case perform(EditingAction)
    /// Sets the caret or the selection.
    case select(Selection)
    /// Undoes or redoes steps; the machine then needs `VimView.retraced`.
    case undo(Int)
    case redo(Int)
    /// Scrolls by rows; `reveal` brings the caret's line to a position on the screen.
    case scroll(rows: Int)
    case reveal(VimScreenPosition)
    /// Copies a text to the system's clipboard.
    case copy(String)
    /// The pattern of the current search, to highlight its matches, or `nil` to stop highlighting.
    case highlight(VimPattern?)
    /// A command of the program: the text after the colon.
    case command(String)
    /// A shell command, with its input and the use of its output.
    case filter(VimFilter)
    /// A request that only the program can fulfil.
    case request(VimRequest)
    /// A message to the user.
    case message(String)
    /// The key has no effect, with the reason if there is something to tell.
    case refused(String?)
}

extension VimEffect {
    var isEdit: Bool {
        if case .edit = self { return true }
        return false
    }
}

/// A position on the screen for the caret's line.
public enum VimScreenPosition: Hashable, Sendable {
    case top, middle, bottom
}

/// A shell command that reads text or produces some.
public struct VimFilter: Hashable, Sendable {
    /// The use of the output.
    public enum Output: Hashable, Sendable {
        /// It replaces the lines that the command has read.
        case replaces
        /// It becomes lines after the range.
        case follows
        /// It is shown.
        case isShown
    }

    /// The line for the shell.
    public var command: String
    /// The range of the whole lines, without the last line break, that the command reads or that its output follows.
    public var range: Range<ByteOffset>
    /// Whether the command reads the lines.
    public var readsRange: Bool
    public var output: Output
}

/// A request to the program.
public enum VimRequest: Hashable, Sendable {
    case paneLeft, paneRight, nextPane, followLink
    /// The text before or after this one, of those that were visited.
    case back, forward
    /// Complete the command line, by `VimMachine.completeLine(_:)`.
    case completion
}

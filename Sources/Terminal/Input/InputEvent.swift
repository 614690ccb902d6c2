/// A decoded event from the terminal.
public enum InputEvent: Equatable, Sendable {
    case key(KeyPress)
    case mouse(MouseEvent)
    /// A complete bracketed paste, its line ends turned into LF.
    case paste(String)
    /// The state of a paste that has no end yet or is too long.
    case pasteStatus(PasteStatus)
    /// Whether the terminal's window has the focus.
    case focus(Bool)
    /// The screen has this size now, and all of it must be redrawn.
    case resized(Size)
    case colorScheme(ColorScheme)
    /// A reply to one of our queries; the event loop passes these to the device and not to the application.
    case reply(TerminalReply)
    /// The device has learnt more about the terminal (colours, widths), and everything must be redrawn.
    case capabilitiesChanged
}

/// The state of an unusual paste, for messages to the user.
public enum PasteStatus: Hashable, Sendable {
    /// The paste has paused without its end.
    ///
    /// `bytes` counts the bytes so far. Keys are read as pasted text until the end comes; Ctrl-C abandons the paste.
    case stalled(bytes: Int)
    /// The paste was abandoned, and its text so far was emitted.
    ///
    /// Further bytes are dropped up to the end. Ctrl-C makes keys work again without the end.
    case abandoned
    /// The paste was longer than `limit`, and none of it was taken; both in bytes.
    case refused(bytes: Int, limit: Int)
    /// A stalled or abandoned paste is over.
    case ended
}

/// A key that was pressed, held or released.
public struct KeyPress: Hashable, Sendable {
    public enum Phase: UInt8, Hashable, Sendable {
        case press, `repeat`, release
    }

    public var key: Key
    public var modifiers: Modifiers
    /// The text that the key types, if any: `"A"` for Shift-A, nil for Ctrl-A and the arrows.
    public var text: String?
    /// The key's character with Shift, if the terminal reports it.
    public var shiftedKey: Character?
    /// The character on the same key of a US keyboard, if the terminal reports it: Ctrl-С on a Cyrillic one is Ctrl-C.
    public var baseLayoutKey: Character?
    public var phase: Phase

    public init(
        _ key: Key, _ modifiers: Modifiers = [], text: String? = nil, shiftedKey: Character? = nil,
        baseLayoutKey: Character? = nil, phase: Phase = .press
    ) {
        self.key = key
        self.modifiers = modifiers
        self.text = text
        self.shiftedKey = shiftedKey
        self.baseLayoutKey = baseLayoutKey
        self.phase = phase
    }

    /// Creates the press of a character that was typed without a modifier, except perhaps Shift.
    public init(typed character: Character) {
        self.init(.character(character), text: String(character))
    }

    /// The bindings to look up in a key table, best first.
    ///
    /// These are the produced character without Shift, the key as reported, and the key in that position of a US
    /// keyboard. A key with a character of ASCII is not taken for the letter there: on Dvorak, Ctrl-' is not Ctrl-Q.
    public var bindings: [Binding] {
        var result: [Binding] = []
        let withoutShift = modifiers.subtracting(.shift)
        if modifiers.contains(.shift), case .character(let character) = key {
            if let produced = shiftedKey ?? (text?.count == 1 ? text?.first : nil), produced != character {
                result.append(Binding(.character(produced), withoutShift))
            }
        }
        result.append(Binding(key, modifiers))
        if let baseLayoutKey, !baseLayoutKey.isLetter || !hasCharacterOfASCII {
            result.append(Binding(.character(baseLayoutKey), modifiers))
        }
        return result
    }

    private var hasCharacterOfASCII: Bool {
        guard case .character(let character) = key else { return false }
        return character.isASCII
    }

    /// A key with modifiers, as a command table specifies it.
    public struct Binding: Hashable, Sendable {
        public var key: Key
        public var modifiers: Modifiers

        public init(_ key: Key, _ modifiers: Modifiers = []) {
            self.key = key
            self.modifiers = modifiers
        }
    }
}

public enum Key: Hashable, Sendable {
    /// A key that has a character, space included.
    ///
    /// The character is the one without Shift if the terminal reports keys, and the typed one if it reports text.
    case character(Character)
    case enter, tab, backspace, delete, insert, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is 1.
    case function(Int)
    case menu, printScreen, pause
    case keypad(Keypad)
    /// Text that no key produced, from an input method or a compose sequence.
    case none

    public enum Keypad: Hashable, Sendable {
        /// A digit or sign of the keypad, which also types text.
        case character(Character)
        case enter, begin
    }
}

public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // The bits of the kitty keyboard protocol, which extend xterm's.
    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
    public static let `super` = Modifiers(rawValue: 8)
    public static let hyper = Modifiers(rawValue: 16)
    public static let meta = Modifiers(rawValue: 32)

    /// The modifiers of a reported `1 + bits`, without Caps Lock and Num Lock.
    init(parameter: Int) {
        self.init(rawValue: UInt8(truncatingIfNeeded: max(0, min(parameter, 256) - 1)) & 63)
    }
}

public struct MouseEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case press, release, drag, move
        /// Wheel ticks, summed: positive is right and down.
        case wheel(columns: Int, rows: Int)
    }

    public enum Button: UInt8, Hashable, Sendable {
        case none, left, middle, right, back, forward
    }

    public var kind: Kind
    public var button: Button
    public var position: Position
    public var modifiers: Modifiers

    public init(_ kind: Kind, _ button: Button, at position: Position, _ modifiers: Modifiers = []) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
    }
}

public enum ColorScheme: Hashable, Sendable {
    case dark, light
}

/// A terminal's reply to a query.
public enum TerminalReply: Hashable, Sendable {
    /// DA1: the attributes, the terminal's class first.
    ///
    /// It ends a probe, because terminals answer in order.
    case attributes([Int])
    /// XTVERSION: the name and version, in the terminal's own format.
    case version(String)
    /// DECRPM: a mode and its state (0 unknown, 1 set, 2 reset, 3 always set, 4 never set).
    case mode(Int, state: Int)
    /// The flags of the kitty keyboard protocol that are on.
    case keyboard(flags: Int)
    case cursor(Position)
    case color(ColorSlot, Color)
    /// DECRQSS: the current setting, as the terminal writes it; nil if it did not understand the query.
    case setting(String?)
    /// OSC 52: the bytes of the clipboard; none if it is empty or the terminal keeps it to itself.
    case clipboard([UInt8])
    /// The size of a cell in pixels (`CSI 6 t`).
    case cellSize(width: Int, height: Int)

    public enum ColorSlot: Hashable, Sendable {
        case foreground, background
    }
}

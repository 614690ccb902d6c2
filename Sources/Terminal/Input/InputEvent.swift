/// What came from the terminal, decoded.
public enum InputEvent: Equatable, Sendable {
    case key(KeyPress)
    case mouse(MouseEvent)
    /// A bracketed paste, whole, its line ends made LF.
    case paste(String)
    /// How a paste goes whose end does not come, or which is too long.
    case pasteStatus(PasteStatus)
    /// Whether the terminal's window has the focus.
    case focus(Bool)
    /// The screen has this size now; all of it is drawn anew.
    case resized(Size)
    case colorScheme(ColorScheme)
    /// An answer to a query of ours; the event loop keeps these for the device.
    case reply(TerminalReply)
    /// The device knows more of the terminal than before (colours, widths): draw everything again.
    case capabilitiesChanged
}

/// What the user is to know of a paste that does not simply come.
public enum PasteStatus: Hashable, Sendable {
    /// Nothing more comes, and the end has not come: bytes so far. Keys are taken for text until it does; Ctrl-C gives
    /// the paste up.
    case stalled(bytes: Int)
    /// It was given up, and what had come handed on. What comes is dropped until the end; Ctrl-C gives the keys back
    /// without it.
    case abandoned
    /// It was longer than `limit`, and nothing of it was taken; both in bytes.
    case refused(bytes: Int, limit: Int)
    /// What was stalled or given up is over.
    case ended
}

/// A key that was pressed, held or let go.
public struct KeyPress: Hashable, Sendable {
    public enum Phase: UInt8, Hashable, Sendable {
        case press, `repeat`, release
    }

    public var key: Key
    public var modifiers: Modifiers
    /// What the key types, if it types: `"A"` for Shift-A, nil for Ctrl-A and the arrows.
    public var text: String?
    /// The character of the key with Shift, where the terminal says so.
    public var shiftedKey: Character?
    /// The character at the same place of a US keyboard, where the terminal says so: Ctrl-С on a Cyrillic one is Ctrl-C.
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

    /// A character typed, with nothing held but perhaps Shift.
    public init(typed character: Character) {
        self.init(.character(character), text: String(character))
    }

    /// What a key table looks up, best first: the character produced, without Shift; the key as reported; the key at
    /// that place of a US keyboard.
    public var bindings: [Binding] {
        var result: [Binding] = []
        let withoutShift = modifiers.subtracting(.shift)
        if modifiers.contains(.shift), case .character(let character) = key {
            if let produced = shiftedKey ?? (text?.count == 1 ? text?.first : nil), produced != character {
                result.append(Binding(.character(produced), withoutShift))
            }
        }
        result.append(Binding(key, modifiers))
        if let baseLayoutKey { result.append(Binding(.character(baseLayoutKey), modifiers)) }
        return result
    }

    /// A key with modifiers, as a table of commands names it.
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
    /// Any key that has a character, space included; without Shift where the terminal reports keys, as typed where it
    /// reports text.
    case character(Character)
    case enter, tab, backspace, delete, insert, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is 1.
    case function(Int)
    case menu, printScreen, pause
    case keypad(Keypad)
    /// Text that no key produced: an input method, a compose sequence.
    case none

    public enum Keypad: Hashable, Sendable {
        /// A digit or sign of the keypad, which types as well.
        case character(Character)
        case enter, begin
    }
}

public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // The bits of the kitty keyboard protocol, which are xterm's and more.
    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
    public static let `super` = Modifiers(rawValue: 8)
    public static let hyper = Modifiers(rawValue: 16)
    public static let meta = Modifiers(rawValue: 32)

    /// Of a reported `1 + bits`, the ones that matter: Caps Lock and Num Lock do not.
    init(parameter: Int) {
        self.init(rawValue: UInt8(truncatingIfNeeded: max(0, min(parameter, 256) - 1)) & 63)
    }
}

public struct MouseEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case press, release, drag, move
        /// Ticks of the wheel, summed: positive is right and down.
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

/// What a terminal answers to a query.
public enum TerminalReply: Hashable, Sendable {
    /// DA1: the attributes, the terminal's class first. It ends a probe, because terminals answer in order.
    case attributes([Int])
    case secondaryAttributes([Int])
    /// XTVERSION: name and version in the terminal's own form.
    case version(String)
    /// DECRPM: a mode and its state (0 unknown, 1 set, 2 reset, 3 always set, 4 never set).
    case mode(Int, state: Int)
    /// The flags of the kitty keyboard protocol that are on.
    case keyboard(flags: Int)
    case cursor(Position)
    case color(ColorSlot, Color)
    /// XTGETTCAP: a capability's name, decoded, and its value; nil when the terminal has it not.
    case capability(String, value: String?)
    /// DECRQSS: what a setting is now, as the terminal writes it; nil when it did not understand.
    case setting(String?)
    case graphics(String)
    /// A size in pixels or cells that was asked for (`CSI 4 t`, `6 t`, `8 t`).
    case report(kind: Int, rows: Int, columns: Int)
    case ready

    public enum ColorSlot: Hashable, Sendable {
        case foreground, background, cursor
        case palette(UInt8)
    }
}

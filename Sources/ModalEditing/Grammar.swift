import TextEditing

/// An operation on the text that a motion, an object or a selection specifies.
public enum VimOperator: String, Hashable, Sendable {
    case delete = "d"
    case change = "c"
    case yank = "y"
    case shiftRight = ">"
    case shiftLeft = "<"
    case lowerCase = "gu"
    case upperCase = "gU"
    case toggleCase = "g~"
    case reflow = "gq"
    case surround = "ys"
    case filter = "!"

    // Operators of vim that do nothing here. They take a motion all the same, whose keys would be commands otherwise.
    case indent = "="
    case fill = "gw"
    case rotate = "g?"
    case fold = "zf"
    case comment = "gc"

    var isSupported: Bool {
        switch self {
        case .indent, .fill, .rotate, .fold, .comment: false
        default: true
        }
    }

    /// Returns whether a key pressed after the operator makes it act on whole lines: `dd`, `gUU`, `gUgU`.
    func isDoubled(by key: String) -> Bool {
        if key == rawValue { return true }
        guard rawValue.count == 2 else { return false }
        return key == String(rawValue.suffix(1))
    }
}

/// A complete command of Normal or Visual mode.
struct VimCommand: Hashable, Sendable {
    /// The command's name: `w`, `gg`, `x`, `iw`.
    var name = ""
    /// The character that it takes: `x` in `fx`.
    var argument: VimKey?
    /// Its count, which is the product of both counts if an operator and its motion have one each.
    var count: Int?
    var register: Character?
    var operation: VimOperator?
    /// The keys of a surround command that name its delimiters.
    var surrounding: [VimKey] = []
    /// The kind of span that `v`, `V` or Ctrl-V after an operator requested.
    var forced: VimMode?
    /// The text typed after `/` or `?`.
    var line: String?
    /// The size of the selection, for repeating commands of Visual mode.
    var selected: VimExtent?
}

/// The size of a selection, for repeating a command on it.
struct VimExtent: Hashable, Sendable {
    var mode: VimMode
    /// The number of lines, at least one.
    var lines: Int
    /// The number of characters in its last line; for a block, of cells.
    var columns: Int
}

/// The keys of an incomplete command.
struct VimPending: Hashable, Sendable {
    var count: Int?
    var outerCount: Int?
    var register: Character?
    var operation: VimOperator?
    var forced: VimMode?
    /// The start of a name: `g`, `i`, `f`, `"`.
    var prefix = ""
    var surrounding: [VimKey] = []
    /// The motion or object of a surround command whose delimiter is not typed yet.
    var surrounded: VimCommand?
    /// All pending keys, for display.
    var keys: [VimKey] = []

    var isEmpty: Bool { keys.isEmpty }

    /// The count for the command: the product of both counts.
    var wholeCount: Int? {
        guard let outerCount else { return count }
        return min(outerCount * (count ?? 1), VimPending.maximumCount)
    }

    /// The largest count; more digits do not increase it.
    static let maximumCount = 99_999

    /// Returns the number that digits in a command line specify, limited so that sums of a few do not overflow.
    static func amount(_ digits: some StringProtocol) -> Int { min(Int(digits) ?? .max, Int(Int32.max)) }

    mutating func add(digit: Int) { count = min((count ?? 0) * 10 + digit, VimPending.maximumCount) }
}

/// The result of a key.
enum VimParse {
    case pending
    case command(VimCommand)
    case refused
}

extension VimPending {
    /// The commands that take a character.
    private static let takesCharacter: Set<String> = ["f", "F", "t", "T", "r", "m", "'", "`", "q", "@", "gr"]
    /// The first keys of longer names.
    private static let prefixes: Set<String> = ["g", "z", "Z", "[", "]"]

    /// Takes the next key.
    ///
    /// - Parameters:
    ///   - mode: Normal or a visual mode.
    ///   - isRecording: Whether `q` ends a recording.
    mutating func take(_ key: VimKey, mode: VimMode, isRecording: Bool) -> VimParse {
        keys.append(key)
        if prefix == "\"" { return takeRegister(key) }
        if VimPending.takesCharacter.contains(prefix) { return finish(prefix, key) }
        if prefix == "ds" || prefix == "cs" || prefix == "ys" || prefix == "S" { return takeSurrounding(key) }
        guard case .character(let character) = key else { return takeNamed(key) }
        if let digit = character.wholeNumberValue, character.isASCII, prefix.isEmpty, digit > 0 || count != nil {
            add(digit: digit)
            return .pending
        }
        return takeName(String(character), mode: mode, isRecording: isRecording)
    }

    private mutating func takeRegister(_ key: VimKey) -> VimParse {
        guard case .character(let name) = key, VimRegisters.isReadable(name) || name == "\"" else { return .refused }
        register = name
        prefix = ""
        return .pending
    }

    /// Takes a key that is not a character; most of these are complete commands.
    private mutating func takeNamed(_ key: VimKey) -> VimParse {
        if key == .control("w"), prefix.isEmpty {
            prefix = "<C-w>"
            return .pending
        }
        if key == .delete, prefix.isEmpty, let digits = count {
            // Delete takes back the last digit.
            count = digits < 10 ? nil : digits / 10
            keys.removeLast(2)
            return .pending
        }
        if operation != nil, key == .control("v"), prefix.isEmpty {
            forced = .visualBlock
            return .pending
        }
        if key == .escape {
            return isEmpty || keys.count == 1 ? finish("<Esc>", nil) : .refused
        }
        return finish(prefix + key.description, nil)
    }

    private mutating func takeName(_ text: String, mode: VimMode, isRecording: Bool) -> VimParse {
        let name = prefix + text
        if prefix == "<C-w>" { return finish(name, nil) }
        if let operation, let parse = takeName(text, after: operation) { return parse }
        let takesObject = operation != nil || mode.isVisual
        if takesObject, prefix.isEmpty, text == "i" || text == "a" {
            prefix = text
            return .pending
        }
        if prefix.isEmpty, text == "\"" {
            prefix = text
            return .pending
        }
        if VimPending.prefixes.contains(name) && prefix.isEmpty
            || VimPending.takesCharacter.contains(name) && !(name == "q" && isRecording)
        {
            prefix = name
            return .pending
        }
        if mode.isVisual, name == "S" {
            prefix = "S"
            return .pending
        }
        if operation == nil, !mode.isVisual, let found = VimOperator(rawValue: name) { return begin(found) }
        return finish(name, nil)
    }

    /// Takes what only an operator can be followed by: itself, `s` for surroundings, `v` and `V`.
    private mutating func takeName(_ text: String, after operation: VimOperator) -> VimParse? {
        let name = prefix + text
        if prefix.isEmpty, text == "v" || text == "V" {
            forced = text == "v" ? .visual : .visualLine
            return .pending
        }
        if operation == .surround, name == "s" { return finish("", nil) }
        if prefix.isEmpty, text == "s", operation == .delete || operation == .change {
            prefix = operation.rawValue + "s"
            return .pending
        }
        if prefix.isEmpty, text == "s", operation == .yank {
            self.operation = .surround
            return .pending
        }
        return operation.isDoubled(by: name) ? finish("", nil) : nil
    }

    private mutating func begin(_ found: VimOperator) -> VimParse {
        operation = found
        prefix = ""
        outerCount = count
        count = nil
        return .pending
    }

    private mutating func takeSurrounding(_ key: VimKey) -> VimParse {
        guard case .character = key else { return .refused }
        surrounding.append(key)
        if var surrounded {
            surrounded.surrounding = surrounding
            return .command(surrounded)
        }
        return prefix == "cs" && surrounding.count < 2 ? .pending : finish(prefix, nil)
    }

    private mutating func finish(_ name: String, _ argument: VimKey?) -> VimParse {
        if let argument, argument == .escape { return .refused }
        let command = VimCommand(
            name: name, argument: argument, count: wholeCount, register: register, operation: operation,
            surrounding: surrounding, forced: forced)
        if operation == .surround {
            surrounded = command
            prefix = "ys"
            return .pending
        }
        return .command(command)
    }
}

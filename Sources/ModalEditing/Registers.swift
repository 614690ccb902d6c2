import TextEditing

/// A text that was yanked or deleted.
public struct VimRegister: Hashable, Sendable {
    /// How the text is put: into a line, as lines of its own, or as a block.
    public enum Shape: Hashable, Sendable {
        case characters
        case lines
        /// A block of the given width in cells.
        case block(width: Int)
    }

    /// The text.
    ///
    /// In the shapes of lines and blocks, line feeds separate the lines, and there is none at the end.
    public var text: String
    public var shape: Shape

    public init(_ text: String, _ shape: Shape = .characters) {
        self.text = text
        self.shape = shape
    }

    /// The lines of the text.
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// All registers by name; `"` is the unnamed one.
struct VimRegisters: Sendable {
    private var named: [Character: VimRegister] = [:]
    /// The name of the register that the unnamed one refers to.
    private var last: Character = "0"

    subscript(name: Character) -> VimRegister? {
        if name == "\"" { return named[last] }
        return named[Character(name.lowercased())]
    }

    /// Returns whether a register can be written to.
    static func isWritable(_ name: Character) -> Bool {
        name.isASCII && (name.isLetter || name.isNumber) || "\"-_+*".contains(name)
    }

    static func isReadable(_ name: Character) -> Bool { isWritable(name) || ".:/%".contains(name) }

    /// Returns the register that dot uses after a numbered one, so that `"1pu.u.` goes through the deleted texts.
    static func following(_ name: Character) -> Character? {
        guard let number = name.wholeNumberValue, name.isASCII, (1...8).contains(number) else { return nil }
        return Character(String(number + 1))
    }

    mutating func set(_ name: Character, _ register: VimRegister) { named[name] = register }

    /// Writes a register under the given name; a capital letter appends to its content.
    mutating func write(_ register: VimRegister, to name: Character) {
        let key = Character(name.lowercased())
        // The register is removed first, so that appending does not copy a long text each time.
        if name.isUppercase, var old = named.removeValue(forKey: key) {
            old.append(register)
            named[key] = old
        } else {
            named[key] = register
        }
        last = key
    }

    /// Stores the keys of a macro; the unnamed register goes on referring to the same one.
    mutating func record(_ keys: String, to name: Character) {
        if name.isUppercase {
            // The keys continue the last line of whatever is in the register.
            named[Character(name.lowercased()), default: VimRegister("")].text += keys
            return
        }
        let kept = last
        write(VimRegister(keys), to: name == "\"" ? "0" : name)
        last = kept
    }

    /// Stores a yanked text.
    mutating func yank(_ register: VimRegister, to name: Character?) {
        if name == "_" { return }
        guard let name, name != "\"" else {
            named["0"] = register
            last = "0"
            return
        }
        write(register, to: name)
    }

    /// Stores a deleted text, in `name` if given.
    ///
    /// A text that is not small is also stored in register 1, after the numbered registers are shifted. A small text
    /// without a name goes into `-`.
    mutating func delete(_ register: VimRegister, to name: Character?, isSmall: Bool) {
        if name == "_" { return }
        let isNamed = name != nil && name != "\""
        if let name, isNamed { write(register, to: name) }
        if !isSmall {
            for number in stride(from: 9, to: 1, by: -1) {
                named[Character(String(number))] = named[Character(String(number - 1))]
            }
            named["1"] = register
            if name?.isUppercase != true { last = "1" }
        } else if !isNamed {
            named["-"] = register
            last = "-"
        }
    }
}

extension VimRegister {
    mutating func append(_ other: VimRegister) {
        switch (shape, other.shape) {
        case (.characters, .characters): text += other.text
        case (.lines, _): text += "\n" + other.text
        case (_, .lines):
            text += "\n" + other.text
            shape = .lines
        default: text += "\n" + other.text
        }
    }
}

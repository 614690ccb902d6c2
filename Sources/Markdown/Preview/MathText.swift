/// Converts formulas of TeX to a line of Unicode, if there are characters for everything in them.
///
///     x^2 + \alpha_i \leq \frac{1}{2}  ->  x² + αᵢ ≤ ½
struct MathText {
    private let source: [Character]
    private var index = 0
    private var depth = 0

    /// The deepest nesting of a formula that is converted; deeper ones are shown as they are written.
    private static let maximumDepth = 32
    /// The longest source, in bytes, that is converted: nobody reads a longer formula in a line.
    private static let maximumLength = 4_000

    private init(_ source: String) { self.source = Array(source) }

    /// The formula in the usual notation; nil if there is no character for some of it.
    static func unicode(_ source: String) -> String? {
        guard source.utf8.count <= maximumLength else { return nil }
        var parser = MathText(source)
        guard let text = parser.sequence(), parser.index == parser.source.count else { return nil }
        return text.split(separator: " ").joined(separator: " ")
    }

    /// Reads up to the end, or up to a closing brace, which is not read.
    private mutating func sequence() -> String? {
        var text = ""
        while index < source.count, source[index] != "}" {
            guard let part = part() else { return nil }
            text += part
        }
        return text
    }

    /// Reads one character, group or command, and returns the text for it.
    private mutating func part() -> String? {
        guard index < source.count else { return nil }
        let character = source[index]
        index += 1
        switch character {
        case "\\": return command()
        case "{":
            index -= 1
            return group()
        case "^": return script(Self.superscripts, mark: "^")
        case "_": return script(Self.subscripts, mark: "_")
        case "~": return " "
        case "&": return nil
        case "-": return "−"
        case "'": return "′"
        default: return String(character)
        }
    }

    /// Reads `{…}`, or the single character or command in its place.
    private mutating func group() -> String? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { return nil }
        while index < source.count, source[index] == " " { index += 1 }
        guard index < source.count, source[index] == "{" else { return part() }
        index += 1
        guard let text = sequence(), index < source.count else { return nil }
        index += 1
        return text
    }

    private mutating func script(_ characters: [Character: Character], mark: String) -> String? {
        guard let text = group(), !text.isEmpty else { return nil }
        let raised = text.filter { $0 != " " }.map { characters[$0] }
        if raised.allSatisfy({ $0 != nil }) { return String(raised.compactMap(\.self)) }
        return text.count == 1 ? mark + text : "\(mark)(\(text))"
    }

    private mutating func command() -> String? {
        guard index < source.count else { return nil }
        guard source[index].isLetter else {
            let character = source[index]
            index += 1
            switch character {
            case ",", ";", ":", " ": return " "
            case "!": return ""
            case "\\": return nil
            default: return "{}%$#&_|".contains(character) ? String(character) : nil
            }
        }
        var name = ""
        while index < source.count, source[index].isLetter, source[index].isASCII {
            name.append(source[index])
            index += 1
        }
        switch name {
        case "frac", "dfrac", "tfrac": return fraction()
        case "sqrt": return root()
        case "text", "textrm", "mathrm", "operatorname", "mathbf", "mathit", "mathsf", "boldsymbol": return group()
        case "mathbb": return group().flatMap { Self.letters($0, from: Self.doubleStruckLetters) }
        case "mathcal", "mathscr": return group().flatMap { Self.letters($0, from: Self.scriptLetters) }
        case "mathfrak": return group().flatMap { Self.letters($0, from: Self.blackletters) }
        case "binom", "dbinom", "tbinom": return binomial()
        case "left", "right", "big", "Big", "bigl", "bigr", "limits", "displaystyle": return delimiter()
        case "quad", "qquad": return "  "
        default:
            if let mark = Self.marks[name] { return group().flatMap { Self.marked($0, with: mark) } }
            return Self.symbols[name]
        }
    }

    /// A `.` for an empty delimiter, as in `\left.`, is skipped.
    private mutating func delimiter() -> String {
        if index < source.count, source[index] == "." { index += 1 }
        return ""
    }

    private mutating func fraction() -> String? {
        guard let above = group(), let below = group() else { return nil }
        if let one = Self.fractions["\(above)/\(below)"] { return one }
        return Self.bracketed(above) + "/" + Self.bracketed(below)
    }

    private mutating func root() -> String? {
        if index < source.count, source[index] == "[" {
            guard let end = source[index...].firstIndex(of: "]"),
                let sign = ["2": "√", "3": "∛", "4": "∜"][String(source[index + 1..<end])]
            else { return nil }
            index = end + 1
            return group().map { sign + Self.bracketed($0) }
        }
        return group().map { "√" + Self.bracketed($0) }
    }

    private static func bracketed(_ text: String) -> String {
        text.allSatisfy { $0.isLetter || $0.isNumber } ? text : "(\(text))"
    }

    /// `\binom{n}{k}` as `C(n, k)`: a line has no room for one above the other.
    private mutating func binomial() -> String? {
        guard let above = group(), let below = group() else { return nil }
        return "C(\(above), \(below))"
    }

    /// The letters of another script; nil if one of them is not in it.
    private static func letters(_ text: String, from script: [Character: Character]) -> String? {
        let letters = text.map { script[$0] }
        return letters.allSatisfy { $0 != nil } ? String(letters.compactMap(\.self)) : nil
    }

    /// Puts a combining mark over each letter; nil for what is longer than a mark may well span, or is not a letter.
    private static func marked(_ text: String, with mark: Mark) -> String? {
        guard !text.isEmpty, mark.spans || text.count == 1, text.count <= maximumMarked,
            text.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return nil }
        return text.map { "\($0)\(mark.scalar)" }.joined()
    }

    /// The most letters under one line: more are hard to read with a mark over each.
    private static let maximumMarked = 8
}

import Foundation
import TextEditing

/// A vim pattern, translated to an ICU expression.
///
/// Unsupported elements are rejected by name.
public struct VimPattern: Hashable, Sendable {
    /// The pattern as typed.
    public let source: String
    /// The pattern as an ICU expression.
    public let expression: String
    public let isCaseSensitive: Bool
    private let compiled: NSRegularExpression
    /// The bytes to search for if the pattern is plain text.
    private let literal: [UInt8]?

    /// Translates a pattern.
    ///
    /// - Parameter ignoresCase: Whether case is ignored unless the pattern has a capital letter.
    init(
        _ source: String, ignoresCase: Bool = false, isCaseSensitive forced: Bool? = nil
    ) throws(VimRefusal) {
        var translation = PatternTranslation(source)
        try translation.run()
        self.source = source
        expression = translation.result
        isCaseSensitive =
            forced ?? translation.isCaseSensitive ?? !(ignoresCase && !source.contains(where: \.isUppercase))
        do {
            compiled = try NSRegularExpression(
                pattern: expression, options: isCaseSensitive ? [] : [.caseInsensitive])
        } catch {
            throw VimRefusal.invalidPattern(source)
        }
        literal = isCaseSensitive ? translation.literal.map { Array($0.utf8) } : nil
    }

    public static func == (a: VimPattern, b: VimPattern) -> Bool {
        a.expression == b.expression && a.isCaseSensitive == b.isCaseSensitive
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(expression) }

    /// A match in a line and its groups, in bytes of the line.
    struct Match {
        var range: Range<Int>
        var groups: [Range<Int>?]
    }

    /// Returns the matches in a line, in order.
    func matches(in line: String) -> [Match] {
        if let literal { return literalMatches(literal, in: line) }
        var matches: [Match] = []
        let whole = NSRange(location: 0, length: line.utf16.count)
        func bytes(_ range: NSRange) -> Range<Int>? {
            guard range.location != NSNotFound, let found = Range(range, in: line) else { return nil }
            let start = line.utf8.distance(from: line.startIndex, to: found.lowerBound)
            return start..<start + line.utf8.distance(from: found.lowerBound, to: found.upperBound)
        }
        var steps = 0
        compiled.enumerateMatches(in: line, options: [.reportProgress], range: whole) { result, _, stop in
            guard let result else {
                // ICU calls this repeatedly during a long match, so that one which would take forever can be stopped.
                steps += 1
                if steps > VimPattern.patience { stop.pointee = true }
                return
            }
            guard let range = bytes(result.range) else { return }
            matches.append(
                Match(range: range, groups: (0..<result.numberOfRanges).map { bytes(result.range(at: $0)) }))
        }
        return matches
    }

    /// The most callbacks of ICU for one line, which is some milliseconds of work.
    private static let patience = 2_000

    private func literalMatches(_ literal: [UInt8], in line: String) -> [Match] {
        var line = line
        return line.withUTF8 { bytes in
            var matches: [Match] = []
            var start = 0
            while start + literal.count <= bytes.count {
                if bytes[start] == literal[0],
                    bytes[start..<start + literal.count].elementsEqual(literal)
                {
                    matches.append(Match(range: start..<start + literal.count, groups: [start..<start + literal.count]))
                    start += literal.count
                } else {
                    start += 1
                }
            }
            return matches
        }
    }

    /// Returns whether a line has a match.
    func occurs(in line: String) -> Bool { !matches(in: line).isEmpty }

    /// Returns a pattern that matches only the given text.
    static func quoted(_ text: String) -> String {
        text.map { "\\/.*$^~[]".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

/// A translator of vim's patterns, which are `magic` by default or use `\v`, `\V` or `\M`.
private struct PatternTranslation {
    var result = ""
    /// The text that the pattern matches literally, or `nil` if it contains anything else.
    var literal: String? = ""
    var isCaseSensitive: Bool?
    private var rest: Substring
    /// Which characters are special without a backslash: the fewest after `\V`, then after `\M`, `\m` and `\v`.
    private enum Magic {
        case veryNomagic, nomagic, magic, veryMagic
    }
    private var magic = Magic.magic
    private var groups = 0

    init(_ source: String) { rest = source[...] }

    mutating func run() throws(VimRefusal) {
        while let next = rest.popFirst() {
            if next == "\\" {
                guard let escaped = rest.popFirst() else { return add(next) }
                try take(escaped, isEscaped: true)
            } else {
                try take(next, isEscaped: false)
            }
        }
        guard groups == 0 else { throw VimRefusal.unclosedGroup }
        if literal?.isEmpty == true { literal = nil }
    }

    /// Returns whether a character is special, with or without a backslash, at the current magic level.
    private func isSpecial(_ character: Character, isEscaped: Bool) -> Bool {
        let bare: String =
            switch magic {
            case .veryNomagic, .nomagic: "^$"
            case .magic: "^$.*[~"
            case .veryMagic: "^$.*[~(){}+?=|<>@&%"
            }
        return bare.contains(character) != isEscaped
    }

    private mutating func take(_ character: Character, isEscaped: Bool) throws(VimRefusal) {
        guard isSpecial(character, isEscaped: isEscaped) else { return add(character) }
        switch character {
        case "^":
            guard result.isEmpty || result.hasSuffix("|") || result.hasSuffix("(") || magic == .veryMagic else {
                return add(character)
            }
            special("^")
        case "$":
            let ends = rest.isEmpty || rest.hasPrefix("\\|") || rest.hasPrefix("\\)") || magic == .veryMagic
            ends ? special("$") : add(character)
        case ".": special(".")
        case "*": result.isEmpty || result == "^" ? add(character) : special("*")
        case "[": try takeSet()
        case "~": throw VimRefusal.unsupported("~")
        case "(":
            groups += 1
            special("(")
        case ")":
            groups -= 1
            guard groups >= 0 else { throw VimRefusal.unopenedGroup }
            special(")")
        case "|": special("|")
        case "+": special("+")
        case "?", "=": special("?")
        case "{": try takeCount()
        case "<": special("(?:\\b(?=\\w)|\(PatternTranslation.betweenScripts))")
        case ">": special("(?:\\b(?<=\\w)|\(PatternTranslation.betweenScripts))")
        case "%":
            guard rest.first == "(" else { throw VimRefusal.unsupported("\\%") }
            rest.removeFirst()
            groups += 1
            special("(?:")
        case "v": magic = .veryMagic
        case "m": magic = .magic
        case "M": magic = .nomagic
        case "V": magic = .veryNomagic
        case "c": isCaseSensitive = false
        case "C": isCaseSensitive = true
        default: try takeClass(character)
        }
    }

    /// The boundary between two words that no blank separates, each in a script of its own, as `w` tells them apart.
    private static let betweenScripts = {
        let scripts = [
            "\\u3040-\\u309F", "\\u30A0-\\u30FF", "\\u3300-\\u9FFF\\uF900-\\uFAFF\\U00020000-\\U0002FA1F",
            "\\uAC00-\\uD7A3",
        ]
        let any = "[\(scripts.joined())]"
        let same = scripts.map { "(?<=[\($0)])(?=[\($0)])" }.joined(separator: "|")
        return "(?:(?<=\(any))(?=\\w)|(?<=\\w)(?=\(any)))(?!\(same))"
    }()

    private mutating func takeClass(_ character: Character) throws(VimRefusal) {
        let classes: [Character: String] = [
            "s": "[ \\t]", "S": "[^ \\t]", "d": "[0-9]", "D": "[^0-9]", "w": "[0-9A-Za-z_]", "W": "[^0-9A-Za-z_]",
            "x": "[0-9A-Fa-f]", "X": "[^0-9A-Fa-f]", "a": "[A-Za-z]", "A": "[^A-Za-z]", "l": "[a-z]", "L": "[^a-z]",
            "u": "[A-Z]", "U": "[^A-Z]", "h": "[A-Za-z_]", "H": "[^A-Za-z_]", "o": "[0-7]", "O": "[^0-7]",
            "k": "[\\w]", "i": "[\\w]", "t": "\\t", "e": "\\u001B",
        ]
        if let found = classes[character] { return special(found) }
        if let digit = character.wholeNumberValue, digit > 0 { return special("\\\(digit)") }
        if character.isLetter || "@&_".contains(character) {
            throw VimRefusal.unsupported("\\\(character)")
        }
        add(character)
    }

    private mutating func takeSet() throws(VimRefusal) {
        // A bracket that is not closed is literal.
        guard let end = endOfSet else { return add("[") }
        let inner = rest[..<end]
        rest = rest[rest.index(after: end)...]
        let set = try PatternTranslation.translated(set: inner)
        special("[\(set)]")
    }

    /// The index of the bracket that closes a set whose content the rest begins with.
    private var endOfSet: Substring.Index? {
        var end = rest.startIndex
        if end < rest.endIndex, rest[end] == "^" { end = rest.index(after: end) }
        if end < rest.endIndex, rest[end] == "]" { end = rest.index(after: end) }
        while end < rest.endIndex, rest[end] != "]" {
            if let (_, next) = PatternTranslation.setClass(rest[end...]) {
                end = next
                continue
            }
            if rest[end] == "\\", rest.index(after: end) < rest.endIndex { end = rest.index(after: end) }
            end = rest.index(after: end)
        }
        return end < rest.endIndex ? end : nil
    }

    /// Returns the content of a set as ICU reads it.
    private static func translated(set inner: Substring) throws(VimRefusal) -> String {
        var set = ""
        var inner = inner
        if inner.first == "^" {
            set += "^"
            inner.removeFirst()
        }
        while !inner.isEmpty {
            if let (name, end) = PatternTranslation.setClass(inner) {
                guard let content = PatternTranslation.setClasses[name] else {
                    throw VimRefusal.unsupported("[:\(name):]")
                }
                set += content
                inner = inner[end...]
                continue
            }
            let next = inner.removeFirst()
            if next == "\\", let escaped = inner.first, "\\]^-tne".contains(escaped) {
                inner.removeFirst()
                set += "tn".contains(escaped) ? "\\\(escaped)" : escaped == "e" ? "\\u001B" : "\\\(escaped)"
            } else if next == "-" {
                set += "-"
            } else if "\\[]^&".contains(next) {
                set += "\\\(next)"
            } else {
                set.append(next)
            }
        }
        return set
    }

    /// The characters of each class that a set may name, as ICU writes them in a set.
    private static let setClasses = [
        "alpha": "A-Za-z", "digit": "0-9", "alnum": "0-9A-Za-z", "xdigit": "0-9A-Fa-f", "lower": "\\p{Ll}",
        "upper": "\\p{Lu}", "space": " \\t-\\r", "blank": " \\t", "tab": "\\t", "punct": "!-/:-@\\[-`\\{-~",
    ]

    /// Returns the name of the class that a set goes on with, such as `digit` of `[:digit:]`, and the index after it.
    private static func setClass(_ text: Substring) -> (name: String, end: Substring.Index)? {
        guard text.hasPrefix("[:") else { return nil }
        let name = text.dropFirst(2).prefix { $0.isASCII && $0.isLetter }
        guard !name.isEmpty, text[name.endIndex...].hasPrefix(":]") else { return nil }
        return (String(name), text.index(name.endIndex, offsetBy: 2))
    }

    private mutating func takeCount() throws(VimRefusal) {
        guard let end = rest.firstIndex(of: "}") else { throw VimRefusal.unclosedCount }
        var inner = rest[..<end]
        rest = rest[rest.index(after: end)...]
        if inner.last == "\\" { inner.removeLast() }
        let isLazy = inner.first == "-"
        if isLazy { inner.removeFirst() }
        guard inner.allSatisfy({ $0.isNumber || $0 == "," }) else { throw VimRefusal.notACount("\\{\(inner)}") }
        let bounds = inner.isEmpty ? "*" : inner == "," ? "*" : inner.hasPrefix(",") ? "{0\(inner)}" : "{\(inner)}"
        special(bounds + (isLazy ? "?" : ""))
    }

    private mutating func special(_ text: String) {
        literal = nil
        result += text
    }

    private mutating func add(_ character: Character) {
        literal?.append(character)
        result += "\\^$.|?*+()[]{}".contains(character) ? "\\\(character)" : String(character)
    }
}

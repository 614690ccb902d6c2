/// The template for replacing the matches of an expression.
///
/// `$1` and `\1` are groups, `$0` and `\0` the match, `\n` a line end, `\t` a tab. A backslash makes any other
/// character literal, except a letter. A group may have two digits if the expression has as many groups.
struct ReplacementTemplate {
    private enum Part: Equatable {
        case text(String)
        case group(Int)
    }

    private var parts: [Part] = []

    /// Parses a template for an expression with the given number of groups; throws `noSuchGroup` and `unknownEscape`.
    init(_ template: String, groups: Int) throws(FindError) {
        var rest = template[...]
        while let first = rest.popFirst() {
            switch (first, rest.first) {
            case ("$", let digit?) where Self.value(digit) != nil, ("\\", let digit?) where Self.value(digit) != nil:
                parts.append(.group(try Self.readGroup(&rest, groups: groups)))
            case ("\\", "n"): add("\n", &rest)
            case ("\\", "t"): add("\t", &rest)
            case ("\\", let next?):
                if next.isLetter { throw .unknownEscape("\\\(next)") }
                add(String(next), &rest)
            case ("\\", nil): throw .unknownEscape("\\")
            default: parts.append(.text(String(first)))
            }
        }
    }

    private mutating func add(_ text: String, _ rest: inout Substring) {
        parts.append(.text(text))
        rest.removeFirst()
    }

    private static func value(_ digit: Character) -> Int? {
        digit.isASCII ? digit.wholeNumberValue : nil
    }

    private static func readGroup(_ rest: inout Substring, groups: Int) throws(FindError) -> Int {
        var number = rest.popFirst().flatMap(value) ?? 0
        if number > 0, let next = rest.first.flatMap(value), number * 10 + next <= groups {
            number = number * 10 + next
            rest.removeFirst()
        }
        guard number <= groups else { throw .noSuchGroup(number, groups: groups) }
        return number
    }

    func text(for match: TextFinder.Match, in buffer: TextBuffer) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .group(let index):
                if index < match.groups.count, let range = match.groups[index] { text += buffer.string(in: range) }
            }
        }
    }
}

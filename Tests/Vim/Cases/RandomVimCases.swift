import SeededRandom

/// Generates random texts and commands, the same for the same seed.
public struct RandomVimCases {
    private var random: SeededGenerator

    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    public mutating func next() -> VimCase {
        let lines = text()
        let line = random.below(lines.count)
        let characters = Array(lines[line])
        let before = characters.isEmpty ? 0 : random.below(characters.count)
        let column = String(characters.prefix(before)).utf8.count + 1
        let count = 1 + random.below(4)
        return VimCase(
            lines: lines, line: line + 1, column: column, commands: (0..<count).map { _ in command() })
    }

    // MARK: Texts

    private mutating func text() -> [String] {
        (0..<(2 + random.below(7))).map { _ in line() }
    }

    private mutating func line() -> String {
        if random.chance(15) { return "" }
        if random.chance(4) { return "  " }
        var line = ""
        if random.chance(25) { line = random.pick(["  ", "    ", "\t", " ", "- ", "> ", "# ", "1. "]) }
        for index in 0..<(1 + random.below(7)) {
            if index > 0 { line += random.pick([" ", " ", " ", " ", " ", "  ", ", ", ". ", "-", "! ", "? "]) }
            line += word()
        }
        if random.chance(30) { line += random.pick([".", "!", "?", ".)", ".\"", " ", ";", ":"]) }
        return line
    }

    private mutating func word() -> String {
        switch random.below(20) {
        case 0: "(" + plain() + " " + plain() + ")"
        case 1: "[" + plain() + "](" + plain() + ")"
        case 2: "\"" + plain() + " " + plain() + "\""
        case 3: "'" + plain() + "'"
        case 4: "`" + plain() + "`"
        case 5: "{" + plain() + "}"
        case 6: String(random.below(200))
        case 7: "x" + String(random.below(12)) + "y-" + String(random.below(30))
        case 8: random.pick(["漢字", "かな", "été", "über", "naïve", "Ωmega", "привет", "カナ漢"])
        case 9: plain() + "_" + plain()
        case 10: "*" + plain() + "*"
        case 11: random.pick(["((a) b)", "{[x]}", "\"a\\\"b\"", "<b>", "a->b", "(", ")", "\"", "''"])
        default: plain()
        }
    }

    private mutating func plain() -> String {
        random.pick([
            "a", "an", "the", "one", "two", "three", "Word", "note", "Text", "of", "in", "Mary", "lamb", "river", "to",
            "be", "foo", "bar", "end", "is", "x", "list", "item", "it's", "ab", "aa", "bab",
        ])
    }

    // MARK: Commands

    private mutating func count(_ percent: Int = 18) -> String {
        random.chance(percent) ? String(2 + random.below(3)) : ""
    }

    private mutating func letter() -> String {
        random.pick(["a", "e", "o", "t", "i", " ", ")", ".", "b", "n", "(", "\"", "w"])
    }

    private mutating func motion() -> String {
        let plain = [
            "h", "l", "j", "k", "w", "b", "e", "ge", "W", "B", "E", "gE", "0", "^", "$", "g_", "(", ")", "{", "}", "%",
            "G", "gg", "+", "-", "_", ";", ",", "w", "b", "e", "j", "k", "*", "#", "n", "N", "`a", "'a", "``", "''",
            "[(", "])", "[{", "]}", "<Space>", "<BS>", "|", "<CR>", "gj", "gk", "`[", "`]", "`<lt>", "`>",
        ]
        switch random.below(10) {
        case 0, 1: return count() + random.pick(["f", "F", "t", "T"]) + letter()
        case 2: return "/" + pattern() + "<CR>"
        case 3: return random.chance(30) ? "?" + pattern() + "<CR>" : count() + random.pick(plain)
        default:
            let motion = random.pick(plain)
            return motion == "0" || motion.hasPrefix("`") || motion.hasPrefix("'") ? motion : count() + motion
        }
    }

    private mutating func pattern() -> String {
        random.pick([
            "the", "a", "o", "one", "t.", "[abc]", "\\<lt>a", "e\\>", "\\w\\+", "wo*r", "^", "$", "\\d\\+", "x\\|y",
            "^\\s*\\w",
            "n\\?o", "b\\{1,2}", "\\(a\\)b", "is", "\\s",
        ])
    }

    private mutating func object() -> String {
        count(12) + random.pick(["i", "a", "a"])
            + random.pick([
                "w", "W", "s", "p", "(", ")", "b", "{", "}", "[", "]", "\"", "'", "`", "<lt>", ">", "w", "w", "p",
            ])
    }

    private mutating func operation() -> String {
        random.pick(["d", "d", "d", "c", "c", "y", "y", "<lt>", ">", "gu", "gU", "g~"])
    }

    private mutating func typed() -> String {
        var text = random.pick(["x", "new", "a b", "(q)", "two words", "é", "漢", "", "1", "end."])
        if random.chance(10) { text += "<CR>" + random.pick(["y", "", "  z"]) }
        if random.chance(10) { text += random.pick(["<BS>", "<C-w>", "<C-u>", "<BS><BS>", "<Tab>"]) }
        return text + "<Esc>"
    }

    private mutating func register() -> String {
        random.chance(12) ? "\"" + random.pick(["a", "b", "A", "_", "1", "-", "0"]) : ""
    }

    private mutating func change(_ operation: String, _ tail: String) -> String {
        let whole = operation + tail
        return operation.hasSuffix("c") ? whole + typed() : whole
    }

    private mutating func command() -> String {
        switch random.below(100) {
        case 0..<18: return motion()
        case 18..<36:
            let operation = self.operation()
            if operation.hasPrefix("g") {
                // Vim changes a whole line if an empty motion begins at the start of the line.
                return operation + count()
                    + random.pick(["w", "e", "W", "E", "$", "j", "k", "}", "_", "iw", "f" + letter()])
            }
            let forced = random.chance(5) ? random.pick(["v", "V"]) : ""
            return register() + count(10) + change(operation, forced + motion())
        case 36..<48: return register() + change(operation(), object())
        case 48..<53:
            let operation = self.operation()
            let doubled = operation == "<lt>" ? "<lt>" : String(operation.last ?? "d")
            return register() + count() + change(operation, doubled)
        case 53..<66: return simple()
        case 66..<73: return count() + random.pick(["i", "a", "I", "A", "o", "O", "gI", "R"]) + typed()
        case 73..<79: return count(25) + random.pick([".", ".", "u", "u", "<C-r>"])
        case 79..<89: return visual()
        case 89..<94: return ex()
        case 94..<97: return macro()
        default: return random.pick(["m" + random.pick(["a", "b"]), "m" + "a", "g&", "&", "@:", "gv", "gi" + typed()])
        }
    }

    private mutating func simple() -> String {
        switch random.below(12) {
        case 0, 1: return register() + count() + random.pick(["x", "X", "D", "Y"])
        case 2: return count() + random.pick(["s", "S", "C"]) + typed()
        case 3, 4, 5: return register() + count() + random.pick(["p", "P", "gp", "gP"])
        case 6: return count() + random.pick(["J", "gJ"])
        case 7: return count() + "~"
        case 8: return count() + "r" + random.pick(["z", "é", "<CR>", " "])
        case 9: return count() + random.pick(["<C-a>", "<C-x>"])
        default: return count() + random.pick(["x", "p", "P", "J", "~"])
        }
    }

    private mutating func visual() -> String {
        let start = random.pick(["v", "v", "V", "<C-v>", "<C-v>"])
        var moves = ""
        for _ in 0..<(1 + random.below(2)) {
            moves += random.chance(start == "v" ? 35 : 0) ? object() : random.chance(10) ? "o" : motion()
        }
        let end: String
        switch random.below(12) {
        case 0: end = random.pick(["p", "P"])
        case 1: end = "c" + typed()
        case 2: end = start == "<C-v>" ? random.pick(["I", "A"]) + typed() : "d"
        case 3: end = "r" + random.pick(["z", "-"])
        case 4: end = random.pick(["u", "U", "~"])
        case 5: end = random.pick(["J", "gJ"])
        case 6: end = random.pick([">", "<lt>"])
        case 7: end = random.pick(["<C-a>", "<C-x>", "g<C-a>"])
        case 8: end = "<Esc>"
        default: end = random.pick(["d", "y", "x", "D", "Y", "s" + typed()])
        }
        return start + moves + end
    }

    private mutating func ex() -> String {
        let range = random.pick(["", "%", ".,$", "1", ".,+1", "2", "$", "1,2", ".-1", "'a,."])
        switch random.below(10) {
        case 0, 1, 2:
            let replacement = random.pick(["x", "<&>", "", "\\u&", "new", "[&]", "a\\rb", "\\U&\\E!", "\\0\\0"])
            let text = replacement == "<&>" ? "<lt>&>" : replacement
            return ":" + range + "s/" + pattern() + "/" + text + "/" + random.pick(["", "g", "g", "e", "i"]) + "<CR>"
        case 3: return ":" + range + "d<CR>"
        case 4: return ":" + range + "m" + random.pick(["0", "$", ".", "+1", "1"]) + "<CR>"
        case 5: return ":" + range + "t" + random.pick(["0", "$", ".", "+1", "1"]) + "<CR>"
        case 6:
            return ":" + random.pick(["", "%", "1,2", ".,$"]) + random.pick(["g", "v"]) + "/" + pattern() + "/"
                + random.pick(["d", "s/a/X/", "normal Ax", "normal dw", "m0", "t.", "j"]) + "<CR>"
        case 7:
            return ":" + random.pick(["", "%", "1,3"]) + "sort" + random.pick(["", "!", " n", " u", " i"]) + "<CR>"
        case 8:
            return ":" + random.pick(["", "%", "1,2"]) + "normal " + random.pick(["dw", "Ax", "x", "Iab", "~", "w"])
                + "<CR>"
        default: return ":" + range + random.pick([">", "<lt>", "j", "y", "pu", "pu!", "&&", "norm! x"]) + "<CR>"
        }
    }

    private mutating func macro() -> String {
        "qa" + random.pick(["dw", "xj", "A!<Esc>j", "~w", "J", "f ;", "ddp", "yyp", "ciwq<Esc>w"]) + "q"
            + random.pick(["", "2"]) + "@a" + random.pick(["", "@@", "u", "."])
    }
}

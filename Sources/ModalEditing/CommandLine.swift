import TextEditing

/// The line at the bottom that is being typed after `:`, `/` or `?`.
struct VimCommandLine: Hashable, Sendable {
    var prompt: String
    var text: String
    /// The number of characters before the caret.
    var caret: Int
    /// The search whose pattern is being typed, with its operator and count.
    var command: VimCommand?
    /// The mode to return to.
    var mode: VimMode
}

extension VimMachine {
    mutating func beginLine(_ prompt: String, text: String = "", _ command: VimCommand? = nil) {
        commandLine = VimCommandLine(prompt: prompt, text: text, caret: text.count, command: command, mode: mode)
        mode = .commandLine
    }

    /// Handles a key while the line is typed.
    mutating func lineKey(_ key: VimKey) {
        guard var line = commandLine else {
            mode = .normal
            return
        }
        let index = { (count: Int) in line.text.index(line.text.startIndex, offsetBy: count) }
        switch key {
        case .escape, .control("c"), .control("["):
            leaveLine(line)
            return refuse(VimRefusal())
        case .enter, .control("m"), .control("j"):
            leaveLine(line)
            return finish(line)
        case .backspace, .control("h"):
            if line.text.isEmpty { return leaveLine(line) }
            if line.caret > 0 {
                line.text.remove(at: index(line.caret - 1))
                line.caret -= 1
            }
        case .delete: if line.caret < line.text.count { line.text.remove(at: index(line.caret)) }
        case .control("u"):
            line.text.removeSubrange(..<index(line.caret))
            line.caret = 0
        case .control("w"):
            while line.caret > 0, line.text[index(line.caret - 1)] == " " { line.removeBefore() }
            while line.caret > 0, line.text[index(line.caret - 1)] != " " { line.removeBefore() }
        case .left: line.caret = max(0, line.caret - 1)
        case .right: line.caret = min(line.text.count, line.caret + 1)
        case .home, .control("b"): line.caret = 0
        case .end, .control("e"): line.caret = line.text.count
        case .character(let character):
            line.text.insert(character, at: index(line.caret))
            line.caret += 1
        default: break
        }
        commandLine = line
    }

    private mutating func leaveLine(_ line: VimCommandLine) {
        commandLine = nil
        mode = line.mode
    }

    private mutating func finish(_ line: VimCommandLine) {
        if var command = line.command {
            command.line = line.text
            do throws(VimRefusal) { try execute(command) } catch { refuse(error) }
            return
        }
        mode = .normal
        lastCommandLine = line.text
        registers.set(":", VimRegister(line.text))
        runCommandLine(line.text)
    }

    /// Runs the command after the colon.
    public mutating func runCommandLine(_ line: String) {
        do throws(VimRefusal) {
            try run(line)
        } catch {
            refuse(error)
        }
    }

    private mutating func run(_ line: String) throws(VimRefusal) {
        var rest = line[...]
        while let first = rest.first, first == ":" || first == " " { rest.removeFirst() }
        let range = try takeRange(&rest)
        while rest.first == " " { rest.removeFirst() }
        guard !rest.isEmpty else {
            guard let range else { return }
            marks.jump(from: caret, in: text)
            caret = firstText(of: range.upperBound)
            wantedColumn = nil
            return
        }
        var name = String(rest.prefix { $0.isLetter })
        // The program's own commands have a point in their names.
        let dotted = rest.prefix { $0.isLetter || $0 == "." }
        if let point = dotted.firstIndex(of: "."), dotted.index(after: point) < dotted.endIndex, dotted.count > 4 {
            name = String(dotted)
        }
        if name.isEmpty { name = String(rest.prefix(1)) }
        // `s/…`, `g/…`, `d x` and similar commands need no blank after the name.
        if let short = VimMachine.shortName(in: rest) { name = short }
        rest = rest.dropFirst(name.count)
        try run(name, String(rest), range)
    }

    /// The short name at the start of the command, if its argument may follow directly.
    private static func shortName(in rest: Substring) -> String? {
        for name in ["substitute", "sub", "s", "global", "g", "vglobal", "v"] where rest.hasPrefix(name) {
            guard let next = rest.dropFirst(name.count).first else {
                return name.hasPrefix("s") ? name : nil
            }
            if !next.isLetter, !next.isNumber, next != " ", next != ".", next != "!" || name.first == "g" {
                return name
            }
        }
        return nil
    }

    private mutating func run(_ name: String, _ rest: String, _ range: ClosedRange<LineNumber>?) throws(VimRefusal) {
        let here = line(caret)
        let lines = range ?? here...here
        let argument = rest.trimmed
        switch name {
        case "s", "sub", "substitute": try substitute(rest, on: lines)
        case "&": try substituteAgain(on: lines, keepsFlags: false, flags: argument)
        case "g", "global":
            try global(rest, on: range ?? 0...lastLine, matching: true)
        case "v", "vglobal": try global(rest, on: range ?? 0...lastLine, matching: false)
        case "d", "delete", "y", "yank":
            let (register, span) = try registerAndLines(argument, lines)
            let whole = VimSpan(range: text.range(of: span), isLines: true)
            let command = VimCommand(register: register)
            if name.hasPrefix("d") {
                marks.jump(from: caret, in: text)
                caret = firstText(of: span.lowerBound)
            }
            if name.hasPrefix("d") { delete(whole, command) } else { yank(whole, command) }
        case "m", "move": try moveLines(lines, to: address(argument))
        case "t", "co", "copy": try copyLines(lines, to: address(argument))
        case "j", "join", "j!", "join!":
            let isPlain = rest.hasPrefix("!")
            caret = text.lineStart(lines.lowerBound)
            let last = lines.count == 1 ? min(lines.upperBound + 1, lastLine) : lines.upperBound
            guard last > lines.lowerBound else { throw VimRefusal() }
            join(lines.lowerBound...last, withSpaces: !isPlain)
            caret = firstText(of: line(caret))
        case ">", "<":
            marks.jump(from: caret, in: text)
            caret = firstText(of: lines.lowerBound)
            let steps = 1 + argument.prefix { String($0) == name }.count
            shift(lines, by: name == ">" ? steps : -steps)
            caret = firstText(of: lines.upperBound)
        case "pu", "put":
            var how = VimPut(isAfter: !rest.hasPrefix("!"))
            how.asLines = true
            caret = min(text.lineStart(lines.upperBound) + (caret - lineStart(caret)), text.lineEnd(lines.upperBound))
            let register = try content(of: argument.drop { $0 == "!" || $0 == " " }.first)
            put(register, how)
            caret = firstText(of: line(marks.place("]", in: text) ?? caret))
        case "sor", "sort": try sort(rest, range ?? 0...lastLine)
        case "norm", "normal": try normal(rest.hasPrefix("!") ? String(rest.dropFirst()) : rest, on: range)
        case "noh", "nohlsearch", "nohl": effects.append(.highlight(nil))
        case "u", "undo":
            effects.append(.undo(1))
            hostSelection = nil
            jobs.insert(.afterRetracing, at: 0)
        case "red", "redo":
            effects.append(.redo(1))
            hostSelection = nil
            jobs.insert(.afterRetracing, at: 0)
        case "k", "ma", "mark":
            guard let mark = argument.first else { throw VimRefusal() }
            marks.set(mark, text.lineStart(lines.upperBound), in: text)
        default:
            guard range == nil else { throw VimRefusal("\(name) takes no range") }
            effects.append(.command(name + rest))
        }
    }

    private func registerAndLines(
        _ argument: String, _ lines: ClosedRange<LineNumber>
    ) throws(VimRefusal) -> (Character?, ClosedRange<LineNumber>) {
        var words = argument.split(separator: " ").map(String.init)
        var register: Character?
        if let first = words.first, first.count == 1, let name = first.first, !name.isNumber,
            VimRegisters.isWritable(name)
        {
            register = name
            words.removeFirst()
        }
        guard let count = words.first else { return (register, lines) }
        guard let count = Int(count), count > 0, words.count == 1 else { throw VimRefusal("\(argument) is no count") }
        let last = min(lines.upperBound.rawValue + count - 1, lastLine.rawValue)
        return (register, lines.upperBound...LineNumber(last))
    }

    // MARK: Ranges

    /// Parses the lines that a command acts on; nil if none are given.
    private func takeRange(_ rest: inout Substring) throws(VimRefusal) -> ClosedRange<LineNumber>? {
        if rest.first == "%" {
            rest.removeFirst()
            return 0...lastLine
        }
        var bounds: [Int] = []
        var here = line(caret)
        while true {
            let start = rest
            let found = try takeAddress(&rest, from: here)
            if let found {
                bounds.append(found)
            } else if start.first == "," || start.first == ";" {
                bounds.append(here.rawValue)
            }
            guard let separator = rest.first, separator == "," || separator == ";" else {
                if found == nil, !bounds.isEmpty, start.startIndex > rest.startIndex { bounds.append(here.rawValue) }
                break
            }
            rest.removeFirst()
            if separator == ";", let last = bounds.last { here = LineNumber(max(0, last)) }
            if rest.first.map({ $0.isLetter || $0 == " " }) ?? true {
                bounds.append(here.rawValue)
                break
            }
        }
        guard let last = bounds.last else { return nil }
        var first = bounds.count > 1 ? bounds[bounds.count - 2] : last
        var end = last
        if first > end { (first, end) = (end, first) }
        guard first >= -1, end <= lastLine.rawValue else { throw VimRefusal("There is no such line") }
        return LineNumber(max(0, first))...LineNumber(max(0, end))
    }

    /// Parses one address; -1 is line 0, which is before the first.
    private func takeAddress(_ rest: inout Substring, from here: LineNumber) throws(VimRefusal) -> Int? {
        var place: Int?
        switch rest.first {
        case "."?:
            rest.removeFirst()
            place = here.rawValue
        case "$"?:
            rest.removeFirst()
            place = lastLine.rawValue
        case "'"?:
            guard let name = rest.dropFirst().first, let mark = mark(name) else {
                throw VimRefusal("That mark is not set")
            }
            rest.removeFirst(2)
            place = line(min(mark, text.end)).rawValue
        case "/"?, "?"?:
            let separator = rest.removeFirst()
            let (source, tail) = String(rest).cut(at: separator)
            rest = tail.map { $0[...] } ?? ""
            let pattern =
                source.isEmpty
                ? try lastPattern() : try VimPattern(source, ignoresCase: configuration.ignoresCase)
            place = try matchingLine(pattern, from: here, isForward: separator == "/").rawValue
        case let digit? where digit.isASCII && digit.isNumber:
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            place = (Int(digits) ?? VimPending.largestCount) - 1
        default: break
        }
        while let sign = rest.first, sign == "+" || sign == "-" {
            rest.removeFirst()
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let amount = digits.isEmpty ? 1 : Int(digits) ?? VimPending.largestCount
            place = (place ?? here.rawValue) + (sign == "+" ? amount : -amount)
        }
        return place
    }

    private func lastPattern() throws(VimRefusal) -> VimPattern {
        guard let pattern = lastSearch?.pattern else { throw VimRefusal("Nothing was looked for yet") }
        return pattern
    }

    private func matchingLine(
        _ pattern: VimPattern, from here: LineNumber, isForward: Bool
    ) throws(VimRefusal) -> LineNumber {
        let count = text.lineCount
        for step in 1...count {
            let number = LineNumber(((here.rawValue + (isForward ? step : -step)) % count + count) % count)
            if pattern.occurs(in: text.string(of: number)) { return number }
        }
        throw VimRefusal("\(pattern.source) is not in the note")
    }

    /// The line that an address specifies; -1 for line 0.
    private func address(_ argument: String) throws(VimRefusal) -> Int {
        var rest = argument[...]
        guard let found = try takeAddress(&rest, from: line(caret)), rest.trimmed.isEmpty, found >= -1,
            found <= lastLine.rawValue
        else { throw VimRefusal("There is no such line") }
        return found
    }

    // MARK: Lines

    private mutating func moveLines(_ lines: ClosedRange<LineNumber>, to target: Int) throws(VimRefusal) {
        let (first, last) = (lines.lowerBound.rawValue, lines.upperBound.rawValue)
        guard target < first || target >= last else { throw VimRefusal("Lines cannot be moved into themselves") }
        if target == last || target == first - 1 {
            caret = firstText(of: lines.upperBound)
            return
        }
        let moved = text.string(in: text.range(of: lines))
        if target > last {
            let between = text.lineStart(lines.upperBound + 1)..<text.lineEnd(LineNumber(target))
            let rest = text.string(in: between)
            let whole = text.lineStart(lines.lowerBound)..<between.upperBound
            edit([(whole, rest + "\n" + moved)], caret: whole.lowerBound)
            caret = firstText(of: LineNumber(target))
        } else {
            let between = text.lineStart(LineNumber(target + 1))..<text.lineEnd(lines.lowerBound - 1)
            let rest = text.string(in: between)
            let whole = between.lowerBound..<text.lineEnd(lines.upperBound)
            edit([(whole, moved + "\n" + rest)], caret: whole.lowerBound)
            caret = firstText(of: LineNumber(target + lines.count))
        }
        wantedColumn = nil
    }

    private mutating func copyLines(_ lines: ClosedRange<LineNumber>, to target: Int) throws(VimRefusal) {
        let copy = text.string(in: text.range(of: lines))
        if target < 0 {
            edit([(0..<0, copy + "\n")], caret: 0)
        } else {
            let end = text.lineEnd(LineNumber(target))
            edit([(end..<end, "\n" + copy)], caret: end)
        }
        caret = firstText(of: LineNumber(target + lines.count))
        wantedColumn = nil
    }

    /// Sorts lines: `!` backwards, `n` by the first number, `i` ignoring case, `u` without duplicates.
    private mutating func sort(_ rest: String, _ lines: ClosedRange<LineNumber>) throws(VimRefusal) {
        let flags = Set(rest.filter { $0 != " " })
        guard flags.isSubset(of: ["!", "n", "i", "u"]) else { throw VimRefusal("sort does not know \(rest.trimmed)") }
        let rows = (lines.lowerBound.rawValue...lines.upperBound.rawValue).map { text.string(of: LineNumber($0)) }
        let isNumeric = flags.contains("n")
        func key(_ row: String) -> (Int, String) {
            if isNumeric { return (row.firstNumber ?? Int.min, "") }
            return (0, flags.contains("i") ? row.lowercased() : row)
        }
        func isBefore(_ a: (Int, String), _ b: (Int, String)) -> Bool {
            a.0 == b.0 ? Array(a.1.utf8).lexicographicallyPrecedes(Array(b.1.utf8)) : a.0 < b.0
        }
        var sorted = rows.enumerated().sorted { first, second in
            let (a, b) = (key(first.element), key(second.element))
            if isBefore(a, b) { return !flags.contains("!") }
            if isBefore(b, a) { return flags.contains("!") }
            return first.offset < second.offset
        }.map(\.element)
        if flags.contains("u") {
            var unique: [String] = []
            for row in sorted where unique.last.map({ key($0) != key(row) }) ?? true { unique.append(row) }
            sorted = unique
        }
        let range = text.range(of: lines)
        let new = sorted.joined(separator: "\n")
        if new != text.string(in: range) { edit([(range, new)], caret: range.lowerBound) }
        caret = firstText(of: lines.lowerBound)
        wantedColumn = nil
    }

    // MARK: Commands on many lines

    private mutating func normal(_ keys: String, on range: ClosedRange<LineNumber>?) throws(VimRefusal) {
        var keys = keys[...]
        if keys.first == " " { keys.removeFirst() }
        guard !keys.isEmpty else { throw VimRefusal("normal needs keys") }
        let typed = VimKey.keys(typed: String(keys))
        var rest: [VimJob] = [.beginGroup]
        if let range {
            rest += (range.lowerBound.rawValue...range.upperBound.rawValue).map { .normalOnLine($0, typed) }
        } else {
            rest.append(.normalOn(nil, typed))
        }
        jobs.insert(contentsOf: rest + [.endGroup], at: 0)
    }

    /// Sets a private mark for a line, which follows edits.
    private mutating func mark(line: LineNumber) -> Character {
        let name = VimMarks.name(ofLine: line)
        marks.set(name, text.lineStart(line), in: text)
        return name
    }

    /// Presses keys in the line of a mark, as one command.
    mutating func runNormal(_ keys: [VimKey], on name: Character?) {
        if let name {
            guard let place = marks.place(name, in: text) else { return }
            marks.remove(name)
            caret = min(lineStart(min(place, text.end)), text.end)
        }
        jobs.insert(contentsOf: keys.map { .key($0) } + [.leaveNormal], at: 0)
    }

    /// Runs a command on all lines with a match, or on all without one.
    private mutating func global(
        _ rest: String, on lines: ClosedRange<LineNumber>, matching: Bool
    ) throws(VimRefusal) {
        var matching = matching
        var rest = rest[...]
        if rest.first == "!" {
            matching.toggle()
            rest.removeFirst()
        }
        guard let separator = rest.popFirst(), !separator.isLetter, !separator.isNumber, separator != " " else {
            throw VimRefusal("g needs a pattern: g/pattern/command")
        }
        let (source, tail) = String(rest).cut(at: separator)
        let pattern =
            source.isEmpty ? try lastPattern() : try VimPattern(source, ignoresCase: configuration.ignoresCase)
        lastSearch = VimSearch(pattern: pattern, isForward: true)
        marks.jump(from: caret, in: text)
        let command = tail.map { $0.isEmpty ? "p" : $0 } ?? "p"
        var names: [Character] = []
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let number = LineNumber(number)
            if pattern.occurs(in: text.string(of: number)) == matching { names.append(mark(line: number)) }
        }
        guard !names.isEmpty else { throw VimRefusal("\(source) is not in the note") }
        guard command.trimmed != "p" else {
            caret = marks.place(names[names.count - 1], in: text) ?? caret
            for name in names { marks.remove(name) }
            return
        }
        let trimmed = command.trimmed
        if let keys = ["normal!", "normal", "norm!", "norm"].lazy.compactMap({ trimmed.without(prefix: $0) }).first {
            let typed = VimKey.keys(typed: keys)
            jobs.insert(contentsOf: [.beginGroup] + names.map { .normalOn($0, typed) } + [.endGroup], at: 0)
            return
        }
        for name in names {
            guard let place = marks.place(name, in: text) else { continue }
            marks.remove(name)
            caret = lineStart(min(place, text.end))
            isGlobal = true
            defer { isGlobal = false }
            do throws(VimRefusal) { try run(command) } catch {
                // Skip a line on which the command fails.
                continue
            }
        }
        wantedColumn = nil
    }
}

extension VimCommandLine {
    fileprivate mutating func removeBefore() {
        text.remove(at: text.index(text.startIndex, offsetBy: caret - 1))
        caret -= 1
    }
}

extension StringProtocol {
    /// The text without leading and trailing blanks.
    var trimmed: String {
        let head = drop { $0 == " " || $0 == "\t" }
        var end = head.endIndex
        while end > head.startIndex, " \t".contains(head[head.index(before: end)]) { end = head.index(before: end) }
        return String(head[..<end])
    }
}

extension String {
    /// The text after a leading word and one blank; nil if it does not begin so.
    fileprivate func without(prefix: String) -> String? {
        guard hasPrefix(prefix + " ") else { return nil }
        return String(dropFirst(prefix.count + 1))
    }

    /// The first whole number in the text, with a minus sign before it.
    fileprivate var firstNumber: Int? {
        guard let start = firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
        let digits = self[start...].prefix { $0.isASCII && $0.isNumber }
        let isNegative = start > startIndex && self[index(before: start)] == "-"
        return Int(digits).map { isNegative ? -$0 : $0 }
    }
}

import TextEditing

/// The command line that is being typed after `:`, `/` or `?`.
struct VimCommandLine: Sendable {
    var prompt: String
    var text: String
    /// The number of characters before the caret.
    var caret: Int
    /// The search whose pattern is being typed, with its operator and count.
    var command: VimCommand?
    /// The mode to return to.
    var mode: VimMode
    /// Whether the next key names the register to insert: Ctrl-R.
    var takesRegister = false
    /// The text as it was typed, and the index of the line that Up has brought back in its place.
    var recalled: (typed: String, index: Int)?
}

extension VimMachine {
    mutating func beginLine(_ prompt: String, text: String = "", _ command: VimCommand? = nil) {
        commandLine = VimCommandLine(prompt: prompt, text: text, caret: text.count, command: command, mode: mode)
        mode = .commandLine
    }

    /// Handles a key on the command line.
    mutating func lineKey(_ key: VimKey) {
        guard var line = commandLine else {
            mode = .normal
            return
        }
        if line.takesRegister {
            line.takesRegister = false
            line.insert(textToInsert(key))
            commandLine = line
            return
        }
        switch key {
        case .escape, .control("c"), .control("["):
            leaveLine(line)
            return refuse(VimRefusal())
        case .enter, .control("m"), .control("j"):
            leaveLine(line)
            return finish(line)
        case .backspace where line.text.isEmpty, .control("h") where line.text.isEmpty: return leaveLine(line)
        case .tab where line.prompt == ":": return effects.append(.request(.completion))
        case .control("r"): line.takesRegister = true
        case .up, .down, .control("p"), .control("n"):
            recall(in: &line, older: key == .up || key == .control("p"), matching: key == .up || key == .down)
            commandLine = line
            return
        default: line.edit(key)
        }
        line.recalled = nil
        commandLine = line
    }

    /// Returns the text that Ctrl-R inserts: a register, or after Ctrl-W the word at the caret; the line stays one line.
    private func textToInsert(_ key: VimKey) -> String {
        // Without a word or a text there is nothing to insert.
        if key == .control("w") { return (try? wordAtCaret())?.text ?? "" }
        // A register that does not exist has no text.
        guard case .character(let name) = key, let register = try? content(of: name) else { return "" }
        return register.lines.joined(separator: " ")
    }

    /// Replaces the line by the one entered before or after it.
    ///
    /// - Parameter matching: Whether it must begin with what was typed, as after Up, unlike after Ctrl-P.
    private func recall(in line: inout VimCommandLine, older: Bool, matching: Bool) {
        let lines = enteredLines[line.isSearch ? "/" : ":"] ?? []
        let typed = line.recalled?.typed ?? line.text
        let head = matching ? typed : ""
        var index = line.recalled?.index ?? lines.count
        repeat { index += older ? -1 : 1 } while lines.indices.contains(index) && !lines[index].hasPrefix(head)
        guard index >= 0 else { return }
        line.recalled = index < lines.count ? (typed, index) : nil
        line.text = index < lines.count ? lines[index] : typed
        line.caret = line.text.count
    }

    /// Remembers a line that was entered, for Up.
    private mutating func remember(_ line: VimCommandLine) {
        guard !line.text.isEmpty else { return }
        var lines = (enteredLines[line.isSearch ? "/" : ":"] ?? []).filter { $0 != line.text }
        lines.append(line.text)
        enteredLines[line.isSearch ? "/" : ":"] = Array(lines.suffix(VimMachine.mostEnteredLines))
    }

    /// The most entered lines that are remembered, as in vim.
    private static let mostEnteredLines = 50

    /// Replaces the text that was typed after the colon, and puts the caret at its end.
    public mutating func completeLine(_ text: String) {
        guard commandLine?.prompt == ":" else { return }
        commandLine?.text = text
        commandLine?.caret = text.count
    }

    private mutating func leaveLine(_ line: VimCommandLine) {
        commandLine = nil
        mode = line.mode
    }

    private mutating func finish(_ line: VimCommandLine) {
        remember(line)
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
    mutating func runCommandLine(_ line: String) {
        let (before, done) = (caret, effects.count)
        do throws(VimRefusal) {
            try run(line)
        } catch {
            refuse(error)
        }
        if caret != before || effects[done...].contains(where: \.isEdit) { wantedColumn = nil }
    }

    /// Runs the commands of a line, which bars divide, up to one that fails.
    mutating func run(_ line: String) throws(VimRefusal) {
        var next: String? = line
        while let line = next {
            try checkStop()
            next = try runFirst(of: line)
        }
    }

    /// Runs the first command of a line, and returns those after it.
    private mutating func runFirst(of line: String) throws(VimRefusal) -> String? {
        var rest = line[...]
        while let first = rest.first, first == ":" || first == " " { rest.removeFirst() }
        var addresses = 0
        var isAboveText = false
        let range = try takeRange(&rest, addresses: &addresses, isAboveText: &isAboveText)
        while rest.first == " " { rest.removeFirst() }
        guard let next = rest.first, next != "|" else {
            if let range {
                jump()
                caret = firstNonBlank(of: range.upperBound)
                wantedColumn = nil
            }
            return rest.isEmpty ? nil : String(rest.dropFirst())
        }
        var name = String(rest.prefix { $0.isLetter })
        // The program's own commands have a dot in their names.
        let dotted = rest.prefix { $0.isLetter || $0 == "." }
        if let point = dotted.firstIndex(of: "."), dotted.index(after: point) < dotted.endIndex, dotted.count > 4 {
            name = String(dotted)
        }
        if name.isEmpty { name = String(rest.prefix(1)) }
        // `ka` needs no blank before the name of the mark.
        if dotted.count == 2, dotted.first == "k", dotted.last?.isLetter == true { name = "k" }
        let typedLength = name.count
        name = VimMachine.abbreviation(of: name)
        var (argument, following) = VimMachine.parts(of: String(rest.dropFirst(typedLength)), after: name)
        // Line 0 is above the first line, where `:pu!` puts.
        if isAboveText, name == "pu", !argument.hasPrefix("!") { argument = "!" + argument }
        // A range of one line that is written with two addresses leaves nothing to join.
        let joinsNothing = addresses > 1 && range?.count == 1 && !argument.contains(where: \.isNumber)
        if !joinsNothing || name != "j" { try run(name, argument, range) }
        return following
    }

    /// Divides what follows the name of a command into its argument and the command after a bar, if there is one.
    ///
    /// The bars in the command of `:g`, in the keys of `:normal` and in shell commands belong to these.
    private static func parts(of rest: String, after name: String) -> (argument: String, following: String?) {
        guard barred.contains(name) else { return (rest, nil) }
        var flags = rest
        if name == "s", let separator = rest.first, !"| ".contains(separator) {
            // A bar in the pattern or the replacement is a character of it.
            guard let replacement = String(rest.dropFirst()).cut(at: separator).rest,
                let tail = replacement.cut(at: separator).rest
            else { return (rest, nil) }
            flags = tail
        }
        guard let bar = flags.firstIndex(of: "|") else { return (rest, nil) }
        return (String(rest.dropLast(flags[bar...].count)), String(flags[flags.index(after: bar)...]))
    }

    /// The commands that a bar ends.
    private static let barred: Set<String> = [
        "s", "&", "d", "y", "m", "t", "co", "j", ">", "<", "pu", "p", "k", "ma", "sor", "noh",
    ]

    /// The commands by the shortest of their names, which may be written with more of the long one.
    private static let names = [
        ("s", "substitute"), ("g", "global"), ("v", "vglobal"), ("d", "delete"), ("y", "yank"), ("m", "move"),
        ("co", "copy"), ("j", "join"), ("pu", "put"), ("p", "print"), ("r", "read"), ("sor", "sort"),
        ("norm", "normal"), ("noh", "nohlsearch"), ("u", "undo"), ("red", "redo"), ("ma", "mark"), ("w", "write"),
    ]

    /// Returns the shortest name of a command, or the given name if it is none of these commands'.
    private static func abbreviation(of name: String) -> String {
        names.first { name.hasPrefix($0.0) && $0.1.hasPrefix(name) }?.0 ?? name
    }

    mutating func run(_ name: String, _ rest: String, _ range: ClosedRange<LineNumber>?) throws(VimRefusal) {
        let here = line(caret)
        let lines = range ?? here...here
        let argument = rest.trimmed
        switch name {
        case "s": try substitute(rest, on: lines)
        case "&": try substituteAgain(on: lines, keepsFlags: false, flags: argument)
        case "g": try global(rest, on: range ?? 0...lastAddressed, matching: true)
        case "v": try global(rest, on: range ?? 0...lastAddressed, matching: false)
        case "d": try take(lines, argument, deletes: true)
        case "y": try take(lines, argument, deletes: false)
        case "m": try moveLines(lines, to: address(argument))
        case "t", "co": try copyLines(lines, to: address(argument))
        case "j": try joinLines(lines, rest)
        case ">", "<": try shiftLines(lines, argument, inwards: name == ">")
        case "pu": try putLines(at: lines.upperBound, rest)
        case "!": try filter(argument, range)
        case "r": try read(argument, after: lines.upperBound)
        case "sor": try sort(rest, range ?? 0...lastAddressed)
        case "norm": try normal(rest.hasPrefix("!") ? String(rest.dropFirst()) : rest, on: range)
        case "noh": effects.append(.highlight(nil))
        case "u", "red":
            effects.append(name == "u" ? .undo(1) : .redo(1))
            (changedVisual, changedMarks) = (nil, nil)
            hostSelection = nil
            jobs.add([.afterRetracing])
        case "k", "ma":
            guard let mark = argument.first else { throw VimRefusal() }
            marks.set(mark, text.lineStart(lines.upperBound), in: text)
        case "p": caret = firstNonBlank(of: try counted(lines, argument).upperBound)
        case "w" where pipesText(rest):
            try show(argument, of: range ?? 0...lastAddressed)
        default:
            guard range == nil else { throw VimRefusal.noRange(name) }
            effects.append(.command(name + rest))
        }
    }

    /// Deletes or yanks lines: `:d x 3`, `:y`.
    private mutating func take(
        _ lines: ClosedRange<LineNumber>, _ argument: String, deletes: Bool
    ) throws(VimRefusal) {
        let (register, lines) = try registerAndLines(argument, lines)
        let whole = VimSpan(range: text.range(of: lines), isLines: true)
        let command = VimCommand(register: register)
        guard deletes else { return yank(whole, command) }
        jump()
        caret = firstNonBlank(of: lines.lowerBound)
        delete(whole, command)
    }

    /// Joins lines, or a single one with the next: `:j`; after `!` without blanks between them.
    private mutating func joinLines(_ lines: ClosedRange<LineNumber>, _ rest: String) throws(VimRefusal) {
        let isPlain = rest.hasPrefix("!")
        let lines = try counted(lines, (isPlain ? String(rest.trimmed.dropFirst()) : rest).trimmed)
        let last = lines.count == 1 ? min(lines.upperBound + 1, lastAddressed) : lines.upperBound
        guard last > lines.lowerBound else {
            caret = position(column: column(of: caret), in: lines.lowerBound)
            throw VimRefusal()
        }
        caret = text.lineStart(lines.lowerBound)
        join(lines.lowerBound...last, withSpaces: !isPlain)
        caret = firstNonBlank(of: line(caret))
    }

    /// Shifts lines by one step, and by one more for each sign that follows: `:>>`.
    private mutating func shiftLines(
        _ lines: ClosedRange<LineNumber>, _ argument: String, inwards: Bool
    ) throws(VimRefusal) {
        let more = argument.prefix { $0 == (inwards ? ">" : "<") }.count
        let lines = try counted(lines, String(argument.dropFirst(more)).trimmed)
        jump()
        caret = firstNonBlank(of: lines.lowerBound)
        shift(lines, by: inwards ? 1 + more : -1 - more)
        caret = firstNonBlank(of: lines.upperBound)
    }

    /// Puts a register as lines below a line, or above it after `!`: `:pu x`.
    private mutating func putLines(at number: LineNumber, _ rest: String) throws(VimRefusal) {
        var how = VimPut(isAfter: !rest.hasPrefix("!"))
        how.asLines = true
        caret = min(text.lineStart(number) + (caret - lineStart(caret)), text.lineEnd(number))
        let register = try content(of: rest.trimmed.drop { $0 == "!" || $0 == " " }.first)
        put(register, how)
        caret = firstNonBlank(of: line(marks.position("]", in: text) ?? caret))
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
        return (register, try counted(lines, words.joined(separator: " ")))
    }
}

extension VimCommandLine {
    /// Whether a pattern is typed, not a command.
    fileprivate var isSearch: Bool { prompt != ":" }

    /// Does what a key does to the text and its caret; does nothing for any other key.
    fileprivate mutating func edit(_ key: VimKey) {
        switch key {
        case .backspace, .control("h"): if caret > 0 { removeBefore() }
        case .delete: if caret < text.count { text.remove(at: index(caret)) }
        case .control("u"):
            text.removeSubrange(..<index(caret))
            caret = 0
        case .control("w"):
            while caret > 0, text[index(caret - 1)] == " " { removeBefore() }
            while caret > 0, text[index(caret - 1)] != " " { removeBefore() }
        case .left: caret = max(0, caret - 1)
        case .right: caret = min(text.count, caret + 1)
        case .home, .control("b"): caret = 0
        case .end, .control("e"): caret = text.count
        case .character(let character): insert(String(character))
        default: break
        }
        // What was on both sides of a removed character may be one character now.
        caret = min(caret, text.count)
    }

    private func index(_ count: Int) -> String.Index { text.index(text.startIndex, offsetBy: count) }

    /// Inserts a text, which may join the character before it, as an accent does.
    fileprivate mutating func insert(_ new: String) {
        let head = String(text.prefix(caret)) + new
        text = head + text.dropFirst(caret)
        caret = min(head.count, text.count)
    }

    private mutating func removeBefore() {
        text.remove(at: index(caret - 1))
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

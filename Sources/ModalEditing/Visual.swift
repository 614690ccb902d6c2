import TextEditing

/// Visual mode: characters, lines and blocks.
extension VimCommand {
    /// The command that dot repeats after a put over a selection: like vim, it deletes as much text and puts nothing.
    var deleting: VimCommand {
        var command = self
        (command.name, command.register, command.count) = ("d", name == "P" ? "_" : nil, nil)
        return command
    }
}

extension VimMachine {
    /// Begins a selection: `v`, `V`, Ctrl-V, `gv`, `gn`.
    mutating func beginVisual(_ command: VimCommand) throws(VimRefusal) {
        repeatedWidth = nil
        switch command.name {
        case "gv":
            guard let last = lastVisual else { throw VimRefusal() }
            mode = last.mode
            anchor = last.anchor.position(in: text)
            caret = last.head.position(in: text)
            blockToLineEnd = last.reachesEnds
            if last.reachesEnds { wantedColumn = .max }
        case "gn", "gN":
            let match = try matchAround(caret, isForward: command.name == "gn")
            mode = .visual
            (anchor, caret) = ends(of: match, isForward: command.name == "gn")
            blockToLineEnd = false
        default:
            // After `$` a block extends to the ends of its lines.
            blockToLineEnd = command.name == "<C-v>" && wantedColumn == .max
            mode = command.name == "v" ? .visual : command.name == "V" ? .visualLine : .visualBlock
            anchor = caret
            if let count = command.count, count > 1, mode == .visual {
                var reader = reader
                for _ in 1..<count where !reader.isLineEnd(reader.next(caret)) { caret = reader.next(caret) }
            }
        }
    }

    /// Returns the first and the last character of a match, as a selection's anchor and head in the direction of the
    /// search.
    private func ends(of match: Range<ByteOffset>, isForward: Bool) -> (anchor: ByteOffset, head: ByteOffset) {
        let last = match.isEmpty ? match.lowerBound : text.characterStart(before: match.upperBound)
        return isForward ? (match.lowerBound, last) : (last, match.lowerBound)
    }

    /// Makes `gv` select the match on which an operator acts, as in vim.
    mutating func keepForReselection(_ match: Range<ByteOffset>, isForward: Bool) {
        let (first, last) = ends(of: match, isForward: isForward)
        lastVisual = VimSelection(mode: .visual, anchor: VimMark(first, in: text), head: VimMark(last, in: text))
    }

    /// The present selection, as `gv` brings it back.
    private var visual: VimSelection {
        VimSelection(
            mode: mode, anchor: VimMark(anchor, in: text), head: VimMark(caret, in: text),
            reachesEnds: mode == .visualBlock && blockToLineEnd)
    }

    mutating func endVisual() {
        // A selection that dot makes is not one that `gv` brings back.
        if !isRepeating {
            lastVisual = visual
            leftVisual = lastVisual
        }
        repeatedWidth = nil
        mode = .normal
    }

    /// Executes a command in Visual mode.
    mutating func executeVisual(_ command: VimCommand) throws(VimRefusal) {
        if command.name == "gn" || command.name == "gN" { return try extendToMatch(isForward: command.name == "gn") }
        if let span = try objectSpan(of: command) {
            let object = object(named: command.name)?.object
            // Only a selection within one line becomes one of whole lines, and sentences extend one of whole lines.
            let keepsMode =
                object == .paragraph && line(anchor) != line(caret) || object == .sentence && anchor != caret
            var isBracketed = false
            if case .brackets? = object { isBracketed = true }
            return extend(by: span, keepsMode: keepsMode, isBracketed: isBracketed)
        }
        if let target = try target(of: command) {
            if target.isJump { marks.jump(from: caret, in: text) }
            caret = target.position
            wantedColumn = target.column
            blockToLineEnd = target.column == .max && (command.name == "$" || blockToLineEnd)
            return
        }
        if turn(command) { return }
        try changeSelected(command)
    }

    /// Extends the selection to the end of the next match, or to the start of the previous one.
    private mutating func extendToMatch(isForward: Bool) throws(VimRefusal) {
        let match = try matchAround(neighbour(of: caret, isForward: isForward) ?? caret, isForward: isForward)
        caret = isForward && !match.isEmpty ? text.characterStart(before: match.upperBound) : match.lowerBound
        wantedColumn = nil
    }

    /// Extends the selection by an object.
    ///
    /// - Parameters:
    ///   - keepsMode: Whether a selection of characters and one of whole lines stay what they are.
    ///   - isBracketed: Whether the object is in brackets, which a block cannot cover over several lines.
    private mutating func extend(by span: ObjectSpan, keepsMode: Bool, isBracketed: Bool) {
        var reader = reader
        if span.kind == .lines {
            // The start keeps its column.
            let lines = text.lineRange(line(span.start))
            anchor = text.characterBoundary(
                atOrBefore: min(lines.lowerBound + (anchor - lineStart(anchor)), lines.upperBound))
        } else {
            anchor = span.start
        }
        caret = span.kind == .exclusive && span.end > span.start ? reader.previous(span.end) : span.end
        if span.kind == .lines {
            if !keepsMode { mode = .visualLine }
        } else if mode == .visualLine && !keepsMode || isBracketed {
            mode = .visual
        }
        wantedColumn = nil
    }

    /// Handles a command that changes or leaves the selection without a motion, and returns false for any other
    /// command.
    private mutating func turn(_ command: VimCommand) -> Bool {
        let kinds: [String: VimMode] = ["v": .visual, "V": .visualLine, "<C-v>": .visualBlock]
        if let kind = kinds[command.name] {
            if mode == kind { endVisual() } else { mode = kind }
            return true
        }
        switch command.name {
        case "<Esc>", "<C-c>", "<C-[>": endVisual()
        case "o": (anchor, caret) = (caret, anchor)
        case "O":
            guard mode == .visualBlock else {
                (anchor, caret) = (caret, anchor)
                return true
            }
            let (first, second) = (column(of: anchor), column(of: caret))
            let (anchorLine, caretLine) = (line(anchor), line(caret))
            let target = position(column: first, in: caretLine, pastEnd: true)
            // In a line that is too short for the other side, the caret stays, and so does the anchor.
            if target != caret {
                anchor = position(column: second, in: anchorLine, pastEnd: true)
                caret = target
            }
        case "gv":
            guard let last = lastVisual else { return true }
            let now = visual
            mode = last.mode
            anchor = last.anchor.position(in: text)
            caret = last.head.position(in: text)
            blockToLineEnd = last.reachesEnds
            lastVisual = now
            wantedColumn = last.reachesEnds ? .max : nil
            return true
        default: return false
        }
        wantedColumn = nil
        return true
    }

    // MARK: Changing the selection

    /// Returns the span of the selection, or for a block the range that contains it.
    private func selectedSpan(asLines: Bool) -> VimSpan {
        let (low, high) = (min(anchor, caret), max(anchor, caret))
        if mode == .visualLine || asLines {
            return VimSpan(range: text.range(of: line(low)...line(high)), isLines: true, isSelected: true)
        }
        var reader = reader
        // A line break at the end of the selection belongs to it.
        var end = reader.next(high)
        if reader.isLineEnd(high), high == reader.end { end = high }
        return VimSpan(range: low..<end, isSelected: true)
    }

    private var extent: VimExtent {
        let (low, high) = (min(anchor, caret), max(anchor, caret))
        let lines = line(high) - line(low) + 1
        switch mode {
        case .visualBlock:
            let columns = blockColumns
            return VimExtent(mode: mode, lines: lines, columns: blockToLineEnd ? .max : columns.count)
        case .visualLine: return VimExtent(mode: mode, lines: lines, columns: 0)
        default:
            let start = lines == 1 ? low : lineStart(high)
            if wantedColumn == .max || high >= lineEnd(high) && !text.lineRange(line(high)).isEmpty {
                return VimExtent(mode: mode, lines: lines, columns: .max)
            }
            return VimExtent(mode: mode, lines: lines, columns: text.string(in: start..<high).count + 1)
        }
    }

    /// The columns that a block covers.
    var blockColumns: ClosedRange<Int> {
        let (a, b) = (cells(at: anchor), cells(at: caret))
        if let repeatedWidth { return a.start...a.start + max(1, repeatedWidth) - 1 }
        let first = min(a.start, b.start)
        let last = max(a.start + a.width, b.start + b.width) - 1
        return first...max(first, last)
    }

    private mutating func changeSelected(_ command: VimCommand) throws(VimRefusal) {
        var command = command
        if command.selected == nil { command.selected = extent }
        switch command.name {
        case ":", "!":
            let start = begin(asLines: mode == .visualLine)
            endVisual()
            caret = start
            return beginLine(":", text: command.name == ":" ? "'<,'>" : "'<,'>!")
        case "m":
            guard case .character(let name)? = command.argument ?? .escape else { throw VimRefusal() }
            marks.set(name, caret, in: text)
            return
        default: break
        }
        if mode == .visualBlock, try changeBlock(command) { return }
        try changeStretch(command)
    }

    static let operations: [String: VimOperator] = [
        "d": .delete, "x": .delete, "<Del>": .delete, "X": .delete, "D": .delete, "c": .change, "s": .change,
        "C": .change, "S": .change, "R": .change, "y": .yank, "Y": .yank, ">": .shiftRight, "<": .shiftLeft,
        "u": .lowerCase, "U": .upperCase, "~": .toggleCase, "gu": .lowerCase, "gU": .upperCase, "g~": .toggleCase,
        "gq": .reflow,
    ]
    /// The operators that act on whole lines, whatever is selected.
    private static let linewise: Set<String> = ["X", "D", "C", "R", "Y", ">", "<", "gq"]

    /// Returns the caret before a command on the selection; lines selected upwards keep its column.
    private func begin(asLines: Bool) -> ByteOffset {
        if isRepeating { return anchor }
        let isWhole = asLines && (anchor <= caret || line(anchor) == line(caret))
        return isWhole ? lineStart(min(anchor, caret)) : min(anchor, caret)
    }

    private mutating func changeStretch(_ command: VimCommand) throws(VimRefusal) {
        let name = command.name
        let span = selectedSpan(asLines: VimMachine.linewise.contains(name))
        if name == "S", let mark = command.surrounding.first {
            finishSelection(command)
            surround(span, with: mark)
            return
        }
        if let operation = VimMachine.operations[name] { return try operate(operation, onSelected: span, command) }
        switch name {
        case "p", "P", "gp", "gP": try putOver(span, command)
        case "J", "gJ": try joinSelected(command)
        case "r": try replaceCharacters(of: span, command)
        case "I":
            let start = mode == .visualLine ? text.lineStart(line(min(anchor, caret))) : min(anchor, caret)
            finishSelection(command)
            caret = start
            beginInsertion(count: 1)
        case "A":
            let high = max(anchor, caret)
            finishSelection(command)
            caret = mode == .visualLine ? lineEnd(high) : high < lineEnd(high) ? text.characterEnd(after: high) : high
            if command.selected?.mode == .visualLine { caret = lineEnd(high) }
            beginInsertion(count: 1)
        case "<C-a>", "<C-x>", "g<C-a>", "g<C-x>":
            let columns = mode == .visualLine ? nil : span.range
            addInLines(command, lines(of: span), within: columns)
        case "q", "@", "<C-e>", "<C-y>", "<C-f>", "<C-b>", "<PageDown>", "<PageUp>", "<C-d>", "<C-u>", "zt", "z<CR>",
            "zz", "z.", "zb", "z-", "ga", "g8":
            try act(command)
        default: throw VimRefusal.notSupported(name)
        }
    }

    private mutating func operate(
        _ operation: VimOperator, onSelected span: VimSpan, _ command: VimCommand
    ) throws(VimRefusal) {
        let isShift = operation == .shiftRight || operation == .shiftLeft
        // A shift keeps the column of selected characters for its marks and for undo.
        let begin = begin(asLines: isShift ? mode == .visualLine : span.isLines)
        finishSelection(command, isChange: operation != .yank)
        operatorPosition = begin
        guard isShift else {
            try operate(operation, on: span, command)
            if [.lowerCase, .upperCase, .toggleCase, .yank].contains(operation) { caret = begin }
            return
        }
        let steps = (operation == .shiftRight ? 1 : -1) * (command.count ?? 1)
        let first = line(span.range.lowerBound)
        caret = begin
        shift(lines(of: span), by: steps, from: begin)
        caret = firstNonBlank(of: first)
    }

    /// Joins the selected lines, or a single one with the next.
    private mutating func joinSelected(_ command: VimCommand) throws(VimRefusal) {
        let lines = lines(of: selectedSpan(asLines: true))
        let start = begin(asLines: mode == .visualLine)
        finishSelection(command)
        caret = start
        let last = min(max(lines.upperBound, lines.lowerBound + 1), lastAddressed)
        guard last > lines.lowerBound else { throw VimRefusal() }
        join(lines.lowerBound...last, withSpaces: command.name == "J")
    }

    /// Returns what the key after `r` puts in place of a selected character.
    func replacement(for key: VimKey?) throws(VimRefusal) -> String {
        switch key {
        case .character(let character)?: return String(character)
        case .tab?: return "\t"
        case .enter?, .control("m")?, .control("j")?: return lineBreak
        default: throw VimRefusal()
        }
    }

    /// Replaces every selected character except line breaks: `r`.
    private mutating func replaceCharacters(of span: VimSpan, _ command: VimCommand) throws(VimRefusal) {
        let new = try replacement(for: command.argument)
        let start = begin(asLines: mode == .visualLine)
        finishSelection(command)
        caret = start
        let old = text.string(in: span.range)
        edit([(span.range, old.map { $0.isNewline ? String($0) : new }.joined())], caret: span.range.lowerBound)
        caret = span.range.lowerBound
    }

    /// Leaves Visual mode to change the selected text.
    mutating func finishSelection(_ command: VimCommand, isChange: Bool = true) {
        endVisual()
        wantedColumn = nil
        if isChange { note(command) }
    }

    /// Puts a register over the selection: `p`, `P`.
    private mutating func putOver(_ span: VimSpan, _ command: VimCommand) throws(VimRefusal) {
        let register = try? content(of: command.register)  // an empty register only deletes the selection
        let kind = mode
        finishSelection(command.deleting)
        let kept = registers
        let isWhole = span.isLines && lines(of: span) == 0...lastAddressed
        let start = span.range.lowerBound
        let firstLine = line(start)
        var plain = command
        plain.register = nil
        caret = start
        delete(span, plain)
        if command.name == "P" { registers = kept }
        guard let register else { throw VimRefusal.emptyRegister }
        var how = VimPut(isAfter: false, count: command.count ?? 1, goesBehind: command.name.count == 2)
        if kind == .visualLine {
            how.asLines = true
            how.isAfter = line(caret) < firstLine
        } else {
            how.splitsLine = register.shape == .lines
            how.isAfter = caret < start
        }
        put(register, how)
        selectPut(kind)
        if isWhole, !configuration.omitsLineAfterEnd, lastLine > 0, text.lineRange(lastLine).isEmpty {
            let at = caret
            edit([(text.lineEnd(lastLine - 1)..<text.end, "")], caret: at)
            caret = min(at, text.end)
        }
    }

    /// Makes `gv` select the text that was put over a selection.
    mutating func selectPut(_ kind: VimMode) {
        guard let start = marks.position("[", in: text), let end = marks.position("]", in: text) else { return }
        lastVisual = VimSelection(mode: kind, anchor: VimMark(start, in: text), head: VimMark(end, in: text))
    }

    /// Adds to the first number of each selected line, each time more with `g`: Ctrl-A, `g Ctrl-A`.
    private mutating func addInLines(
        _ command: VimCommand, _ lines: ClosedRange<LineNumber>, within range: Range<ByteOffset>?
    ) {
        let isStair = command.name.hasPrefix("g")
        let base = (command.count ?? 1) * (command.name.hasSuffix("<C-a>") ? 1 : -1)
        let start = mode == .visualLine ? lineStart(min(anchor, caret)) : min(anchor, caret)
        finishSelection(command)
        caret = start
        beginGroup()
        effects.append(.touch)
        var amount = base
        var end = range?.upperBound
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let number = LineNumber(number)
            let from = range.map { max($0.lowerBound, text.lineStart(number)) } ?? text.lineStart(number)
            let before = text.utf8Count
            // A line without a number is skipped.
            if (try? addToNumber(
                amount, in: number, from: from, limit: end.map { min($0, text.lineEnd(number)) } ?? text.lineEnd(number)
            )) != nil, isStair {
                amount += base
            }
            end = end.map { $0 + (text.utf8Count - before) }
        }
        caret = start
    }
}

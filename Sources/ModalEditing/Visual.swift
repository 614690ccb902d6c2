import TextEditing

/// Visual mode: characters, lines and blocks.
extension VimMachine {
    mutating func beginVisual(_ command: VimCommand) throws(VimRefusal) {
        switch command.name {
        case "gv":
            guard let last = lastVisual else { throw VimRefusal() }
            mode = last.mode
            anchor = last.anchor.place(in: text)
            caret = last.head.place(in: text)
        case "gn":
            guard let match = try nextMatch(includingCaret: true) else { throw VimRefusal() }
            mode = .visual
            anchor = match.lowerBound
            caret = match.isEmpty ? match.lowerBound : text.characterStart(before: match.upperBound)
        default:
            mode = command.name == "v" ? .visual : command.name == "V" ? .visualLine : .visualBlock
            anchor = caret
            if let count = command.count, count > 1, mode == .visual {
                var reader = reader
                for _ in 1..<count where !reader.isLineEnd(reader.next(caret)) { caret = reader.next(caret) }
            }
        }
        blockToLineEnd = false
    }

    mutating func endVisual() {
        lastVisual = VimSelection(mode: mode, anchor: VimMark(anchor, in: text), head: VimMark(caret, in: text))
        mode = .normal
    }

    /// Executes a command in Visual mode.
    mutating func executeVisual(_ command: VimCommand) throws(VimRefusal) {
        if let span = try objectSpan(of: command) { return extend(by: span) }
        if let target = try target(of: command) {
            if target.isJump { marks.jump(from: caret, in: text) }
            caret = target.place
            wantedColumn = target.column
            blockToLineEnd = target.column == .max && (command.name == "$" || blockToLineEnd)
            return
        }
        if turn(command) { return }
        try changeSelected(command)
    }

    private mutating func extend(by span: ObjectSpan) {
        var reader = reader
        anchor = span.start
        caret = span.kind == .exclusive && span.end > span.start ? reader.previous(span.end) : span.end
        if span.kind == .lines {
            mode = .visualLine
        } else if mode == .visualLine {
            mode = .visual
        }
        wantedColumn = nil
    }

    /// Handles commands that change or leave the selection without a motion; true if this was one.
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
            anchor = place(column: second, in: anchorLine)
            caret = place(column: first, in: caretLine)
        case "gv":
            guard let last = lastVisual else { return true }
            let now = VimSelection(mode: mode, anchor: VimMark(anchor, in: text), head: VimMark(caret, in: text))
            mode = last.mode
            anchor = last.anchor.place(in: text)
            caret = last.head.place(in: text)
            lastVisual = now
        default: return false
        }
        wantedColumn = nil
        return true
    }

    // MARK: Changing the selection

    /// The span of the selection; for a block, the range that contains it.
    private func selectedSpan(asLines: Bool) -> VimSpan {
        let (low, high) = (min(anchor, caret), max(anchor, caret))
        if mode == .visualLine || asLines {
            return VimSpan(range: text.range(of: line(low)...line(high)), isLines: true, isSelected: true)
        }
        var reader = reader
        // A line break under the end of the selection belongs to it.
        var end = reader.next(high)
        if reader.isLineEnd(high), high == text.end { end = high }
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
            if wantedColumn == .max || high >= lineEnd(high), !text.lineRange(line(high)).isEmpty {
                return VimExtent(mode: mode, lines: lines, columns: .max)
            }
            return VimExtent(mode: mode, lines: lines, columns: text.string(in: start..<high).count + 1)
        }
    }

    /// The columns that a block covers.
    private var blockColumns: ClosedRange<Int> {
        let (a, b) = (cells(at: anchor), cells(at: caret))
        let first = min(a.start, b.start)
        let last = max(a.start + a.width, b.start + b.width) - 1
        return first...max(first, last)
    }

    private mutating func changeSelected(_ command: VimCommand) throws(VimRefusal) {
        var command = command
        if command.selected == nil { command.selected = extent }
        switch command.name {
        case ":":
            endVisual()
            return beginLine(":", text: "'<,'>")
        case "m":
            guard case .character(let name)? = command.argument ?? .escape else { throw VimRefusal() }
            marks.set(name, caret, in: text)
            return
        default: break
        }
        if mode == .visualBlock, try changeBlock(command) { return }
        try changeStretch(command)
    }

    private static let operations: [String: VimOperator] = [
        "d": .delete, "x": .delete, "<Del>": .delete, "X": .delete, "D": .delete, "c": .change, "s": .change,
        "C": .change, "S": .change, "R": .change, "y": .yank, "Y": .yank, ">": .shiftRight, "<": .shiftLeft,
        "u": .lowerCase, "U": .upperCase, "~": .toggleCase, "gu": .lowerCase, "gU": .upperCase, "g~": .toggleCase,
        "gq": .reflow,
    ]
    /// The operators that act on whole lines, whatever is selected.
    private static let linewise: Set<String> = ["X", "D", "C", "R", "Y", ">", "<", "gq"]

    private mutating func changeStretch(_ command: VimCommand) throws(VimRefusal) {
        let name = command.name
        let span = selectedSpan(asLines: VimMachine.linewise.contains(name))
        if name == "S", let mark = command.surrounding.first {
            finishSelection(command)
            surround(span, with: mark)
            return
        }
        if let operation = VimMachine.operations[name] {
            let begin = anchor <= caret && span.isLines ? span.range.lowerBound : min(anchor, caret)
            finishSelection(command, isChange: operation != .yank)
            operatorPlace = begin
            if operation == .shiftRight || operation == .shiftLeft {
                shift(lines(of: span), by: (operation == .shiftRight ? 1 : -1) * (command.count ?? 1))
                caret = firstText(of: line(span.range.lowerBound))
            } else {
                try operate(operation, on: span, command)
                if [.lowerCase, .upperCase, .toggleCase, .yank].contains(operation) { caret = begin }
            }
            return
        }
        switch name {
        case "p", "P": try putOver(span, command)
        case "J", "gJ":
            let lines = lines(of: selectedSpan(asLines: true))
            let start = mode == .visualLine ? lineStart(min(anchor, caret)) : min(anchor, caret)
            finishSelection(command)
            caret = start
            let last = LineNumber(min(max(lines.upperBound.rawValue, lines.lowerBound.rawValue + 1), lastLine.rawValue))
            guard last > lines.lowerBound else { throw VimRefusal() }
            join(lines.lowerBound...last, withSpaces: name == "J")
        case "r":
            guard case .character(let new)? = command.argument ?? .escape else { throw VimRefusal() }
            finishSelection(command)
            let old = text.string(in: span.range)
            edit([(span.range, String(old.map { $0.isNewline ? $0 : new }))], caret: span.range.lowerBound)
            caret = span.range.lowerBound
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
            try addInLines(command, lines(of: span), within: columns)
        default:
            endVisual()
            throw VimRefusal()
        }
    }

    /// Leaves Visual mode to change the selected text.
    private mutating func finishSelection(_ command: VimCommand, isChange: Bool = true) {
        endVisual()
        if isChange { note(command) }
    }

    private mutating func putOver(_ span: VimSpan, _ command: VimCommand) throws(VimRefusal) {
        let register = try? content(of: command.register)
        let kind = mode
        finishSelection(command)
        let kept = registers
        let isWhole = span.isLines && lines(of: span) == 0...lastLine
        let start = span.range.lowerBound
        let firstLine = line(start)
        var plain = command
        plain.register = nil
        caret = start
        delete(span, plain)
        if command.name == "P" { registers = kept }
        guard let register else { throw VimRefusal("Nothing is in that register") }
        var how = VimPut(isAfter: false, count: command.count ?? 1)
        if kind == .visualLine {
            how.asLines = true
            how.isAfter = line(caret) < firstLine
        } else {
            how.splitsLine = register.shape == .lines
            how.isAfter = caret < start
        }
        put(register, how)
        if isWhole, lastLine > 0, text.lineRange(lastLine).isEmpty {
            let at = caret
            edit([(text.lineEnd(lastLine - 1)..<text.end, "")], caret: at)
            caret = min(at, text.end)
        }
    }

    private mutating func addInLines(
        _ command: VimCommand, _ lines: ClosedRange<LineNumber>, within range: Range<ByteOffset>?
    ) throws(VimRefusal) {
        let isStair = command.name.hasPrefix("g")
        let base = (command.count ?? 1) * (command.name.hasSuffix("<C-a>") ? 1 : -1)
        let start = mode == .visualLine ? lineStart(min(anchor, caret)) : min(anchor, caret)
        finishSelection(command)
        caret = start
        var amount = base
        var done = false
        var end = range?.upperBound
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let number = LineNumber(number)
            let from = range.map { max($0.lowerBound, text.lineStart(number)) } ?? text.lineStart(number)
            let before = text.utf8Count
            if (try? addToNumber(
                amount, in: number, from: from, limit: end.map { min($0, text.lineEnd(number)) } ?? text.lineEnd(number)
            )) != nil {
                done = true
                if isStair { amount += base }
            }
            end = end.map { $0 + (text.utf8Count - before) }
        }
        caret = start
        guard done else { throw VimRefusal() }
    }

    // MARK: Blocks

    /// The range of each line that a block covers; a tab or wide character at its edge is included.
    private func blockParts(_ columns: ClosedRange<Int>, _ lines: ClosedRange<LineNumber>) -> [Range<ByteOffset>] {
        (lines.lowerBound.rawValue...lines.upperBound.rawValue).map { number in
            let range = text.lineRange(LineNumber(number))
            var (start, end) = (range.upperBound, range.upperBound)
            var found = false
            walkCells(from: range.lowerBound, to: range.upperBound) { place, column, width in
                if !found, column + max(1, width) > columns.lowerBound {
                    start = place
                    end = place
                    found = true
                }
                if found, column <= columns.upperBound || blockToLineEnd { end = text.characterEnd(after: place) }
                return column + width <= columns.upperBound || blockToLineEnd
            }
            return start..<max(start, end)
        }
    }

    private mutating func changeBlock(_ command: VimCommand) throws(VimRefusal) -> Bool {
        let columns = blockColumns
        let lines = line(min(anchor, caret))...line(max(anchor, caret))
        let parts = blockParts(columns, lines)
        let start = parts[0].lowerBound
        let toEnd = blockToLineEnd
        func leave(_ machine: inout VimMachine) {
            machine.finishSelection(command)
            machine.caret = start
            machine.wantedColumn = nil
        }
        switch command.name {
        case "y", "Y":
            finishSelection(command, isChange: false)
            registers.yank(blockRegister(parts, columns, toEnd: toEnd), to: command.register)
            caret = start
        case "d", "x", "<Del>", "D", "X":
            guard parts.contains(where: { !$0.isEmpty }) || lines.count > 1 else {
                leave(&self)
                return true
            }
            var parts = parts
            if command.name == "D" {
                parts = parts.map { $0.lowerBound..<max($0.lowerBound, lineEnd($0.lowerBound)) }
            }
            leave(&self)
            registers.delete(
                blockRegister(parts, columns, toEnd: toEnd || command.name == "D"), to: command.register,
                isSmall: lines.count == 1)
            edit(parts.filter { !$0.isEmpty }.map { ($0, "") }, caret: start)
            caret = onCharacter(start)
        case "c", "s", "C":
            var parts = parts
            if command.name == "C" {
                parts = parts.map { $0.lowerBound..<max($0.lowerBound, lineEnd($0.lowerBound)) }
            }
            leave(&self)
            registers.delete(
                blockRegister(parts, columns, toEnd: toEnd || command.name == "C"), to: command.register,
                isSmall: lines.count == 1)
            edit(parts.filter { !$0.isEmpty }.map { ($0, "") }, caret: start)
            caret = start
            beginInsertion(
                count: 1, block: VimBlockInsertion(lines: lines, column: columns.lowerBound, staysBehind: true))
        case "I":
            leave(&self)
            beginInsertion(count: 1, block: VimBlockInsertion(lines: lines, column: columns.lowerBound))
        case "A":
            leave(&self)
            if toEnd {
                caret = lineEnd(start)
                beginInsertion(count: 1, block: VimBlockInsertion(lines: lines, column: nil, home: start))
            } else {
                let width = width(of: text.string(in: text.lineRange(lines.lowerBound)))
                let wanted = columns.upperBound + 1
                if width < wanted {
                    let end = lineEnd(start)
                    edit([(end..<end, String(repeating: " ", count: wanted - width))], caret: end)
                }
                caret = place(column: wanted, in: lines.lowerBound, pastEnd: true)
                beginInsertion(
                    count: 1, block: VimBlockInsertion(lines: lines, column: wanted, fills: true, home: start))
            }
        case "r":
            guard case .character(let new)? = command.argument ?? .escape else { throw VimRefusal() }
            leave(&self)
            edit(
                parts.filter { !$0.isEmpty }.map { ($0, String(repeating: new, count: text.string(in: $0).count)) },
                caret: start)
        case "u", "U", "~", "gu", "gU", "g~":
            leave(&self)
            let operation = VimMachine.operations[command.name] ?? .toggleCase
            edit(
                parts.map { ($0, text.string(in: $0).withCase(operation)) }.filter { text.string(in: $0.0) != $0.1 },
                caret: start)
        case "<C-a>", "<C-x>", "g<C-a>", "g<C-x>":
            leave(&self)
            let isStair = command.name.hasPrefix("g")
            let base = (command.count ?? 1) * (command.name.hasSuffix("<C-a>") ? 1 : -1)
            var (amount, growth) = (base, 0)
            for part in parts {
                let before = text.utf8Count
                let from = part.lowerBound + growth
                // Skip a line without a number.
                let done: Void? = try? addToNumber(amount, in: line(from), from: from, limit: part.upperBound + growth)
                if done != nil, isStair { amount += base }
                growth += text.utf8Count - before
            }
            caret = start
        case ">", "<":
            leave(&self)
            shiftBlock(parts, columns.lowerBound, by: command.name == ">" ? command.count ?? 1 : -(command.count ?? 1))
            caret = start
        case "p", "P":
            let register = try? content(of: command.register)
            leave(&self)
            let kept = registers
            if parts.contains(where: { !$0.isEmpty }) || lines.count > 1 {
                registers.delete(
                    blockRegister(parts, columns, toEnd: toEnd), to: nil, isSmall: lines.count == 1)
            }
            if command.name == "P" { registers = kept }
            edit(parts.filter { !$0.isEmpty }.map { ($0, "") }, caret: start)
            caret = onCharacter(start)
            guard let register else { throw VimRefusal("Nothing is in that register") }
            if register.shape == .characters, lines.count > 1, !register.text.contains("\n") {
                let column = columns.lowerBound
                let new = String(repeating: register.text, count: command.count ?? 1)
                var inserted: [(Range<ByteOffset>, String)] = []
                for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
                    let range = text.lineRange(LineNumber(number))
                    guard width(of: text.string(in: range)) >= column else { continue }
                    let at = place(column: column, in: LineNumber(number), pastEnd: true)
                    inserted.append((at..<at, new))
                }
                edit(inserted, caret: start)
                caret = start + max(0, new.utf8.count - (new.last.map { String($0).utf8.count } ?? 0))
                return true
            }
            var how = VimPut(isAfter: caret < start, count: command.count ?? 1)
            if register.shape == .lines {
                how.isAfter = command.name == "p"
                if how.isAfter {
                    caret = text.lineStart(LineNumber(min(lines.upperBound.rawValue, lastLine.rawValue)))
                }
            }
            put(register, how)
        default: return false
        }
        return true
    }

    /// Widens or narrows the blanks at the left edge of a block.
    private mutating func shiftBlock(_ parts: [Range<ByteOffset>], _ column: Int, by steps: Int) {
        var edits: [(Range<ByteOffset>, String)] = []
        for part in parts {
            let start = part.lowerBound
            guard cells(at: start).start >= column else { continue }
            var reader = reader
            var end = start
            while reader.isBlank(end) { end += 1 }
            let cells = cells(at: start).start
            let old = width(of: text.string(in: start..<end), from: cells)
            let new = max(0, old + steps * configuration.tabWidth)
            edits.append((start..<end, String(repeating: " ", count: new)))
        }
        edit(edits, caret: caret)
    }

    private func blockRegister(
        _ parts: [Range<ByteOffset>], _ columns: ClosedRange<Int>, toEnd: Bool
    ) -> VimRegister {
        let rows = parts.map { part -> String in
            // A line that ends before the block begins contributes blanks.
            let isShort =
                part.isEmpty
                && self.width(of: text.string(in: lineStart(part.lowerBound)..<part.lowerBound)) < columns.lowerBound
            return isShort && !toEnd ? String(repeating: " ", count: columns.count) : text.string(in: part)
        }
        let width = toEnd ? rows.map { self.width(of: $0) }.max() ?? 0 : columns.count
        return VimRegister(rows.joined(separator: "\n"), .block(width: width))
    }
}

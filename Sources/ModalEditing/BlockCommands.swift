import TextEditing

/// The commands of visual block mode.
extension VimMachine {
    /// Does a command with the selected block.
    ///
    /// - Returns: false for a command that means the same in every visual mode.
    mutating func changeBlock(_ command: VimCommand) throws(VimRefusal) -> Bool {
        let block = currentBlock
        switch command.name {
        case "y", "Y": yank(block, command)
        case "d", "x", "<Del>", "D", "X": delete(block, command)
        case "c", "s", "C": change(block, command)
        case "I":
            leave(block, command)
            beginInsertion(
                count: command.count ?? 1,
                block: VimBlockInsertion(lines: block.lines, column: block.columns.lowerBound))
        case "A": append(to: block, command)
        case "r": try replaceCharacters(of: block, command)
        case "u", "U", "~", "gu", "gU", "g~": changeCase(of: block, command)
        case "<C-a>", "<C-x>", "g<C-a>", "g<C-x>": addToNumbers(of: block, command)
        case ">", "<":
            leave(block, command)
            let steps = command.count ?? 1
            shift(block, by: command.name == ">" ? steps : -steps)
            caret = block.start
        case "p", "P", "gp", "gP": try putOver(block, command)
        default: return false
        }
        return true
    }

    private mutating func leave(_ block: VimBlock, _ command: VimCommand) {
        finishSelection(command)
        caret = block.start
    }

    private mutating func yank(_ block: VimBlock, _ command: VimCommand) {
        finishSelection(command, isChange: false)
        let register = register(of: block)
        registers.yank(register, to: command.register)
        tellClipboard(register, command.register)
        caret = block.start
    }

    private mutating func delete(_ block: VimBlock, _ command: VimCommand) {
        guard !block.isEmpty else { return leave(block, command) }
        caret = onCharacter(cut(block, command))
    }

    private mutating func change(_ block: VimBlock, _ command: VimCommand) {
        caret = cut(block, command)
        beginInsertion(
            count: 1, block: VimBlockInsertion(lines: block.lines, column: block.columns.lowerBound, staysBehind: true))
    }

    /// Deletes a block into a register; `D` and `C` delete from its left edge to the ends of the lines.
    ///
    /// - Returns: the position of its left edge in the first line afterwards.
    private mutating func cut(_ block: VimBlock, _ command: VimCommand) -> ByteOffset {
        let pieces = block.parts.map { piece(of: $0, in: block) }
        let edge = block.start + pieces[0].before
        var whole = block
        if command.name == "D" || command.name == "C" {
            whole.parts = block.parts.map { $0.lowerBound..<max($0.lowerBound, lineEnd($0.lowerBound)) }
            whole.reachesEnds = true
        }
        let cuts = cuts(whole.parts, pieces)
        leave(block, command)
        if hasNoLine { return edge }
        let register = register(of: whole)
        registers.delete(register, to: command.register, isSmall: block.lines.count == 1)
        tellClipboard(register, command.register)
        edit(cuts, caret: block.start)
        return edge
    }

    /// Returns the parts of a block that are deleted, with the blanks that stay of characters cut at its edges.
    private func cuts(
        _ parts: [Range<ByteOffset>], _ pieces: [(taken: String, before: Int, after: Int)]
    ) -> [(Range<ByteOffset>, String)] {
        zip(parts, pieces).filter { !$0.0.isEmpty }.map { part, piece in
            (part, String(repeating: " ", count: piece.before + piece.after))
        }
    }

    private mutating func append(to block: VimBlock, _ command: VimCommand) {
        leave(block, command)
        if block.reachesEnds {
            caret = lineEnd(block.start)
            return beginInsertion(
                count: command.count ?? 1, block: VimBlockInsertion(lines: block.lines, column: nil, home: block.start))
        }
        let width = width(of: text.string(in: text.lineRange(block.lines.lowerBound)))
        let wanted = block.columns.upperBound + 1
        if width < wanted {
            let end = lineEnd(block.start)
            edit([(end..<end, String(repeating: " ", count: wanted - width))], caret: end)
        }
        caret = position(column: wanted, in: block.lines.lowerBound, pastEnd: true)
        beginInsertion(
            count: command.count ?? 1,
            block: VimBlockInsertion(lines: block.lines, column: wanted, fills: true, home: block.start))
    }

    /// Replaces each character of a block by another, or its part of each line by one line break.
    private mutating func replaceCharacters(of block: VimBlock, _ command: VimCommand) throws(VimRefusal) {
        let new = try replacement(for: command.argument)
        let divides = new == lineBreak
        // A tab takes the place of one cell, as in vim.
        let wide = new == "\t" ? 1 : max(1, width(of: new))
        leave(block, command)
        edit(
            block.parts.filter { !$0.isEmpty }.map { part in
                // A wide character is replaced by two narrow ones, and one that is cut only within the block.
                let (_, before, after) = piece(of: part, in: block)
                let cells = width(of: text.string(in: part), from: self.cells(at: part.lowerBound).start)
                let count = max(0, cells - before - after) / wide
                let blanks = { (count: Int) in String(repeating: " ", count: count) }
                if divides { return (part, blanks(before) + new) }
                return (part, blanks(before) + String(repeating: new, count: count) + blanks(after))
            },
            caret: block.start)
    }

    private mutating func changeCase(of block: VimBlock, _ command: VimCommand) {
        leave(block, command)
        let operation = VimMachine.operations[command.name] ?? .toggleCase
        edit(
            block.parts.map { ($0, text.string(in: $0).withCase(operation)) }
                .filter { text.string(in: $0.0) != $0.1 },
            caret: block.start)
    }

    /// Adds to the first number in each line of a block; with `g`, each line adds once more than the line above it.
    private mutating func addToNumbers(of block: VimBlock, _ command: VimCommand) {
        leave(block, command)
        beginGroup()
        effects.append(.touch)
        let isStair = command.name.hasPrefix("g")
        let base = (command.count ?? 1) * (command.name.hasSuffix("<C-a>") ? 1 : -1)
        var (amount, growth) = (base, 0)
        for part in block.parts {
            let before = text.utf8Count
            let from = part.lowerBound + growth
            // Skip a line without a number.
            let done: Void? = try? addToNumber(amount, in: line(from), from: from, limit: part.upperBound + growth)
            if done != nil, isStair { amount += base }
            growth += text.utf8Count - before
        }
        caret = block.start
    }

    /// Adds or removes blanks at the left edge of a block.
    private mutating func shift(_ block: VimBlock, by steps: Int) {
        var edits: [(Range<ByteOffset>, String)] = []
        for part in block.parts {
            let start = part.lowerBound
            guard start < lineEnd(start), cells(at: start).start >= block.columns.lowerBound else { continue }
            var reader = reader
            var end = start
            while reader.isBlank(end) { end += 1 }
            let cells = cells(at: start).start
            let old = width(of: text.string(in: start..<end), from: cells)
            let new = max(0, old + steps * configuration.tabWidth)
            edits.append((start..<end, String(repeating: " ", count: new)))
        }
        beginGroup()
        effects.append(.touch)
        edit(edits, caret: caret)
    }

    /// Puts a register in place of a block, which goes into the unnamed register, unless the command is `P`.
    private mutating func putOver(_ block: VimBlock, _ command: VimCommand) throws(VimRefusal) {
        let content = try? content(of: command.register)  // an empty register only deletes the block
        let pieces = block.parts.map { piece(of: $0, in: block) }
        let cuts = cuts(block.parts, pieces)
        leave(block, command)
        note(command.deleting)
        let kept = registers
        if !block.isEmpty { registers.delete(register(of: block), to: nil, isSmall: block.lines.count == 1) }
        if command.name == "P" { registers = kept }
        let edge = block.start + pieces[0].before
        edit(cuts, caret: block.start)
        caret = onCharacter(edge)
        guard let content else { throw VimRefusal.emptyRegister }
        let count = command.count ?? 1
        let goesBehind = command.name.count == 2
        if content.shape == .characters, block.lines.count > 1, !content.text.hasLineBreak {
            let new = String(repeating: content.text, count: count)
            insert(new, inEachLineOf: block)
            if goesBehind { caret = block.start + new.utf8.count }
            return
        }
        var how = VimPut(isAfter: caret < edge, count: count, goesBehind: goesBehind)
        if content.shape == .lines {
            how.isAfter = command.name == "p"
            if how.isAfter {
                caret = text.lineStart(LineNumber(min(block.lines.upperBound.rawValue, lastAddressed.rawValue)))
            }
        }
        put(content, how)
        selectPut(.visualBlock)
    }

    /// Inserts a text at the left edge of a block, in each line that is long enough.
    private mutating func insert(_ new: String, inEachLineOf block: VimBlock) {
        let column = block.columns.lowerBound
        var inserted: [(Range<ByteOffset>, String)] = []
        for number in block.lines.lowerBound.rawValue...block.lines.upperBound.rawValue {
            let range = text.lineRange(LineNumber(number))
            guard width(of: text.string(in: range)) >= column else { continue }
            let at = position(column: column, in: LineNumber(number), pastEnd: true)
            inserted.append((at..<at, new))
        }
        edit(inserted, caret: block.start)
        caret = block.start + max(0, new.utf8.count - (new.last.map { String($0).utf8.count } ?? 0))
    }
}

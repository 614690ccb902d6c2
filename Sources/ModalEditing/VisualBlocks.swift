import TextEditing

/// Visual block mode.
extension VimMachine {
    /// Returns the selected part of each line in a block, or `nil` in any other mode.
    public func selectedBlock(in text: TextBuffer) -> [Range<ByteOffset>]? {
        guard mode == .visualBlock, max(anchor, caret) <= text.end else { return nil }
        var reading = self
        reading.text = text
        let lines = reading.line(min(anchor, caret))...reading.line(max(anchor, caret))
        return reading.blockParts(reading.blockColumns, lines)
    }

    /// Returns the range that a block covers in each line, including a tab or wide character at its edge.
    private func blockParts(_ columns: ClosedRange<Int>, _ lines: ClosedRange<LineNumber>) -> [Range<ByteOffset>] {
        (lines.lowerBound.rawValue...lines.upperBound.rawValue).map { number in
            let range = text.lineRange(LineNumber(number))
            var (start, end) = (range.upperBound, range.upperBound)
            var found = false
            walkCells(from: range.lowerBound, to: range.upperBound) { position, column, width in
                if !found, column + max(1, width) > columns.lowerBound {
                    start = position
                    end = position
                    found = true
                }
                if found, column <= columns.upperBound || blockToLineEnd { end = text.characterEnd(after: position) }
                return column + width <= columns.upperBound || blockToLineEnd
            }
            return start..<max(start, end)
        }
    }

    mutating func changeBlock(_ command: VimCommand) throws(VimRefusal) -> Bool {
        let columns = blockColumns
        let lines = line(min(anchor, caret))...line(max(anchor, caret))
        let parts = blockParts(columns, lines)
        let toEnd = blockToLineEnd
        let start = parts[0].lowerBound
        let pieces = parts.map { piece(of: $0, columns, toEnd: toEnd) }
        func leave(_ machine: inout VimMachine) {
            machine.finishSelection(command)
            machine.caret = start
            machine.wantedColumn = nil
        }
        /// Deletes the block into a register; D and C delete from its left edge to the ends of the lines.
        func cut() {
            let cutsToEnd = command.name == "D" || command.name == "C"
            let parts = cutsToEnd ? parts.map { $0.lowerBound..<max($0.lowerBound, lineEnd($0.lowerBound)) } : parts
            let cuts = zip(parts, pieces).filter { !$0.0.isEmpty }.map { part, piece in
                (part, String(repeating: " ", count: piece.before + piece.after))
            }
            leave(&self)
            if hasNoLine { return }
            registers.delete(
                blockRegister(parts, columns, toEnd: toEnd || cutsToEnd), to: command.register,
                isSmall: lines.count == 1)
            edit(cuts, caret: start)
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
            cut()
            caret = onCharacter(start + pieces[0].before)
        case "c", "s", "C":
            cut()
            caret = start + pieces[0].before
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
                caret = position(column: wanted, in: lines.lowerBound, pastEnd: true)
                beginInsertion(
                    count: 1, block: VimBlockInsertion(lines: lines, column: wanted, fills: true, home: start))
            }
        case "r":
            guard case .character(let new)? = command.argument ?? .escape else { throw VimRefusal() }
            leave(&self)
            edit(
                parts.filter { !$0.isEmpty }.map { part in
                    // A wide character is replaced by two narrow ones.
                    let cells = width(of: text.string(in: part), from: self.cells(at: part.lowerBound).start)
                    return (part, String(repeating: new, count: cells / max(1, width(of: String(new)))))
                },
                caret: start)
        case "u", "U", "~", "gu", "gU", "g~":
            leave(&self)
            let operation = VimMachine.operations[command.name] ?? .toggleCase
            edit(
                parts.map { ($0, text.string(in: $0).withCase(operation)) }.filter { text.string(in: $0.0) != $0.1 },
                caret: start)
        case "<C-a>", "<C-x>", "g<C-a>", "g<C-x>":
            leave(&self)
            beginGroup()
            effects.append(.touch)
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
            let register = try? content(of: command.register)  // an empty register only deletes the block
            leave(&self)
            note(command.deleting)
            let kept = registers
            if parts.contains(where: { !$0.isEmpty }) || lines.count > 1 {
                registers.delete(
                    blockRegister(parts, columns, toEnd: toEnd), to: nil, isSmall: lines.count == 1)
            }
            if command.name == "P" { registers = kept }
            edit(parts.filter { !$0.isEmpty }.map { ($0, "") }, caret: start)
            caret = onCharacter(start)
            guard let register else { throw VimRefusal.emptyRegister }
            if register.shape == .characters, lines.count > 1, !register.text.contains("\n") {
                let column = columns.lowerBound
                let new = String(repeating: register.text, count: command.count ?? 1)
                var inserted: [(Range<ByteOffset>, String)] = []
                for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
                    let range = text.lineRange(LineNumber(number))
                    guard width(of: text.string(in: range)) >= column else { continue }
                    let at = position(column: column, in: LineNumber(number), pastEnd: true)
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
            selectPut(.visualBlock)
        default: return false
        }
        return true
    }

    /// Adds or removes blanks at the left edge of a block.
    private mutating func shiftBlock(_ parts: [Range<ByteOffset>], _ column: Int, by steps: Int) {
        var edits: [(Range<ByteOffset>, String)] = []
        for part in parts {
            let start = part.lowerBound
            guard start < lineEnd(start), cells(at: start).start >= column else { continue }
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

    /// Returns the text that a block takes from its part of a line, and the numbers of blanks that replace tabs cut at
    /// its edges.
    private func piece(
        of part: Range<ByteOffset>, _ columns: ClosedRange<Int>, toEnd: Bool
    ) -> (taken: String, before: Int, after: Int) {
        guard !part.isEmpty else { return ("", 0, 0) }
        var taken = text.string(in: part)
        let (first, last) = (cells(at: part.lowerBound), cells(at: text.characterStart(before: part.upperBound)))
        let before = taken.first == "\t" ? max(0, columns.lowerBound - first.start) : 0
        let after = taken.last == "\t" && !toEnd ? max(0, last.start + last.width - 1 - columns.upperBound) : 0
        if taken.count == 1, before + after > 0 {
            return (String(repeating: " ", count: max(0, first.width - before - after)), before, after)
        }
        if before > 0 { taken = String(repeating: " ", count: first.width - before) + taken.dropFirst() }
        if after > 0 { taken = taken.dropLast() + String(repeating: " ", count: last.width - after) }
        return (taken, before, after)
    }

    private func blockRegister(
        _ parts: [Range<ByteOffset>], _ columns: ClosedRange<Int>, toEnd: Bool
    ) -> VimRegister {
        // A block that extends to the ends of the lines is as wide as the longest line with its line break.
        let ends =
            toEnd
            ? parts.map { self.width(of: text.string(in: lineStart($0.lowerBound)..<lineEnd($0.lowerBound))) } : []
        let blanks = toEnd ? max(0, (ends.max() ?? 0) - columns.lowerBound) + 1 : columns.count
        let rows = parts.map { part -> String in
            // A line that ends before the block begins contributes blanks.
            let isShort =
                part.isEmpty
                && self.width(of: text.string(in: lineStart(part.lowerBound)..<part.lowerBound)) < columns.lowerBound
            return isShort
                ? String(repeating: " ", count: blanks) : piece(of: part, columns, toEnd: toEnd).taken
        }
        let width = toEnd ? blanks - 1 : columns.count
        return VimRegister(rows.joined(separator: "\n"), .block(width: width))
    }
}

import TextEditing

/// The target of a motion.
struct VimTarget {
    var position: ByteOffset
    var kind = SpanKind.exclusive
    /// The start of the span if it is not the caret, as with objects.
    var start: ByteOffset?
    /// Whether the motion's origin is added to the list of jumps.
    var isJump = false
    /// Whether text deleted with this motion goes to register 1 regardless of its length.
    var usesNumberedRegister = false
    /// The column that vertical motions aim for afterwards, or `nil` for that of the target.
    var column: Int?
    /// Whether an exclusive span keeps the line break at its end, contrary to the general rule.
    var keepsEnd = false
}

extension VimMachine {
    /// Returns the target of a command's motion, or `nil` if its name is not a motion.
    mutating func target(of command: VimCommand) throws(VimRefusal) -> VimTarget? {
        if let target = try lineMotion(command) { return target }
        if let target = try characterMotion(command) { return target }
        if let target = try wordMotion(command) { return target }
        if let target = try findMotion(command) { return target }
        if let target = try jumpMotion(command) { return target }
        if let target = try placeMotion(command) { return target }
        return try searchMotion(command)
    }

    // MARK: Within a line

    /// Returns where a motion within a line leads: `h`, `0`, `$`; nil for any other command.
    private mutating func characterMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        let count = command.count ?? 1
        switch command.name {
        case "h", "<Left>": return try left(count, wraps: false, command)
        case "<BS>", "<C-h>": return try left(count, wraps: true, command)
        case "l", "<Right>": return try right(count, wraps: false, command)
        case "<Space>", " ": return try right(count, wraps: true, command)
        case "0", "<Home>": return VimTarget(position: lineStart(caret))
        case "^": return VimTarget(position: firstNonBlank(of: line(caret)))
        case "$", "<End>":
            let below: LineNumber
            do {
                below = try line(down: count - 1)
            } catch {
                // Vertical motions aim for the ends of lines even if this one fails for want of lines.
                wantedColumn = .max
                if mode.isVisual { blockToLineEnd = true }
                throw error
            }
            let range = text.lineRange(below)
            let last = mode.isVisual ? range.upperBound : onCharacter(range.upperBound)
            return VimTarget(position: last, kind: .inclusive, column: .max)
        case "g_":
            var reader = reader
            var position = onCharacter(text.lineEnd(try line(down: count - 1)))
            while !reader.isLineStart(position), reader.isBlank(position) { position = reader.previous(position) }
            return VimTarget(position: position, kind: .inclusive)
        case "|":
            return VimTarget(position: position(column: count - 1, in: line(caret)), column: count - 1)
        default: return rowMotion(command.name)
        }
    }

    /// Returns the target of a motion within the screen row, or `nil` for other commands.
    private func rowMotion(_ name: String) -> VimTarget? {
        guard name.first == "g" else { return nil }
        let row = view.rowBounds?(caret) ?? lineStart(caret)...lineEnd(caret)
        switch name {
        case "g0", "g<Home>": return VimTarget(position: row.lowerBound)
        case "g^":
            var reader = reader
            var position = row.lowerBound
            while position < row.upperBound, reader.isBlank(position) { position += 1 }
            return VimTarget(position: mode.isVisual ? position : onCharacter(position))
        case "g$", "g<End>":
            return VimTarget(position: mode.isVisual ? row.upperBound : onCharacter(row.upperBound), kind: .inclusive)
        default: return nil
        }
    }

    private mutating func left(_ count: Int, wraps: Bool, _ command: VimCommand) throws(VimRefusal) -> VimTarget {
        var reader = reader
        var target = VimTarget(position: caret)
        for step in 0..<count {
            guard reader.isLineStart(target.position) else {
                target.position = reader.previous(target.position)
                continue
            }
            guard wraps, target.position > 0 else {
                if step == 0, command.operation == nil { throw VimRefusal() }
                break
            }
            let end = reader.previous(target.position)
            if command.operation == .delete || command.operation == .change {
                // For deletions the line break is a character.
                target.position = end
                target.keepsEnd = !reader.isLineStart(end)
            } else {
                target.position = mode.isVisual ? end : onCharacter(end)
            }
        }
        return target
    }

    private mutating func right(_ count: Int, wraps: Bool, _ command: VimCommand) throws(VimRefusal) -> VimTarget {
        var reader = reader
        var target = VimTarget(position: caret)
        for step in 0..<count {
            let isAtEnd = reader.isLineEnd(target.position)
            let next = isAtEnd ? target.position : reader.next(target.position)
            if mode.isVisual ? !isAtEnd : !isAtEnd && !reader.isLineEnd(next) {
                target.position = next
                continue
            }
            let end = isAtEnd ? target.position : next
            if wraps, end < reader.end {
                // For operators the line break is a character.
                if command.operation != nil, target.kind == .exclusive, !reader.isEmptyLine(end) {
                    target.kind = .inclusive
                } else {
                    target.position = reader.next(end)
                    target.kind = .exclusive
                }
                continue
            }
            if command.operation == nil {
                if step == 0 { throw VimRefusal() }
            } else if !reader.isEmptyLine(end) {
                target.kind = .inclusive
            }
            break
        }
        return target
    }

    // MARK: Lines

    /// Returns where a motion by lines leads: `j`, `G`, `+`; nil for any other command.
    private mutating func lineMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        let count = command.count ?? 1
        switch command.name {
        case "j", "<Down>", "<C-n>", "<C-j>":
            if command.count == nil, command.operation == nil, configuration.movesByRows, command.name != "<C-n>" {
                return try byRows(1)
            }
            return try vertical(count)
        case "k", "<Up>", "<C-p>":
            if command.count == nil, command.operation == nil, configuration.movesByRows, command.name != "<C-p>" {
                return try byRows(-1)
            }
            return try vertical(-count)
        case "gj", "g<Down>": return try byRows(count)
        case "gk", "g<Up>": return try byRows(-count)
        case "+", "<CR>", "<C-m>": return toFirstText(try line(down: count))
        case "-": return toFirstText(try line(down: -count))
        case "_":
            // Copying does not move the caret.
            if command.operation == .yank, count == 1 { return VimTarget(position: caret, kind: .lines) }
            return toFirstText(try line(down: count - 1))
        case "G", "gg":
            let wanted = command.count.map { $0 - 1 } ?? (command.name == "G" ? lastAddressed.rawValue : 0)
            return jump(toFirstText(LineNumber(min(wanted, lastAddressed.rawValue))))
        case "H":
            let top = min(view.lines.lowerBound.rawValue + count - 1, lastVisible.rawValue)
            return jump(toFirstText(awayFromEdge(LineNumber(top), for: command)))
        case "L":
            let bottom = max(lastVisible.rawValue - count + 1, view.lines.lowerBound.rawValue)
            return jump(toFirstText(awayFromEdge(LineNumber(bottom), for: command)))
        case "M":
            return jump(toFirstText(LineNumber((view.lines.lowerBound.rawValue + lastVisible.rawValue) / 2)))
        default: return nil
        }
    }

    private func jump(_ target: VimTarget) -> VimTarget {
        var target = target
        target.isJump = true
        return target
    }

    /// Returns the line `step` lines below or, if negative, above, limited to the text.
    ///
    /// Throws if there is none at all in that direction.
    func line(down step: Int) throws(VimRefusal) -> LineNumber {
        let here = line(caret)
        if step > 0 && here >= lastAddressed || step < 0 && here == 0 { throw VimRefusal() }
        return LineNumber(min(max(here.rawValue + step, 0), max(here, lastAddressed).rawValue))
    }

    private func vertical(_ step: Int) throws(VimRefusal) -> VimTarget {
        vertical(to: try line(down: step))
    }

    private func vertical(to target: LineNumber) -> VimTarget {
        let column = wantedColumn ?? column(of: caret)
        return VimTarget(
            position: position(column: column, in: target, pastEnd: mode.isVisual), kind: .lines, column: column)
    }

    /// Returns the position that many screen rows away.
    private mutating func byRows(_ rows: Int) throws(VimRefusal) -> VimTarget {
        let column = wantedColumn ?? column(of: caret)
        var target: VimTarget
        var isWhole = true
        if let step = view.stepByRows {
            let reached = step(caret, rows, wantedRowColumn)
            target = VimTarget(position: reached.position, column: column)
            if line(target.position) > max(lastAddressed, line(caret)) {
                // The empty line after the last line feed has a row, but no motion goes there.
                target.position = step(target.position, -1, reached.column).position
            }
            if !mode.isVisual { target.position = onCharacter(target.position) }
            isWhole = target.position != caret
            if isWhole { rowAim = (column, reached.column) }
        } else {
            // Each line is one row.
            let wanted = line(caret).rawValue + rows
            let reached = min(max(wanted, 0), max(line(caret), lastAddressed).rawValue)
            target = vertical(to: LineNumber(reached))
            target.kind = .exclusive
            isWhole = wanted == reached
        }
        guard isWhole else {
            caret = target.position
            throw VimRefusal()
        }
        return target
    }

    /// Scrolls by rows; a caret that would get out of sight goes along.
    mutating func scroll(by rows: Int) {
        guard let scrolled = view.scrolled?(.rows(rows), caret, wantedRowColumn) else { return }
        effects.append(.scroll(rows: scrolled.rows))
        guard scrolled.position != caret else { return }
        let column = wantedColumn ?? column(of: caret)
        caret = mode.isVisual ? scrolled.position : onCharacter(scrolled.position)
        wantedColumn = column
        rowAim = (column, scrolled.column)
    }

    /// Scrolls by pages or half pages; the caret goes to the first character of its row that is not a blank.
    ///
    /// As in vim, the count of a half page holds for the next ones too.
    mutating func scrollPages(_ command: VimCommand) throws(VimRefusal) {
        let count = command.count ?? 1
        let scroll: VimScroll
        switch command.name {
        case "<C-f>", "<PageDown>": scroll = .pages(count)
        case "<C-b>", "<PageUp>": scroll = .pages(-count)
        default:
            if let count = command.count { halfPage = count }
            scroll = .halfPage(rows: halfPage, isUp: command.name == "<C-u>")
        }
        guard let scrolled = view.scrolled?(scroll, caret, 0), scrolled.rows != 0 || scrolled.position != caret else {
            throw VimRefusal()
        }
        effects.append(.scroll(rows: scrolled.rows))
        caret = max(scrolled.position, firstNonBlank(of: line(scrolled.position)))
        wantedColumn = nil
    }

    /// The column in its row that motions by rows aim for, or `nil` for the caret's own.
    private var wantedRowColumn: CellColumn? {
        guard let wantedColumn else { return nil }
        if let rowAim, rowAim.wanted == wantedColumn { return rowAim.column }
        // Where the row is the whole line, or the end is wanted, the column in the line is that in the row.
        let isLine = view.rowBounds?(caret) == lineStart(caret)...lineEnd(caret)
        return isLine || wantedColumn == .max ? CellColumn(wantedColumn) : nil
    }

    /// Returns the line nearest to a visible one to which the caret goes without a scroll, so that margins stay.
    ///
    /// As in vim, an operator takes the lines up to the edge itself.
    private func awayFromEdge(_ line: LineNumber, for command: VimCommand) -> LineNumber {
        guard command.operation == nil, line < lastAddressed,
            let kept = view.scrolled?(.rows(0), text.lineStart(line), nil)
        else { return line }
        return self.line(kept.position)
    }

    private func toFirstText(_ line: LineNumber) -> VimTarget {
        VimTarget(position: firstNonBlank(of: line), kind: .lines)
    }

    // MARK: Characters and pairs

    /// Returns where a motion to a character or a bracket leads: `f`, `;`, `%`; nil for any other command.
    private mutating func findMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        switch command.name {
        case "f", "F", "t", "T":
            guard case .character(let character)? = command.argument ?? .escape else { throw VimRefusal() }
            let find = VimFind(
                character: character, isForward: command.name == "f" || command.name == "t",
                isTill: command.name == "t" || command.name == "T")
            lastFind = find
            return try self.find(find, count: command.count ?? 1, isRepeated: false)
        case ";", ",":
            guard var find = lastFind else { throw VimRefusal() }
            if command.name == "," { find.isForward.toggle() }
            return try self.find(find, count: command.count ?? 1, isRepeated: true)
        case "%":
            if let count = command.count {
                guard count <= 100 else { throw VimRefusal() }
                let target = (count * (lastAddressed.rawValue + 1) + 99) / 100 - 1
                return jump(toFirstText(LineNumber(min(max(target, 0), lastAddressed.rawValue))))
            }
            var reader = reader
            guard let position = reader.matchingBracket(from: caret) else { throw VimRefusal() }
            return VimTarget(position: position, kind: .inclusive, isJump: true, usesNumberedRegister: true)
        case "[(", "[{", "])", "]}": return try enclosingBracket(command)
        default: return nil
        }
    }

    /// Returns the target of a motion to the bracket around the caret, or to the outermost of as many as requested.
    private func enclosingBracket(_ command: VimCommand) throws(VimRefusal) -> VimTarget {
        let isRound = command.name.last == "(" || command.name.last == ")"
        let (opening, closing): (UInt8, UInt8) = isRound ? (0x28, 0x29) : (0x7B, 0x7D)
        let isForward = command.name.first == "]"
        var (reader, position, found) = (reader, caret, false)
        for _ in 0..<(command.count ?? 1) {
            guard
                let next = reader.unmatched(
                    opening: opening, closing: closing, from: position, forward: isForward, heedsQuotes: true)
            else { break }
            position = next
            found = true
        }
        guard found else { throw VimRefusal() }
        return VimTarget(position: position, kind: .exclusive, isJump: true)
    }

    private func find(_ find: VimFind, count: Int, isRepeated: Bool) throws(VimRefusal) -> VimTarget {
        var reader = reader
        var start = caret
        if find.isTill, isRepeated, count == 1 {
            // The caret is already next to the character, so the next one is searched for.
            let beside = find.isForward ? reader.next(start) : reader.previous(start)
            if find.isForward ? !reader.isLineEnd(start) : !reader.isLineStart(start),
                isCharacter(find.character, at: beside)
            {
                start = beside
            }
        }
        guard var position = reader.find(find.character, from: start, count: count, forward: find.isForward) else {
            throw VimRefusal()
        }
        if find.isTill { position = find.isForward ? reader.previous(position) : reader.next(position) }
        return VimTarget(position: position, kind: find.isForward ? .inclusive : .exclusive)
    }

    private func isCharacter(_ character: Character, at position: ByteOffset) -> Bool {
        let end = text.characterEnd(after: position)
        return end > position && text.string(in: position..<end) == String(character)
    }

    // MARK: Marks and jumps

    private mutating func jumpMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        switch command.name {
        case "'", "`":
            guard case .character(let name)? = command.argument ?? .escape, let position = mark(name) else {
                throw VimRefusal.markNotSet
            }
            if command.name == "'" { return jump(toFirstText(line(position))) }
            let target = min(position, reader.end)
            return VimTarget(
                position: mode.isVisual ? target : onCharacter(target), isJump: true, usesNumberedRegister: true)
        default: return nil
        }
    }

    /// Returns the position of a mark, or `nil` if it is not set.
    func mark(_ name: Character) -> ByteOffset? {
        switch name {
        case "<", ">":
            guard let last = lastVisual else { return nil }
            let (anchor, head) = (last.anchor.position(in: text), last.head.position(in: text))
            let (low, high) = (min(anchor, head), max(anchor, head))
            if last.mode == .visualLine { return name == "<" ? lineStart(low) : onCharacter(lineEnd(high)) }
            return name == "<" ? low : high
        case "'", "`": return marks.position("'", in: text)
        default: return marks.position(name, in: text)
        }
    }
}

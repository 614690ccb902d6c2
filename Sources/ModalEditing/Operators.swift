import TextEditing

/// The span that an operator acts on, after all rules are applied.
struct VimSpan {
    var range: Range<ByteOffset>
    /// Whether it consists of whole lines, whose last line break is not in the range.
    var isLines = false
    /// Whether deleted text goes to register 1 regardless of its length.
    var usesNumberedRegister = false
    /// Whether the motion includes the character at its target, even at the end of an empty line.
    var isInclusive = false
    /// Whether it is a selection.
    var isSelected = false
    /// Whether the mark of its end is after it, where an exclusive motion led.
    var isMarkedBehind = false
}

extension VimMachine {
    // MARK: Spans

    /// Returns the span between the caret and the target of a motion.
    func span(to target: VimTarget, _ command: VimCommand) -> VimSpan {
        var reader = reader
        var kind = target.kind
        let from = target.start ?? caret
        let start = min(from, target.position)
        var end = max(from, target.position)
        if command.forced == .visualLine { kind = .lines }
        if command.forced == .visual { kind = kind == .exclusive ? .inclusive : .exclusive }
        let lines = line(start)...line(end)
        if kind == .lines {
            return VimSpan(
                range: text.range(of: lines), isLines: true, usesNumberedRegister: target.usesNumberedRegister)
        }
        if kind == .exclusive, !target.keepsEnd, reader.isLineStart(end), lines.count > 1 {
            // A span that ends at the start of a line excludes the line break before it. If it also starts in an
            // indent, it becomes whole lines.
            let last = lines.upperBound - 1
            if text.indentEnd(of: lines.lowerBound) >= start {
                return VimSpan(
                    range: text.range(of: lines.lowerBound...last), isLines: true,
                    usesNumberedRegister: target.usesNumberedRegister)
            }
            end = text.lineEnd(last)
            return VimSpan(range: start..<end, usesNumberedRegister: target.usesNumberedRegister)
        } else if kind == .inclusive, !reader.isLineEnd(end) {
            end = reader.next(end)
        }
        return VimSpan(
            range: start..<end, usesNumberedRegister: target.usesNumberedRegister, isInclusive: kind == .inclusive,
            isMarkedBehind: kind == .exclusive && target.start == nil)
    }

    // MARK: Applying

    /// Applies an operator to a span and moves the caret as vim does.
    mutating func operate(_ operation: VimOperator, on span: VimSpan, _ command: VimCommand) throws(VimRefusal) {
        caret = min(operatorPosition ?? span.range.lowerBound, text.end)
        switch operation {
        case .delete: delete(span, command)
        case .change: change(span, command)
        case .yank:
            yank(span, command)
            caret = span.isLines && !span.isSelected ? caretAfterYank(span) : span.range.lowerBound
        case .shiftRight, .shiftLeft:
            let first = line(span.range.lowerBound)
            shift(lines(of: span), by: operation == .shiftRight ? 1 : -1, from: caret)
            caret = firstNonBlank(of: first)
        case .lowerCase, .upperCase, .toggleCase:
            changeCase(span.range, operation)
            if span.range.upperBound <= text.end { markBounds(of: span.range) }
            caret = span.isLines ? caretAfterYank(span) : span.range.lowerBound
        case .reflow: reflow(lines(of: span))
        case .surround: surround(span, with: command.surrounding.first)
        case .filter: try beginFilter(lines(of: span))
        case .indent, .fill, .rotate, .fold, .comment: break  // refused before their motion is made
        }
        wantedColumn = nil
    }

    func lines(of span: VimSpan) -> ClosedRange<LineNumber> {
        line(span.range.lowerBound)...line(span.range.upperBound)
    }

    /// Returns the caret after an operator that does not change the lines: the earlier of the motion's start and end.
    private func caretAfterYank(_ span: VimSpan) -> ByteOffset {
        operatorPosition.map { min($0, text.end) } ?? span.range.lowerBound
    }

    /// Copies a span into a register.
    mutating func yank(_ span: VimSpan, _ command: VimCommand) {
        // Nothing is kept of what goes nowhere, not even its place.
        if command.register == "_" { return }
        let register = VimRegister(text.string(in: span.range), span.isLines ? .lines : .characters)
        registers.yank(register, to: command.register)
        tellClipboard(register, command.register)
        markBounds(of: span.range)
        if span.isMarkedBehind { marks.set("]", span.range.upperBound, in: text) }
    }

    /// Copies the text of the registers `+` and `*` to the system's clipboard.
    mutating func tellClipboard(_ register: VimRegister, _ name: Character?) {
        guard name == "+" || name == "*" else { return }
        effects.append(.copy(register.text + (register.shape == .lines ? "\n" : "")))
    }

    /// Deletes a span and stores it in a register.
    mutating func delete(_ span: VimSpan, _ command: VimCommand) {
        var span = span
        if !span.isLines, command.forced == nil, !span.isSelected { span = wholeLines(span) }
        if hasNoLine { return }
        if !span.isLines,
            span.range.isEmpty || text.lineRange(line(span.range.lowerBound)).isEmpty && lines(of: span).count == 1
        {
            // As in vim, this makes an undo step even though nothing changes.
            beginGroup()
            effects.append(.touch)
            return
        }
        keepDeleted(span, command)
        if span.isLines {
            deleteLines(lines(of: span))
        } else {
            edit([(span.range, "")], caret: span.range.lowerBound)
            caret = onCharacter(span.range.lowerBound)
        }
    }

    /// Extends a deletion over several lines to whole lines if only blanks surround it.
    private func wholeLines(_ span: VimSpan) -> VimSpan {
        let lines = lines(of: span)
        guard lines.count > 1, text.indentEnd(of: lines.lowerBound) >= span.range.lowerBound else { return span }
        var reader = reader
        var position = span.range.upperBound
        while reader.isBlank(position) { position += 1 }
        guard reader.isLineEnd(position) else { return span }
        return VimSpan(range: text.range(of: lines), isLines: true, usesNumberedRegister: span.usesNumberedRegister)
    }

    mutating func keepDeleted(_ span: VimSpan, _ command: VimCommand) {
        let register = VimRegister(text.string(in: span.range), span.isLines ? .lines : .characters)
        let isSmall = !span.isLines && !span.usesNumberedRegister && lines(of: span).count == 1
        registers.delete(register, to: command.register, isSmall: isSmall)
        tellClipboard(register, command.register)
    }

    /// Removes lines with a line break, and moves the caret to the first non-blank of the line that follows.
    mutating func deleteLines(_ lines: ClosedRange<LineNumber>) {
        var range = text.lineStart(lines.lowerBound)..<text.lineEndIncludingTerminator(lines.upperBound)
        if lines.upperBound == lastLine, lines.lowerBound > 0 {
            range = text.lineEnd(lines.lowerBound - 1)..<range.upperBound
        }
        let takesAll = lines.lowerBound == 0 && lines.upperBound >= lastAddressed
        // No line takes the place of these, which would keep the marks.
        if takesAll || lines.upperBound == lastLine {
            beginGroup()
            keepMarksForUndo()
            marks.drop(from: text.lineStart(lines.lowerBound))
        }
        change([(range, "")], caret: range.lowerBound)
        hasNoLine = takesAll
        caret = firstNonBlank(of: LineNumber(min(lines.lowerBound.rawValue, lastAddressed.rawValue)))
        for name in ["[", "]", "."] as [Character] { marks.set(name, lineStart(caret), in: text) }
    }

    private mutating func change(_ span: VimSpan, _ command: VimCommand) {
        var (start, end) = (span.range.lowerBound, span.range.upperBound)
        if span.isLines {
            if !hasNoLine { keepDeleted(span, command) }
            if configuration.keepsIndent { start = min(text.indentEnd(of: line(start)), end) }
            if end < start { end = start }
            // Undo returns to the second line of several.
            if lines(of: span).count > 1 {
                let second = text.lineRange(line(start) + 1)
                caret = text.characterBoundary(
                    atOrBefore: min(second.lowerBound + (caret - lineStart(caret)), second.upperBound))
            }
        } else if !hasNoLine, !span.range.isEmpty || span.isInclusive {
            keepDeleted(span, command)
        }
        // The first of the lines stays, though empty, and with it the marks in it.
        let first = lineStart(start)
        let kept: [Character: VimMark] = span.isLines ? marks.carried(in: first..<first) : [:]
        edit([(start..<end, "")], caret: start)
        marks.setMoved(kept, by: 0)
        caret = start
        beginInsertion(count: 1)
    }

    /// Shifts lines by the given number of tab stops; empty lines are left alone.
    ///
    /// - Parameter start: The start of the shifted text, where the mark keeps its column.
    mutating func shift(_ lines: ClosedRange<LineNumber>, by steps: Int, from start: ByteOffset? = nil) {
        let column = start.map { $0 - lineStart($0) }
        var parts: [(Range<ByteOffset>, String)] = []
        for line in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let line = LineNumber(line)
            let range = text.lineRange(line)
            guard !range.isEmpty else { continue }
            let old = range.lowerBound..<text.indentEnd(of: line)
            let cells = width(of: text.string(in: old))
            let new = indent(cells: max(0, cells + steps * configuration.tabWidth))
            parts.append((old, new))
        }
        // As in vim, shifting empty lines makes an undo step too.
        beginGroup()
        effects.append(.touch)
        if !parts.isEmpty { edit(parts, caret: caret) }
        guard let column else { return }
        let first = text.lineRange(lines.lowerBound)
        let begin = text.characterBoundary(atOrBefore: min(first.lowerBound + column, first.upperBound))
        marks.set("[", begin, in: text)
        marks.set("]", onCharacter(text.lineEnd(lines.upperBound)), in: text)
    }

    mutating func changeCase(_ range: Range<ByteOffset>, _ operation: VimOperator) {
        let old = text.string(in: range)
        let new = old.withCase(operation)
        beginGroup()
        effects.append(.touch)
        // A text that has the case already is not marked as changed.
        if new != old { edit([(range, new)], caret: range.lowerBound) }
    }

    /// Fills lines up to the text width, paragraph by paragraph.
    private mutating func reflow(_ lines: ClosedRange<LineNumber>) {
        guard let reflow = view.reflow else { return reflowPlainText(lines) }
        let parts = reflow(lines).map { ($0.range, $0.text) }
        let end = parts.reduce(text.lineEnd(lines.upperBound)) { $0 + ($1.1.utf8.count - $1.0.length) }
        edit(parts, caret: text.lineStart(lines.lowerBound))
        caret = firstNonBlank(of: line(min(end, text.end)))
    }

    private mutating func reflowPlainText(_ lines: ClosedRange<LineNumber>) {
        var result: [String] = []
        var words: [Substring] = []
        var indent = ""
        func flush() {
            guard !words.isEmpty else { return }
            var row = indent
            for (index, word) in words.enumerated() {
                let isFirst = index == 0 || row == indent
                if !isFirst, width(of: row + " " + word) > configuration.textWidth {
                    result.append(row)
                    row = indent + word
                } else {
                    row += isFirst ? String(word) : " " + word
                }
            }
            result.append(row)
            words = []
        }
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let line = text.string(of: LineNumber(number))
            if text.isBlank(LineNumber(number)) {
                flush()
                result.append(line)
            } else {
                if words.isEmpty { indent = String(line.prefix { $0 == " " || $0 == "\t" }) }
                words += line.split { $0 == " " || $0 == "\t" }
            }
        }
        flush()
        let range = text.range(of: lines)
        let new = result.joined(separator: text.lineBreak(near: lines.lowerBound))
        if new != text.string(in: range) { edit([(range, new)], caret: range.lowerBound) }
        caret = firstNonBlank(of: LineNumber(lines.lowerBound.rawValue + max(0, result.count - 1)))
    }

    // MARK: Surrounding

    /// Inserts delimiters around a span.
    mutating func surround(_ span: VimSpan, with key: VimKey?) {
        guard case .character(let mark)? = key else { return }
        let (opening, closing) = VimMachine.marks(around: mark)
        var range = span.range
        if span.isLines {
            range = text.indentEnd(of: line(range.lowerBound))..<range.upperBound
        } else {
            // Trailing blanks stay outside.
            var reader = reader
            while range.upperBound > range.lowerBound, reader.isBlank(range.upperBound - 1) {
                range = range.lowerBound..<(range.upperBound - 1)
            }
        }
        edit(
            [(range.lowerBound..<range.lowerBound, opening), (range.upperBound..<range.upperBound, closing)],
            caret: range.lowerBound)
        caret = range.lowerBound
    }

    /// Removes or replaces the delimiters around the caret.
    mutating func replaceSurrounding(_ old: VimKey, by new: VimKey?) throws(VimRefusal) {
        guard case .character(let mark) = old else { throw VimRefusal() }
        var reader = reader
        let around: ObjectSpan?
        switch object(named: "a" + String(mark))?.object {
        case .brackets(let opening, let closing)?:
            around = reader.object(.brackets(opening, closing), at: caret, count: 1, around: true)
        default:
            let byte = mark.asciiValue ?? 0
            guard byte != 0, let inner = reader.object(.quotes(byte), at: caret, count: 2, around: false) else {
                throw VimRefusal()
            }
            around = inner
        }
        guard let around else { throw VimRefusal() }
        let end = around.kind == .inclusive ? reader.next(around.end) : around.end
        var first = around.start..<reader.next(around.start)
        var last = reader.previous(end)..<end
        // An opening bracket also removes the blanks inside.
        if "([{<".contains(mark) {
            while first.upperBound < last.lowerBound, reader.isBlank(first.upperBound) {
                first = first.lowerBound..<(first.upperBound + 1)
            }
            while last.lowerBound > first.upperBound, reader.isBlank(last.lowerBound - 1) {
                last = (last.lowerBound - 1)..<last.upperBound
            }
        }
        var marks = ("", "")
        if case .character(let mark)? = new { marks = VimMachine.marks(around: mark) }
        edit([(first, marks.0), (last, marks.1)], caret: around.start)
        caret = onCharacter(around.start)
    }

    /// Returns the pair of delimiters for a key; an opening bracket adds a blank inside.
    static func marks(around mark: Character) -> (String, String) {
        switch mark {
        case "(": ("( ", " )")
        case ")", "b": ("(", ")")
        case "[": ("[ ", " ]")
        case "]": ("[", "]")
        case "{": ("{ ", " }")
        case "}", "B": ("{", "}")
        case "<", ">": ("<", ">")
        default: (String(mark), String(mark))
        }
    }

    // MARK: Edits

    /// Makes a change as part of the current undo step; `parts` must ascend.
    ///
    /// - Parameter opensBelow: Whether it opens lines below the one at which it begins, which keeps its marks.
    mutating func edit(
        _ parts: [(Range<ByteOffset>, String)], caret after: ByteOffset, opensBelow: Bool = false
    ) {
        let edit = Edit(replacing: parts, of: text)
        guard !edit.isEmpty else { return }
        beginGroup()
        hasNoLine = false
        let old = marks.isVisiting ? text : nil
        edit.apply(to: &text)
        let after = min(after, text.end)
        effects.append(.edit(edit, caret: after))
        hostSelection = Selection(after)
        keepMarksForUndo()
        moveMarks(by: edit, opensBelow: opensBelow, in: old)
        if let range = edit.newRange { noteChange(range) }
    }

    /// Edits the text as an undo step, even if the text does not change, as in vim.
    mutating func change(_ parts: [(Range<ByteOffset>, String)], caret after: ByteOffset) {
        guard !parts.isEmpty else { return }
        beginGroup()
        effects.append(.touch)
        edit(parts, caret: after)
    }

    /// Begins an undo step; undo returns to the present caret.
    mutating func beginGroup() {
        guard !isGroupOpen else { return }
        isGroupOpen = true
        (changedVisual, changedMarks) = (nil, nil)
        if hostSelection != Selection(caret) {
            effects.append(.select(Selection(caret)))
            hostSelection = Selection(caret)
        }
        effects.append(.beginGroup)
    }

    /// Sets the marks of the last changed range, and that of the last change.
    mutating func noteChange(_ range: Range<ByteOffset>) {
        markBounds(of: range)
        marks.set(".", range.lowerBound, in: text)
    }

    /// Sets the marks of the last changed or yanked range.
    private mutating func markBounds(of range: Range<ByteOffset>) {
        marks.set("[", range.lowerBound, in: text)
        marks.set("]", range.isEmpty ? range.lowerBound : text.characterStart(before: range.upperBound), in: text)
    }
}

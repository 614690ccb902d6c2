import TextEditing

/// An event of Insert mode, which is sent through the editor again when the insertion is repeated.
enum VimInsertEvent: Hashable, Sendable {
    case type(String)
    /// A text that was not typed, such as a register: inserted unchanged.
    case paste(String)
    case newLine, tab, backspace, delete
    case wordBack, lineBack
    case indent, outdent
    /// Opens a line below, as each repetition of `o` and of `O` does.
    case openBelow
}

/// An insertion in Insert or Replace mode.
struct VimInsertion: Hashable, Sendable {
    /// The position at which it began, where deleting a word or line backwards stops once.
    var start: ByteOffset
    var count = 1
    var events: [VimInsertEvent] = []
    /// Whether the caret was moved, or Ctrl-O pressed, since when the events began anew.
    ///
    /// Dot then repeats the events as an insertion of their own, without the command that began the first one.
    var isContinued = false
    /// The event that each repetition begins with.
    var opening: VimInsertEvent?
    /// The characters that Replace mode has overwritten, the newest last; `nil` for each one that extended the line
    /// instead.
    var replaced: [String?] = []
    /// The other lines of a block that receive the typed text.
    var block: VimBlockInsertion?
}

extension VimMachine {
    mutating func beginInsertion(
        count: Int, opening: VimInsertEvent? = nil, replaces: Bool = false, block: VimBlockInsertion? = nil
    ) {
        beginGroup()
        // An insertion within the command after Ctrl-O takes the place of the one before.
        if !isRepeating { returnsToInsert = nil }
        mode = replaces ? .replace : .insert
        var block = block
        block?.lengthBefore = text.lineRange(line(caret)).length
        insertion = VimInsertion(start: caret, count: count, opening: opening, block: block)
    }

    /// Handles a key in Insert or Replace mode.
    mutating func insertKey(_ key: VimKey) {
        if pending.prefix == "<C-r>" {
            pending = VimPending()
            // An empty register inserts nothing.
            guard case .character(let name) = key, let register = try? content(of: name) else { return }
            return insert(.paste(register.text + (register.shape == .lines ? "\n" : "")))
        }
        switch key {
        case .escape, .control("["), .control("c"): return endInsertion()
        case .character(let character): return insert(.type(String(character)))
        case .enter, .control("m"), .control("j"): return insert(.newLine)
        case .tab, .control("i"): return insert(.tab)
        case .delete: return insert(.delete)
        case .backspace, .control("h"), .control("w"), .control("u"):
            // At the start of the text there is nothing to delete, nor to repeat elsewhere.
            guard caret > 0 else { return }
            insert(key == .control("w") ? .wordBack : key == .control("u") ? .lineBack : .backspace)
        case .control("a"):
            if let last = registers["."] { insert(.paste(last.text)) }
        case .control("t"): return insert(.indent)
        case .control("d"): return insert(.outdent)
        case .control("r"):
            pending.prefix = "<C-r>"
            pending.keys = [key]
        case .control("o"): leaveForCommand()
        case .control("e"), .control("y"):
            let other = line(caret) + (key == .control("e") ? 1 : -1)
            guard other >= 0, other <= lastAddressed else { return }
            let found = position(column: column(of: caret), in: other, pastEnd: true)
            guard found < text.lineEnd(other) else { return }
            insert(.type(text.string(in: found..<text.characterEnd(after: found))))
        case .left, .right, .up, .down, .home, .end, .pageUp, .pageDown: moveWhileInserting(key)
        case .control: break
        }
    }

    /// Types several characters at once.
    public mutating func type(_ run: String, in view: VimView) -> [VimEffect] {
        for character in run { recording?.keys.append(.character(character)) }
        guard mode == .insert, insertion != nil else { return [] }
        insertion?.events.append(.type(run))
        insertion?.events.joinTyped()
        return [.type(run)]
    }

    /// Leaves Insert mode for one command: Ctrl-O.
    private mutating func leaveForCommand() {
        noteInsertion()
        if let block = insertion?.block {
            let here = caret
            repeatInBlock(block)
            caret = here
            hasPlacedCaret = false
        }
        if insertion?.events.isEmpty == true { wantedColumn = column(of: caret) }
        insertion = nil
        returnsToInsert = mode
        jobsAfterCommand = jobs.count
        mode = .normal
        let range = text.lineRange(line(caret))
        returnsToEnd = caret == range.upperBound ? line(caret) : nil
        if returnsToEnd != nil, !range.isEmpty { caret = text.characterStart(before: caret) }
    }

    /// Returns to Insert mode once the command after Ctrl-O is complete.
    ///
    /// The text typed from then on is an insertion of its own, for undo and for dot.
    mutating func returnFromCommand() {
        guard let returns = returnsToInsert, mode == .normal, pending.isEmpty, jobs.count <= jobsAfterCommand else {
            return
        }
        returnsToInsert = nil
        let end = lineEnd(caret)
        if line(caret) == returnsToEnd || wantedColumn == .max, caret < end, text.characterEnd(after: caret) == end {
            caret = end
        }
        if isGroupOpen, jobs.isEmpty, keepsGroup == 0 {
            effects.append(.endGroup)
            isGroupOpen = false
        }
        beginInsertion(count: 1, replaces: returns == .replace)
        insertion?.isContinued = true
    }

    /// Records the events of the insertion so far for dot, and its text in the register `.`.
    private mutating func noteInsertion() {
        guard let insertion else { return }
        let typed = insertion.events.typedText
        if !typed.isEmpty { registers.set(".", VimRegister(typed)) }
        guard !isRepeating else { return }
        if !insertion.isContinued {
            lastChange?.events = insertion.events
        } else if !insertion.events.isEmpty {
            lastChange = VimChange(command: VimCommand(name: "i"), events: insertion.events)
        }
    }

    /// Handles a cursor key: it splits the undo step, and a repetition begins after it.
    private mutating func moveWhileInserting(_ key: VimKey) {
        let motions: [VimKey: Motion] = [
            .left: .left, .right: .right, .up: .up, .down: .down, .home: .lineStart, .end: .lineEnd,
        ]
        var moves: [VimEffect] = []
        if let motion = motions[key] { moves.append(.perform(.move(motion))) }
        if key == .pageUp || key == .pageDown {
            if let scrolled = view.scrolled?(.pages(key == .pageUp ? -1 : 1), caret, nil) {
                moves += [.scroll(rows: scrolled.rows), .select(Selection(scrolled.position))]
            }
        }
        splitInsertion(moves)
        hostSelection = nil
        jobs.add([.insertionMoved])
    }

    /// Begins a new undo step when an insertion continues at another position, from which a later repetition starts
    /// too.
    mutating func splitInsertion(_ moves: [VimEffect] = []) {
        noteInsertion()
        if isGroupOpen { effects.append(.endGroup) }
        effects += moves
        effects.append(.beginGroup)
        isGroupOpen = true
        (changedVisual, changedMarks) = (nil, nil)
        insertion?.events = []
        insertion?.isContinued = true
        insertion?.replaced = []
        insertion?.count = 1
        insertion?.opening = nil
        insertion?.block = nil
    }

    /// Performs an event, and records it for repetition.
    mutating func insert(_ event: VimInsertEvent) {
        insertion?.events.append(event)
        if case .type = event { insertion?.events.joinTyped() }
        perform(event)
    }

    mutating func perform(_ event: VimInsertEvent) {
        if mode == .replace, replace(event) { return }
        switch event {
        case .type(let text): effects.append(.type(text))
        case .newLine: effects.append(.perform(.newLine))
        case .tab: effects.append(.perform(.tab))
        case .backspace: effects.append(.perform(.delete(.backward)))
        case .delete:
            // The line feed at the end of the text is not between lines.
            guard caret < lineEnd(caret) || line(caret) < lastAddressed else { return }
            effects.append(.perform(.delete(.forward)))
        case .paste(let text):
            let text = text.with(lineBreak: lineBreak)
            edit([(caret..<caret, text)], caret: caret + text.utf8.count)
            caret = caret + text.utf8.count
            return
        case .wordBack: return deleteBack(to: wordBackTarget)
        case .lineBack:
            return deleteBack(to: lineBackTarget)
        case .indent, .outdent: return indentLine(inwards: event == .indent)
        case .openBelow: return openLine(below: true)
        }
        hostSelection = nil
    }

    /// Changes the indent of the caret's line to the next tab stop, or to the one before.
    ///
    /// The caret stays in front of the same text.
    private mutating func indentLine(inwards: Bool) {
        let number = line(caret)
        let old = text.lineStart(number)..<text.indentEnd(of: number)
        let cells = width(of: text.string(in: old))
        let stop = configuration.tabWidth
        let stops = inwards ? cells / stop + 1 : max(0, (cells + stop - 1) / stop - 1)
        let new = indent(cells: stops * stop)
        let after = max(old.lowerBound, caret + (new.utf8.count - old.length))
        edit([(old, new)], caret: after)
        caret = after
    }

    /// The position at which deleting a word backwards stops: within the line it deletes blanks and one run of
    /// characters, at the start of a line the line break.
    private var wordBackTarget: ByteOffset {
        var reader = reader
        if reader.isLineStart(caret) { return reader.previous(caret) }
        var position = caret
        while !reader.isLineStart(position), reader.isBlank(reader.previous(position)) {
            position = reader.previous(position)
        }
        guard !reader.isLineStart(position) else { return position }
        let run = reader.motionClass(reader.previous(position), big: false)
        while !reader.isLineStart(position), reader.motionClass(reader.previous(position), big: false) == run {
            position = reader.previous(position)
        }
        return position
    }

    /// The position at which deleting a line backwards stops: after its indent, then before it, then before the line
    /// break.
    private var lineBackTarget: ByteOffset {
        let start = lineStart(caret)
        if start == caret { return text.characterStart(before: caret) }
        let indentEnd = text.indentEnd(of: line(caret))
        return configuration.keepsIndent && indentEnd < caret ? indentEnd : start
    }

    private mutating func deleteBack(to target: ByteOffset) {
        var target = target
        // Text from before the insertion is only deleted at the second request.
        if let start = insertion?.start, target < start, start < caret { target = start }
        guard target < caret else { return }
        edit([(target..<caret, "")], caret: target)
        caret = target
    }

    /// Overwrites existing text, and returns false for events that Replace mode handles as Insert mode does.
    private mutating func replace(_ event: VimInsertEvent) -> Bool {
        switch event {
        case .type(let typed):
            for character in typed { overwrite(with: String(character)) }
            return true
        case .paste(let text) where !text.hasLineBreak:
            for character in text { overwrite(with: String(character)) }
            return true
        case .tab:
            let new = tabs(1, from: cells(at: caret).start)
            overwrite(with: new)
            insertion?.replaced += Array(repeating: nil, count: new.utf8.count - 1)
            return true
        case .backspace:
            guard let replaced = insertion?.replaced.popLast() else {
                if caret > lineStart(caret) { caret = text.characterStart(before: caret) }
                return true
            }
            let start = text.characterStart(before: caret)
            edit([(start..<caret, replaced ?? "")], caret: start)
            caret = start
            return true
        case .newLine:
            insertion?.replaced.append(nil)
            return false
        case .wordBack, .lineBack:
            let target = max(event == .wordBack ? wordBackTarget : lineStart(caret), insertion?.start ?? caret)
            while caret > target, replace(.backspace) {}
            return true
        default: return false
        }
    }

    /// Puts a text in the place of the character after the caret, or at the end of the line, where there is none.
    private mutating func overwrite(with new: String) {
        let end = caret < lineEnd(caret) ? text.characterEnd(after: caret) : caret
        insertion?.replaced.append(end > caret ? text.string(in: caret..<end) : nil)
        edit([(caret..<end, new)], caret: caret + new.utf8.count)
        caret += new.utf8.count
    }

    /// Begins a new line below or above the caret: `o`, `O`.
    mutating func openLine(below: Bool) {
        let here = line(caret)
        let range = text.lineRange(here)
        let indent =
            configuration.keepsIndent ? text.string(in: range.lowerBound..<text.indentEnd(of: here)) : ""
        if below {
            let new = lineBreak + indent
            let after = range.upperBound + new.utf8.count
            edit([(range.upperBound..<range.upperBound, new)], caret: after, opensBelow: true)
            caret = after
        } else {
            let new = indent + lineBreak
            edit([(range.lowerBound..<range.lowerBound, new)], caret: range.lowerBound + indent.utf8.count)
            caret = range.lowerBound + indent.utf8.count
        }
    }

    /// Leaves Insert mode after repeating the typed text up to the count.
    mutating func endInsertion() {
        guard let done = insertion else {
            mode = .normal
            return
        }
        noteInsertion()
        if done.count > 1, !done.events.isEmpty || done.opening != nil {
            insertion?.count = 1
            let again = (done.opening.map { [$0] } ?? []) + done.events
            jobs.add((1..<done.count).flatMap { _ in again.map { .event($0) } } + [.endInsertion])
            return
        }
        closeInsertion()
    }

    /// Leaves Insert mode and moves the caret onto the last typed character.
    mutating func closeInsertion() {
        hasPlacedCaret = false
        // Typing begins again where it was left, not at the start of the block.
        let left = insertion?.block == nil ? nil : caret
        if let block = insertion?.block { repeatInBlock(block) }
        dropUnusedIndent()
        marks.set("[", insertion?.start, in: text)
        insertion = nil
        mode = .normal
        marks.set("^", left ?? caret, in: text)
        marks.set("]", caret, in: text)
        if !hasPlacedCaret, caret > lineStart(caret) { caret = text.characterStart(before: caret) }
        wantedColumn = nil
        if isRepeating, !jobs.contains(.endRepeating) { isRepeating = false }
    }

    /// Deletes the indent of a new line in which nothing was typed.
    private mutating func dropUnusedIndent() {
        guard configuration.keepsIndent, let done = insertion,
            done.events.last == .newLine || done.events.isEmpty && done.opening != nil
        else { return }
        let range = text.lineRange(line(caret))
        guard !range.isEmpty, range.upperBound == caret, text.isBlank(line(caret)) else { return }
        edit([(range, "")], caret: range.lowerBound)
        caret = range.lowerBound
    }
}

extension [VimInsertEvent] {
    /// Joins the last two events if both are typed text.
    mutating func joinTyped() {
        guard count > 1, case .type(let last) = self[count - 1], case .type(let before) = self[count - 2] else {
            return
        }
        removeLast()
        self[count - 1] = .type(before + last)
    }

    /// The inserted text, as a register stores it.
    var typedText: String {
        var text = ""
        for event in self {
            switch event {
            case .type(let typed), .paste(let typed): text += typed
            case .newLine: text += "\n"
            case .tab: text += "\t"
            case .backspace: if !text.isEmpty { text.removeLast() }
            default: break
            }
        }
        return text
    }
}

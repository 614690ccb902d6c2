import TextEditing

/// The handling of keys, and the commands of Normal mode.
extension VimMachine {
    mutating func handle(_ key: VimKey) {
        switch mode {
        case .insert, .replace: insertKey(key)
        case .commandLine:
            lineKey(key)
            returnFromCommand()
        default:
            commandKey(key)
            returnFromCommand()
        }
        // Undo, redo and `:g` move the caret only by the jobs that they have added.
        let isDone = jobs.first != .afterRetracing && jobs.first != .beginGroup
        if mode == .normal || mode.isVisual, pending.isEmpty, isDone { marks.settleJump(at: caret, in: text) }
    }

    private mutating func commandKey(_ key: VimKey) {
        switch pending.take(key, mode: mode, isRecording: recording != nil) {
        case .pending: return
        case .refused: refuse(VimRefusal())
        case .command(let command):
            pending = VimPending()
            do throws(VimRefusal) {
                try execute(command)
            } catch {
                refuse(error)
            }
        }
    }

    /// Drops the pending keys and jobs, and reports the refusal.
    mutating func refuse(_ refusal: VimRefusal) {
        pending = VimPending()
        // Jobs that end something are kept; all others are dropped.
        jobs.removeAll { job in
            switch job {
            case .endMacro, .endGroup, .endRepeating, .leaveVisual, .normal, .normalOnVisits, .normalOnLines,
                .leaveNormal:
                false
            default: true
            }
        }
        effects.append(.refused(refusal.reason))
    }

    /// Executes a complete command.
    mutating func execute(_ command: VimCommand) throws(VimRefusal) {
        if command.name == "/" || command.name == "?", command.line == nil {
            return beginLine(command.name, command)
        }
        if mode.isVisual {
            let done = effects.count
            defer { if effects[done...].contains(where: \.isEdit) { changedVisual = leftVisual } }
            return try executeVisual(command)
        }
        if let operation = command.operation { return try operate(operation, command) }
        if let target = try target(of: command) { return move(to: target) }
        if try change(command) { return }
        try act(command)
    }

    mutating func move(to target: VimTarget) {
        if target.isJump { marks.jump(from: caret, in: text) }
        caret = target.position
        wantedColumn = target.column
    }

    /// Records the caret as the origin of a jump; `:g` does so once for all its lines, as in vim.
    mutating func jump() {
        if !isGlobal { marks.jump(from: caret, in: text) }
    }

    // MARK: Operators

    /// Performs an operator on lines, on an object or up to where a motion leads: `dd`, `diw`, `d3w`.
    private mutating func operate(_ operation: VimOperator, _ command: VimCommand) throws(VimRefusal) {
        guard operation.isSupported else { throw VimRefusal.notSupported(operation.rawValue) }
        if command.name == "ds" || command.name == "cs" {
            guard let old = command.surrounding.first else { throw VimRefusal() }
            try replaceSurrounding(old, by: command.name == "cs" ? command.surrounding.last : nil)
            return note(command)
        }
        let begin = caret
        let span: VimSpan
        if command.name.isEmpty {
            // A doubled operator acts on whole lines.
            let last = try line(down: (command.count ?? 1) - 1)
            span = VimSpan(range: text.range(of: line(caret)...last), isLines: true)
            operatorPosition = operation == .yank || last > line(caret) ? caret : min(caret, firstNonBlank(of: last))
        } else if let found = try objectSpan(of: command) {
            let target = VimTarget(position: found.end, kind: found.kind, start: found.start)
            span = self.span(to: target, command)
            operatorPosition = span.range.lowerBound
        } else if let target = try target(of: command) {
            if command.forced == .visualBlock {
                return try operate(operation, onBlockTo: target.position, command)
            }
            if target.isJump { marks.jump(from: caret, in: text) }
            span = self.span(to: target, command)
            operatorPosition = min(begin, target.position)
        } else {
            throw VimRefusal()
        }
        if operation != .yank, operation != .filter { note(command) }
        try operate(operation, on: span, command)
    }

    /// Performs an operator on the block between the caret and a position: `d Ctrl-V j`.
    private mutating func operate(
        _ operation: VimOperator, onBlockTo position: ByteOffset, _ command: VimCommand
    ) throws(VimRefusal) {
        mode = .visualBlock
        anchor = caret
        caret = position
        var command = command
        command.forced = nil
        command.name = operation.rawValue
        command.operation = nil
        try executeVisual(command)
    }

    // MARK: Changes

    /// Performs a change that needs no motion, and returns false for any other command.
    private mutating func change(_ command: VimCommand) throws(VimRefusal) -> Bool {
        // The abbreviations of an operator with a motion.
        let short: [String: (VimOperator, String)] = [
            "x": (.delete, "l"), "<Del>": (.delete, "l"), "X": (.delete, "h"), "D": (.delete, "$"),
            "C": (.change, "$"), "s": (.change, "l"), "S": (.change, ""), "Y": (.yank, ""),
        ]
        if let (operation, motion) = short[command.name] {
            var whole = command
            whole.operation = operation
            whole.name = motion
            try operate(operation, whole)
            return true
        }
        if try insert(command) { return true }
        let count = command.count ?? 1
        switch command.name {
        case "p", "P", "gp", "gP": try putRegister(command)
        case "J", "gJ": try join(max(2, count), withSpaces: command.name == "J")
        case "~": try toggleCase(count)
        case "r": try replaceCharacters(count, with: command.argument)
        case "<C-a>", "<C-x>":
            note(command)
            beginGroup()
            effects.append(.touch)
            let amount = command.name == "<C-a>" ? count : -count
            // As in vim, a line without a number ends no macro.
            guard (try? addToNumber(amount, in: line(caret), from: caret)) != nil else { return true }
        case "gR", "gr": throw VimRefusal.notSupported(command.name)
        default: return false
        }
        note(command)
        wantedColumn = nil
        return true
    }

    /// Puts a register beside the caret: `p`, `P`, `gp`, `gP`.
    private mutating func putRegister(_ command: VimCommand) throws(VimRefusal) {
        // Vim records the command and sets these marks before it looks up the register.
        note(command)
        for name in "[]" { marks.set(name, caret, in: text) }
        let register: VimRegister
        do {
            register = try content(of: command.register)
        } catch {
            // As in vim, this makes an undo step even if nothing changes.
            beginGroup()
            effects.append(.touch)
            throw error
        }
        let goesBehind = command.name.count == 2
        put(register, VimPut(isAfter: command.name.hasSuffix("p"), count: command.count ?? 1, goesBehind: goesBehind))
    }

    /// Performs a command that starts an insertion, and returns false for any other command.
    private mutating func insert(_ command: VimCommand) throws(VimRefusal) -> Bool {
        let count = command.count ?? 1
        var opening: VimInsertEvent?
        switch command.name {
        case "i", "<Insert>": break
        case "a": if caret < lineEnd(caret) { caret = text.characterEnd(after: caret) }
        case "I": caret = text.indentEnd(of: line(caret))
        case "A": caret = lineEnd(caret)
        case "gI": caret = lineStart(caret)
        case "gi": caret = min(marks.position("^", in: text) ?? caret, reader.end)
        case "o":
            opening = .openBelow
            openLine(below: true)
        case "O":
            openLine(below: false)
            opening = .openBelow
        case "R": break
        default: return false
        }
        var noted = command
        if command.name == "gi" { noted.name = "i" }
        note(noted)
        wantedColumn = nil
        beginInsertion(count: count, opening: opening, replaces: command.name == "R")
        return true
    }

    private mutating func toggleCase(_ count: Int) throws(VimRefusal) {
        let end = lineEnd(caret)
        guard caret < end else { throw VimRefusal() }
        var stop = caret
        for _ in 0..<count where stop < end { stop = text.characterEnd(after: stop) }
        let range = caret..<stop
        let old = text.string(in: range)
        if old.withCase(.toggleCase) == old {
            // This makes an undo step too, but keeps the marks of the last change.
            beginGroup()
            effects.append(.touch)
        } else {
            changeCase(range, .toggleCase)
        }
        caret = min(stop, onCharacter(lineEnd(range.lowerBound)))
    }

    private mutating func replaceCharacters(_ count: Int, with key: VimKey?) throws(VimRefusal) {
        let end = lineEnd(caret)
        var stop = caret
        for _ in 0..<count {
            guard stop < end else { throw VimRefusal() }
            stop = text.characterEnd(after: stop)
        }
        switch key {
        case .character(let character)?:
            let new = String(repeating: character, count: count)
            let start = caret
            edit([(start..<stop, new)], caret: start)
            caret = start + new.utf8.count - String(character).utf8.count
        case .tab?:
            let start = caret
            let new = tabs(count, from: cells(at: start).start)
            edit([(start..<stop, new)], caret: start)
            caret = start + new.utf8.count - 1
        case .enter?, .control("m")?, .control("j")?:
            let new = lineBreak + (configuration.keepsIndent ? indent(before: &stop) : "")
            let after = caret + new.utf8.count
            edit([(caret..<stop, new)], caret: after)
            // As after Esc, the caret is on the last character of the indent.
            caret = new == lineBreak ? after : after - 1
            for name in "]^" { marks.set(name, caret, in: text) }
        default: throw VimRefusal()
        }
    }

    /// Returns the indent of the line that begins at `stop`, and moves `stop` past the blanks there; a line without any
    /// other text has no indent.
    private func indent(before stop: inout ByteOffset) -> String {
        let end = lineEnd(caret)
        while stop < end, let byte = text.byte(at: stop), byte == 0x20 || byte == 0x09 { stop += 1 }
        guard stop < end else { return "" }
        return text.string(in: lineStart(caret)..<min(text.indentEnd(of: line(caret)), caret))
    }

    // MARK: Other commands

    /// Performs a command that is neither a motion, an operator nor an insertion.
    mutating func act(_ command: VimCommand) throws(VimRefusal) {
        let count = command.count ?? 1
        switch command.name {
        case "<Esc>", "<C-c>":
            throw VimRefusal()
        case "v", "V", "<C-v>", "gv", "gn", "gN": try beginVisual(command)
        case "u": retrace(.undo(count))
        case "<C-r>": retrace(.redo(count))
        case "U": throw VimRefusal.noLineUndo
        case ".": try repeatChange(command.count)
        case "q":
            guard case .character(let name)? = command.argument ?? .character("q") else { throw VimRefusal() }
            try toggleRecording(into: name)
        case "@":
            guard case .character(let name)? = command.argument ?? .escape else { throw VimRefusal() }
            try play(name, count: count)
        case "m":
            guard case .character(let name)? = command.argument ?? .escape,
                name.isASCII && name.isLetter || "'`[]".contains(name)
            else { throw VimRefusal() }
            marks.set(name, caret, in: text)
        case ":": beginLine(":", text: command.count.map { $0 == 1 ? "." : ".,.+\($0 - 1)" } ?? "")
        case "&":
            try substituteAgain(on: line(caret)...line(caret), keepsFlags: false)
        case "g&":
            if let search = lastSearch {
                let last = lastSubstitution
                lastSubstitution = VimSubstitution(
                    pattern: search.pattern, replacement: last?.replacement ?? "", flags: last?.flags ?? [])
            }
            try substituteAgain(on: 0...lastAddressed, keepsFlags: true)
        case "<C-o>": try retraceJumps(count)
        case "<Tab>", "<C-i>": try retraceJumps(-count)
        case "<C-e>": scroll(by: count)
        case "<C-y>": scroll(by: -count)
        case "<C-f>", "<C-b>", "<PageDown>", "<PageUp>", "<C-d>", "<C-u>": try scrollPages(command)
        default:
            guard let effect = effect(of: command.name, count) else { throw VimRefusal.notSupported(command.name) }
            effects.append(effect)
        }
    }

    /// Goes back to where the caret jumped from; with a negative number of steps, forward again.
    private mutating func retraceJumps(_ steps: Int) throws(VimRefusal) {
        guard let position = marks.retrace(steps, from: caret, in: text) else {
            guard configuration.jumpsBetweenTexts else { throw VimRefusal() }
            return effects.append(.request(steps > 0 ? .back : .forward))
        }
        caret = min(position, text.end)
        wantedColumn = nil
    }

    /// Returns what a command that changes neither the text nor the machine asks of the window.
    private func effect(of name: String, _ count: Int) -> VimEffect? {
        switch name {
        case "zt", "z<CR>": .reveal(.top)
        case "zz", "z.": .reveal(.middle)
        case "zb", "z-": .reveal(.bottom)
        case "ZZ": .command("x")
        case "ZQ": .command("q")
        case "<C-w>h", "<C-w><C-h>", "<C-w><Left>": .request(.paneLeft)
        case "<C-w>l", "<C-w><C-l>", "<C-w><Right>": .request(.paneRight)
        case "<C-w>w", "<C-w><C-w>": .request(.nextPane)
        case "<C-]>", "gf", "gx": .request(.followLink)
        case "ga", "g8": .message(characterUnderCaret)
        default: nil
        }
    }

    private mutating func retrace(_ effect: VimEffect) {
        jump()
        if case .undo(1) = effect { (undoneVisual, undoneMarks) = (changedVisual, changedMarks) }
        (changedVisual, changedMarks) = (nil, nil)
        effects.append(effect)
        hostSelection = nil
        jobs.add([.afterRetracing])
    }

    private var characterUnderCaret: String {
        let end = text.characterEnd(after: caret)
        let scalars = text.string(in: caret..<end).unicodeScalars
        return scalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}

import TextEditing

/// Repetition: dot, macros, and jobs that remain after effects.
extension VimMachine {
    mutating func handle(_ job: VimJob) {
        // Only jobs that the command after Ctrl-O has added can complete it; others come after it, as in a macro.
        let isOfCommand = jobs.count >= jobsAfterCommand
        jobsAfterCommand = min(jobsAfterCommand, jobs.count)
        if case .key(let key) = job { return handle(key) }
        perform(job)
        if isOfCommand { returnFromCommand() }
    }

    private mutating func perform(_ job: VimJob) {
        switch job {
        case .key: break  // handled above
        case .event(let event): perform(event)
        case .endInsertion: closeInsertion()
        case .insertionMoved: insertion?.start = caret
        case .afterRetracing:
            moveToRetraced()
            marks.settleJump(at: caret, in: text)
        case .endMacro: macroDepth = max(0, macroDepth - 1)
        case .endRepeating: isRepeating = false
        case .beginGroup: keepsGroup += 1
        case .endGroup: keepsGroup = max(0, keepsGroup - 1)
        case .leaveVisual: if mode.isVisual || mode == .commandLine { mode = .normal }
        case .leaveNormal: leaveNormal()
        case .normal(let keys): runNormal(keys)
        case .normalOnVisits(let keys):
            guard let position = marks.nextVisit(in: text) else { return }
            jobs.add([job])
            caret = position
            runNormal(keys)
        case .normalOnLines(let lines, let keys):
            guard let line = lines.first else { return }
            jobs.add([.normalOnLines(lines.dropFirst(), keys)])
            caret = text.lineStart(LineNumber(min(line, lastAddressed.rawValue)))
            runNormal(keys)
        }
    }

    /// Ends the pending command or mode, as Esc does.
    private mutating func leaveNormal() {
        pending = VimPending()
        returnsToInsert = nil
        if mode == .insert || mode == .replace {
            endInsertion()
        } else if mode == .commandLine {
            commandLine = nil
            mode = .normal
        } else if mode.isVisual {
            endVisual()
        }
    }

    /// Records a change for repetition with dot.
    mutating func note(_ command: VimCommand) {
        guard !isRepeating else { return }
        lastChange = VimChange(command: command)
    }

    /// Repeats the last change, with another count if one is given.
    mutating func repeatChange(_ count: Int?) throws(VimRefusal) {
        guard var change = lastChange else { throw VimRefusal() }
        if let count, change.command.selected == nil {
            change.command.count = count
            lastChange?.command.count = count
        }
        if let name = change.command.register, let next = VimRegisters.following(name) {
            change.command.register = next
            lastChange?.command.register = next
        }
        isRepeating = true
        if let extent = change.command.selected { select(extent) }
        do {
            try execute(change.command)
        } catch {
            isRepeating = false
            repeatedWidth = nil
            if mode.isVisual { mode = .normal }
            throw error
        }
        guard mode == .insert || mode == .replace else {
            isRepeating = false
            return
        }
        insertion?.events = change.events
        var rest: [VimJob] = change.events.map { .event($0) }
        let times = insertion?.count ?? 1
        if times > 1 {
            for _ in 1..<times {
                if let opening = insertion?.opening { rest.append(.event(opening)) }
                rest += change.events.map { .event($0) }
            }
        }
        insertion?.count = 1
        rest += [.endInsertion, .endRepeating]
        jobs.add(rest)
    }

    /// Selects, from the caret, the same amount of text as when the change was made.
    private mutating func select(_ extent: VimExtent) {
        mode = extent.mode
        anchor = caret
        let last = LineNumber(min(line(caret).rawValue + extent.lines - 1, lastAddressed.rawValue))
        switch extent.mode {
        case .visualLine: caret = text.lineStart(last)
        case .visualBlock:
            let start = column(of: anchor)
            blockToLineEnd = extent.columns == .max
            repeatedWidth = blockToLineEnd ? nil : extent.columns
            caret = position(column: extent.columns == .max ? .max : start + extent.columns - 1, in: last)
        default:
            var reader = reader
            var position = extent.lines == 1 ? caret : text.lineStart(last)
            if extent.columns == .max {
                position = text.lineEnd(last)
            } else {
                for _ in 0..<max(0, extent.columns - 1) where !reader.isLineEnd(position) {
                    position = reader.next(position)
                }
                if reader.isLineEnd(position), !reader.isLineStart(position) { position = reader.previous(position) }
            }
            caret = position
        }
    }

    /// Plays a register as keys.
    mutating func play(_ name: Character, count: Int) throws(VimRefusal) {
        let name = name == "@" ? lastMacro : name
        guard let name else { throw VimRefusal() }
        if name == ":" {
            guard let last = lastCommandLine, !mode.isVisual else { throw VimRefusal() }
            lastMacro = name
            for _ in 0..<count { runCommandLine(last) }
            return
        }
        guard let register = registers[name] else { throw VimRefusal.emptyRegister(name) }
        guard macroDepth < 100, jobs.count < 100_000 else { throw VimRefusal.endlessMacro }
        lastMacro = name
        macroDepth += 1
        let keys = VimKey.keys(typed: register.text + (register.shape == .lines ? "\n" : ""))
        var rest: [VimJob] = []
        for _ in 0..<min(count, 100_000 / max(1, keys.count)) { rest += keys.map { .key($0) } }
        jobs.add(rest + [.endMacro])
    }

    mutating func toggleRecording(into name: Character?) throws(VimRefusal) {
        if let recording {
            var keys = recording.keys
            // The key that ends the recording does not belong to it.
            if !keys.isEmpty { keys.removeLast() }
            let text = keys.map(\.typed).joined()
            registers.record(text, to: recording.name)
            self.recording = nil
        } else {
            guard let name, name.isASCII, name.isLetter || name.isNumber || name == "\"" else { throw VimRefusal() }
            recording = VimRecording(name: name)
        }
    }

    /// Moves the caret to the change that undo or redo made.
    private mutating func moveToRetraced() {
        defer { (undoneVisual, undoneMarks) = (nil, nil) }
        guard let (edit, caretBefore) = view.retraced, let range = edit.newRange else { return }
        if let undoneVisual { lastVisual = undoneVisual }
        if let undoneMarks { marks.setMoved(undoneMarks, by: 0) }
        let first = line(min(range.lowerBound, text.end))
        let last = line(min(range.upperBound, text.end))
        let before = min(caretBefore, text.end)
        let old = line(before)
        wantedColumn = nil
        // As in vim, the marks are at the starts of the changed lines.
        let isCut = edit.replacements.count == 1 && edit.replacements[0].inserted.isEmpty
        if isCut, edit.replacements[0].removed.first?.isNewline == true, range.lowerBound == text.lineEnd(first),
            first < lastAddressed
        {
            // Lines below were removed.
            marks.set("[", text.lineStart(first + 1), in: text)
            marks.set("]", text.lineStart(first + 1), in: text)
        } else {
            marks.set("[", text.lineStart(first), in: text)
            marks.set("]", text.lineStart(last), in: text)
        }
        if old >= first, old <= last || edit.replacements.count > 1 && old <= last {
            caret = onCharacter(before)
        } else if first > 0, old == first - 1 {
            caret = onCharacter(before)
        } else {
            caret = firstNonBlank(of: first)
        }
        if line(caret) > lastAddressed { caret = firstNonBlank(of: lastAddressed) }
    }
}

extension VimKey {
    /// Decodes keys from a register's text, as a terminal sends them.
    static func keys(typed text: String) -> [VimKey] {
        text.flatMap { $0 == "\r\n" ? ["\r", "\n"] : [$0] }.map { character in
            switch character {
            case "\u{1B}": .escape
            case "\r": .enter
            case "\t": .tab
            case "\u{7F}", "\u{08}": .backspace
            default:
                if let value = character.asciiValue, value < 0x20 {
                    .control(Character(Unicode.Scalar(value + 0x60)))
                } else if let key = keypad.first(where: { $0.sign == character })?.key {
                    key
                } else {
                    .character(character)
                }
            }
        }
    }

    /// Characters of the private use area that stand for keys without a character.
    private static let keypad: [(key: VimKey, sign: Character)] = [
        (.delete, "\u{E000}"), (.left, "\u{E001}"), (.right, "\u{E002}"), (.up, "\u{E003}"), (.down, "\u{E004}"),
        (.home, "\u{E005}"), (.end, "\u{E006}"), (.pageUp, "\u{E007}"), (.pageDown, "\u{E008}"),
    ]

    /// The text that encodes the key in a register.
    var typed: String {
        switch self {
        case .character(let character): String(character)
        case .control(let character):
            if let value = character.asciiValue, value >= 0x40 {
                String(Character(Unicode.Scalar(value & 0x1F)))
            } else {
                String(character)
            }
        case .escape: "\u{1B}"
        case .enter: "\r"
        case .tab: "\t"
        case .backspace: "\u{7F}"
        default: VimKey.keypad.first { $0.key == self }.map { String($0.sign) } ?? ""
        }
    }
}

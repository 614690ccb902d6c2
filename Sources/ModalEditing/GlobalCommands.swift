import TextEditing

/// Commands behind the colon that press keys or do commands on many lines.
extension VimMachine {
    mutating func normal(_ keys: String, on range: ClosedRange<LineNumber>?) throws(VimRefusal) {
        var keys = keys[...]
        if keys.first == " " { keys.removeFirst() }
        guard !keys.isEmpty else { throw VimRefusal("normal needs keys") }
        let typed = VimKey.keys(typed: String(keys))
        var rest: [VimJob] = [.beginGroup]
        if let range {
            rest += (range.lowerBound.rawValue...range.upperBound.rawValue).map { .normalOnLine($0, typed) }
        } else {
            rest.append(.normalOn(nil, typed))
        }
        jobs.insert(contentsOf: rest + [.endGroup], at: 0)
    }

    /// Sets a private mark for a line, which follows edits.
    private mutating func mark(line: LineNumber) -> Character {
        let name = VimMarks.name(ofLine: line)
        marks.set(name, text.lineStart(line), in: text)
        return name
    }

    /// Presses keys in the line of a mark, as one command.
    mutating func runNormal(_ keys: [VimKey], on name: Character?) {
        if let name {
            guard let place = marks.place(name, in: text) else { return }
            marks.remove(name)
            caret = min(lineStart(min(place, text.end)), text.end)
        }
        jobs.insert(contentsOf: keys.map { .key($0) } + [.leaveNormal], at: 0)
    }

    /// Runs a command on all lines with a match, or on all without one.
    mutating func global(
        _ rest: String, on lines: ClosedRange<LineNumber>, matching: Bool
    ) throws(VimRefusal) {
        var matching = matching
        var rest = rest[...]
        if rest.first == "!" {
            matching.toggle()
            rest.removeFirst()
        }
        guard let separator = rest.popFirst(), !separator.isLetter, !separator.isNumber, separator != " " else {
            throw VimRefusal("g needs a pattern: g/pattern/command")
        }
        let (source, tail) = String(rest).cut(at: separator)
        let pattern =
            source.isEmpty ? try lastPattern() : try VimPattern(source, ignoresCase: configuration.ignoresCase)
        lastSearch = VimSearch(pattern: pattern, isForward: true)
        marks.jump(from: caret, in: text)
        let command = tail.map { $0.isEmpty ? "p" : $0 } ?? "p"
        var names: [Character] = []
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            let number = LineNumber(number)
            if pattern.occurs(in: text.string(of: number)) == matching { names.append(mark(line: number)) }
        }
        guard !names.isEmpty else { throw VimRefusal("\(source) is not in the note") }
        guard command.trimmed != "p" else {
            caret = marks.place(names[names.count - 1], in: text) ?? caret
            for name in names { marks.remove(name) }
            return
        }
        let trimmed = command.trimmed
        if let keys = ["normal!", "normal", "norm!", "norm"].lazy.compactMap({ trimmed.without(prefix: $0) }).first {
            let typed = VimKey.keys(typed: keys)
            jobs.insert(contentsOf: [.beginGroup] + names.map { .normalOn($0, typed) } + [.endGroup], at: 0)
            return
        }
        for name in names {
            guard let place = marks.place(name, in: text) else { continue }
            marks.remove(name)
            caret = lineStart(min(place, text.end))
            isGlobal = true
            defer { isGlobal = false }
            do throws(VimRefusal) { try run(command) } catch {
                // Skip a line on which the command fails.
                continue
            }
        }
        wantedColumn = nil
    }
}

extension String {
    /// The text after a leading word and one blank; nil if it does not begin so.
    fileprivate func without(prefix: String) -> String? {
        guard hasPrefix(prefix + " ") else { return nil }
        return String(dropFirst(prefix.count + 1))
    }
}

import TextEditing

/// Commands after the colon that press keys or run commands on many lines.
extension VimMachine {
    mutating func normal(_ keys: String, on range: ClosedRange<LineNumber>?) throws(VimRefusal) {
        var keys = keys[...]
        if keys.first == " " { keys.removeFirst() }
        guard !keys.isEmpty else { throw VimRefusal.normalWithoutKeys }
        let typed = VimKey.keys(typed: String(keys))
        let presses: VimJob =
            range.map { .normalOnLines($0.lowerBound.rawValue..<$0.upperBound.rawValue + 1, typed) } ?? .normal(typed)
        jobs.add([.beginGroup, presses, .endGroup])
    }

    /// Presses keys in the caret's line, as one command.
    mutating func runNormal(_ keys: [VimKey]) { jobs.add(keys.map { .key($0) } + [.leaveNormal]) }

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
            throw VimRefusal.globalWithoutPattern
        }
        let (source, tail) = String(rest).cut(at: separator)
        let pattern = source.isEmpty ? try lastPattern() : try self.pattern(source)
        lastSearch = VimSearch(pattern: pattern, isForward: true)
        registers.set("/", VimRegister(pattern.source))
        let command = tail.map { $0.isEmpty ? "p" : $0 } ?? "p"
        if isGlobal || marks.isVisiting {
            // A nested `:g` acts on the line that the outer one visits.
            guard lines == 0...lastAddressed else { throw VimRefusal.nestedGlobalRange }
            if pattern.occurs(in: text.string(of: line(caret))) == matching { try run(command) }
            return
        }
        jump()
        let found = try self.lines(in: lines, with: pattern, matching: matching)
        guard let last = found.last else { throw VimRefusal.notFound(source) }
        guard command.trimmed != "p" else {
            caret = text.lineStart(last)
            return
        }
        marks.visit(found.map { text.lineStart($0) }, in: text)
        // A blank at the end is a key as well.
        let begun = String(command.drop { $0 == " " })
        if let keys = ["normal!", "normal", "norm!", "norm"].lazy.compactMap({ begun.without(prefix: $0) }).first {
            return jobs.add([.beginGroup, .normalOnVisits(VimKey.keys(typed: keys)), .endGroup])
        }
        try runOnVisits(command)
        wantedColumn = nil
    }

    /// Returns the lines of a range in which a pattern occurs, or those in which it does not.
    private func lines(
        in range: ClosedRange<LineNumber>, with pattern: VimPattern, matching: Bool
    ) throws(VimRefusal) -> [LineNumber] {
        var found: [LineNumber] = []
        for number in range.lowerBound.rawValue...range.upperBound.rawValue {
            try checkStop()
            let number = LineNumber(number)
            if pattern.occurs(in: text.string(of: number)) == matching { found.append(number) }
        }
        return found
    }

    /// Runs a command on each line to visit, and joins the resulting edits into one.
    private mutating func runOnVisits(_ command: String) throws(VimRefusal) {
        let done = effects.count
        isGlobal = true
        beginsLine = false
        defer {
            isGlobal = false
            marks.endVisits()
            effects.replaceSubrange(done..., with: effects[done...].joiningEdits)
        }
        while let position = marks.nextVisit(in: text) {
            try checkStop()
            caret = position
            do throws(VimRefusal) { try run(command) } catch {
                // Skip a line on which the command fails, but report a command that is refused on every line.
                if error.reason == VimRefusal.filterWithinOthers.reason { throw error }
            }
        }
        if beginsLine { caret = firstNonBlank(of: line(caret)) }
    }
}

extension Collection<VimEffect> {
    /// The effects with edits joined into one unless something other than a message, a highlight or a copy comes
    /// between them.
    fileprivate var joiningEdits: [VimEffect] {
        var result: [VimEffect] = []
        var edits: [Edit] = []
        /// The index at which the joined edit is inserted, and the caret after it.
        var last: (index: Int, caret: ByteOffset)?
        var isTouched = false
        func join() {
            if let last { result.insert(.edit(Edit.composed(edits), caret: last.caret), at: last.index) }
            (edits, last, isTouched) = ([], nil, false)
        }
        for effect in self {
            switch effect {
            case .edit(let edit, let caret):
                edits.append(edit)
                last = (last?.index ?? result.count, caret)
            case .touch where isTouched: break
            case .touch:
                isTouched = true
                result.append(effect)
            case .highlight, .message, .refused, .copy: result.append(effect)
            default:
                join()
                result.append(effect)
            }
        }
        join()
        return result
    }
}

extension String {
    /// Returns the text after a leading word and one blank, or `nil` if it begins differently.
    fileprivate func without(prefix: String) -> String? {
        guard hasPrefix(prefix + " ") else { return nil }
        return String(dropFirst(prefix.count + 1))
    }
}

import TextEditing

/// The last `:s` command.
struct VimSubstitution: Hashable, Sendable {
    var pattern: VimPattern
    var replacement: String
    var flags: Set<Character>
}

extension VimMachine {
    /// Performs `:s/pattern/replacement/flags count`.
    mutating func substitute(_ rest: String, on lines: ClosedRange<LineNumber>) throws(VimRefusal) {
        guard let separator = rest.first, !separator.isLetter, !separator.isNumber, separator != " " else {
            return try substituteAgain(on: lines, keepsFlags: false, flags: rest.trimmed)
        }
        let (source, second) = String(rest.dropFirst()).cut(at: separator)
        let (replacement, third) = (second ?? "").cut(at: separator)
        if replacement.hasPrefix("\\=") { throw VimRefusal.expressionAsReplacement }
        let pattern: VimPattern
        if source.isEmpty {
            guard let last = lastSearch?.pattern ?? lastSubstitution?.pattern else {
                throw VimRefusal.noPreviousSearch
            }
            pattern = last
        } else {
            pattern = try self.pattern(source)
        }
        let (flagText, lines) = try withoutCount((third ?? "").trimmed, lines)
        let flags = try flags(flagText)
        let before = lastSubstitution?.replacement ?? ""
        let substitution = VimSubstitution(
            pattern: pattern, replacement: replacement.replacingTildes(by: before), flags: flags)
        lastSubstitution = substitution
        lastSearch = VimSearch(pattern: pattern, isForward: true)
        registers.set("/", VimRegister(pattern.source))
        try substitute(substitution, on: lines)
    }

    /// Performs `&`, `:&` and `:s` without a pattern.
    mutating func substituteAgain(
        on lines: ClosedRange<LineNumber>, keepsFlags: Bool, flags text: String = ""
    ) throws(VimRefusal) {
        guard var last = lastSubstitution else { throw VimRefusal.noPreviousSubstitution }
        let (text, lines) = try withoutCount(text, lines)
        if !keepsFlags { last.flags = try flags(text) }
        lastSubstitution = last
        try substitute(last, on: lines)
    }

    /// Returns the flags before a count, and the lines that the count specifies.
    private func withoutCount(
        _ text: String, _ lines: ClosedRange<LineNumber>
    ) throws(VimRefusal) -> (flags: String, lines: ClosedRange<LineNumber>) {
        guard let start = text.firstIndex(where: { $0.isNumber }) else { return (text, lines) }
        return (String(text[..<start]).trimmed, try counted(lines, String(text[start...])))
    }

    /// Returns the flags that a text specifies; after `&` they are added to those of the last substitution, where a
    /// second `g` takes back the first.
    private func flags(_ text: String) throws(VimRefusal) -> Set<Character> {
        guard text.allSatisfy({ "giIen&".contains($0) }) else {
            throw VimRefusal.unknownFlags(text, asks: text.contains("c"))
        }
        var flags = text.contains("&") ? lastSubstitution?.flags ?? [] : []
        for flag in text where flag != "&" {
            if flag == "g", flags.contains(flag) { flags.remove(flag) } else { flags.insert(flag) }
        }
        return flags
    }

    /// Replaces the matches of a pattern on some lines: `:s`.
    private mutating func substitute(
        _ substitution: VimSubstitution, on lines: ClosedRange<LineNumber>
    ) throws(VimRefusal) {
        var pattern = substitution.pattern
        if substitution.flags.contains("i") { pattern = try self.pattern(pattern.source, isCaseSensitive: false) }
        if substitution.flags.contains("I") { pattern = try self.pattern(pattern.source, isCaseSensitive: true) }
        let parts = try replacements(of: pattern, by: substitution, in: lines)
        let count = parts.count
        guard let first = parts.first?.0, let last = parts.last?.0 else {
            if substitution.flags.contains("e") { return }
            throw VimRefusal.notInRange(pattern.source)
        }
        if substitution.flags.contains("n") {
            effects.append(.message("\(count) \(count == 1 ? "match" : "matches")"))
            return
        }
        jump()
        let growth = parts.reduce(0) { $0 + $1.1.utf8.count - $1.0.length }
        let end = lineEnd(last.lowerBound) + growth
        // Undo returns to the start of the first changed line.
        caret = lineStart(first.lowerBound)
        let before = text.lineCount
        change(parts, caret: caret)
        let below = text.lineCount - before
        marks.set("[", text.lineStart(lines.lowerBound), in: text)
        let lastLine = LineNumber(min(max(0, lines.upperBound.rawValue + below), lastAddressed.rawValue))
        marks.set("]", text.lineStart(lastLine), in: text)
        // The caret is moved to the last changed line, or to the last of the lines that replaced it.
        caret = firstNonBlank(of: line(min(end, text.end)))
        beginsLine = isGlobal
        if !isGlobal { effects.append(.message("\(count) \(count == 1 ? "substitution" : "substitutions")")) }
        wantedColumn = nil
    }

    /// Returns the edits for the matches in lines: for the first one of each line, or with the flag `g` for all.
    private func replacements(
        of pattern: VimPattern, by substitution: VimSubstitution, in lines: ClosedRange<LineNumber>
    ) throws(VimRefusal) -> [(Range<ByteOffset>, String)] {
        var parts: [(Range<ByteOffset>, String)] = []
        for number in lines.lowerBound.rawValue...lines.upperBound.rawValue {
            try checkStop()
            let string = text.string(of: LineNumber(number))
            let start = text.lineStart(LineNumber(number))
            var matches = pattern.matches(in: string)
            matches = substitution.flags.contains("g") ? counted(matches, from: start) : Array(matches.prefix(1))
            for match in matches {
                let range = start + match.range.lowerBound..<start + match.range.upperBound
                parts.append((range, substitution.replacement.expanded(match, in: string, lineBreak)))
            }
        }
        return parts
    }

    /// Returns the matches to replace in the line that begins at `start`.
    ///
    /// An empty match at the end of the previous one does not count, nor does a match at the end of the line after
    /// another one has reached it.
    private func counted(_ matches: [VimPattern.Match], from start: ByteOffset) -> [VimPattern.Match] {
        let length = lineEnd(start) - start
        var result: [VimPattern.Match] = []
        /// The offset from which the next match may start.
        var reached = 0
        for match in matches where result.isEmpty || reached < length {
            let end = match.range.upperBound
            let counts = !match.range.isEmpty || result.last?.range.upperBound != end
            if counts { result.append(match) }
            reached = match.range.isEmpty ? text.characterEnd(after: start + end) - start : end
        }
        return result
    }
}

extension String {
    /// Returns the replacement with the one of the last substitution in place of each `~` without a backslash.
    fileprivate func replacingTildes(by before: String) -> String {
        guard contains("~") else { return self }
        var (result, isEscaped) = ("", false)
        for character in self {
            result += character == "~" && !isEscaped ? before : String(character)
            isEscaped = character == "\\" && !isEscaped
        }
        return result
    }

    /// Returns the replacement with its references to groups of the match expanded.
    fileprivate func expanded(_ match: VimPattern.Match, in line: String, _ lineBreak: String) -> String {
        let utf8 = Array(line.utf8)
        func group(_ index: Int) -> String {
            guard index < match.groups.count, let range = match.groups[index] else { return "" }
            return String(decoding: utf8[range], as: UTF8.self)
        }
        var result = ""
        var once: Character?
        var lasting: Character?
        func add(_ text: String) {
            for character in text {
                var added = String(character)
                let form = once ?? lasting
                if form == "u" || form == "U" { added = added.uppercased() }
                if form == "l" || form == "L" { added = added.lowercased() }
                once = nil
                result += added
            }
        }
        var rest = self[...]
        while let next = rest.popFirst() {
            if next == "&" {
                add(group(0))
            } else if next == "\\", let escaped = rest.popFirst() {
                switch escaped {
                case "0"..."9": add(group(escaped.wholeNumberValue ?? 0))
                case "n": add("\0")
                case "r": add(lineBreak)
                case "t": add("\t")
                case "u", "l": once = escaped
                case "U", "L": lasting = escaped
                case "e", "E": (once, lasting) = (nil, nil)
                default: add(String(escaped))
                }
            } else {
                add(String(next))
            }
        }
        return result
    }
}

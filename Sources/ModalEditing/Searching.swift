import TextEditing

/// The last search.
struct VimSearch: Hashable, Sendable {
    var pattern: VimPattern
    var isForward: Bool
    /// The offset of the caret from the match.
    var offset = VimSearchOffset()
}

/// The offset after the pattern of a search: `/e+1`, `/+2`.
struct VimSearchOffset: Hashable, Sendable {
    var lines: Int?
    var atEnd = false
    var characters = 0

    init() {}

    /// Parses an offset, or returns `nil` for other text.
    init?(_ text: String) {
        if text.isEmpty { return }
        var rest = text[...]
        if let first = rest.first, "esb".contains(first) {
            atEnd = first == "e"
            rest.removeFirst()
            guard let amount = VimSearchOffset.amount(rest) else { return nil }
            characters = amount
        } else {
            guard let amount = VimSearchOffset.amount(rest) else { return nil }
            lines = amount
        }
    }

    private static func amount(_ text: Substring) -> Int? {
        switch text {
        case "": 0
        case "+": 1
        case "-": -1
        default: Int(text)
        }
    }
}

extension VimMachine {
    /// Returns the target of a motion that searches for a pattern, or `nil` for other commands.
    mutating func searchMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        switch command.name {
        case "n", "N":
            guard let search = lastSearch else { throw VimRefusal.noPreviousSearch }
            effects.append(.highlight(search.pattern))
            return try searched(search, count: command.count ?? 1, reversed: command.name == "N", from: caret)
        case "*", "#", "g*", "g#":
            let word = try wordAtCaret()
            let isWhole = command.name.count == 1 && word.isWord
            let quoted = VimPattern.quoted(word.text)
            let pattern = try self.pattern(isWhole ? "\\<\(quoted)\\>" : quoted)
            let search = VimSearch(pattern: pattern, isForward: command.name.hasSuffix("*"))
            lastSearch = search
            registers.set("/", VimRegister(pattern.source))
            effects.append(.highlight(pattern))
            return try searched(search, count: command.count ?? 1, reversed: false, from: word.start)
        case "/", "?":
            guard let line = command.line else { return nil }
            return try search(for: line, command)
        default: return nil
        }
    }

    /// Searches for the pattern typed after `/` or `?`.
    private mutating func search(for line: String, _ command: VimCommand) throws(VimRefusal) -> VimTarget {
        let separator: Character = command.name == "/" ? "/" : "?"
        let (source, rest) = line.cut(at: separator)
        guard let offset = rest.map({ VimSearchOffset($0) }) ?? VimSearchOffset() else {
            throw VimRefusal.invalidOffset(rest ?? "")
        }
        var search: VimSearch
        if source.isEmpty {
            guard let last = lastSearch else { throw VimRefusal.noPreviousSearch }
            search = last
            if rest != nil { search.offset = offset }
        } else {
            search = VimSearch(
                pattern: try self.pattern(source), isForward: true, offset: offset
            )
        }
        search.isForward = command.name == "/"
        lastSearch = search
        registers.set("/", VimRegister(search.pattern.source))
        effects.append(.highlight(search.pattern))
        return try searched(search, count: command.count ?? 1, reversed: false, from: caret)
    }

    private func searched(
        _ search: VimSearch, count: Int, reversed: Bool, from position: ByteOffset
    ) throws(VimRefusal) -> VimTarget {
        let isForward = search.isForward != reversed
        var start = position
        if search.offset.lines != nil {
            start = isForward ? lineEnd(position) : lineStart(position)
        } else if search.offset.atEnd {
            // The caret may be at the end of the match found before.
            start = isForward ? text.characterEnd(after: position) : position
        }
        var match: Range<ByteOffset>?
        for _ in 0..<count {
            if search.offset.atEnd {
                match = try matchEnding(
                    search.pattern, around: match.map { text.characterStart(before: $0.upperBound) } ?? position,
                    isForward
                )
            } else {
                match = try self.match(search.pattern, from: match?.lowerBound ?? start, isForward)
            }
            guard match != nil else { throw VimRefusal.notFound(search.pattern.source) }
        }
        guard let match else { throw VimRefusal() }
        if let lines = search.offset.lines {
            let target = min(max(line(match.lowerBound).rawValue + lines, 0), lastAddressed.rawValue)
            return VimTarget(
                position: firstNonBlank(of: LineNumber(target)), kind: .lines, isJump: true, usesNumberedRegister: true)
        }
        var target =
            search.offset.atEnd && !match.isEmpty ? text.characterStart(before: match.upperBound) : match.lowerBound
        for _ in 0..<abs(search.offset.characters) {
            target =
                search.offset.characters > 0 ? text.characterEnd(after: target) : text.characterStart(before: target)
        }
        if !mode.isVisual { target = onCharacter(target) }
        return VimTarget(
            position: target, kind: search.offset.atEnd ? .inclusive : .exclusive, isJump: true,
            usesNumberedRegister: true)
    }

    /// Returns the next match after a position, or the previous one, wrapping at the ends of the text.
    private func match(
        _ pattern: VimPattern, from position: ByteOffset, _ isForward: Bool
    ) throws(VimRefusal) -> Range<ByteOffset>? {
        try scan(from: position, isForward) { matches, here, last in
            // A match at the end of the line counts as if it was on the last character.
            let isBehind = { (match: Range<Int>, here: Int) in min(match.lowerBound, last) > here }
            return isForward
                ? matches.first { match in here.map { isBehind(match, $0) } ?? true }
                : matches.last { match in here.map { match.lowerBound < $0 } ?? true }
        } matching: {
            pattern.matches(in: $0).map(\.range)
        }
    }

    /// Returns the next or previous match by comparing the ends of matches.
    private func matchEnding(
        _ pattern: VimPattern, around position: ByteOffset, _ isForward: Bool
    ) throws(VimRefusal) -> Range<ByteOffset>? {
        try scan(from: position, isForward) { matches, here, _ in
            isForward
                ? matches.first { match in here.map { match.upperBound - 1 > $0 } ?? true }
                : matches.last { match in here.map { match.upperBound - 1 < $0 } ?? true }
        } matching: {
            pattern.matches(in: $0).map(\.range)
        }
    }

    /// Searches line by line, wrapping at the ends of the text, until it is back at the first line.
    ///
    /// - Parameter choose: Receives the matches in a line, the position to search from if it is in this line, and the
    ///   line's last character, counted from its start.
    private func scan(
        from position: ByteOffset, _ isForward: Bool,
        _ choose: ([Range<Int>], Int?, Int) -> Range<Int>?, matching: (String) -> [Range<Int>]
    ) throws(VimRefusal) -> Range<ByteOffset>? {
        let first = line(position)
        let count = max(lastAddressed, first).rawValue + 1
        for step in 0...count {
            try checkStop()
            let number = LineNumber(((first.rawValue + (isForward ? step : -step)) % count + count) % count)
            let range = text.lineRange(number)
            let found = matching(text.string(in: range))
            let here = step == 0 ? position - range.lowerBound : nil
            if let match = choose(found, here, onCharacter(range.upperBound) - range.lowerBound) {
                return range.lowerBound + match.lowerBound..<range.lowerBound + match.upperBound
            }
        }
        return nil
    }

    /// Returns the match that contains the caret or begins after it, or else the next one, wrapping at the end of the
    /// text.
    func nextMatch() throws(VimRefusal) -> Range<ByteOffset>? {
        guard let search = lastSearch else { throw VimRefusal.noPreviousSearch }
        let here = line(caret)
        let range = text.lineRange(here)
        let column = caret - range.lowerBound
        if let match = search.pattern.matches(in: text.string(in: range)).first(where: { $0.range.upperBound > column })
        {
            return range.lowerBound + match.range.lowerBound..<range.lowerBound + match.range.upperBound
        }
        return try match(search.pattern, from: caret, true)
    }

    /// Returns the word at or after the caret in its line, or the run of punctuation there if no word follows.
    private func wordAtCaret() throws(VimRefusal) -> (text: String, start: ByteOffset, isWord: Bool) {
        var reader = reader
        let end = lineEnd(caret)
        for isWord in [true, false] {
            var position = caret
            func belongs(_ position: ByteOffset) -> Bool {
                let found = reader.motionClass(position, big: false)
                return isWord ? found != .blank && found != .punctuation : found != .blank
            }
            if isWord {
                while position < end, !belongs(position) { position = reader.next(position) }
            } else {
                while position < end, !belongs(position) { position = reader.next(position) }
            }
            guard position < end else { continue }
            let run = reader.motionClass(position, big: false)
            var start = position
            while !reader.isLineStart(start), reader.motionClass(reader.previous(start), big: false) == run {
                start = reader.previous(start)
            }
            var stop = position
            while stop < end, reader.motionClass(stop, big: false) == run { stop = reader.next(stop) }
            return (text.string(in: start..<stop), start, isWord)
        }
        throw VimRefusal.noWordUnderCaret
    }
}

extension String {
    /// Splits the text at the first separator without a backslash; `rest` is `nil` if there is none.
    func cut(at separator: Character) -> (head: String, rest: String?) {
        var head = ""
        var index = startIndex
        var isInSet = false
        while index < endIndex {
            let character = self[index]
            if character == "\\", self.index(after: index) < endIndex {
                let next = self[self.index(after: index)]
                head += next == separator ? String(separator) : "\\\(next)"
                index = self.index(index, offsetBy: 2)
                continue
            }
            if character == "[" { isInSet = self[index...].contains("]") }
            if character == "]" { isInSet = false }
            if character == separator, !isInSet { return (head, String(self[self.index(after: index)...])) }
            head.append(character)
            index = self.index(after: index)
        }
        return (head, nil)
    }
}

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
        default: Int(text).map { max(-VimPending.maximumCount, min($0, VimPending.maximumCount)) }
        }
    }
}

/// The position from which a search begins.
private struct VimSearchOrigin {
    var line: LineNumber
    /// The bytes from the start of the line; negative before the text, `Int.max` after it.
    var column: Int
    /// The bytes of the character there.
    var length = 1
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
            return try search(for: line, command, from: caret)
        default: return nil
        }
    }

    /// Searches for the pattern typed after `/` or `?`, and then for those that follow it after semicolons.
    private mutating func search(
        for line: String, _ command: VimCommand, from position: ByteOffset
    ) throws(VimRefusal) -> VimTarget {
        let separator: Character = command.name == "/" ? "/" : "?"
        let (source, tail) = line.cut(at: separator)
        let rest = tail.map { String($0.prefix { $0 != ";" }) }
        let following = (tail ?? "").dropFirst(rest?.count ?? 0).dropFirst()
        let isLast = rest == tail
        guard let offset = rest.map({ VimSearchOffset($0) }) ?? VimSearchOffset(),
            isLast || following.first == "/" || following.first == "?"
        else { throw VimRefusal.invalidOffset(tail ?? "") }
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
        let target = try searched(search, count: command.count ?? 1, reversed: false, from: position)
        guard !isLast, let next = following.first else { return target }
        var second = command
        second.name = String(next)
        return try self.search(for: String(following.dropFirst()), second, from: target.position)
    }

    private func searched(
        _ search: VimSearch, count: Int, reversed: Bool, from position: ByteOffset
    ) throws(VimRefusal) -> VimTarget {
        let isForward = search.isForward != reversed
        let offset = search.offset
        var origin = origin(at: position, offset)
        var match: Range<ByteOffset>?
        for _ in 0..<count {
            guard let found = try self.match(search.pattern, from: origin, isForward, byEnds: offset.atEnd) else {
                throw VimRefusal.notFound(search.pattern.source)
            }
            match = found
            let last = offset.atEnd ? text.characterStart(before: found.upperBound) : found.lowerBound
            origin = self.origin(at: max(last, found.lowerBound), VimSearchOffset())
        }
        guard let match else { throw VimRefusal() }
        if let lines = offset.lines {
            let target = min(max(line(match.lowerBound).rawValue + lines, 0), lastAddressed.rawValue)
            return VimTarget(
                position: text.lineStart(LineNumber(target)), kind: .lines, isJump: true, usesNumberedRegister: true)
        }
        var target = offset.atEnd && !match.isEmpty ? text.characterStart(before: match.upperBound) : match.lowerBound
        for _ in 0..<abs(offset.characters) {
            guard let next = neighbour(of: target, isForward: offset.characters > 0) else { break }
            target = next
        }
        if !mode.isVisual { target = onCharacter(target) }
        return VimTarget(
            position: target, kind: offset.atEnd ? .inclusive : .exclusive, isJump: true, usesNumberedRegister: true)
    }

    /// Returns the origin of a search that starts at a position, to which the offset in characters has led.
    ///
    /// The offset is subtracted, so that the same match is not found again and again.
    private func origin(at position: ByteOffset, _ offset: VimSearchOffset) -> VimSearchOrigin {
        var start = position
        for _ in 0..<abs(offset.lines == nil ? offset.characters : 0) {
            guard let next = neighbour(of: start, isForward: offset.characters < 0) else {
                return offset.characters > 0
                    ? VimSearchOrigin(line: 0, column: -1, length: 0) : VimSearchOrigin(line: line(start), column: .max)
            }
            start = next
        }
        let length = start < lineEnd(start) ? text.characterEnd(after: start) - start : 1
        return VimSearchOrigin(line: line(start), column: start - lineStart(start), length: length)
    }

    /// Returns the position of the next or previous character, or `nil` if there is none.
    ///
    /// Line breaks do not count, but empty lines do.
    func neighbour(of position: ByteOffset, isForward: Bool) -> ByteOffset? {
        let (line, range) = (line(position), text.lineRange(line(position)))
        if isForward {
            let next = position < range.upperBound ? text.characterEnd(after: position) : range.upperBound
            if next < range.upperBound { return next }
            return line < lastAddressed ? text.lineStart(line + 1) : nil
        }
        if position > range.lowerBound { return text.characterStart(before: position) }
        guard line > 0 else { return nil }
        let before = text.lineRange(line - 1)
        return before.isEmpty ? before.lowerBound : text.characterStart(before: before.upperBound)
    }

    /// Returns the next match after an origin, or the previous one, wrapping at the ends of the text.
    ///
    /// - Parameter byEnds: Whether the ends of the matches are compared with the origin, and not their starts.
    private func match(
        _ pattern: VimPattern, from origin: VimSearchOrigin, _ isForward: Bool, byEnds: Bool = false
    ) throws(VimRefusal) -> Range<ByteOffset>? {
        let count = max(lastAddressed, origin.line).rawValue + 1
        for step in 0...count {
            try checkStop()
            let number = LineNumber(((origin.line.rawValue + (isForward ? step : -step)) % count + count) % count)
            let range = text.lineRange(number)
            let matches = pattern.matches(in: text.string(in: range)).map(\.range)
            // A match at the end of the line counts as if it was on the last character.
            let last = onCharacter(range.upperBound) - range.lowerBound
            let found: Range<Int>?
            if step > 0 {
                found = isForward ? matches.first : matches.last
            } else if isForward {
                found = matches.first {
                    byEnds
                        ? $0.upperBound - origin.length > origin.column
                        : min($0.lowerBound, last) > origin.column
                }
            } else {
                found = matches.last { (byEnds ? $0.upperBound - 1 : $0.lowerBound) < origin.column }
            }
            if let found { return range.lowerBound + found.lowerBound..<range.lowerBound + found.upperBound }
        }
        return nil
    }

    /// Returns the match that contains a position or begins after it, or else the next one, wrapping at the end of the
    /// text; backwards, the one that contains it or else the previous one.
    func matchAround(_ position: ByteOffset, isForward: Bool) throws(VimRefusal) -> Range<ByteOffset> {
        guard let search = lastSearch else { throw VimRefusal.noPreviousSearch }
        let range = text.lineRange(line(position))
        let column = position - range.lowerBound
        let matches = search.pattern.matches(in: text.string(in: range)).map(\.range)
        let near = isForward ? matches.first { $0.upperBound > column } : matches.last { $0.lowerBound <= column }
        if let near { return range.lowerBound + near.lowerBound..<range.lowerBound + near.upperBound }
        let origin = VimSearchOrigin(line: line(position), column: column)
        guard let found = try match(search.pattern, from: origin, isForward) else {
            throw VimRefusal.notFound(search.pattern.source)
        }
        return found
    }

    /// Returns the word at or after the caret in its line, or the run of punctuation there if no word follows.
    func wordAtCaret() throws(VimRefusal) -> (text: String, start: ByteOffset, isWord: Bool) {
        var reader = reader
        let end = lineEnd(caret)
        for isWord in [true, false] {
            var position = caret
            func belongs(_ position: ByteOffset) -> Bool {
                let found = reader.motionClass(position, big: false)
                return isWord ? found != .blank && found != .punctuation : found != .blank
            }
            while position < end, !belongs(position) { position = reader.next(position) }
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

import TextEditing

/// A position as vim stores it: a line that moves with its text, and a column that stays the same.
struct VimMark: Hashable, Sendable {
    /// The start of the line, or another position in it.
    private var line: ByteOffset
    /// The number of bytes from the start of the line.
    private var column: Int

    init(_ place: ByteOffset, in text: TextBuffer) {
        line = text.lineStart(text.lineNumber(at: place))
        column = place - line
    }

    /// The position in a text, at most the end of the line.
    func place(in text: TextBuffer) -> ByteOffset {
        let number = text.lineNumber(at: min(line, text.end))
        let range = text.lineRange(number)
        return text.characterBoundary(atOrBefore: min(range.lowerBound + column, range.upperBound))
    }

    /// Follows an edit; true if the line was removed.
    ///
    /// - Parameter endsWhenJoined: Whether a line that was joined to the end of another counts as removed.
    mutating func follow(_ edit: Edit, endsWhenJoined: Bool = false, in old: TextBuffer? = nil) -> Bool {
        for replacement in edit.replacements {
            let range = replacement.range
            if range.lowerBound > line { break }
            guard replacement.inserted.isEmpty || endsWhenJoined, range.upperBound >= line, !range.isEmpty else {
                continue
            }
            if endsWhenJoined, range.lowerBound < line, !replacement.inserted.contains("\n") {
                // If whole lines before it were removed, it is still a separate line.
                let wasLine = old.map { $0.lineStart($0.lineNumber(at: range.lowerBound)) == range.lowerBound } ?? false
                if range.upperBound > line || !wasLine { return true }
            }
            guard range.upperBound > line else { continue }
            let rest = replacement.removed.utf8.dropFirst(line - range.lowerBound)
            if rest.contains(0x0A), replacement.inserted.isEmpty { return true }
        }
        line = edit.map(line, .after)
        return false
    }
}

/// Named positions, and the list of jumps.
struct VimMarks: Sendable {
    private var marks: [Character: VimMark] = [:]
    /// The positions that were jumped from, the oldest first.
    private var jumps: [VimMark] = []
    /// The user's index in the list; its count if not in it.
    private var position = 0

    /// The mark `'` before the last jump, until that jump is known to have moved the caret.
    private var before: (mark: VimMark?, isThere: Bool) = (nil, false)

    /// The most jumps that are stored, as in vim.
    private static let limit = 100

    func place(_ name: Character, in text: TextBuffer) -> ByteOffset? {
        marks[name == "`" ? "'" : name]?.place(in: text)
    }

    mutating func set(_ name: Character, _ place: ByteOffset?, in text: TextBuffer) {
        marks[name == "`" ? "'" : name] = place.map { VimMark($0, in: text) }
    }

    mutating func remove(_ name: Character) { marks[name] = nil }

    /// Records a position before a jump leaves it.
    mutating func jump(from place: ByteOffset, in text: TextBuffer) {
        before = (marks["'"], true)
        set("'", place, in: text)
        let line = text.lineNumber(at: place)
        jumps.removeAll { text.lineNumber(at: $0.place(in: text)) == line }
        jumps.append(VimMark(place, in: text))
        if jumps.count > VimMarks.limit { jumps.removeFirst() }
        position = jumps.count
    }

    /// Forgets the last jump after its command if the command left the caret where it was.
    mutating func settleJump(at place: ByteOffset, in text: TextBuffer) {
        guard before.isThere else { return }
        if marks["'"]?.place(in: text) == place { marks["'"] = before.mark }
        before = (nil, false)
    }

    /// The position the given number of jumps back or, if negative, forward; nil if there is none.
    mutating func retrace(_ steps: Int, from place: ByteOffset, in text: TextBuffer) -> ByteOffset? {
        var target = position - steps
        if position == jumps.count, steps > 0 {
            let line = text.lineNumber(at: place)
            jumps.removeAll { text.lineNumber(at: $0.place(in: text)) == line }
            jumps.append(VimMark(place, in: text))
            target = jumps.count - 1 - steps
        }
        guard jumps.indices.contains(target) else { return nil }
        position = target
        return jumps[target].place(in: text)
    }

    /// Follows an edit; removes the marks of removed lines.
    ///
    /// - Parameter old: The text before the edit, if available.
    mutating func follow(_ edit: Edit, in old: TextBuffer? = nil) {
        for (name, var mark) in marks {
            let isGone = mark.follow(edit, endsWhenJoined: VimMarks.isOfGlobal(name), in: old)
            marks[name] = isGone && !"'[].^".contains(name) ? nil : mark
        }
        for index in jumps.indices { _ = jumps[index].follow(edit) }
    }

    /// A private name for the mark of a line that `:g` or `:normal` will visit.
    static func name(ofLine line: LineNumber) -> Character {
        Character(Unicode.Scalar(0xF0000 + UInt32(line.rawValue % 0xFFFE)) ?? "?")
    }

    /// Whether `:g` is running.
    var isGlobal: Bool { marks.keys.contains { VimMarks.isOfGlobal($0) } }

    private static func isOfGlobal(_ name: Character) -> Bool {
        name.unicodeScalars.first.map { $0.value >= 0xF0000 } ?? false
    }
}

import TextEditing

/// A position as vim stores it: a line that moves with its text, and a column that stays the same.
struct VimMark: Hashable, Sendable {
    /// The start of the line, or another position in it.
    fileprivate var line: ByteOffset
    /// The number of bytes from the start of the line.
    private var column: Int

    init(_ position: ByteOffset, in text: TextBuffer) {
        line = text.lineStart(text.lineNumber(at: position))
        column = position - line
    }

    /// The position in a text, at most the end of the line.
    func position(in text: TextBuffer) -> ByteOffset {
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
    private var index = 0

    /// The lines that `:g` has yet to visit.
    private var visits = VimVisits()

    /// The mark `'` before the last jump, until that jump is known to have moved the caret.
    private var before: (mark: VimMark?, isThere: Bool) = (nil, false)

    /// The most jumps that are stored, as in vim.
    private static let limit = 100

    func position(_ name: Character, in text: TextBuffer) -> ByteOffset? {
        marks[name == "`" ? "'" : name]?.position(in: text)
    }

    mutating func set(_ name: Character, _ position: ByteOffset?, in text: TextBuffer) {
        marks[name == "`" ? "'" : name] = position.map { VimMark($0, in: text) }
    }

    /// Records a position before a jump leaves it.
    mutating func jump(from position: ByteOffset, in text: TextBuffer) {
        before = (marks["'"], true)
        set("'", position, in: text)
        let line = text.lineNumber(at: position)
        jumps.removeAll { text.lineNumber(at: $0.position(in: text)) == line }
        jumps.append(VimMark(position, in: text))
        if jumps.count > VimMarks.limit { jumps.removeFirst() }
        index = jumps.count
    }

    /// Forgets the last jump after its command if the command left the caret where it was.
    mutating func settleJump(at position: ByteOffset, in text: TextBuffer) {
        guard before.isThere else { return }
        if marks["'"]?.position(in: text) == position { marks["'"] = before.mark }
        before = (nil, false)
    }

    /// The position the given number of jumps back or, if negative, forward; nil if there is none.
    mutating func retrace(_ steps: Int, from position: ByteOffset, in text: TextBuffer) -> ByteOffset? {
        var target = index - steps
        if index == jumps.count, steps > 0 {
            let line = text.lineNumber(at: position)
            jumps.removeAll { text.lineNumber(at: $0.position(in: text)) == line }
            jumps.append(VimMark(position, in: text))
            target = jumps.count - 1 - steps
        }
        guard jumps.indices.contains(target) else { return nil }
        index = target
        return jumps[target].position(in: text)
    }

    /// Follows an edit; removes the marks of removed lines.
    ///
    /// - Parameter old: The text before the edit, if available.
    mutating func follow(_ edit: Edit, in old: TextBuffer? = nil) {
        for (name, var mark) in marks {
            let isGone = mark.follow(edit)
            marks[name] = isGone && !"'[].^".contains(name) ? nil : mark
        }
        visits.follow(edit, in: old)
        for index in jumps.indices { _ = jumps[index].follow(edit) }
    }

    /// The user's marks in lines that are about to be moved.
    func carried(in lines: Range<ByteOffset>) -> [Character: VimMark] {
        marks.filter { name, mark in
            (name.isLetter || "'^".contains(name)) && mark.line >= lines.lowerBound && mark.line <= lines.upperBound
        }
    }

    /// Sets marks that were carried along with lines to where these are now.
    mutating func land(_ carried: [Character: VimMark], by growth: Int) {
        for (name, mark) in carried { marks[name] = mark.moved(by: growth) }
    }

    // MARK: Lines to visit

    /// Has `:g` visit the lines that begin at these positions, which ascend.
    mutating func visit(_ lines: [ByteOffset], in text: TextBuffer) { visits = VimVisits(lines, in: text) }

    /// The start of the next line to visit, which is then done with.
    mutating func nextVisit(in text: TextBuffer) -> ByteOffset? { visits.next(in: text) }

    /// Leaves out the lines that begin within a range, as they are joined to others.
    mutating func skipVisits(from first: ByteOffset, through last: ByteOffset) {
        visits.skip(from: first, through: last)
    }

    mutating func endVisits() { visits = VimVisits() }

    /// Whether `:g` has lines yet to visit.
    var isVisiting: Bool { !visits.isEmpty }
}

/// The lines that `:g` has yet to visit, which follow edits.
///
/// An edit near the next line costs the same however many lines there are.
struct VimVisits: Sendable {
    /// The lines, the next one last, each at its position less `shift`.
    private var reversed: [VimMark] = []
    private var shift = 0

    init() {}

    init(_ lines: [ByteOffset], in text: TextBuffer) { reversed = lines.reversed().map { VimMark($0, in: text) } }

    var isEmpty: Bool { reversed.isEmpty }

    mutating func next(in text: TextBuffer) -> ByteOffset? {
        guard let next = reversed.popLast() else { return nil }
        let position = next.moved(by: shift).position(in: text)
        return text.lineStart(text.lineNumber(at: min(position, text.end)))
    }

    mutating func skip(from first: ByteOffset, through last: ByteOffset) {
        let start = reversed.partition { $0.line + shift > last }
        let end = reversed.partition { $0.line + shift >= first }
        if start < end { reversed.removeSubrange(start..<end) }
    }

    /// Follows an edit; the lines that it removes are not visited.
    mutating func follow(_ edit: Edit, in old: TextBuffer?) {
        // From the last replacement on, so that the positions of the others stay true.
        for replacement in edit.replacements.reversed() { follow(replacement, in: old) }
    }

    private mutating func follow(_ replacement: Edit.Replacement, in old: TextBuffer?) {
        let edit = Edit(replacement)
        // Those of the first `behind` indices are at the replacement or behind it.
        let behind = reversed.partition { $0.line + shift >= replacement.start }
        guard behind > 0 else { return }
        if behind <= reversed.count / 2 || behind < VimVisits.few {
            let followed = reversed[..<behind].compactMap { $0.following(edit, shift, in: old) }
            reversed.replaceSubrange(..<behind, with: followed)
            return
        }
        var near: [VimMark] = []
        while let next = reversed.last, next.line + shift <= replacement.range.upperBound {
            reversed.removeLast()
            if let followed = next.following(edit, shift, in: old) { near.append(followed) }
        }
        shift += replacement.growth
        reversed += near.reversed().map { $0.moved(by: -replacement.growth) }
    }

    /// So many lines are followed one by one.
    private static let few = 8
}

extension VimMark {
    fileprivate func moved(by growth: Int) -> VimMark {
        var mark = self
        mark.line = line + growth
        return mark
    }

    /// The line after an edit, less `shift` as before; nil if it was removed.
    fileprivate func following(_ edit: Edit, _ shift: Int, in old: TextBuffer?) -> VimMark? {
        var mark = moved(by: shift)
        return mark.follow(edit, endsWhenJoined: true, in: old) ? nil : mark.moved(by: -shift)
    }
}

extension [VimMark] {
    /// The number of leading elements that meet a condition, which none behind them meets.
    fileprivate func partition(_ condition: (VimMark) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

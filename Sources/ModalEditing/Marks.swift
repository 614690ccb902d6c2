import TextEditing
import TextPrimitives

/// A position as vim stores it: a line that follows edits, and a fixed column.
struct VimMark: Hashable, Sendable {
    /// A position in the line, usually its start.
    fileprivate var line: ByteOffset
    /// The number of bytes from the start of the line.
    private var column: Int

    /// The start of a text.
    static let start = VimMark()

    private init() { (line, column) = (0, 0) }

    init(_ position: ByteOffset, in text: TextBuffer) {
        line = text.lineStart(text.lineNumber(at: position))
        column = position - line
    }

    /// Returns the position in a text, limited to the end of the line.
    func position(in text: TextBuffer) -> ByteOffset {
        let number = text.lineNumber(at: min(line, text.end))
        let range = text.lineRange(number)
        return text.characterBoundary(atOrBefore: min(range.lowerBound + column, range.upperBound))
    }

    /// Follows an edit, and returns true if it removed the line.
    ///
    /// - Parameters:
    ///   - endsWhenJoined: Whether a line that was joined to the end of another counts as removed.
    ///   - opensBelow: Whether a line break that is inserted at the start of the line leaves the mark above it.
    mutating func follow(
        _ edit: Edit, endsWhenJoined: Bool = false, opensBelow: Bool = false, in old: TextBuffer? = nil
    ) -> Bool {
        for replacement in edit.replacements {
            let range = replacement.range
            if range.lowerBound > line { break }
            guard replacement.inserted.isEmpty || endsWhenJoined, range.upperBound >= line, !range.isEmpty else {
                continue
            }
            if endsWhenJoined, range.lowerBound < line, !replacement.inserted.hasLineBreak {
                // If the removed text consists of whole lines, the line is still separate.
                let wasLine = old.map { $0.lineStart($0.lineNumber(at: range.lowerBound)) == range.lowerBound } ?? false
                if range.upperBound > line || !wasLine { return true }
            }
            guard range.upperBound > line else { continue }
            let rest = replacement.removed.utf8.dropFirst(line - range.lowerBound)
            if rest.contains(0x0A), replacement.inserted.isEmpty { return true }
        }
        // A text inserted at the start of the line becomes part of it, unless it ends in a line break.
        let own = edit.replacements.contains {
            $0.start == line && $0.range.isEmpty && (opensBelow || $0.inserted.utf8.last != 0x0A)
        }
        line = edit.map(line, own ? .before : .after)
        return false
    }
}

/// Named positions, and the list of jumps.
struct VimMarks: Sendable {
    /// The positions by their names.
    ///
    /// The mark `'`, from which the last jump began, is at the start of the text until there is a jump.
    private var marks: [Character: VimMark] = ["'": .start]
    /// The origins of jumps, the oldest first.
    private var jumps: [VimMark] = []
    /// The current index in the list of jumps, or its count if the user is not stepping through it.
    private var index = 0

    /// The places of changes, the oldest first, and the current index in them as in `index`.
    private var changes: [VimMark] = []
    private var changeIndex = 0
    /// The mark `.` when the last change was recorded.
    private var settled: VimMark?

    /// The lines that `:g` still has to visit.
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

    /// Records the place of the last change once its command is complete; as in vim, it replaces the place before it if
    /// that is near in the same line.
    mutating func settleChange(in text: TextBuffer) {
        guard let mark = marks["."], mark != settled else { return }
        settled = mark
        let position = mark.position(in: text)
        if let last = changes.last?.position(in: text), abs(position - last) <= VimMarks.near,
            text.lineNumber(at: last) == text.lineNumber(at: position)
        {
            changes.removeLast()
        }
        changes.append(mark)
        if changes.count > VimMarks.limit { changes.removeFirst() }
        changeIndex = changes.count
    }

    /// The distance in bytes up to which changes in a line are one place: what vim takes where no width is set.
    private static let near = 79

    /// Returns the place the given number of changes back or, if negative, forward, or the outermost one; `nil` if the
    /// current one is that already.
    mutating func retraceChanges(_ steps: Int, in text: TextBuffer) -> ByteOffset? {
        let target = min(max(changeIndex - steps, 0), changes.count - 1)
        guard target >= 0, target != changeIndex else { return nil }
        changeIndex = target
        return changes[target].position(in: text)
    }

    /// Records the origin of a jump.
    mutating func jump(from position: ByteOffset, in text: TextBuffer) {
        before = (marks["'"], true)
        set("'", position, in: text)
        let line = text.lineNumber(at: position)
        jumps.removeAll { text.lineNumber(at: $0.position(in: text)) == line }
        jumps.append(VimMark(position, in: text))
        if jumps.count > VimMarks.limit { jumps.removeFirst() }
        index = jumps.count
    }

    /// Drops the last jump if its command left the caret where it was, or removed the line from which it began.
    mutating func settleJump(at position: ByteOffset, in text: TextBuffer) {
        guard before.isThere else { return }
        let mark = marks["'"]?.position(in: text)
        if mark == position || mark == nil { marks["'"] = before.mark }
        before = (nil, false)
    }

    /// Returns the position the given number of jumps back or, if negative, forward, or `nil` if there is none.
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

    /// Follows an edit, and deletes the marks of removed lines.
    ///
    /// - Parameters:
    ///   - opensBelow: Whether lines were opened below the one at which the edit begins, which may be empty.
    ///   - old: The text before the edit, if available.
    mutating func follow(_ edit: Edit, opensBelow: Bool = false, in old: TextBuffer? = nil) {
        for (name, var mark) in marks {
            let isGone = mark.follow(edit, opensBelow: opensBelow)
            marks[name] = isGone && !"[].".contains(name) ? nil : mark
        }
        if before.mark?.follow(edit, opensBelow: opensBelow) == true { before.mark = nil }
        visits.follow(edit, in: old)
        for index in jumps.indices { _ = jumps[index].follow(edit, opensBelow: opensBelow) }
        _ = settled?.follow(edit, opensBelow: opensBelow)
        for index in changes.indices { _ = changes[index].follow(edit, opensBelow: opensBelow) }
    }

    /// Deletes the marks in the lines from a position to the end of the text.
    mutating func drop(from position: ByteOffset) {
        marks = marks.filter { "[].".contains($0.key) || $0.value.line < position }
        if let mark = before.mark, mark.line >= position { before.mark = nil }
    }

    /// The user's marks.
    var named: [Character: VimMark] { marks.filter { $0.key.isLetter } }

    /// Returns the user's marks in lines that will be moved.
    func carried(in lines: Range<ByteOffset>) -> [Character: VimMark] {
        marks.filter { name, mark in
            (name.isLetter || "'^".contains(name)) && mark.isIn(lines)
        }
    }

    /// Sets the marks of moved lines to their new positions.
    mutating func setMoved(_ carried: [Character: VimMark], by growth: Int) {
        for (name, mark) in carried { marks[name] = mark.moved(by: growth) }
    }

    // MARK: Lines to visit

    /// Sets the lines that `:g` will visit by their starts, in ascending order.
    mutating func visit(_ lines: [ByteOffset], in text: TextBuffer) { visits = VimVisits(lines, in: text) }

    /// Removes the next line to visit and returns its start.
    mutating func nextVisit(in text: TextBuffer) -> ByteOffset? { visits.next(in: text) }

    /// Skips the lines that begin within a range, since they are joined to others.
    mutating func skipVisits(from first: ByteOffset, through last: ByteOffset) {
        visits.skip(from: first, through: last)
    }

    mutating func endVisits() { visits = VimVisits() }

    /// Whether `:g` still has lines to visit.
    var isVisiting: Bool { !visits.isEmpty }
}

/// The lines that `:g` still has to visit, which follow edits.
///
/// The cost of an edit near the next line does not depend on the number of lines.
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
        let start = reversed.partitioningIndex { $0.line + shift <= last }
        let end = reversed.partitioningIndex { $0.line + shift < first }
        if start < end { reversed.removeSubrange(start..<end) }
    }

    /// Follows an edit, and drops the lines that it removes.
    mutating func follow(_ edit: Edit, in old: TextBuffer?) {
        // In reverse order, so that the positions of the earlier replacements stay valid.
        for replacement in edit.replacements.reversed() { follow(replacement, in: old) }
    }

    private mutating func follow(_ replacement: Edit.Replacement, in old: TextBuffer?) {
        let edit = Edit(replacement)
        // The first `behind` elements are at or after the replacement.
        let behind = reversed.partitioningIndex { $0.line + shift < replacement.start }
        guard behind > 0 else { return }
        if behind <= reversed.count / 2 || behind < VimVisits.minimumForShift {
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

    /// The number of lines after an edit from which they are shifted together; fewer follow it one by one.
    private static let minimumForShift = 8
}

extension VimMark {
    fileprivate func moved(by growth: Int) -> VimMark {
        var mark = self
        mark.line = line + growth
        return mark
    }

    /// Whether it is in one of these lines.
    fileprivate func isIn(_ lines: Range<ByteOffset>) -> Bool { line >= lines.lowerBound && line <= lines.upperBound }

    /// Returns the mark at its line's new position if these lines were moved, or `nil` if it is in none of them.
    func carried(in lines: Range<ByteOffset>, by growth: Int) -> VimMark? { isIn(lines) ? moved(by: growth) : nil }

    /// Returns the mark after an edit, still reduced by `shift`, or `nil` if its line was removed.
    fileprivate func following(_ edit: Edit, _ shift: Int, in old: TextBuffer?) -> VimMark? {
        var mark = moved(by: shift)
        return mark.follow(edit, endsWhenJoined: true, in: old) ? nil : mark.moved(by: -shift)
    }
}

import TextPrimitives

/// Renumbers the ordered items around moved lines, so that each list continues from the items above it.
///
/// Items above the moved lines keep their numbers. Below the moved lines, items are renumbered down to the first one
/// whose number is already right. A list whose items all have the same number keeps that number.
struct ListNumbering {
    /// The properties of a line that the numbering depends on.
    struct Line {
        /// The number of columns before the marker or the text.
        var indent: Int
        var marker: LinePrefix.Marker?
        /// Whether the line has neither a marker nor text.
        var isBlank: Bool
    }

    /// A move of lines.
    struct Move {
        /// The lines that have moved.
        var lines: ClosedRange<Int>
        /// Lists with a smaller indent are left unchanged.
        var leastIndent: Int
        /// The indent of the lines before the move; the items that follow them at that indent begin a new list.
        var oldIndent: Int?
        /// The first number of a list that begins with the moved lines.
        var firstNumber = 1
        /// Whether the moved lines take their numbers from the list that they are in now.
        var isWithinList = false
    }

    private struct Level {
        let indent: Int
        let isOrdered: Bool
        let mark: UInt8
        var number: Int
        let isConstant: Bool
        /// Whether items of this level may have to be renumbered.
        var isOpen: Bool
    }

    private let move: Move
    private let lineCount: Int
    private let line: (Int) -> Line
    private var levels: [Level] = []
    /// The items to renumber, by line.
    private(set) var numbers: [(line: Int, marker: LinePrefix.Marker, number: Int)] = []

    init(_ move: Move, lineCount: Int, line: @escaping (Int) -> Line) {
        self.move = move
        self.lineCount = lineCount
        self.line = line
        readLevelsAbove()
        let limit = min(lineCount, move.lines.upperBound + MarkdownAssistant.scanLimit)
        for number in move.lines.lowerBound..<limit where !take(number) { break }
    }

    /// Finds the lists that the moved lines may continue, the outermost first.
    private mutating func readLevelsAbove() {
        var least = Int.max
        var current = move.lines.lowerBound - 1
        while current >= max(0, move.lines.lowerBound - MarkdownAssistant.scanLimit), least > 0 {
            let above = line(current)
            if !above.isBlank, above.indent < least {
                least = above.indent
                if let marker = above.marker { levels.insert(level(above, marker, at: current), at: 0) }
            }
            current -= 1
        }
    }

    private func level(_ found: Line, _ marker: LinePrefix.Marker, at number: Int) -> Level {
        let other =
            sibling(of: found, marker, from: number, by: -1) ?? sibling(of: found, marker, from: number, by: 1)
        return Level(
            indent: found.indent, isOrdered: marker.isOrdered, mark: marker.mark, number: marker.number,
            isConstant: marker.isOrdered && other == marker.number, isOpen: found.indent >= move.leastIndent)
    }

    /// The number of the nearest item of the same list, up or down, as it was before the move.
    private func sibling(of found: Line, _ marker: LinePrefix.Marker, from start: Int, by step: Int) -> Int? {
        var current = start + step
        // A few lines are enough. A list with items longer than the limit is assumed to count up.
        while current >= 0, current < lineCount, abs(current - start) < Self.siblingScanLimit {
            if !move.isWithinList, move.lines.contains(current) {
                current += step
                continue
            }
            let other = line(current)
            if !other.isBlank, other.indent <= found.indent {
                guard let next = other.marker, other.indent == found.indent, next.mark == marker.mark else {
                    return nil
                }
                return next.number
            }
            current += step
        }
        return nil
    }

    private static let siblingScanLimit = 100

    /// Reads one line and updates the levels.
    ///
    /// - Returns: Whether any line below may still have to change.
    private mutating func take(_ number: Int) -> Bool {
        let current = line(number)
        let hasMoved = number <= move.lines.upperBound
        if current.isBlank { return true }
        guard let marker = current.marker else {
            // Text at a marker's indent, or to the left of it, ends the list.
            levels.removeAll { $0.indent >= current.indent }
            return hasMoved || levels.contains(where: \.isOpen)
        }
        let leaves = levels.contains { $0.indent > current.indent }
        levels.removeAll { $0.indent > current.indent }
        if let last = levels.last, last.indent == current.indent {
            continueList(last, marker, number, hasMoved: hasMoved)
        } else {
            let isFirst = number == move.lines.lowerBound
            let isLeft = !hasMoved && current.indent == move.oldIndent && !leaves
            begin(current, marker, number, isFirst: isFirst || isLeft, isOpen: isLeft || (hasMoved && isTop(current)))
        }
        return hasMoved || levels.contains(where: \.isOpen)
    }

    /// Whether a moved line begins an item of the moved level, rather than being inside one.
    private func isTop(_ current: Line) -> Bool { current.indent <= line(move.lines.lowerBound).indent }

    private mutating func continueList(
        _ last: Level, _ marker: LinePrefix.Marker, _ number: Int, hasMoved: Bool
    ) {
        let index = levels.count - 1
        guard marker.isOrdered, last.isOrdered, marker.mark == last.mark else {
            levels[index] = Level(
                indent: last.indent, isOrdered: marker.isOrdered, mark: marker.mark, number: marker.number,
                isConstant: false, isOpen: hasMoved && last.isOpen)
            return
        }
        let expected = last.isConstant ? last.number : last.number + 1
        levels[index].number = last.isOpen ? expected : marker.number
        guard last.isOpen else { return }
        if marker.number != expected {
            numbers.append((number, marker, expected))
        } else if !hasMoved {
            levels[index].isOpen = false
        }
    }

    private mutating func begin(
        _ current: Line, _ marker: LinePrefix.Marker, _ number: Int, isFirst: Bool, isOpen: Bool
    ) {
        var new = Level(
            indent: current.indent, isOrdered: marker.isOrdered, mark: marker.mark, number: marker.number,
            isConstant: move.isWithinList && sibling(of: current, marker, from: number, by: 1) == marker.number,
            isOpen: isOpen)
        if isFirst, marker.isOrdered, current.indent >= move.leastIndent, marker.number != move.firstNumber {
            new.number = move.firstNumber
            numbers.append((number, marker, move.firstNumber))
        }
        levels.append(new)
    }
}

extension MarkdownAssistant {
    /// Renumbers the items of ordered lists after lines have changed places.
    ///
    /// - Parameters:
    ///   - lines: The moved lines and those that they were moved past, at their new positions.
    ///   - firstNumber: The number that the list began with, for use if its first item is among the lines.
    /// - Returns: The edit; nil if all numbers are right.
    public static func renumber(
        _ lines: ClosedRange<Int>, firstNumber: Int, in source: some LineSource
    ) -> AssistantEdit? {
        let indents = lines.compactMap { line -> Int? in
            let prefix = source.prefix(of: line)
            return prefix.marker == nil ? nil : prefix.indent
        }
        guard let least = indents.min() else { return nil }
        let move = ListNumbering.Move(
            lines: lines, leastIndent: least, firstNumber: firstNumber, isWithinList: true)
        let numbering = ListNumbering(move, lineCount: source.lineCount) { source.prefix(of: $0).numbered }
        var edit = AssistantEdit(caret: LinePosition(line: lines.lowerBound, byte: 0))
        for item in numbering.numbers {
            edit.replace(item.line, item.marker.digits, with: "\(item.number)")
        }
        return edit.replacements.isEmpty ? nil : edit
    }

    /// The smallest number among the least indented ordered items of the given lines: the first number of their list.
    public static func firstNumber(of lines: ClosedRange<Int>, in source: some LineSource) -> Int {
        let prefixes = lines.map { source.prefix(of: $0) }.filter { $0.marker?.isOrdered == true }
        let least = prefixes.map(\.indent).min()
        return prefixes.filter { $0.indent == least }.compactMap { $0.marker?.number }.min() ?? 1
    }
}

extension LinePrefix {
    var numbered: ListNumbering.Line {
        ListNumbering.Line(indent: indent, marker: marker, isBlank: marker == nil && isEmpty)
    }
}

extension LinePrefix.Marker {
    /// The bytes of the number of an ordered item's marker.
    var digits: Range<Int> { range.lowerBound..<range.upperBound - 1 }
}

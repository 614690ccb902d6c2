import TextEditing

/// Commands after the colon that move, copy and sort lines.
extension VimMachine {
    /// Moves lines below a line: `:m`.
    mutating func moveLines(_ lines: ClosedRange<LineNumber>, to target: Int) throws(VimRefusal) {
        let (first, last) = (lines.lowerBound.rawValue, lines.upperBound.rawValue)
        guard target < first || target >= last else { throw VimRefusal.moveIntoItself }
        if target == last || target == first - 1 {
            caret = firstNonBlank(of: lines.upperBound)
            return
        }
        let range = text.range(of: lines)
        let moved = text.string(in: range)
        let (carried, selected) = (marks.carried(in: range), lastVisual)
        // Only the lines themselves are replaced, so that the lines between keep their marks.
        if target > last {
            let position = text.lineEnd(LineNumber(target))
            let cut = range.lowerBound..<text.lineStart(lines.upperBound + 1)
            edit([(cut, ""), (position..<position, lineBreak + moved)], caret: range.lowerBound)
            caret = firstNonBlank(of: LineNumber(target))
        } else {
            let position = text.lineStart(LineNumber(target + 1))
            let cut = text.lineEnd(lines.lowerBound - 1)..<range.upperBound
            edit([(position..<position, moved + lineBreak), (cut, "")], caret: position)
            caret = firstNonBlank(of: LineNumber(target + lines.count))
        }
        let landed = LineNumber(target > last ? target - lines.count + 1 : target + 1)
        let growth = text.lineStart(landed) - range.lowerBound
        marks.setMoved(carried, by: growth)
        if let anchor = selected?.anchor.carried(in: range, by: growth) { lastVisual?.anchor = anchor }
        if let head = selected?.head.carried(in: range, by: growth) { lastVisual?.head = head }
        wantedColumn = nil
    }

    mutating func copyLines(_ lines: ClosedRange<LineNumber>, to target: Int) throws(VimRefusal) {
        let copy = text.string(in: text.range(of: lines))
        if target < 0 {
            edit([(0..<0, copy + lineBreak)], caret: 0)
        } else {
            let end = text.lineEnd(LineNumber(target))
            edit([(end..<end, lineBreak + copy)], caret: end, opensBelow: true)
        }
        caret = firstNonBlank(of: LineNumber(target + lines.count))
        for name in ["[", "."] as [Character] { marks.set(name, text.lineStart(LineNumber(target + 1)), in: text) }
        marks.set("]", lineStart(caret), in: text)
        wantedColumn = nil
    }

    /// Sorts lines: `!` backwards, `n` by the first number, `i` ignoring case, `u` without duplicates.
    mutating func sort(_ rest: String, _ lines: ClosedRange<LineNumber>) throws(VimRefusal) {
        let flags = Set(rest.filter { $0 != " " })
        guard flags.isSubset(of: ["!", "n", "i", "u"]) else { throw VimRefusal.unknownSortOption(rest.trimmed) }
        guard lines.count > 1 else { return }
        let rows = (lines.lowerBound.rawValue...lines.upperBound.rawValue).map { text.string(of: LineNumber($0)) }
        let isNumeric = flags.contains("n")
        func key(_ row: String) -> (Int, String) {
            if isNumeric { return (row.firstNumber ?? Int.min, "") }
            return (0, flags.contains("i") ? row.lowercased() : row)
        }
        func isBefore(_ a: (Int, String), _ b: (Int, String)) -> Bool {
            a.0 == b.0 ? Array(a.1.utf8).lexicographicallyPrecedes(Array(b.1.utf8)) : a.0 < b.0
        }
        var sorted = rows.enumerated().sorted { first, second in
            let (a, b) = (key(first.element), key(second.element))
            return isBefore(a, b) || !isBefore(b, a) && first.offset < second.offset
        }.map(\.element)
        // Backwards even among lines that are equal to the sort.
        if flags.contains("!") { sorted.reverse() }
        if flags.contains("u") {
            // Strings are equal however an accent is encoded; bytes are not.
            let form = { (row: String) in Array((flags.contains("i") ? row.lowercased() : row).utf8) }
            var unique: [String] = []
            for row in sorted where unique.last.map({ form($0) != form(row) }) ?? true { unique.append(row) }
            sorted = unique
        }
        let range = text.range(of: lines)
        let new = sorted.joined(separator: text.lineBreak(near: lines.lowerBound))
        change([(range, new)], caret: range.lowerBound)
        caret = firstNonBlank(of: lines.lowerBound)
        wantedColumn = nil
    }
}

extension String {
    /// The first whole number in the text, with a minus sign before it.
    fileprivate var firstNumber: Int? {
        guard let start = firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
        let digits = self[start...].prefix { $0.isASCII && $0.isNumber }
        let isNegative = start > startIndex && self[index(before: start)] == "-"
        return Int(digits).map { isNegative ? -$0 : $0 }
    }
}

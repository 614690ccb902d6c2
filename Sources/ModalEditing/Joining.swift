import TextEditing

/// The joining of lines: `J`, `gJ` and `:join`.
extension VimMachine {
    /// Joins a number of lines from the caret's on, as many as there are; of two both must exist.
    mutating func join(_ count: Int, withSpaces: Bool) throws(VimRefusal) {
        let here = line(caret)
        guard here < lastAddressed else {
            guard count > 2 else { throw VimRefusal() }
            caret = lineStart(caret)
            return
        }
        let last = min(here.rawValue + count - 1, lastAddressed.rawValue)
        join(here...LineNumber(last), withSpaces: withSpaces)
    }

    /// Joins lines by removing line breaks; with `withSpaces`, a space replaces each line break and indent.
    mutating func join(_ lines: ClosedRange<LineNumber>, withSpaces: Bool) {
        let parts = removedBreaks(in: lines, withSpaces: withSpaces)
        guard let last = parts.last else { return }
        marks.skipVisits(from: text.lineStart(lines.lowerBound + 1), through: text.lineStart(lines.upperBound))
        let shift = parts.dropLast().reduce(0) { $0 + $1.1.utf8.count - $1.0.length }
        let target = last.0.lowerBound + shift
        let firstEnd = text.lineEnd(lines.lowerBound)
        let below = text.lineStart(lines.lowerBound + 1)..<text.lineEnd(lines.upperBound)
        let joined = marks.carried(in: below).mapValues { $0.position(in: text) }
        let change = Edit(replacing: parts, of: text)
        edit(parts, caret: target)
        for (name, position) in joined { marks.set(name, change.map(position, .after), in: text) }
        caret = onCharacter(target)
        marks.set("[", firstEnd, in: text)
        marks.set("]", text.lineEnd(lines.lowerBound), in: text)
    }

    /// Returns what replaces each line break between the lines, with the indent of the line below it.
    ///
    /// As in vim, there is no space before `)`, behind a tab, behind an empty line, or behind a space.
    private func removedBreaks(
        in lines: ClosedRange<LineNumber>, withSpaces: Bool
    ) -> [(Range<ByteOffset>, String)] {
        var parts: [(Range<ByteOffset>, String)] = []
        var isEmptySoFar = text.lineRange(lines.lowerBound).isEmpty
        var end = text.lineEnd(lines.lowerBound)
        var lastByte = isEmptySoFar ? nil : text.byte(at: end - 1)
        var beforeLast = end - text.lineStart(lines.lowerBound) > 1 ? text.byte(at: end - 2) : nil
        for number in (lines.lowerBound.rawValue + 1)...lines.upperBound.rawValue {
            let line = LineNumber(number)
            let start = withSpaces ? text.indentEnd(of: line) : text.lineStart(line)
            let lineEnd = text.lineEnd(line)
            var space = ""
            let isSpaced = withSpaces && start < lineEnd && text.byte(at: start) != UInt8(ascii: ")")
            if isSpaced, !isEmptySoFar, lastByte != UInt8(ascii: "\t") {
                if lastByte == UInt8(ascii: " ") { lastByte = beforeLast } else { space = " " }
            }
            parts.append((end..<start, space))
            if start < lineEnd {
                isEmptySoFar = false
                lastByte = text.byte(at: lineEnd - 1)
                beforeLast = lineEnd - start > 1 ? text.byte(at: lineEnd - 2) : nil
            } else {
                (lastByte, beforeLast) = (nil, nil)
            }
            end = lineEnd
        }
        return parts
    }
}

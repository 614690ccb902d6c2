import TextEditing

/// Motions to Markdown's headings, and to the places of changes.
extension VimMachine {
    /// Returns where `[[`, `]]`, `g;` or `g,` leads; nil for any other command.
    mutating func placeMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        let count = command.count ?? 1
        switch command.name {
        case "]]": return VimTarget(position: try heading(count, step: 1), isJump: true)
        case "[[": return VimTarget(position: try heading(count, step: -1), isJump: true)
        case "g;", "g,":
            guard let place = marks.retraceChanges(command.name == "g;" ? count : -count, in: text) else {
                throw VimRefusal()
            }
            return VimTarget(position: mode.isVisual ? place : onCharacter(place))
        default: return nil
        }
    }

    /// Returns the start of a heading above or below the caret's line, counted from it.
    private func heading(_ count: Int, step: Int) throws(VimRefusal) -> ByteOffset {
        var (number, left) = (line(caret).rawValue, count)
        while left > 0 {
            number += step
            guard (0...lastAddressed.rawValue).contains(number) else { throw VimRefusal() }
            if isHeading(LineNumber(number)) { left -= 1 }
        }
        return text.lineStart(LineNumber(number))
    }

    private func isHeading(_ line: LineNumber) -> Bool {
        let range = text.lineRange(line)
        let start = text.bytes(in: range.lowerBound..<min(range.lowerBound + 7, range.upperBound))
        let marks = start.prefix { $0 == 0x23 }.count
        return (1...6).contains(marks) && (marks == start.count || start[marks] == 0x20)
    }
}

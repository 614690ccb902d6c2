extension MarkdownAssistant {
    /// Returns the edits that renumber the items below some lines; each list is read once, however many of the lines it
    /// has.
    ///
    /// - Parameters:
    ///   - items: The lines with items that are followed by new ones, in ascending order.
    ///   - readLines: Increased by the number of lines read, which is about the number of lines in the lists, for
    ///     tests.
    public static func renumber(
        below items: [Int], in lines: some LineSource, readLines: inout Int
    ) -> [AssistantEdit.Replacement] {
        var numbered: Set<Int> = []
        var replacements: [AssistantEdit.Replacement] = []
        guard let last = items.last else { return [] }
        for line in items where !numbered.contains(line) {
            let prefix = lines.prefix(of: line)
            guard let marker = prefix.marker, marker.isOrdered else { continue }
            var list = ItemsBelow(prefix, marker.number)
            var current = line + 1
            while current < min(lines.lineCount, last + scanLimit) {
                readLines += 1
                let other = lines.prefix(of: current)
                switch list.take(other) {
                case .end: current = lines.lineCount
                case .deeper: break
                case .item(let number):
                    numbered.insert(current)
                    if let marker = other.marker, marker.number != number {
                        var edit = AssistantEdit(caret: LinePosition(line: current, byte: 0))
                        edit.replace(
                            current, marker.range.lowerBound..<marker.range.upperBound - 1, with: "\(number)")
                        replacements += edit.replacements
                    } else if current > last {
                        current = lines.lineCount
                    }
                }
                current += 1
            }
        }
        return replacements.sorted { $0.start < $1.start }
    }
}

/// The numbers of a list's items below a given item.
private struct ItemsBelow {
    enum Line {
        case end
        /// A blank line, or a line inside an item.
        case deeper
        case item(number: Int)
    }

    private let first: LinePrefix
    private var number: Int
    /// Whether all items have the same number, as some people write lists; known from the second item on.
    private var isConstant: Bool?

    init(_ first: LinePrefix, _ number: Int) { (self.first, self.number) = (first, number) }

    mutating func take(_ other: LinePrefix) -> Line {
        if other.marker == nil, other.isEmpty { return .deeper }
        guard other.indent >= first.indent, other.marker != nil || other.indent > first.indent else { return .end }
        guard let marker = other.marker, other.indent == first.indent else { return .deeper }
        guard marker.isOrdered, marker.mark == first.marker?.mark else { return .end }
        if isConstant == nil { isConstant = marker.number == number }
        number += isConstant == true ? 0 : 1
        return .item(number: number)
    }
}

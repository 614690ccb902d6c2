/// The difference between two texts, whose changes can be accepted one by one.
public struct ReviewedChanges: Sendable {
    public let diff: TextDiff
    /// The changes, each as a range of `diff.lines`: the removed lines and the added lines that replace them.
    public let changes: [Range<Int>]

    /// Compares two texts, in the time that a `TextDiff` takes.
    public init(from old: String, to new: String) {
        diff = TextDiff(from: old, to: new)
        var changes: [Range<Int>] = []
        for index in diff.lines.indices where diff.lines[index].kind != .same {
            if let last = changes.last, last.upperBound == index {
                changes[changes.count - 1] = last.lowerBound..<index + 1
            } else {
                changes.append(index..<index + 1)
            }
        }
        self.changes = changes
    }

    /// The old text with the changes of the given indices made: with none of them the old text, with all of them the
    /// new one.
    public func text(taking taken: Set<Int>) -> String {
        var lines: [String] = []
        var position = 0
        for (index, change) in changes.enumerated() {
            lines += diff.lines[position..<change.lowerBound].map(\.text)
            let kind = taken.contains(index) ? TextDiff.Kind.added : .removed
            lines += diff.lines[change].filter { $0.kind == kind }.map(\.text)
            position = change.upperBound
        }
        return (lines + diff.lines[position...].map(\.text)).joined(separator: "\n")
    }
}

/// A link label or footnote label that a text defines.
struct DefinedLabel: Hashable, Sendable {
    let key: [UInt8]
    let isFootnote: Bool
}

/// The defined labels, and the number of groups that define each; a group is the labels of one paragraph or footnote.
struct DefinitionSet: Sendable {
    private(set) var links = ReferenceTable()
    private(set) var footnotes = ReferenceTable()
    private var counts: [DefinedLabel: Int] = [:]
    /// The labels of each group, by its number.
    private var groups: [UInt32: [DefinedLabel]] = [:]
    private var nextGroup: UInt32 = 1

    func labels(of group: UInt32) -> [DefinedLabel] { groups[group] ?? [] }

    /// Replaces the labels of a group; returns its new number and whether the set of defined labels has changed.
    mutating func replace(_ group: UInt32, with labels: [DefinedLabel]) -> (group: UInt32, changed: Bool) {
        var changed = false
        for label in groups.removeValue(forKey: group) ?? [] { changed = change(label, by: -1) || changed }
        for label in labels { changed = change(label, by: 1) || changed }
        guard !labels.isEmpty else { return (0, changed) }
        let number = group == 0 ? nextGroup : group
        if group == 0 { nextGroup += 1 }
        groups[number] = labels
        return (number, changed)
    }

    /// Traps if the counts of labels do not match the groups; for tests.
    ///
    /// - Parameter owned: The numbers of the groups that belong to lines.
    func checkInvariants(owned: Set<UInt32>) {
        precondition(owned == Set(groups.keys), "a group belongs to no line, or a line has an unknown group")
        precondition(groups.values.allSatisfy { !$0.isEmpty }, "a group defines nothing")
        var expected: [DefinedLabel: Int] = [:]
        for label in groups.values.joined() { expected[label, default: 0] += 1 }
        precondition(expected == counts, "the groups that define a label are miscounted")
        for label in expected.keys {
            let isKnown = (label.isFootnote ? footnotes[label.key] : links[label.key]) != nil
            precondition(isKnown, "a defined label is not in its table")
        }
    }

    private mutating func change(_ label: DefinedLabel, by delta: Int) -> Bool {
        let count = counts[label, default: 0] + delta
        counts[label] = count == 0 ? nil : count
        guard count == 0 || (count == 1 && delta > 0) else { return false }
        let value: Int32? = count == 0 ? nil : 0
        if label.isFootnote { footnotes[label.key] = value } else { links[label.key] = value }
        return true
    }
}

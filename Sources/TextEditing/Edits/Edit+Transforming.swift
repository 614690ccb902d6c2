/// Transformation of two edits that were made to one text at the same time: each is adapted to the other's result.
extension Edit {
    /// The edit that has this edit's effect on the result of `other`, which was made to the same text.
    ///
    /// Both inserted texts are kept, and text that either edit removes is gone. Both orders lead to the same text:
    ///
    ///     a, then b.transformed(over: a, tie: .after)  ==  b, then a.transformed(over: b, tie: .before)
    ///
    /// O(replacements of both + texts).
    ///
    /// - Parameter tie: The side on which this edit's text goes if both insert at the same position: before the other's
    ///   or after it. The two edits must be given different sides.
    public func transformed(over other: Edit, tie: Bias) -> Edit {
        if other.isEmpty || isEmpty { return self }
        var transformation = Transformation(others: other.replacements, tie: tie)
        for replacement in replacements { transformation.add(replacement) }
        return Edit(transformation.result)
    }
}

/// Walks the replacements of the other edit, passing each one once.
private struct Transformation {
    let others: [Edit.Replacement]
    let tie: Bias
    private(set) var result: [Edit.Replacement] = []
    /// The index of the first of `others` that is not passed yet.
    private var next = 0
    /// The total growth of the passed replacements.
    private var shift = 0

    init(others: [Edit.Replacement], tie: Bias) {
        self.others = others
        self.tie = tie
    }

    mutating func add(_ own: Edit.Replacement) {
        while next < others.count, others[next].start < own.start, others[next].range.upperBound <= own.start { pass() }
        if !own.inserted.isEmpty {
            result.append(Edit.Replacement(start: position(of: own.start), removed: "", inserted: own.inserted))
        }
        remove(own)
    }

    /// The position for text inserted at an offset of the old text: never inside the other edit's text.
    private func position(of offset: ByteOffset) -> ByteOffset {
        guard next < others.count else { return offset + shift }
        let other = others[next]
        let isBehind = other.start < offset || (other.start == offset && tie == .after)
        return isBehind ? other.start + shift + other.inserted.utf8.count : offset + shift
    }

    /// Removes the text that is still left of a replacement's old text, but none that the other edit has inserted into
    /// it.
    private mutating func remove(_ own: Edit.Replacement) {
        let end = own.range.upperBound
        var position = own.start
        while position < end {
            guard next < others.count, others[next].start < end else { return remove(position..<end, of: own) }
            let other = others[next].range
            if other.lowerBound > position { remove(position..<other.lowerBound, of: own) }
            position = max(position, other.upperBound)
            // A replacement that extends past this one may also touch the next one.
            guard other.upperBound <= end else { return }
            pass()
        }
    }

    private mutating func remove(_ range: Range<ByteOffset>, of own: Edit.Replacement) {
        let bytes = range.lowerBound - own.start..<range.upperBound - own.start
        let removed = String(own.removed.bytes(bytes))
        result.append(Edit.Replacement(start: range.lowerBound + shift, removed: removed, inserted: ""))
    }

    private mutating func pass() {
        shift += others[next].growth
        next += 1
    }
}

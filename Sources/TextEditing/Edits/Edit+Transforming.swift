/// Two edits of one text, made at the same time: each is brought to stand on what the other has made of the text.
extension Edit {
    /// The edit that does to the result of `other` what this one does to the text that both were made for.
    ///
    /// Both texts that come are kept, and what either removes is gone. The two ways round lead to the same text:
    ///
    ///     a, then b.transformed(over: a, tie: .after)  ==  b, then a.transformed(over: b, tie: .before)
    ///
    /// - Parameter tie: where this edit's text stands when both put one in at the same place: before the other's or
    ///   after it. The two edits must be given different sides.
    ///
    /// O(replacements of both + texts).
    public func transformed(over other: Edit, tie: Bias) -> Edit {
        if other.isEmpty || isEmpty { return self }
        var transformation = Transformation(others: other.replacements, tie: tie)
        for replacement in replacements { transformation.add(replacement) }
        return Edit(transformation.result)
    }
}

/// Walks along the replacements of the other edit, each of which is passed once.
private struct Transformation {
    let others: [Edit.Replacement]
    let tie: Bias
    private(set) var result: [Edit.Replacement] = []
    /// The first of `others` that is not passed yet.
    private var next = 0
    /// The growth of those that are passed.
    private var shift = 0

    init(others: [Edit.Replacement], tie: Bias) {
        self.others = others
        self.tie = tie
    }

    mutating func add(_ own: Edit.Replacement) {
        while next < others.count, others[next].start < own.start, others[next].range.upperBound <= own.start { pass() }
        if !own.inserted.isEmpty {
            result.append(Edit.Replacement(start: place(of: own.start), removed: "", inserted: own.inserted))
        }
        remove(own)
    }

    /// Where text that is put in at an offset of the old text goes: never into the middle of the other's text.
    private func place(of offset: ByteOffset) -> ByteOffset {
        guard next < others.count else { return offset + shift }
        let other = others[next]
        let isBehind = other.start < offset || (other.start == offset && tie == .after)
        return isBehind ? other.start + shift + other.inserted.utf8.count : offset + shift
    }

    /// Removes what is left of a text, around what the other edit has put into it.
    private mutating func remove(_ own: Edit.Replacement) {
        let end = own.range.upperBound
        var place = own.start
        while place < end {
            guard next < others.count, others[next].start < end else { return remove(place..<end, of: own) }
            let other = others[next].range
            if other.lowerBound > place { remove(place..<other.lowerBound, of: own) }
            place = max(place, other.upperBound)
            // One that goes on behind this replacement may touch the one after it.
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

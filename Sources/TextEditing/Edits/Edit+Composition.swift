extension Edit {
    /// One edit with the effect of this edit followed by `next`, which is based on this edit's result.
    ///
    /// O(replacements of both + texts that touch).
    public func composed(with next: Edit) -> Edit {
        if isEmpty { return next }
        if next.isEmpty { return self }
        if let edit = appending(next) { return edit }
        var composition = EditComposition(first: replacements, second: next.replacements)
        return composition.result()
    }

    /// Returns the composition with an edit that only inserts directly after this edit's only insertion, as typing a
    /// word does letter by letter; nil for any other edit.
    private func appending(_ next: Edit) -> Edit? {
        guard replacements.count == 1, next.replacements.count == 1, next.replacements[0].removed.isEmpty,
            next.replacements[0].start == replacements[0].start + replacements[0].inserted.utf8.count
        else { return nil }
        var whole = replacements[0]
        whole.inserted += next.replacements[0].inserted
        return Edit(whole)
    }

    /// One edit with the effect of all edits in order, each of which is based on the result of the one before.
    ///
    /// Neighbours are composed in pairs, and the results again: O(n log n) for n edits of one replacement.
    public static func composed(_ edits: [Edit]) -> Edit {
        var edits = edits
        while edits.count > 1 {
            edits = stride(from: 0, to: edits.count, by: 2).map { index in
                index + 1 < edits.count ? edits[index].composed(with: edits[index + 1]) : edits[index]
            }
        }
        return edits.first ?? Edit()
    }
}

/// Walks both edits in the coordinates of the intermediate text, joining what overlaps or touches.
private struct EditComposition {
    let first: [Edit.Replacement]
    let second: [Edit.Replacement]
    private var i = 0
    private var j = 0
    /// The growth by all replacements of `first` so far: intermediate offset = old offset + this.
    private var shift = 0

    init(first: [Edit.Replacement], second: [Edit.Replacement]) {
        self.first = first
        self.second = second
    }

    /// The range of the `i`-th replacement of the first edit in the intermediate text.
    private var firstRange: Range<ByteOffset>? {
        guard i < first.count else { return nil }
        let start = first[i].start + shift
        return start..<start + first[i].inserted.utf8.count
    }

    private var secondRange: Range<ByteOffset>? { j < second.count ? second[j].range : nil }

    mutating func result() -> Edit {
        var joined: [Edit.Replacement] = []
        joined.reserveCapacity(first.count + second.count)
        while let start = [firstRange?.lowerBound, secondRange?.lowerBound].compactMap({ $0 }).min() {
            joined.append(group(from: start))
        }
        return Edit(joined)
    }

    /// Joins the replacements of both edits that overlap or touch, from `start` on.
    private mutating func group(from start: ByteOffset) -> Edit.Replacement {
        var result = Edit.Replacement(start: start - shift, removed: "", inserted: "")
        var end = start
        var firsts: [(range: Range<ByteOffset>, replacement: Edit.Replacement)] = []
        var seconds: [Edit.Replacement] = []
        while true {
            if let range = firstRange, range.lowerBound <= end {
                firsts.append((range, first[i]))
                end = max(end, range.upperBound)
                shift += first[i].growth
                i += 1
            } else if let range = secondRange, range.lowerBound <= end {
                seconds.append(second[j])
                end = max(end, range.upperBound)
                j += 1
            } else {
                break
            }
        }
        result.removed = removed(start..<end, firsts, seconds)
        result.inserted = inserted(start..<end, firsts, seconds)
        return result
    }

    /// The old text of a group: the text that the first edit removed, and between it the text that only the second
    /// removed.
    private func removed(
        _ span: Range<ByteOffset>, _ firsts: [(range: Range<ByteOffset>, replacement: Edit.Replacement)],
        _ seconds: [Edit.Replacement]
    ) -> String {
        var text = ""
        var position = span.lowerBound
        for (range, replacement) in firsts {
            text += slice(position..<range.lowerBound, of: seconds.map { ($0.range, $0.removed) })
            text += replacement.removed
            position = range.upperBound
        }
        return text + slice(position..<span.upperBound, of: seconds.map { ($0.range, $0.removed) })
    }

    /// The new text of a group: the text that the second edit inserted, and between it the text that only the first
    /// inserted.
    private func inserted(
        _ span: Range<ByteOffset>, _ firsts: [(range: Range<ByteOffset>, replacement: Edit.Replacement)],
        _ seconds: [Edit.Replacement]
    ) -> String {
        var text = ""
        var position = span.lowerBound
        for replacement in seconds {
            text += slice(position..<replacement.start, of: firsts.map { ($0.range, $0.replacement.inserted) })
            text += replacement.inserted
            position = replacement.range.upperBound
        }
        return text + slice(position..<span.upperBound, of: firsts.map { ($0.range, $0.replacement.inserted) })
    }

    /// The part of a span's text that the given pieces cover.
    private func slice(_ span: Range<ByteOffset>, of pieces: [(range: Range<ByteOffset>, text: String)]) -> String {
        guard !span.isEmpty else { return "" }
        var text = ""
        for (range, piece) in pieces where range.overlaps(span) {
            let part = range.clamped(to: span)
            let utf8 = piece.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: part.lowerBound - range.lowerBound)
            text += piece[start..<utf8.index(start, offsetBy: part.length)]
        }
        return text
    }
}

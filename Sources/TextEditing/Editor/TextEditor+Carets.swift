import TextPrimitives

/// Several carets: each types, deletes and moves as a single one does, and their changes are one step of undo.
///
/// `selection` is the caret that the screen follows; the others are in `others`, in ascending order. Commands that do
/// not handle several carets act at `selection`, and the others stay at their text.
extension TextEditor {
    /// Whether there is more than one caret.
    public var hasSeveralCarets: Bool { !others.isEmpty }

    /// All carets and selections, in ascending order.
    public var selections: [Selection] { others.isEmpty ? [selection] : carets.map(\.selection) }

    /// The carets besides `selection`, in ascending order.
    public var otherSelections: [Selection] { others.map(\.selection) }

    /// The other selections that overlap or touch a range, in ascending order.
    public func otherSelections(touching range: Range<ByteOffset>) -> [Selection] {
        let first = others.partitioningIndex { $0.selection.range.upperBound >= range.lowerBound }
        return others[first...].prefix { $0.selection.range.lowerBound <= range.upperBound }.map(\.selection)
    }

    /// Removes all carets but the one that the screen follows.
    public mutating func leaveOneCaret() {
        guard !others.isEmpty else { return }
        others = []
        history.endStep()
    }

    /// Sets exactly these carets, with the screen following the one at index `main`; joins those that overlap.
    public mutating func select(all selections: [Selection], main: Int) {
        guard selections.indices.contains(main) else { return }
        put(selections.map { Caret(selection: snapped($0)) }, main: main)
        goalColumn = nil
        dragOrigin = nil
        openPairs = []
        history.endStep()
    }

    /// All carets in ascending order.
    var carets: [Caret] {
        var all = others
        all.insert(Caret(selection: selection, goalColumn: goalColumn), at: mainIndex)
        return all
    }

    /// The index in `selections` of the one that the screen follows.
    public var mainIndex: Int {
        others.partitioningIndex { $0.selection.range.lowerBound >= selection.range.lowerBound }
    }

    /// Sets all carets; `main` is the index of the one that the screen follows.
    mutating func put(_ carets: [Caret], main: Int) {
        var (merged, index) = carets.merged(choosing: main)
        let chosen = merged.remove(at: index)
        (selection, goalColumn, others) = (chosen.selection, chosen.goalColumn, merged)
    }

    private func snapped(_ selection: Selection) -> Selection {
        let anchor = buffer.characterBoundary(atOrBefore: selection.anchor)
        return Selection(
            anchor: anchor,
            head: selection.isEmpty ? anchor : buffer.characterBoundary(atOrBefore: selection.head))
    }

    // MARK: Moving

    /// Moves each caret as a single one is moved.
    mutating func moveAll(_ motion: Motion, extending: Bool, layout: inout TextLayout) {
        let (all, main) = (carets, mainIndex)
        others = []
        let moved = all.map { caret in
            (selection, goalColumn) = (caret.selection, caret.goalColumn)
            move(motion, extending: extending, layout: &layout)
            return Caret(selection: selection, goalColumn: goalColumn)
        }
        put(moved, main: main)
    }

    // MARK: Changing

    /// The change that a command makes at one caret.
    struct CaretChange {
        var range: Range<ByteOffset>
        var text: String
        /// The selection after the change, in bytes from the start of the new text.
        var after: (anchor: Int, head: Int)

        /// Creates a replacement of a range, with the caret after the new text.
        init(_ range: Range<ByteOffset>, _ text: String) {
            (self.range, self.text, after) = (range, text, (text.utf8.count, text.utf8.count))
        }
    }

    /// Makes one edit of the changes at all carets, from the first to the last; a change of nil leaves the text at its
    /// caret alone.
    ///
    /// Where changes overlap, the later one does not include the text that both would change.
    mutating func changeAll(_ kind: EditKind, _ change: (Int, Selection) -> CaretChange?) -> Edit? {
        let (all, main) = (carets, mainIndex)
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        var after: [Caret] = []
        parts.reserveCapacity(all.count)
        after.reserveCapacity(all.count)
        var (end, shift) = (ByteOffset(0), 0)
        for (index, caret) in all.enumerated() {
            // Text that an earlier caret has replaced is not replaced again; it can still be deleted.
            guard let change = change(index, caret.selection), change.range.lowerBound >= end || change.text.isEmpty
            else {
                let (anchor, head) = (max(caret.selection.anchor, end), max(caret.selection.head, end))
                after.append(Caret(selection: Selection(anchor: anchor + shift, head: head + shift)))
                continue
            }
            let lower = max(change.range.lowerBound, end)
            let range = lower..<max(lower, change.range.upperBound)
            let start = lower + shift
            after.append(
                Caret(selection: Selection(anchor: start + change.after.anchor, head: start + change.after.head)))
            parts.append((range, change.text))
            shift += change.text.utf8.count - range.length
            end = range.upperBound
        }
        let edit = Edit(replacing: parts, of: buffer)
        guard !edit.isEmpty else { return nil }
        return apply(edit, carets: after, main: main, kind: kind)
    }

    /// Types or pastes a text at each caret.
    mutating func insertAll(_ text: String, as kind: EditKind) -> Edit? {
        if kind == .typing, text.count == 1, let key = text.first, let closing = TextEditor.wrappers[key],
            carets.contains(where: { !$0.selection.isEmpty })
        {
            return wrapAll(text, closing)
        }
        return changeAll(kind) { _, selection in CaretChange(selection.range, text) }
    }

    private mutating func wrapAll(_ opening: String, _ closing: String) -> Edit? {
        let buffer = buffer
        return changeAll(.command) { _, selection in
            guard !selection.isEmpty else { return CaretChange(selection.range, opening) }
            let inner = buffer.string(in: selection.range)
            var change = CaretChange(selection.range, opening + inner + closing)
            let (start, end) = (opening.utf8.count, opening.utf8.count + inner.utf8.count)
            change.after = selection.isReversed ? (end, start) : (start, end)
            return change
        }
    }

    /// Deletes at each caret the text that a single one would delete; where several would delete the same text, it is
    /// deleted once.
    mutating func deleteAll(_ deletion: Deletion) -> Edit? {
        let (all, main) = (carets, mainIndex)
        let ranges = all.compactMap { caret in
            caret.selection.isEmpty
                ? deletion.motion.span(in: buffer, from: caret.selection.head)?.range : caret.selection.range
        }
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        // A selection may lie inside of the text that a later caret deletes.
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = parts.last?.range, range.lowerBound <= last.upperBound {
                parts[parts.count - 1].range = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                parts.append((range, ""))
            }
        }
        let edit = Edit(replacing: parts, of: buffer)
        guard !edit.isEmpty else { return nil }
        let after = edit.map(ascending: all.map(\.selection.range.upperBound), .after)
        let isPlain = all.allSatisfy(\.selection.isEmpty)
        return apply(
            edit, carets: after.map { Caret(selection: Selection($0)) }, main: main,
            kind: isPlain ? deletion.kind : .command)
    }

    /// Applies an edit and sets exactly these selections, with the screen following the one at index `main`.
    public mutating func apply(_ edit: Edit, selections: [Selection], main: Int, kind: EditKind = .command) -> Edit? {
        guard !edit.isEmpty, selections.indices.contains(main) else { return nil }
        return apply(edit, carets: selections.map { Caret(selection: $0) }, main: main, kind: kind)
    }

    // MARK: Undo

    /// The other carets after a step was undone or redone: each lies in its replacement of the step as `selection` lies
    /// in its own.
    ///
    /// If the step does not have one replacement for each caret, the carets stay at their text.
    func selections(retracedBy edit: Edit, of before: [Selection], to after: Selection) -> [Selection] {
        // Mapping each by itself would take time in proportion to carets times replacements.
        var mapped: [Selection] { edit.map(ascending: before) }
        guard edit.replacements.count == before.count + 1 else { return mapped }
        var shift = 0
        let ranges = edit.replacements.map { part in
            let start = part.start + shift
            shift += part.growth
            return start..<start + part.inserted.utf8.count
        }
        guard
            let own = ranges.firstIndex(where: {
                $0.lowerBound <= after.range.lowerBound && after.range.upperBound <= $0.upperBound
            })
        else { return mapped }
        func moved(_ offset: ByteOffset, in range: Range<ByteOffset>) -> ByteOffset? {
            if offset == ranges[own].upperBound { return range.upperBound }
            if offset == ranges[own].lowerBound { return range.lowerBound }
            let inside = range.lowerBound + (offset - ranges[own].lowerBound)
            return inside <= range.upperBound ? inside : nil
        }
        var result: [Selection] = []
        for (index, range) in ranges.enumerated() where index != own {
            guard let anchor = moved(after.anchor, in: range), let head = moved(after.head, in: range) else {
                return mapped
            }
            result.append(Selection(anchor: anchor, head: head))
        }
        return result
    }
}

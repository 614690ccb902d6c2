extension MergeSides {
    /// The sides with each change of a line made where the other side has moved that line; nil if there is none.
    ///
    /// Without this, a line that one side has moved and the other has changed would be a conflict, since a move is a
    /// removal and an insertion.
    func followingMoves() -> MergeSides? {
        let (ourMoves, theirMoves) = (moves(ourChanges, to: numbers.ours), moves(theirChanges, to: numbers.theirs))
        let ourEdits = edits(ourChanges, in: ours, besides: ourMoves)
        let theirEdits = edits(theirChanges, in: theirs, besides: theirMoves)
        // What stands in place of lines, by their indices.
        var (newOurs, newTheirs): ([Int: [Substring]], [Int: [Substring]]) = ([:], [:])
        func follow(
            _ moves: [Int: Int], _ moved: inout [Int: [Substring]], _ edits: [Int: Range<Int>],
            in lines: [Substring], _ edited: inout [Int: [Substring]]
        ) {
            for (line, place) in moves {
                guard let version = edits[line] else { continue }
                moved[place] = Array(lines[version])
                for index in version { edited[index] = [] }
                edited[version.lowerBound] = [base[line]]
            }
        }
        follow(ourMoves, &newOurs, theirEdits, in: theirs, &newTheirs)
        follow(theirMoves, &newTheirs, ourEdits, in: ours, &newOurs)
        if newOurs.isEmpty { return nil }
        return MergeSides(
            base: base, ours: MergeSides.lines(ours, with: newOurs), theirs: MergeSides.lines(theirs, with: newTheirs))
    }

    /// Returns lines with others in place of some of them.
    private static func lines(_ lines: [Substring], with others: [Int: [Substring]]) -> [Substring] {
        lines.indices.reduce(into: []) { result, index in
            if let other = others[index] { result += other } else { result.append(lines[index]) }
        }
    }

    /// The lines of the base that a side has at another place, by their indices, with their indices there.
    ///
    /// A line is known again only if it has a word, and no other line is equal to it.
    private func moves(_ changes: [SequenceChange], to side: [Int]) -> [Int: Int] {
        let count = max(numbers.base.max() ?? -1, side.max() ?? -1) + 1
        func counts(_ lines: [Int]) -> [Int] {
            lines.reduce(into: Array(repeating: 0, count: count)) { $0[$1] += 1 }
        }
        let (known, present) = (counts(numbers.base), counts(side))
        var added: [Int: Int] = [:]
        for place in changes.lazy.flatMap(\.new) where present[side[place]] == 1 { added[side[place]] = place }
        var moves: [Int: Int] = [:]
        for line in changes.lazy.flatMap(\.old) where known[numbers.base[line]] == 1 {
            guard let place = added[numbers.base[line]], ThreeWayMerge.isWord(base[line]) else { continue }
            moves[line] = place
        }
        return moves
    }

    /// The lines of the base that a side has changed, by their indices, with the indices of what is there now.
    private func edits(
        _ changes: [SequenceChange], in side: [Substring], besides moves: [Int: Int]
    ) -> [Int: Range<Int>] {
        let moved = Set(moves.values)
        var edits: [Int: Range<Int>] = [:]
        for change in changes where !change.new.contains(where: { moved.contains($0) }) {
            if change.old.count == 1, !change.new.isEmpty {
                edits[change.old.lowerBound] = change.new
            } else if change.old.count == change.new.count {
                for (line, place) in zip(change.old, change.new) { edits[line] = place..<(place + 1) }
            }
        }
        return edits.filter { moves[$0.key] == nil && isVersion(side[$0.value], of: base[$0.key]) }
    }

    /// Whether lines have at least half of another line's words, so that they do not only stand in its place.
    private func isVersion(_ lines: ArraySlice<Substring>, of line: Substring) -> Bool {
        let words = TextTokens.words(of: line).filter(ThreeWayMerge.isWord)
        let present = Set(lines.flatMap(TextTokens.words))
        return words.count(where: present.contains) * 2 >= words.count
    }
}

extension MergeSides {
    /// The sides with each change of a line made where the other side has moved that line; nil if there is none.
    ///
    /// Without this, a line that one side has moved and the other has changed would be a conflict, since a move is a
    /// removal and an insertion.
    func followingMoves() -> MergeSides? {
        let (ourMoves, theirMoves) = (moves(ourChanges, in: ours), moves(theirChanges, in: theirs))
        let ourEdits = edits(ourChanges, in: ours, besides: ourMoves)
        let theirEdits = edits(theirChanges, in: theirs, besides: theirMoves)
        var (newOurs, newTheirs) = (ours.map { [$0] }, theirs.map { [$0] })
        var isChanged = false
        func follow(
            _ moves: [Int: Int], _ moved: inout [[Substring]], _ edits: [Int: Range<Int>], _ edited: inout [[Substring]]
        ) {
            for (line, place) in moves {
                guard let version = edits[line] else { continue }
                moved[place] = edited[version].flatMap { $0 }
                for index in version { edited[index] = [] }
                edited[version.lowerBound] = [base[line]]
                isChanged = true
            }
        }
        follow(ourMoves, &newOurs, theirEdits, &newTheirs)
        follow(theirMoves, &newTheirs, ourEdits, &newOurs)
        if !isChanged { return nil }
        return MergeSides(base: base, ours: newOurs.flatMap { $0 }, theirs: newTheirs.flatMap { $0 })
    }

    /// The lines of the base that a side has at another place, by their indices, with their indices there.
    ///
    /// A line is known again only if it has a word, and no other line is equal to it.
    private func moves(_ changes: [SequenceChange], in side: [Substring]) -> [Int: Int] {
        var tokens = TokenNumbers()
        let (old, new) = (tokens.numbers(of: base), tokens.numbers(of: side))
        let known = Dictionary(grouping: old.indices) { old[$0] }
        let present = Dictionary(grouping: new.indices) { new[$0] }
        let added = Set(changes.flatMap(\.new))
        var moves: [Int: Int] = [:]
        for line in changes.flatMap(\.old) where base[line].contains(where: { $0.isLetter || $0.isNumber }) {
            guard known[old[line]]?.count == 1, let places = present[old[line]], places.count == 1,
                added.contains(places[0])
            else { continue }
            moves[line] = places[0]
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

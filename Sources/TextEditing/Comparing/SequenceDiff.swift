/// A range of one sequence that was replaced by a range of another.
struct SequenceChange: Hashable, Sendable {
    var old: Range<Int>
    var new: Range<Int>
}

/// The changes between two sequences of tokens: Myers' O(ND) algorithm in linear space, with a bound on its cost.
///
/// Tokens that occur on one side only are set aside first, since they can match nothing. Then the furthest-reaching
/// paths on each diagonal grow from both ends until they meet, and the meeting point cuts the problem in two. If they
/// do not meet within `costLimit` steps, the cut is made at the furthest point reached; the changes are then correct,
/// but perhaps not the fewest.
struct SequenceDiff {
    private let old: [Int]
    private let new: [Int]
    private let costLimit: Int
    /// For each token of `old`, whether it was removed.
    ///
    /// `added` holds, for each token of `new`, whether it was added.
    private var removed: [Bool]
    private var added: [Bool]
    private var forward: [Int]
    private var backward: [Int]

    /// The changes from `old` to `new` in ascending order; no two touch.
    ///
    /// Tokens are numbers from 0 up, without gaps.
    static func changes(from old: [Int], to new: [Int], costLimit: Int? = nil) -> [SequenceChange] {
        let count = max(old.max() ?? -1, new.max() ?? -1) + 1
        let (inOld, inNew) = (presence(of: old, count), presence(of: new, count))
        let (oldIndices, newIndices) = (old.indices.filter { inNew[old[$0]] }, new.indices.filter { inOld[new[$0]] })
        var diff = SequenceDiff(old: oldIndices.map { old[$0] }, new: newIndices.map { new[$0] }, costLimit: costLimit)
        diff.compare(diff.old.indices, diff.new.indices)
        var (removed, added) = (Array(repeating: true, count: old.count), Array(repeating: true, count: new.count))
        for (index, position) in oldIndices.enumerated() { removed[position] = diff.removed[index] }
        for (index, position) in newIndices.enumerated() { added[position] = diff.added[index] }
        return changes(removed: removed, added: added)
    }

    private static func presence(of tokens: [Int], _ count: Int) -> [Bool] {
        tokens.reduce(into: Array(repeating: false, count: count)) { $0[$1] = true }
    }

    /// The runs of removed and added tokens between the kept ones.
    private static func changes(removed: [Bool], added: [Bool]) -> [SequenceChange] {
        var changes: [SequenceChange] = []
        var (x, y) = (0, 0)
        while x < removed.count || y < added.count {
            let (startX, startY) = (x, y)
            while x < removed.count, removed[x] { x += 1 }
            while y < added.count, added[y] { y += 1 }
            if x > startX || y > startY { changes.append(SequenceChange(old: startX..<x, new: startY..<y)) }
            // The kept tokens are on both sides in the same order.
            if x < removed.count { (x, y) = (x + 1, y + 1) }
        }
        return changes
    }

    /// The default number of steps after which a cut is forced.
    ///
    /// It suffices for any change made by hand. It is small enough that two shuffled texts of 200,000 lines each take
    /// less than a tenth of a second.
    private static func defaultLimit(_ tokens: Int) -> Int { min(1024, max(64, (1 << 25) / max(tokens, 1))) }

    private init(old: [Int], new: [Int], costLimit: Int?) {
        self.old = old
        self.new = new
        self.costLimit = costLimit ?? SequenceDiff.defaultLimit(old.count + new.count)
        removed = Array(repeating: false, count: old.count)
        added = Array(repeating: false, count: new.count)
        let diagonals = min(old.count + new.count, 2 * self.costLimit) + 3
        forward = Array(repeating: 0, count: 2 * diagonals)
        backward = forward
    }

    private mutating func compare(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
        var pending = [(oldRange, newRange)]
        while let (a, b) = pending.popLast() {
            let (a, b) = trimmed(a, b)
            if a.isEmpty && b.isEmpty { continue }
            guard !a.isEmpty, !b.isEmpty, let (x, y) = middle(a, b) else {
                for x in a { removed[x] = true }
                for y in b { added[y] = true }
                continue
            }
            pending.append((x..<a.upperBound, y..<b.upperBound))
            pending.append((a.lowerBound..<x, b.lowerBound..<y))
        }
    }

    /// The ranges without the equal tokens at their starts and ends.
    private func trimmed(_ a: Range<Int>, _ b: Range<Int>) -> (Range<Int>, Range<Int>) {
        var (x, y, p, q) = (a.lowerBound, b.lowerBound, a.upperBound, b.upperBound)
        while x < p, y < q, old[x] == new[y] { (x, y) = (x + 1, y + 1) }
        while x < p, y < q, old[p - 1] == new[q - 1] { (p, q) = (p - 1, q - 1) }
        return (x..<p, y..<q)
    }

    /// A point that cuts both ranges in two; nil if only the corners are possible.
    ///
    /// It is on a shortest path, unless that takes too long to find. The ranges must be trimmed and not empty.
    private mutating func middle(_ a: Range<Int>, _ b: Range<Int>) -> (Int, Int)? {
        let (n, m) = (a.count, b.count)
        let delta = n - m
        let origin = forward.count / 2
        let most = min((n + m + 1) / 2, costLimit)
        forward[origin + 1] = 0
        backward[origin + 1] = 0
        for d in 0...most {
            if let position = growForward(d, a, b, delta) { return inside(position, a, b) }
            if let position = growBackward(d, a, b, delta) { return inside(position, a, b) }
        }
        return inside(furthest(most, n, m), a, b)
    }

    private func inside(_ position: (x: Int, y: Int), _ a: Range<Int>, _ b: Range<Int>) -> (Int, Int)? {
        if position == (0, 0) || position == (a.count, b.count) { return nil }
        return (a.lowerBound + position.x, b.lowerBound + position.y)
    }

    // Diagonal k holds the points with x - y == k; `forward[origin + k]` is the furthest x on it after d edits.
    private mutating func growForward(_ d: Int, _ a: Range<Int>, _ b: Range<Int>, _ delta: Int) -> (Int, Int)? {
        let (n, m, origin) = (a.count, b.count, forward.count / 2)
        for k in stride(from: -d, through: d, by: 2) {
            let down = k == -d || (k != d && forward[origin + k - 1] < forward[origin + k + 1])
            var x = down ? forward[origin + k + 1] : forward[origin + k - 1] + 1
            var y = x - k
            while x < n, y < m, x >= 0, y >= 0, old[a.lowerBound + x] == new[b.lowerBound + y] {
                (x, y) = (x + 1, y + 1)
            }
            forward[origin + k] = x
            let opposite = delta - k
            guard delta & 1 != 0, abs(opposite) < d, x <= n, y <= m, y >= 0 else { continue }
            if x + backward[origin + opposite] >= n { return (x, y) }
        }
        return nil
    }

    private mutating func growBackward(_ d: Int, _ a: Range<Int>, _ b: Range<Int>, _ delta: Int) -> (Int, Int)? {
        let (n, m, origin) = (a.count, b.count, backward.count / 2)
        for k in stride(from: -d, through: d, by: 2) {
            let down = k == -d || (k != d && backward[origin + k - 1] < backward[origin + k + 1])
            var x = down ? backward[origin + k + 1] : backward[origin + k - 1] + 1
            var y = x - k
            while x < n, y < m, x >= 0, y >= 0, old[a.upperBound - 1 - x] == new[b.upperBound - 1 - y] {
                (x, y) = (x + 1, y + 1)
            }
            backward[origin + k] = x
            let opposite = delta - k
            guard delta & 1 == 0, abs(opposite) <= d, x <= n, y <= m, y >= 0 else { continue }
            if x + forward[origin + opposite] >= n { return (n - x, m - y) }
        }
        return nil
    }

    /// The point furthest from the start that the forward paths reached.
    private func furthest(_ d: Int, _ n: Int, _ m: Int) -> (Int, Int) {
        var best = (0, 0)
        for k in stride(from: -d, through: d, by: 2) {
            let x = min(forward[forward.count / 2 + k], n)
            let y = x - k
            if y >= 0, y <= m, x + y > best.0 + best.1 { best = (x, y) }
        }
        return best
    }
}

import Synchronization

/// Hashes of the words that this program has added to the table of words or found there.
///
/// Most words of a note occur in other notes too, so each known word saves a statement.
final class TermCache: Sendable {
    private struct State {
        var known = HashSet()
        var generation: Int64 = 0
    }

    private let state = Mutex(State())

    /// The maximum number of known words, which take 8 MB; above it the cache starts again empty.
    private static let limit = 500_000

    /// Returns the indices of the unknown hashes.
    func indices(unknownOf hashes: [UInt64]) -> [Int] {
        state.withLock { state in hashes.indices.filter { !state.known.contains(hashes[$0]) } }
    }

    /// The number of removals of words that the cache knows about; a later removal may have removed words that it
    /// knows.
    var generation: Int64 { state.withLock(\.generation) }

    func add(_ hashes: HashSet, _ generation: Int64) {
        state.withLock { state in
            if generation < state.generation { return }
            if generation > state.generation || state.known.count > Self.limit { state.known = HashSet() }
            state.generation = generation
            hashes.forEach { _ = state.known.insert($0) }
        }
    }

    func removeAll() { state.withLock { $0.known = HashSet() } }
}

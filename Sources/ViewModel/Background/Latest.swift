import Synchronization

/// The number of the last of several questions of which only the last one matters.
final class Latest: Sendable {
    private let number = Atomic(0)

    /// The number of a new question, which is the last one now.
    func next() -> Int { number.add(1, ordering: .relaxed).newValue }

    func `is`(_ other: Int) -> Bool { number.load(ordering: .relaxed) == other }
}

/// A timer that can be cancelled.
public struct TimerID: Hashable, Sendable {
    let rawValue: UInt64
}

/// Scheduled work, earliest first.
///
/// The work runs on the main actor, but the queue is not isolated to it: each call of one of its closures would check
/// which thread it runs on.
struct TimerQueue {
    private var entries: [(due: Timestamp, id: TimerID, work: @MainActor () -> Void)] = []
    private var lastID: UInt64 = 0

    var nextDue: Timestamp? { entries.first?.due }

    mutating func add(due: Timestamp, _ work: @escaping @MainActor () -> Void) -> TimerID {
        lastID += 1
        let id = TimerID(rawValue: lastID)
        let index = entries.firstIndex { $0.due > due } ?? entries.count
        entries.insert((due, id, work), at: index)
        return id
    }

    mutating func cancel(_ id: TimerID) {
        entries.removeAll { $0.id == id }
    }

    /// Removes and returns the work that is due.
    mutating func takeDue(at now: Timestamp) -> [@MainActor () -> Void] {
        let count = entries.prefix { $0.due <= now }.count
        defer { entries.removeFirst(count) }
        return entries[..<count].map(\.work)
    }
}

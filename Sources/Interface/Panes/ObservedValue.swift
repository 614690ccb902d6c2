import Observation

/// Something told by observed state, read again only after some of that has changed.
///
/// What is drawn anew with every key reads all but the text this way: to register a property with observation, and to
/// have it told of, costs more than to draw a row.
@MainActor
final class ObservedValue<Value> {
    private var known: Value?
    private let changed: @MainActor () -> Void

    /// - Parameter changed: called at the first change of anything that was read.
    init(changed: @escaping @MainActor () -> Void) {
        self.changed = changed
    }

    /// Whether what was read last still holds.
    var isKnown: Bool { known != nil }

    /// What `read` gave last, or gives now.
    func value(_ read: () -> Value) -> Value {
        if let known { return known }
        let value = withObservationTracking(read) { [weak self] in
            // All state that panes read lives on the main actor, and changes tell on the thread that makes them.
            MainActor.assumeIsolated { self?.forget() }
        }
        known = value
        return value
    }

    /// Has it read again for a reason that observation does not see.
    func forget() {
        guard known != nil else { return }
        known = nil
        changed()
    }
}

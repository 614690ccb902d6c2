import Observation

/// Something told by observed state, read again only after some of that has changed.
///
/// Observing a property costs more than drawing a row, so panes that are drawn with every key read everything but the text
/// through such a value.
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

import Observation

/// A value computed from observed state, cached until some of that state changes.
///
/// Observing a property costs more than drawing a row, so panes that are drawn with every key read everything but the
/// text through such a value.
@MainActor
final class ObservedValue<Value> {
    private var known: Value?
    private let changed: @MainActor () -> Void

    /// - Parameter changed: called at the first change of any state that was read.
    init(changed: @escaping @MainActor () -> Void) {
        self.changed = changed
    }

    /// Whether the cached value is valid.
    var isKnown: Bool { known != nil }

    /// Returns the cached value, or computes it with `read`.
    func value(_ read: () -> Value) -> Value {
        if let known { return known }
        let value = withObservationTracking(read) { [weak self] in
            // All state that panes read is on the main actor, and a change is reported on the thread that makes it.
            MainActor.assumeIsolated { self?.forget() }
        }
        known = value
        return value
    }

    /// Drops the cached value for a reason that observation does not see.
    func forget() {
        guard known != nil else { return }
        known = nil
        changed()
    }
}

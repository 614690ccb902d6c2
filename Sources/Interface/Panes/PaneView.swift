import Observation
import Terminal

/// The cells of one pane; they are drawn again only when something that the last drawing read has changed.
@MainActor
final class PaneView {
    private(set) var screen = Screen(size: Size(columns: 0, rows: 0))
    private var isStale = true
    /// The size for which the pane is arranged; nil if it must be arranged again.
    private var arrangedSize: Size?
    /// The rows as they were last drawn into the window; nil if they were not drawn into it.
    private var rowsInWindow: Screen.RowStamps?
    /// An empty screen of the pane's size.
    private var blank = Screen(size: Size(columns: 0, rows: 0))
    private let becameStale: @MainActor () -> Void

    /// - Parameter becameStale: called at the first change of any state that was read.
    init(becameStale: @escaping @MainActor () -> Void) {
        self.becameStale = becameStale
    }

    /// Arranges the pane again if the size has changed, or observed state that the last arrangement has read.
    func arrange(size: Size, _ arrange: () -> Void) {
        guard arrangedSize != size else { return }
        arrangedSize = size
        withObservationTracking(arrange) { [weak self] in
            // All state that panes read is on the main actor, and a change is reported on the thread that makes it.
            MainActor.assumeIsolated { self?.forgetArrangement() }
        }
    }

    private func forgetArrangement() {
        arrangedSize = nil
        becameStale()
    }

    /// Draws the pane again if it must change.
    ///
    /// - Parameter isStale: whether it must for a reason that observation does not see.
    /// - Returns: whether the cells changed.
    func refresh(size: Size, isStale isOutdated: Bool = false, _ draw: (inout Screen) -> Void) -> Bool {
        guard isStale || isOutdated || screen.size != size else { return false }
        isStale = false
        if blank.size != size { blank = Screen(size: size) }
        withObservationTracking {
            screen = blank
            draw(&screen)
        } onChange: { [weak self] in
            // As above, the change is reported on the main actor.
            MainActor.assumeIsolated { self?.invalidate() }
        }
        return true
    }

    /// Copies the cells into the window; into one that has them from the last time, only the rows that have changed.
    func draw(into window: inout Screen, at origin: Position, isNew: Bool) {
        window.draw(screen, at: origin, changedSince: isNew ? nil : rowsInWindow)
        rowsInWindow = screen.rowStamps
    }

    /// Marks the cells as stale for a reason that observation does not see, such as the passing of time.
    func invalidate() {
        arrangedSize = nil
        guard !isStale else { return }
        isStale = true
        becameStale()
    }
}

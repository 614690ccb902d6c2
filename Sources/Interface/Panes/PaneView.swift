import Observation
import Terminal

/// The cells of one pane; they are drawn again only when something that the last drawing read has changed.
@MainActor
final class PaneView {
    private(set) var screen = Screen(size: Size(columns: 0, rows: 0))
    private var isStale = true
    /// An empty screen of the pane's size.
    private var blank = Screen(size: Size(columns: 0, rows: 0))
    private let becameStale: @MainActor () -> Void

    /// - Parameter becameStale: called at the first change of any state that was read.
    init(becameStale: @escaping @MainActor () -> Void) {
        self.becameStale = becameStale
    }

    /// Draws the pane again if it must change.
    ///
    /// - Returns: whether the cells changed.
    func refresh(size: Size, _ draw: (inout Screen) -> Void) -> Bool {
        guard isStale || screen.size != size else { return false }
        isStale = false
        if blank.size != size { blank = Screen(size: size) }
        withObservationTracking {
            screen = blank
            draw(&screen)
        } onChange: { [weak self] in
            // All state that panes read lives on the main actor, and a change is reported on the thread that makes it.
            MainActor.assumeIsolated { self?.invalidate() }
        }
        return true
    }

    /// Marks the cells as stale for a reason that observation does not see, such as the passing of time.
    func invalidate() {
        guard !isStale else { return }
        isStale = true
        becameStale()
    }
}

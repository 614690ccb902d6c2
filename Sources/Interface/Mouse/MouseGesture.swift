import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The gesture of the pressed mouse button, and the count of its clicks.
@MainActor
struct MouseGesture {
    /// The effect of a drag.
    enum Drag: Equatable {
        case nothing
        /// Moves the border with this index in the dividers.
        case divider(Int)
        /// Moves the border between two notes.
        case split
        /// Selects text by characters, words or lines.
        case text(SelectionUnit)
        /// Moves notes to a line of the sidebar.
        case notes([NoteRow])
        /// Moves a folder or project to another line of the sidebar.
        case container(NoteContainer)
    }

    /// The longest time between two presses at one position that form a double or triple click.
    private static let clickInterval = Duration.milliseconds(400)

    /// The interval at which the text scrolls while the mouse is held beyond its edge; chosen by eye.
    static let scrollInterval = Duration.milliseconds(80)
    /// The number of scrolls after which each scroll is one row longer: about two seconds' worth.
    static let stepsToDouble = 25

    var drag = Drag.nothing
    /// The next scroll of the text, scheduled while the mouse is held beyond its edge.
    var scrolling: ScheduledWork?
    private var lastPosition: Position?
    private var lastTime: ContinuousClock.Instant?
    private var count = 0

    /// Ends the drag, and stops scrolling.
    mutating func endDrag() {
        drag = .nothing
        stopScrolling()
    }

    mutating func stopScrolling() {
        scrolling?.cancel()
        scrolling = nil
    }

    /// Counts a press.
    ///
    /// - Returns: 1 for a single click, 2 for a double, 3 for a triple one, then 1 again.
    mutating func press(at position: Position, time: ContinuousClock.Instant) -> Int {
        let isRepeated = lastPosition == position && lastTime.map { time - $0 < Self.clickInterval } == true
        count = isRepeated ? count % 3 + 1 : 1
        lastPosition = position
        lastTime = time
        return count
    }
}

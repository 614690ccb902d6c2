/// Decides when a frame may be drawn.
///
/// A key is followed by a frame at once. After anything else frames are drawn at most 60 times a second, and less often
/// on a line that is slow to take them.
struct FramePacing {
    /// The shortest time between frames for background changes: 60 frames a second.
    private static let interval = Duration.milliseconds(16)
    /// The time that a frame may take to go out before the interval between frames is lengthened.
    private static let slowDrain = Duration.milliseconds(50)
    /// The longest interval: at least four frames a second on the slowest line.
    private static let maximumInterval = Duration.milliseconds(250)

    private enum Demand { case none, background, input }

    private var demand = Demand.none
    private var interval = FramePacing.interval
    private var lastFrame: Timestamp?
    /// The time at which the frame was sent that the line has not taken completely.
    private var draining: Timestamp?
    private(set) var lastInput: Timestamp?

    mutating func noteInput(at now: Timestamp? = nil) {
        demand = .input
        lastInput = now
    }

    mutating func noteBackground() {
        if demand == .none { demand = .background }
    }

    /// The time at which the next frame is due; nil if none is wanted.
    var due: Timestamp? {
        guard demand != .none else { return nil }
        guard let lastFrame else { return Timestamp(nanoseconds: 0) }
        let isSlow = interval > FramePacing.interval
        return demand == .input && !isSlow ? lastFrame : lastFrame + interval
    }

    func isReady(at now: Timestamp) -> Bool {
        due.map { $0 <= now } ?? false
    }

    mutating func noteFrame(at now: Timestamp, sent: Bool) {
        demand = .none
        if sent {
            lastFrame = now
            draining = now
        }
    }

    /// Notes whether the line has taken all bytes; the time that it took sets the frame interval.
    mutating func noteLine(isFree: Bool, at now: Timestamp) {
        guard isFree, let start = draining else { return }
        draining = nil
        let taken = now.since(start)
        interval = taken > FramePacing.slowDrain ? min(taken * 2, FramePacing.maximumInterval) : FramePacing.interval
    }
}

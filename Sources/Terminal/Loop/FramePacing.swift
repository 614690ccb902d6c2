/// Decides when a frame may be drawn: after a key at once, after anything else not more often than the eye needs, and
/// less often on a line that is slow to take frames.
struct FramePacing {
    /// What background changes are gathered for: 60 frames a second.
    private static let interval = Duration.milliseconds(16)
    /// A frame that takes longer than this to go out makes the interval longer.
    private static let slowDrain = Duration.milliseconds(50)
    /// Even on the slowest line four frames a second are tried.
    private static let maximumInterval = Duration.milliseconds(250)

    private enum Demand { case none, background, input }

    private var demand = Demand.none
    private var interval = FramePacing.interval
    private var lastFrame: Timestamp?
    /// When the frame was sent that the line has not taken whole.
    private var draining: Timestamp?
    private(set) var lastInput: Timestamp?

    mutating func noteInput(at now: Timestamp? = nil) {
        demand = .input
        lastInput = now
    }

    mutating func noteBackground() {
        if demand == .none { demand = .background }
    }

    /// When the next frame is due; nil when none is wanted.
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

    /// The line has taken all, or not: how long it took sets the pace.
    mutating func noteLine(isFree: Bool, at now: Timestamp) {
        guard isFree, let start = draining else { return }
        draining = nil
        let taken = now.since(start)
        interval = taken > FramePacing.slowDrain ? min(taken * 2, FramePacing.maximumInterval) : FramePacing.interval
    }
}

/// A moment on the monotonic clock, in nanoseconds.
///
/// Functions that depend on time receive it as an argument, so that tests need no clock.
public struct Timestamp: Comparable, Hashable, Sendable {
    public var nanoseconds: UInt64

    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    public static var now: Timestamp { Timestamp(nanoseconds: monotonicNanoseconds()) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    /// A later moment; a negative duration counts as zero.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(nanoseconds: moment.nanoseconds &+ duration.wholeNanoseconds)
    }

    /// The time from `earlier` to this moment; zero if `earlier` is later.
    public func since(_ earlier: Timestamp) -> Duration {
        .nanoseconds(Int64(clamping: nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0))
    }
}

extension Duration {
    /// The duration in nanoseconds, limited to 0 up to about 285 years.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

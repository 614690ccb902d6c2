import Foundation

/// The rules of a time zone: how far its clocks are from UTC at each moment.
///
/// Foundation's time zones need 34 MB of tables in the program; the system has the same rules in files.
public struct Zone: Sendable {
    /// The seconds east of UTC at a moment, given in seconds since 1970.
    private let offset: @Sendable (Int) -> Int

    public init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    public static let utc = Zone { _ in 0 }

    /// The user's time zone: that of `TZ`, or of the machine.
    public static let system = Zone { seconds in
        var (time, fields) = (time_t(seconds), tm())
        // It fails only for years that an `Int32` cannot hold.
        return localtime_r(&time, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
    }

    /// Reads the system's time zone again, since the user may have travelled into another one.
    public static func readAgain() { tzset() }

    /// Returns the date and the time that calendars and clocks in this zone show at a moment.
    public func civilTime(_ date: Date) -> CivilTime {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down).clamped(to: Self.representable))
        let local = seconds + offset(seconds)
        let day = Int((Double(local) / Double(Self.day)).rounded(.down))
        return CivilTime(Day(number: day), secondOfDay: local - day * Self.day)
    }

    /// Returns the first moment at which clocks in this zone show a time; if they jump over it, the moment of the jump.
    public func date(_ time: CivilTime) -> Date {
        let local = time.day.number * Self.day + time.secondOfDay
        // No zone changes its clocks twice in two days.
        let (before, after) = (local - offset(local - Self.day), local - offset(local + Self.day))
        let candidates = [min(before, after), max(before, after)].map { Date(timeIntervalSince1970: Double($0)) }
        return candidates.first { civilTime($0) == time } ?? Date(timeIntervalSince1970: Double(before))
    }

    /// Returns the moment at which a day begins, usually midnight.
    public func start(of day: Day) -> Date { date(CivilTime(day)) }

    /// Returns the moment of noon, which every day has in every time zone.
    public func noon(of day: Day) -> Date { date(CivilTime(day, secondOfDay: Self.day / 2)) }

    private static let day = 86_400
    /// The seconds since 1970 that are converted; some systems cannot give a local time beyond them.
    private static let representable = -1e12...1e12
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// A day and a time of that day, as a calendar and a clock in some time zone show them.
public struct CivilTime: Equatable, Sendable {
    public var day: Day
    /// Seconds since midnight, from 0 to 86,399.
    public var secondOfDay: Int

    public init(_ day: Day, secondOfDay: Int = 0) { (self.day, self.secondOfDay) = (day, secondOfDay) }

    /// The time `hour:minute:second` of a day; nil if there is no such day or time, such as 30 February or 24:00.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            let day = Day(existing: year, month, day)
        else { return nil }
        self.init(day, secondOfDay: hour * 3_600 + minute * 60 + second)
    }

    public var hour: Int { secondOfDay / 3_600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    /// The time of day as `09:05`.
    public var time: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }
}

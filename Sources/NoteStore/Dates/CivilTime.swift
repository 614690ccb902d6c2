/// A day of the Gregorian calendar and a time of that day, in a time zone that is known from elsewhere.
public struct CivilTime: Equatable, Sendable {
    /// The day, counted from 1 January 1970, which is day 0.
    public var dayNumber: Int
    /// Seconds since midnight, from 0 to 86,399.
    public var secondOfDay: Int

    public init(dayNumber: Int, secondOfDay: Int = 0) {
        self.dayNumber = dayNumber
        self.secondOfDay = secondOfDay
    }

    /// The time `hour:minute:second` of a day; nil if there is no such day or time, such as 30 February or 24:00.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            let number = Self.dayNumber(year: year, month: month, day: day)
        else { return nil }
        self.init(dayNumber: number, secondOfDay: hour * 3_600 + minute * 60 + second)
    }

    public var hour: Int { secondOfDay / 3_600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    /// The English names of the months, from January.
    public static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    // MARK: - Texts

    /// The day as `2026-03-01`.
    public var day: String {
        let (year, month, day) = yearMonthDay
        return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    /// The time of day as `09:05`.
    public var time: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2))" }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    // MARK: - The calendar

    /// Days in 400 years, after which the calendar repeats.
    private static let cycle = 146_097
    /// The number of 1 March of the year 0: years that begin in March have their leap day at the end.
    private static let firstMarch = -719_468

    public var yearMonthDay: (year: Int, month: Int, day: Int) {
        let days = dayNumber - Self.firstMarch
        let (cycles, dayOfCycle) = (Self.floor(days, Self.cycle), Self.remainder(days, Self.cycle))
        // A year is 365 days, and each 4th but not each 100th has one more; the last day of the cycle is such a one.
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - Self.daysBefore(yearOfCycle: yearOfCycle)
        // From March on, five months have 153 days.
        let month = (5 * dayOfYear + 2) / 153
        let year = cycles * 400 + yearOfCycle
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }

    /// The number of a day; nil if the month has no such day.
    public static func dayNumber(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), (1...31).contains(day), (-9_999...99_999).contains(year) else { return nil }
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let inCycle = daysBefore(yearOfCycle: remainder(marchYear, 400)) + dayOfYear
        let number = floor(marchYear, 400) * cycle + inCycle + firstMarch
        return CivilTime(dayNumber: number).yearMonthDay.day == day ? number : nil
    }

    private static func daysBefore(yearOfCycle year: Int) -> Int { 365 * year + year / 4 - year / 100 }

    private static func floor(_ number: Int, _ divisor: Int) -> Int { (number - remainder(number, divisor)) / divisor }

    private static func remainder(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

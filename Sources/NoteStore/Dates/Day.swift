import Foundation
import TextPrimitives

/// A day of the Gregorian calendar, without a time zone.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var year: Int
    public var month: Int
    public var day: Int

    /// Makes a day, which must exist.
    public init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

    /// The day, or nil if no month has it, or if its year has more than four digits.
    public init?(existing year: Int, _ month: Int, _ day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Reads `2026-12-01`; nil for anything else, and for a day that no month has.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(existing: year, month, day)
    }

    /// The day of a moment in a time zone.
    public init(_ date: Date, in zone: Zone = .system) { self = zone.civilTime(date).day }

    /// The day as `2026-03-01`.
    public var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    public static func < (a: Day, b: Day) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

    /// Returns the number of days of a month.
    public static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The English names of the months, from January.
    public static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    // MARK: - Counted days

    /// The number of days since 1 January 1970, which is day 0.
    public var number: Int {
        // Counted in years that begin in March, which have their leap day at the end.
        let (marchYear, marchMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        // Counted from March, every five months have 153 days.
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let (cycles, yearOfCycle) = marchYear.divided(by: 400)
        return cycles * Self.cycle + 365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - Self.epoch
    }

    /// The day with this number of days since 1 January 1970.
    public init(number: Int) {
        let (cycles, dayOfCycle) = (number + Self.epoch).divided(by: Self.cycle)
        // Each 4th year but not each 100th has a day more, and so has the last one of the cycle.
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let (year, day) = (cycles * 400 + yearOfCycle, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        self =
            marchMonth < 10
            ? Day(year: year, month: marchMonth + 3, day: day) : Day(year: year + 1, month: marchMonth - 9, day: day)
    }

    /// Returns the day that is `days` days later, or earlier if the number is negative.
    public func adding(_ days: Int) -> Day { Day(number: number + days) }

    /// The day of the week, from 0 for Monday to 6 for Sunday.
    public var weekday: Int {
        // Day 0 was a Thursday.
        (number + 3).divided(by: 7).remainder
    }

    /// Days in 400 years, after which the calendar repeats.
    private static let cycle = 146_097
    /// Days from 1 March of the year 0 to 1 January 1970.
    private static let epoch = 719_468
}

extension Int {
    /// Division whose remainder is never negative.
    fileprivate func divided(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = self % divisor
        return remainder < 0
            ? (self / divisor - 1, remainder + divisor) : (self / divisor, remainder)
    }

    /// Returns the number with zeros in front, so that it has at least `count` digits.
    func padded(to count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}

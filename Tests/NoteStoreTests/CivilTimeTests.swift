import Foundation
import NoteStore
import SeededRandom
import Testing

struct CivilTimeTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Beirut", "Asia/Kathmandu",
        "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "America/St_Johns", "Africa/Cairo",
    ]

    private func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    @Test(arguments: zones)
    func `days and clocks are those of Foundation`(name: String) throws {
        let foundation = try #require(TimeZone(identifier: name))
        let calendar = calendar(foundation)
        let zone = Zone { foundation.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            // The moments are from 1950 to 2090, and often at a full day of UTC.
            var seconds = Double(Int.random(in: -631_152_000...3_786_912_000, using: &random))
            if Bool.random(using: &random) { seconds = (seconds / 86_400).rounded() * 86_400 }
            let date = Date(timeIntervalSince1970: seconds)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let civil = zone.civilTime(date)
            let (year, month, day) = (civil.day.year, civil.day.month, civil.day.day)
            #expect(
                (year, month, day) == (try #require(parts.year), try #require(parts.month), try #require(parts.day)))
            #expect((civil.hour, civil.minute) == (try #require(parts.hour), try #require(parts.minute)))
            #expect(civil.second == parts.second)
            #expect(zone.start(of: civil.day) == calendar.startOfDay(for: date))
            #expect(zone.civilTime(zone.date(civil)) == civil)
            #expect(
                CivilTime(
                    year: year, month: month, day: day, hour: civil.hour, minute: civil.minute, second: civil.second)
                    == civil)
        }
    }

    @Test func `the system's zone is the one that Foundation reads`() {
        for year in 0..<80 {
            for month in 0..<12 {
                let date = Date(timeIntervalSince1970: Double(year) * 31_556_952 + Double(month) * 2_629_746)
                let seconds = Zone.system.civilTime(date)
                let offset = Double(seconds.day.number * 86_400 + seconds.secondOfDay) - date.timeIntervalSince1970
                #expect(abs(offset - Double(TimeZone.current.secondsFromGMT(for: date))) < 1)
            }
        }
    }

    @Test func `a time that clocks jump over is the moment of the jump`() throws {
        // In Beirut clocks went from 0:00 to 1:00 on 28 March 2021.
        let beirut = try #require(TimeZone(identifier: "Asia/Beirut"))
        let zone = Zone { beirut.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
        let start = zone.start(of: Day(year: 2021, month: 3, day: 28))
        #expect(zone.civilTime(start).time == "01:00")
        #expect(zone.civilTime(start.addingTimeInterval(-1)).day.description == "2021-03-27")
    }

    @Test func `days that do not exist are refused`() {
        for (year, month, day) in [
            (2026, 2, 29), (2026, 2, 30), (2026, 4, 31), (1900, 2, 29), (2026, 13, 1), (2026, 1, 0),
        ] {
            #expect(Day(existing: year, month, day) == nil)
            #expect(CivilTime(year: year, month: month, day: day, hour: 0, minute: 0) == nil)
        }
        #expect(CivilTime(year: 2026, month: 1, day: 1, hour: 24, minute: 0) == nil)
        #expect(Day(existing: 2000, 2, 29)?.description == "2000-02-29")
        #expect(Day(year: 33, month: 4, day: 3).description == "0033-04-03")
    }

    @Test func `days are counted without a gap`() {
        var day = Day(year: 1599, month: 12, day: 31)
        var wrong: [Day] = []
        for number in day.number...Day(year: 2401, month: 1, day: 1).number {
            if day.number != number || Day(number: number) != day { wrong.append(day) }
            let isLast = day.day == Day.days(in: day.month, of: day.year)
            day =
                !isLast
                ? Day(year: day.year, month: day.month, day: day.day + 1)
                : day.month < 12
                    ? Day(year: day.year, month: day.month + 1, day: 1) : Day(year: day.year + 1, month: 1, day: 1)
        }
        #expect(wrong.isEmpty)
        #expect(Day(year: 1970, month: 1, day: 1).number == 0)
        // Two Mondays, before and after day 0.
        #expect(Day(year: 2026, month: 11, day: 23).weekday == 0 && Day(year: 1969, month: 7, day: 21).weekday == 0)
    }

    @Test func `moments beyond all calendars end no program`() {
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            _ = Zone.system.civilTime(Date(timeIntervalSince1970: seconds)).day.description
        }
    }
}

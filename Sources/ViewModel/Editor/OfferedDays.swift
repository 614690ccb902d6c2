import NoteStore

/// The days that are offered after `@` in a task, for what has been typed there.
public enum OfferedDays {
    public struct Offer: Equatable, Sendable {
        public let name: String
        public let day: Day
    }

    /// Returns the days whose names have a word with this beginning, and the day that the text gives as a count of days
    /// or weeks or as a date: `3`, `2w`, `12-24`.
    public static func offers(for typed: String, from today: Day) -> [Offer] {
        let word = typed.lowercased()
        let named = names(from: today).filter { offer in
            word.isEmpty || offer.name.lowercased().split(separator: " ").contains { $0.hasPrefix(word) }
        }
        return counted(word, from: today) + written(word, from: today) + named
    }

    /// Returns the day that a word names in full or gives as a date: `tomorrow`, `fri`, `12-24`; nil for any other
    /// word.
    public static func day(named word: String, from today: Day) -> Day? {
        let word = word.lowercased()
        if let day = written(word, from: today).first?.day { return day }
        let named = names(from: today).filter { offer in
            let name = offer.name.lowercased()
            return name == word || word.count == 3 && weekdays.contains(offer.name) && name.hasPrefix(word)
        }
        return named.first?.day
    }

    private static let weekdays = Texts.Days.weekdays

    /// Today, tomorrow, the weekdays after them, and some later days.
    private static func names(from today: Day) -> [Offer] {
        [Offer(name: Texts.Days.today, day: today), Offer(name: Texts.Days.tomorrow, day: today.adding(1))]
            + (1...7).map { today.adding($0) }.map { Offer(name: weekdays[$0.weekday], day: $0) }
            + [
                Offer(name: Texts.Days.inTwoWeeks, day: today.adding(14)),
                Offer(name: Texts.Days.inAMonth, day: monthAfter(today)),
            ]
    }

    private static func monthAfter(_ today: Day) -> Day {
        let (year, month) = today.month == 12 ? (today.year + 1, 1) : (today.year, today.month + 1)
        return Day(year: year, month: month, day: min(today.day, Day.days(in: month, of: year)))
    }

    /// Returns the day after a number of days or, with a `w`, of weeks.
    private static func counted(_ word: String, from today: Day) -> [Offer] {
        let digits = word.drop { $0 == "+" }.prefix { $0.isASCII && $0.isNumber }
        let unit = word.drop { $0 == "+" }.dropFirst(digits.count)
        guard let count = Int(digits), (1...999).contains(count), ["", "d", "w"].contains(unit) else { return [] }
        let days = unit == "w" ? 7 * count : count
        return [Offer(name: Texts.Days.inDays(days), day: today.adding(days))]
    }

    /// Returns the day of a full date, or the next day with this month and day.
    private static func written(_ word: String, from today: Day) -> [Offer] {
        let years = [word, "\(today.year)-\(word)", "\(today.year + 1)-\(word)"]
        guard let index = years.firstIndex(where: { text in Day(text).map { text == word || $0 >= today } ?? false }),
            let day = Day(years[index])
        else { return [] }
        return [Offer(name: weekdays[day.weekday], day: day)]
    }
}

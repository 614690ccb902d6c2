import Foundation

/// Whether a date has the day before the month or after it.
enum DateOrder: Sendable {
    case dayFirst, monthFirst

    /// English-speaking countries that write the month first in words, from CLDR's patterns for "day and short month".
    ///
    /// `monthFirstLanguages` are the languages that do so in every country.
    private static let monthFirstCountries: Set<String> = ["US", "PH", "CA"]
    private static let monthFirstLanguages: Set<String> = ["ja", "ko", "zh", "hu", "lt", "eu", "mn", "kk"]

    /// The order of the locale that the environment names for times: `LC_ALL`, `LC_TIME`, `LANG`.
    ///
    /// The locale's name is enough: asking a locale for its patterns would load megabytes of tables at the start.
    init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_TIME", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_").map(String.init)
        let isEnglish = parts.first == "en"
        let isMonthFirst =
            parts.first.map(Self.monthFirstLanguages.contains) == true
            || isEnglish && parts.dropFirst().first.map(Self.monthFirstCountries.contains) == true
        self = isMonthFirst ? .monthFirst : .dayFirst
    }

    /// Returns `12 Nov` or `Nov 12`; a day of another year has the year instead: `Nov 2025`.
    func text(_ date: Date, now: Date, calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.day, .month, .year], from: date)
        guard let day = parts.day, let month = parts.month, let year = parts.year else { return "" }
        let name = Self.months[month - 1]
        guard year == calendar.component(.year, from: now) else { return "\(name) \(year)" }
        return self == .dayFirst ? "\(day) \(name)" : "\(name) \(day)"
    }

    /// The names of the months, in English like the rest of the window.
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

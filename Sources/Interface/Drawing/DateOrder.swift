import NoteStore

/// Whether a date has the day before the month or after it.
enum DateOrder: Sendable {
    case dayFirst, monthFirst

    /// English-speaking countries that write the month first in words, from CLDR's patterns for "day and short month".
    ///
    /// `monthFirstLanguages` are the languages that do so in every country.
    private static let monthFirstCountries: Set<String> = ["US", "PH", "CA"]
    private static let monthFirstLanguages: Set<String> = ["ja", "ko", "zh", "hu", "lt", "eu", "mn", "kk"]

    /// Reads the order from the locale that the environment names for times: `LC_ALL`, `LC_TIME`, `LANG`.
    ///
    /// The locale's name is enough: reading a locale's patterns would load megabytes of tables at the start.
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
    func text(_ date: Day, now: Day) -> String {
        // The month is in English, like the rest of the window.
        let name = Day.months[date.month - 1].prefix(3)
        guard date.year == now.year else { return "\(name) \(date.year)" }
        return self == .dayFirst ? "\(date.day) \(name)" : "\(name) \(date.day)"
    }
}

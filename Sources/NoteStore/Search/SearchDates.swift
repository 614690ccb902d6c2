import Foundation

/// Parses dates and spans of time as people write them.
struct SearchDates {
    let now: Date
    /// The time zone in which days begin and end.
    let zone: Zone

    /// Returns the range of times that an expression means, in milliseconds since 1970; `nil` if it is not an
    /// expression.
    ///
    /// Expressions are `2026`, `2026-01`, `2026-01-15`, with `>`, `>=`, `<`, `<=` in front; `7d`, `3w`, `2m`, `1y`,
    /// `12h` back from now; `today`, `yesterday`.
    func range(_ text: String) -> Range<Int64>? {
        let comparison = text.prefix { $0 == "<" || $0 == ">" || $0 == "=" }
        let value = text.dropFirst(comparison.count).lowercased()
        if let span = Self.span(value), comparison.isEmpty {
            return (now.milliseconds - span)..<Int64.max
        }
        guard let days = day(value) ?? Self.days(value) else { return nil }
        let whole = time(days.lowerBound)..<time(days.upperBound)
        switch comparison {
        case "": return whole
        case ">": return whole.upperBound..<Int64.max
        case ">=": return whole.lowerBound..<Int64.max
        case "<": return Int64.min..<whole.lowerBound
        case "<=": return Int64.min..<whole.upperBound
        default: return nil
        }
    }

    private static let dayLength: Int64 = 86_400_000

    private static func span(_ text: String) -> Int64? {
        guard let unit = text.last, let count = Int64(text.dropLast()), (1...100_000).contains(count) else {
            return nil
        }
        switch unit {
        case "h": return count * dayLength / 24
        case "d": return count * dayLength
        case "w": return count * 7 * dayLength
        case "m": return count * 30 * dayLength
        case "y": return count * 365 * dayLength
        default: return nil
        }
    }

    // MARK: - Days

    private func time(_ day: Day) -> Int64 { zone.start(of: day).milliseconds }

    private func day(_ text: String) -> Range<Day>? {
        let today = Day(now, in: zone)
        switch text {
        case "today": return today..<today.adding(1)
        case "yesterday": return today.adding(-1)..<today
        default: return nil
        }
    }

    /// Returns the days of a year, a month or a day, written as `2026`, `2026-01`, `2026-01-15`.
    private static func days(_ text: String) -> Range<Day>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count), let year = parts[0], (1000...9999).contains(year) else { return nil }
        guard parts.count > 1 else {
            return Day(year: year, month: 1, day: 1)..<Day(year: year + 1, month: 1, day: 1)
        }
        guard let month = parts[1], let day = parts.count > 2 ? parts[2] : 1,
            let start = Day(existing: year, month, day)
        else { return nil }
        return start..<start.adding(parts.count > 2 ? 1 : Day.days(in: month, of: year))
    }
}

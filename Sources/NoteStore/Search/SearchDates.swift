import Foundation

/// Parses dates and spans of time as people write them.
struct SearchDates {
    let now: Date
    private let calendar: Calendar

    /// - Parameter timeZone: the time zone in which days begin and end.
    init(now: Date, timeZone: TimeZone) {
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// The range of times that an expression means, in milliseconds since 1970; `nil` if it is none.
    ///
    /// Expressions are `2026`, `2026-01`, `2026-01-15`, with `>`, `>=`, `<`, `<=` in front; `7d`, `3w`, `2m`, `1y`,
    /// `12h` back from now; `today`, `yesterday`.
    func range(_ text: String) -> Range<Int64>? {
        let comparison = text.prefix { $0 == "<" || $0 == ">" || $0 == "=" }
        let value = text.dropFirst(comparison.count).lowercased()
        if let span = Self.span(value), comparison.isEmpty {
            return (now.milliseconds - span)..<Int64.max
        }
        guard let whole = day(value) ?? calendarSpan(value) else { return nil }
        switch comparison {
        case "": return whole
        case ">": return whole.upperBound..<Int64.max
        case ">=": return whole.lowerBound..<Int64.max
        case "<": return 0..<max(0, whole.lowerBound)
        case "<=": return 0..<max(0, whole.upperBound)
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

    private func day(_ text: String) -> Range<Int64>? {
        let today = calendar.startOfDay(for: now)
        switch text {
        case "today": return span(from: today, .day)
        case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today).flatMap { span(from: $0, .day) }
        default: return nil
        }
    }

    private func span(from start: Date, _ unit: Calendar.Component) -> Range<Int64>? {
        // A day of 23 or 25 hours ends when the next one begins.
        guard let end = calendar.date(byAdding: unit, value: 1, to: start) else { return nil }
        return start.milliseconds..<calendar.startOfDay(for: end).milliseconds
    }

    private func calendarSpan(_ text: String) -> Range<Int64>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count), let year = parts[0], (1000...9999).contains(year) else { return nil }
        var components = DateComponents(year: year, month: 1, day: 1)
        var unit = Calendar.Component.year
        if parts.count > 1 {
            guard let month = parts[1], (1...12).contains(month) else { return nil }
            components.month = month
            unit = .month
        }
        if parts.count > 2 {
            guard let day = parts[2], (1...31).contains(day) else { return nil }
            components.day = day
            unit = .day
        }
        guard let start = calendar.date(from: components), calendar.component(.day, from: start) == components.day
        else {
            return nil
        }
        return span(from: start, unit)
    }
}

import Foundation

/// A note that new notes are made from, with places to fill in.
///
///     "# {{title}}\n\n{{date}}: {{cursor}}"  ->  "# Stand-up\n\n2026-03-01: ", the caret at the end
public struct NoteTemplate: Equatable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// Whether it wants a title.
    public var needsTitle: Bool { text.contains("{{title}}") }

    /// Fills in the places.
    ///
    /// - Returns: the text, and where `{{cursor}}` was as a UTF-8 offset, else its end.
    public func filled(title: String, date: Date, calendar: Calendar = .current) -> (text: String, caret: Int) {
        let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone)
        let whole =
            text
            .replacing("{{title}}", with: title)
            .replacing("{{date}}", with: date.formatted(style.year().month().day()))
            .replacing("{{time}}", with: Self.time(of: date, calendar))
        guard let place = whole.firstRange(of: "{{cursor}}") else { return (whole, whole.utf8.count) }
        let caret = whole.utf8.distance(from: whole.startIndex, to: place.lowerBound)
        return (whole.replacing("{{cursor}}", with: ""), caret)
    }

    /// `09:05`.
    private static func time(of date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(two(parts.hour)):\(two(parts.minute))"
    }
}

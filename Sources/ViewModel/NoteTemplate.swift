import Foundation

/// A template for new notes, with placeholders to fill in.
///
///     "# {{title}}\n\n{{date}}: {{cursor}}"  ->  "# Stand-up\n\n2026-03-01: ", the caret at the end
public struct NoteTemplate: Equatable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// Whether it contains the placeholder for a title.
    public var needsTitle: Bool { text.contains("{{title}}") }

    /// Fills in the placeholders.
    ///
    /// - Returns: the text, and the UTF-8 offset of the caret: where `{{cursor}}` was, else the end.
    public func filled(title: String, date: Date, calendar: Calendar = .current) -> (text: String, caret: Int) {
        let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone)
        let whole =
            text
            .replacing("{{title}}", with: title)
            .replacing("{{date}}", with: date.formatted(style.year().month().day()))
            .replacing("{{time}}", with: Self.time(of: date, calendar))
        guard let position = whole.firstRange(of: "{{cursor}}") else { return (whole, whole.utf8.count) }
        let caret = whole.utf8.distance(from: whole.startIndex, to: position.lowerBound)
        return (whole.replacing("{{cursor}}", with: ""), caret)
    }

    /// Returns a time as `09:05`.
    private static func time(of date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(two(parts.hour)):\(two(parts.minute))"
    }
}

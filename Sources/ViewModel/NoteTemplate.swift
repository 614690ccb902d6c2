import Foundation
import NoteStore

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
    /// - Returns: the text, and the UTF-8 offset of the caret: that of `{{cursor}}`, or the end if there is none.
    public func filled(title: String, date: Date, zone: Zone = .system) -> (text: String, caret: Int) {
        let time = zone.civilTime(date)
        let whole =
            text
            .replacing("{{title}}", with: title)
            .replacing("{{date}}", with: time.day.description)
            .replacing("{{time}}", with: time.time)
        guard let position = whole.firstRange(of: "{{cursor}}") else { return (whole, whole.utf8.count) }
        let caret = whole.utf8.distance(from: whole.startIndex, to: position.lowerBound)
        return (whole.replacing("{{cursor}}", with: ""), caret)
    }
}

extension Texts {
    /// The list of tasks.
    enum Tasks {
        static let title = "Tasks"
        static let today = "today"
        static let empty = "(without words)"
        static let reading = "Reading the notes…"
        static let none = "No open task: a line like - [ ] Call Ana @2026-12-01 makes one"
    }

    /// The calendar of daily notes.
    enum Calendar {
        static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        static func month(_ month: Int, of year: Int) -> String { "\(months[month - 1]) \(year)" }
        static let noDayBefore = "No daily note before this day"
        static let noDayAfter = "No daily note after this day"
        static let hints =
            [
                KeyHint("overlay.pageDown", "month"), KeyHint("overlay.first", "today"),
                KeyHint("overlay.accept", "opens"),
            ]
            + Hints.closes
    }
}

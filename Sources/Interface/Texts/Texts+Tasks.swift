import NoteStore

extension Texts {
    static let pasteAwaited = "Pasting… Keys wait until it is done; Esc gives up"

    /// The texts of the list of tasks.
    enum Tasks {
        /// The sign of a late task where there is no room for its day.
        static let lateSign = "!"
        static let day = "Due"
        static let byDay = "Tasks by day"
        static let byNote = "Tasks by note"
        static let hasChanged = "The text has changed there: open the tasks again"
        static let hints =
            [
                KeyHint("overlay.order", "order"), KeyHint("overlay.toggle", "ticks"),
                KeyHint("overlay.accept", "goes there"),
            ]
            + Hints.closes
        static let today = "today"
        static let noDay = "no day"
        /// A day that has passed; the colour alone would not tell everybody.
        static func late(_ day: String) -> String { "late, \(day)" }
        static let empty = "(without words)"
        static let reading = "Reading the notes…"
        static let none = "No open task: a line like - [ ] Call Ana @2026-12-01 makes one"
    }

    /// The texts of the calendar of daily notes.
    enum Calendar {
        static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        private static let spokenWeekdays = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]
        static func month(_ month: Int, of year: Int) -> String { "\(Day.months[month - 1]) \(year)" }
        /// The day, for a box too narrow to show each day of the week.
        static func day(_ day: Day) -> String { "\(weekdays[day.weekday]) \(day)" }
        /// The day for a screen reader, which would spell the short name of a day.
        static func spokenDay(_ day: Day) -> String { "\(spokenWeekdays[day.weekday]) \(day)" }
        static let noSuchDay = "No such day: type one like 2027-03-04 or 03-04"
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

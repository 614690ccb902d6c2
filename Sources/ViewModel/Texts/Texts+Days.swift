extension Texts {
    /// The names of days that are offered after `@`.
    enum Days {
        static let today = "Today"
        static let tomorrow = "Tomorrow"
        static let inTwoWeeks = "In two weeks"
        static let inAMonth = "In a month"
        static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        static func inDays(_ days: Int) -> String { "In \(Question.count(days, "day"))" }
    }
}

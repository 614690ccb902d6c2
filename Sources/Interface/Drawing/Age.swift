import Foundation
import NoteStore

/// The age of a date, in the shortest useful form: `now`, `5 min`, `2 h`, `yesterday`, `3 d`, `12 Nov`.
struct Age {
    private let zone: Zone
    private let dates: DateOrder

    init(_ dates: DateOrder, zone: Zone = .system) {
        self.zone = zone
        self.dates = dates
    }

    /// Returns the age of `date` at `now`; a date in the future gives `now`.
    func text(of date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        if seconds < 60 { return Texts.Ages.now }
        if seconds < 3_600 { return Texts.Ages.minutes(Int(seconds / 60)) }
        let (then, today) = (Day(date, in: zone), Day(now, in: zone))
        let days = today.number - then.number
        if days == 0 { return Texts.Ages.hours(Int(seconds / 3_600)) }
        if days == 1 { return Texts.Ages.yesterday }
        return days < 7 ? Texts.Ages.days(days) : dates.text(then, now: today)
    }
}

import Foundation
import NoteStore

/// Times in a readable form, exact to the millisecond.
enum TimeText {
    private static let millisecondsOfDay: Int64 = 86_400_000
    /// The years that ISO 8601 writes with four digits.
    ///
    /// Times in other years are written as a number of milliseconds.
    private static let years = 1...9999
    /// The times that a notebook can hold, in milliseconds: a hundred million days before and after 1970, as in
    /// ECMAScript.
    ///
    /// Other programs may have written any number. These leave room to compute with them.
    static let range: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000

    /// Returns a time in ISO 8601, in UTC: `2026-03-01T09:30:00.000Z`.
    static func text(_ milliseconds: Int64) -> String {
        let rest = (milliseconds % millisecondsOfDay + millisecondsOfDay) % millisecondsOfDay
        let day = Day(number: Int(milliseconds / millisecondsOfDay) - (milliseconds < 0 && rest > 0 ? 1 : 0))
        guard years.contains(day.year) else { return "\(milliseconds)" }
        let time = CivilTime(day, secondOfDay: Int(rest / 1000))
        return "\(day)T\(time.time):\(padded(time.second, 2)).\(padded(Int(rest % 1000), 3))Z"
    }

    /// Returns the milliseconds since 1970, or `nil` if the text is not a time that a notebook can hold.
    static func milliseconds(_ text: String) -> Int64? {
        if let number = Int64(text) { return range.contains(number) ? number : nil }
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
        if bytes.count == 24, bytes[23] == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let part = number(20..<23), part >= 0,
            let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        {
            return Int64(time.day.number) * millisecondsOfDay + Int64(time.secondOfDay * 1000 + part)
        }
        // Some programs write a space between the day and the time.
        let spaced = bytes.count > 10 && bytes[10] == UInt8(ascii: " ")
        let text = spaced ? String(decoding: bytes[..<10] + [UInt8(ascii: "T")] + bytes[11...], as: UTF8.self) : text
        for candidate in [text, text + "Z", text + "T00:00:00Z"] {
            if let date = try? Date.ISO8601FormatStyle().parse(candidate) {  // the next format may match
                return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
                    .flatMap { range.contains($0) ? $0 : nil }
            }
        }
        return nil
    }

    /// Returns the time of a commit in milliseconds, or the nearest one that a notebook can hold.
    static func milliseconds(ofCommitAt seconds: Int64) -> Int64 {
        min(max(seconds, range.lowerBound / 1000), range.upperBound / 1000) * 1000
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

import NoteStore

/// Reads the value of a Retry-After field, which is a number of seconds or a date (RFC 9110, 10.2.3).
enum RetryTime {
    /// Returns the seconds until the given time, which may be negative, or `nil` for anything else.
    ///
    /// - Parameters:
    ///   - value: `120`, or `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///   - now: the present time, in seconds since 1970.
    static func seconds(_ value: some StringProtocol, now: Int) -> Int? {
        let words = value.split(whereSeparator: \.isWhitespace)
        if words.count == 1 { return Int(words[0]) }
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = Day.months.firstIndex(where: { $0.prefix(3) == words[2] }),
            let date = Day(existing: year, month + 1, day)
        else { return nil }
        let time = words[4].split(separator: ":").map { Int($0) ?? -1 }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        return date.number * 86_400 + time[0] * 3600 + time[1] * 60 + time[2] - now
    }
}

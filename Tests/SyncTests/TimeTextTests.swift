import Foundation
import SeededRandom
import Testing

@testable import Sync

/// Tests times in the files of a repository.
struct TimeTextTests {
    private static let day: Int64 = 86_400_000

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_772_357_400_000, "2026-03-01T09:30:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-day, "1969-12-31T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_001, "-62135596800001"), (253_402_300_800_000, "253402300800000"),
            (8_640_000_000_000_000, "8640000000000000"), (-8_640_000_000_000_000, "-8640000000000000"),
        ] as [(Int64, String)])
    func `a time is written as a calendar shows it, or else as a number`(_ milliseconds: Int64, _ text: String) {
        #expect(TimeText.text(milliseconds) == text)
        #expect(TimeText.milliseconds(text) == milliseconds)
    }

    @Test func `Foundation writes the same`() {
        var random = SeededGenerator(seed: 5)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<cases(2_000) {
            // The times start in 1583, since when both use the same calendar.
            let milliseconds =
                Int64(random.below(265_000_000_000)) * 1_000 - 12_200_000_000_000 + Int64(random.below(1_000))
            let text = TimeText.text(milliseconds)
            // A quarter of a millisecond keeps the double from falling below the number.
            let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1_000)
            #expect(text == format.format(date), "\(milliseconds)")
            #expect(TimeText.milliseconds(text) == milliseconds)
        }
    }

    @Test(
        arguments: [
            ("2026-03-01T09:30:00Z", 1_772_357_400_000), ("2026-03-01T10:30:00+01:00", 1_772_357_400_000),
            ("2026-03-01T09:30:00", 1_772_357_400_000), ("2026-03-01", 1_772_323_200_000), ("17", 17),
            ("2026-13-01T09:30:00.000Z", nil), ("yesterday", nil), ("", nil), ("2026-03-01T09:30:00.-10Z", nil),
            ("2026-03-01 09:30:00+00:00", 1_772_357_400_000), ("2026-03-01 ", nil),
            ("2026-03-01 10:30:00.250000+01:00", 1_772_357_400_250),
            ("9223372036854775807", nil), ("-9223372036854775808", nil), ("8640000000000001", nil),
        ] as [(String, Int64?)])
    func `what people write is read`(_ text: String, _ milliseconds: Int64?) {
        #expect(TimeText.milliseconds(text) == milliseconds)
    }

    @Test(
        arguments: [
            (1, 1000), (-1, -1000), (Int64.max, 8_640_000_000_000_000), (.min, -8_640_000_000_000_000),
        ] as [(Int64, Int64)])
    func `a commit of any date has a time`(_ seconds: Int64, _ milliseconds: Int64) {
        #expect(TimeText.milliseconds(ofCommitAt: seconds) == milliseconds)
    }
}

import Foundation
import SyncSchedules
import Testing

/// Tests random people on several machines with one remote: once they stop, all notebooks are equal and no word is
/// lost.
///
/// `Tests/SyncSchedules/run.sh` runs many more of them.
struct ScheduleTests {
    @Test(arguments: zip(Schedule.Kind.allCases, [12, 8, 8, 4, 8, 8, 12]))
    func `machines converge`(_ kind: Schedule.Kind, _ count: Int) throws {
        for seed in 0..<cases(count) {
            #expect(try Schedule(seed: UInt64(seed), kind).failures() == [], "seed \(seed)")
        }
    }

    /// Schedules that once failed.
    ///
    /// In three a last line without a line feed was joined with a line of another machine. In the fourth a machine that
    /// was killed while it joined brought back an older text of a note whose file was deleted by hand.
    @Test(
        arguments: [
            (1_000_174, .remote), (1_000_192, .hands), (1_000_702, .hands), (5_001_287, .hands),
        ] as [(UInt64, Schedule.Kind)])
    func `what failed once does not fail again`(_ seed: UInt64, _ kind: Schedule.Kind) throws {
        #expect(try Schedule(seed: seed, kind).failures() == [])
    }
}

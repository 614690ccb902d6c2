import NoteStore
import Testing

@testable import ViewModel

/// Tests how long saves rest, by the durations of earlier ones.
@Suite struct SavingPaceTests {
    private let note = NoteID()
    private let start = ContinuousClock.now

    private func begun() -> SavingPace {
        var pace = SavingPace()
        pace.begin(note, at: start)
        return pace
    }

    @Test func `a short text is saved with everything in the first pause`() {
        let pace = begun()
        let now = start + .milliseconds(300)
        #expect(pace.untilWhole(of: note, bytes: 10_000, paused: .milliseconds(300), at: now) <= .zero)
        #expect(pace.untilWhole(of: note, bytes: 10_000, paused: .milliseconds(299), at: now) > .zero)
        #expect(pace.maximumWait(of: note, bytes: 10_000) == .seconds(2))
    }

    @Test func `a text of 10 MB is indexed after a long pause, though it was never saved before`() {
        let pace = begun()
        let later = start + .seconds(60)
        #expect(pace.untilWhole(of: note, bytes: 10_000_000, paused: .seconds(1), at: later) == .seconds(2))
        #expect(pace.untilWhole(of: note, bytes: 10_000_000, paused: .seconds(3), at: later) <= .zero)
        // A minute from the first change, whatever the pause: the time spent is a hundredth.
        #expect(
            pace.untilWhole(of: note, bytes: 10_000_000, paused: .seconds(3), at: start + .seconds(5)) == .seconds(55))
    }

    @Test func `a text of 1 MB is indexed sooner, since a twentieth of the time is little`() {
        let pace = begun()
        #expect(
            pace.untilWhole(of: note, bytes: 1_000_000, paused: .seconds(1), at: start + .seconds(1))
                == .milliseconds(200))
    }

    @Test func `the duration that was measured counts instead of the expected one`() {
        var pace = begun()
        pace.saved(note, .whole, in: .milliseconds(100), at: start)
        pace.saved(note, .text, in: .milliseconds(200), at: start)
        #expect(pace.untilWhole(of: note, bytes: 10, paused: .seconds(9), at: start) == .seconds(2))
        #expect(pace.untilWhole(of: note, bytes: 10, paused: .seconds(9), at: start + .seconds(2)) <= .zero)
        #expect(pace.maximumWait(of: note, bytes: 10) == .seconds(20))
        // The duration of one note's saves says nothing about another's.
        #expect(pace.maximumWait(of: NoteID(), bytes: 10) == .seconds(2))
    }

    @Test func `a note that was left is begun anew`() {
        var pace = begun()
        pace.saved(note, .whole, in: .seconds(1), at: start)
        pace.forget(note)
        pace.begin(note, at: start + .seconds(1))
        #expect(
            pace.untilWhole(of: note, bytes: 10, paused: .seconds(1), at: start + .seconds(2)) <= .zero)
    }
}

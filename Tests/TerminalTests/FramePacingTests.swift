import Testing

@testable import Terminal

struct FramePacingTests {
    private func at(_ milliseconds: UInt64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

    @Test func `a key is drawn at once and background changes are gathered`() {
        var pacing = FramePacing()
        #expect(pacing.due == nil)
        pacing.noteInput(at: at(100))
        #expect(pacing.isReady(at: at(100)))
        pacing.noteFrame(at: at(100), sent: true)
        pacing.noteLine(isFree: true, at: at(100))
        #expect(pacing.due == nil)
        pacing.noteBackground()
        #expect(!pacing.isReady(at: at(101)) && pacing.due == at(116))
        pacing.noteInput(at: at(102))
        #expect(pacing.isReady(at: at(102)))
    }

    @Test func `a slow line gets fewer frames and recovers`() {
        var pacing = FramePacing()
        pacing.noteInput(at: at(0))
        pacing.noteFrame(at: at(0), sent: true)
        pacing.noteLine(isFree: false, at: at(50))
        pacing.noteLine(isFree: true, at: at(100))
        pacing.noteInput(at: at(101))
        #expect(pacing.due == at(200))
        pacing.noteFrame(at: at(200), sent: true)
        pacing.noteLine(isFree: true, at: at(201))
        pacing.noteInput(at: at(202))
        #expect(pacing.isReady(at: at(202)))
    }

    @Test @MainActor func `timers come due in order and can be cancelled`() {
        var timers = TimerQueue()
        var seen: [Int] = []
        _ = timers.add(due: at(30)) { seen.append(30) }
        _ = timers.add(due: at(10)) { seen.append(10) }
        let cancelled = timers.add(due: at(20)) { seen.append(20) }
        timers.cancel(cancelled)
        #expect(timers.nextDue == at(10))
        timers.takeDue(at: at(40)).forEach { $0() }
        #expect(seen == [10, 30] && timers.nextDue == nil)
    }

    @Test @MainActor func `letters are read in the order they were posted`() async {
        let mailbox = Mailbox()
        let box = Box()
        await Task.detached {
            for number in 0..<100 { mailbox.post { box.numbers.append(number) } }
        }.value
        #expect(mailbox.empty() && box.numbers == Array(0..<100))
        #expect(!mailbox.empty())
    }

    @MainActor private final class Box {
        var numbers: [Int] = []
    }
}

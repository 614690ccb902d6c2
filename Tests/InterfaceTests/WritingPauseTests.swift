import Terminal
import TestSupport
import Testing

/// Tests the status line during writing.
@MainActor
@Suite(.serialized)
struct WritingPauseTests {
    private func openWindow() throws -> Window {
        let window = try Window(notes: ["one two"], statusPause: .milliseconds(200))
        window.press("Enter", "Ctrl-End")
        return window
    }

    private func pass(_ milliseconds: Int, in window: Window) {
        window.fixture.scheduler.advance(by: .milliseconds(milliseconds))
        window.draw()
    }

    @Test func `what it tells of the text waits for the writing to rest`() throws {
        let window = try openWindow()
        defer { window.close() }
        // The first letter is reported immediately: from now on, the text is unsaved.
        window.press("\"x\"")
        #expect(window.lines[39].contains("saving · 2 words · 1 min read · 1:9 "))
        window.press("\" three\"")
        #expect(window.lines[0].contains("one twox three"))
        #expect(window.lines[39].contains("2 words"))
        pass(199, in: window)
        #expect(window.lines[39].contains("2 words"))
        pass(1, in: window)
        #expect(window.lines[39].contains("saving · 3 words · 1 min read · 1:15 "))
    }

    @Test func `it comes once a second while the writing does not rest`() throws {
        let window = try openWindow()
        defer { window.close() }
        var shown: [Int] = []
        for count in 1...15 {
            window.press("\" x\"")
            if window.lines[39].contains(" \(count + 2) words") { shown.append(count) }
            pass(100, in: window)
            if window.lines[39].contains(" \(count + 2) words") { shown.append(count) }
        }
        #expect(shown == [1, 11])
    }

    @Test func `a text that is no longer saved, a caret moved and a notice are reported at once`() throws {
        let window = try openWindow()
        defer { window.close() }
        #expect(window.lines[39].contains("saved"))
        window.press("\"x\"")
        #expect(window.lines[39].contains("saving"))
        pass(200, in: window)
        window.press("Left")
        #expect(window.lines[39].contains("1:8"))
        window.press("\"y\"")
        window.fixture.model.say("Told")
        window.draw()
        #expect(window.lines[39].contains("Told"))
    }
}

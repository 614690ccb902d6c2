import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Hits of a search over all notes in the reading view.
@MainActor
@Suite struct HitReadingTests {
    @Test func `the words of a search are marked while a hit is read, and F3 goes on from there`() throws {
        let window = try Window(notes: ["first", "# Log\n\nthe needle lies here\n\nno pin\n\nanother needle\n"])
        defer { window.close() }
        window.press("p", "/", "\"needle\"")
        let model = window.fixture.model
        #expect(window.fixture.scheduler.run { !model.isSearchPending && model.isSearchRanked })
        window.draw()
        let pane = try #require(window.interface.layout.panes[.editor])
        let row = try #require(window.lines.firstIndex { $0.dropFirst(pane.column).hasPrefix(" the needle lies") })
        let match = window.interface.state.theme.match
        #expect(window.screen[pane.column + 5, row].style == match)
        #expect(window.screen[pane.column + 4, row].style != match)
        window.press("Enter", "F3")
        #expect(model.notice?.text == "2 of 2")
        // A search in the text takes the place of the marks, which come back after it.
        window.press("/", "\"pin\"")
        #expect(window.screen[pane.column + 5, row].style != match)
        window.press("Esc")
        #expect(window.screen[pane.column + 5, row].style == match)
    }

    @Test func `the marks of a search go with it`() throws {
        let window = try Window(notes: ["a needle"])
        defer { window.close() }
        window.press("p", "/", "\"needle\"")
        let model = window.fixture.model
        #expect(window.fixture.scheduler.run { !model.isSearchPending && model.isSearchRanked })
        window.draw()
        #expect(window.interface.note.preview.search?.isOfHits == true)
        window.press("Esc")
        #expect(window.interface.note.preview.search == nil)
    }
}

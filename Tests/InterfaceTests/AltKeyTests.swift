import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Alt and a letter, which is Esc and the letter where the terminal does not tell them apart.
@MainActor
@Suite struct AltKeyTests {
    @Test func `a text that Alt and a letter of the list have changed is reported once, and undo restores it`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one two three"])
        defer { window.close() }
        let model = window.fixture.model
        window.press("Enter", "Ctrl-Home", "Alt-D")
        #expect(model.session?.text == " two three")
        #expect(model.notice?.text == "Alt-D has changed the text; if it was Esc and then d, ^Z undoes it")
        window.press("Ctrl-Z")
        #expect(model.session?.text == "one two three")
        model.dismissNotice()
        window.press("Alt-D")
        #expect(model.notice == nil)
    }

    @Test func `a key of the find bar is not reported, since Esc would have left the bar`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one two three"])
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "\"two\"", "Tab", "\"2\"", "Alt-A")
        #expect(window.fixture.scheduler.run { window.fixture.model.notice != nil })
        #expect(window.fixture.model.notice?.text.hasPrefix("1 match replaced") == true)
    }

    @Test func `a terminal that tells Esc from Alt needs no such word`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one two three"])
        defer { window.close() }
        window.host.tellsEscapeFromAlt = true
        window.press("Enter", "Ctrl-Home", "Alt-D")
        #expect(window.fixture.model.session?.text == " two three" && window.fixture.model.notice == nil)
    }
}

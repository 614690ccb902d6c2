import Foundation
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests choosing a theme, and dates in the local format.
@MainActor
@Suite(.serialized)
struct LooksTests {
    @Test func `with reduced motion what is said stays until the next key, and no bar grows`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        let model = window.fixture.model
        func say(_ text: String) {
            model.say(text)
            window.fixture.scheduler.advance(by: .seconds(60))
            window.draw()
        }
        say("Said")
        #expect(!window.lines[39].contains("Said"))
        window.interface.apply(Configuration.read("[screen]\nreduced-motion = true\n"))
        say("Said again")
        #expect(window.lines[39].contains("Said again"))
        window.press("j")
        #expect(!window.lines[39].contains("Said again"))
        model.rebuildIndex()
        window.draw()
        #expect(window.lines[39].contains("Rebuilding the search index") && !window.lines[39].contains("─"))
        #expect(window.fixture.scheduler.run { model.progress == nil })
        window.interface.apply(Configuration.read(""))
        say("Said last")
        #expect(!window.lines[39].contains("Said last"))
    }

    @Test func `with reduced motion no theme blinks`() throws {
        let window = try Window(notes: ["# Reading list"])
        defer { window.close() }
        var theme = Theme.dark
        theme.accent.attributes.insert(.blink)
        theme.stopBlinking()
        #expect(theme == .dark)
    }

    @Test func `a theme is tried on while it is under the cursor, and kept when it is chosen`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let state = window.interface.state
        window.press("Ctrl-P", "\"change the theme\"", "Enter")
        #expect(state.theme.name == "dark")
        window.press("Down", "Down")
        #expect(state.theme.name == "light")
        window.press("Esc")
        #expect(state.theme.name == "dark")
        #expect(window.host.keptThemes.isEmpty)
        window.press("Ctrl-P", "\"change the theme\"", "Enter", "\"contrast\"", "Enter")
        #expect(state.theme.name == "high-contrast")
        #expect(window.host.keptThemes == ["high-contrast"])
        window.host.appearance.isDark = false
        window.send(.colorScheme(.light))
        #expect(state.theme.name == "high-contrast-light")
    }

    @Test(arguments: [
        ("", "theme = \"light\"\n"),
        ("[editor]\nwrap = true\n", "theme = \"light\"\n[editor]\nwrap = true\n"),
        ("# mine\ntheme = 'dark'  # at night\n[editor]\n", "# mine\ntheme = \"light\"  # at night\n[editor]\n"),
        ("[x]\ntheme = 'dark'\n", "theme = \"light\"\n[x]\ntheme = 'dark'\n"),
        ("theme = \"\"\"\ndark\"\"\"\n", nil),
    ])
    func `the chosen theme is written on its line, and nothing else is changed`(before: String, after: String?) {
        #expect(Configuration.text(before, withTheme: "light") == after)
    }

    @Test(arguments: [
        (["LANG": "en_GB.UTF-8"], "12 Nov"), (["LANG": "en_US.UTF-8"], "Nov 12"), ([:], "12 Nov"),
        (["LANG": "C"], "12 Nov"), (["LANG": "de_DE.UTF-8", "LC_TIME": "en_US"], "Nov 12"),
        (["LC_ALL": "fr_FR@euro", "LC_TIME": "en_US"], "12 Nov"),
        (["LANG": "ja_JP.UTF-8"], "Nov 12"), (["LANG": "fr_CA.UTF-8"], "12 Nov"),
    ])
    func `dates follow the locale`(environment: [String: String], expected: String) throws {
        let date = Date(timeIntervalSince1970: 1_794_441_600)
        let age = Age(DateOrder(environment: environment), zone: .utc)
        #expect(age.text(of: date, at: date.addingTimeInterval(86_400 * 9)) == expected)
        #expect(age.text(of: date, at: date.addingTimeInterval(86_400 * 90)) == "Nov 2026")
    }

    /// Tests the list of a window of 80 columns, whose rows have a little over 30, and that of one with wide rows.
    @Test func `tags take no room of a title, unless a wide row has room for half of both`() throws {
        let window = try Window(
            columns: 80, rows: 24,
            notes: [
                "Shared plan (conflict)\n\nat ten", "Short\n\nat nine",
                "A talk about everything that one may forget on the way to the station\n\nat eight",
            ])
        defer { window.close() }
        let model = window.fixture.model
        model.addTag("travel")
        let tag = try #require(model.containers.first { $0.name == "travel" })
        model.selectContainer(.inbox)
        for index in 0..<3 {
            let note = try #require(model.noteList[index])
            model.toggleTag(tag, on: [note])
        }
        model.dismissNotice()
        window.draw()
        func row(_ title: String) -> String? { window.lines.first { $0.dropFirst(2).hasPrefix(title) } }
        let conflict = try #require(row("Shared plan"))
        #expect(conflict.contains("Shared plan (conflict) ") && !conflict.contains("#travel"))
        let talk = try #require(row("A talk"))
        #expect(talk.contains("A talk about every") && talk.contains("…") && !talk.contains("#travel"), "\(talk)")
        window.interface.state.widths.list = 64
        window.size = Size(columns: 160, rows: 24)
        window.draw()
        let wide = try #require(window.lines.first { $0.contains("A talk about") })
        #expect(wide.contains("everything that one") && wide.contains("#travel"), "\(window.lines)")
    }

    @Test func `a long title goes on in the second row of a note that has no other text for it`() throws {
        let window = try Window(
            columns: 80, rows: 24,
            notes: [
                "One thought about everything that comes to mind", String(repeating: "漢字", count: 10),
                "A talk about everything that one may forget\n\nat eight",
            ])
        defer { window.close() }
        func listed() -> [Substring] { window.lines.map { $0.dropFirst(2).prefix { $0 != "│" } } }
        let rows = listed()
        let thought = try #require(rows.firstIndex { $0.hasPrefix("One thought about ") })
        #expect(!rows[thought].contains("…") && rows[thought + 1].hasPrefix("everything that comes to mind"))
        let signs = try #require(rows.firstIndex { $0.hasPrefix("漢字") })
        #expect(!rows[signs].contains("…"))
        #expect((rows[signs] + rows[signs + 1]).count { $0 == "漢" || $0 == "字" } == 20)
        let talk = try #require(rows.firstIndex { $0.hasPrefix("A talk") })
        #expect(rows[talk].contains("…") && rows[talk + 1].hasPrefix("at eight"))
        // A list with a row for each note cuts its titles, as it did.
        window.press("L")
        #expect(listed().contains { $0.hasPrefix("One thought about every") && $0.contains("…") })
    }

    @Test func `a wide row of a list that spans folders shows the folder and the tags`() throws {
        let window = try Window(columns: 160, rows: 24, notes: ["Borges #books"])
        defer { window.close() }
        window.interface.state.widths.list = 64
        window.fixture.model.selectContainer(.allNotes)
        window.draw()
        // The text of the note is on other lines.
        let rows = window.lines.filter { $0.contains("Borges #books") }
        #expect(rows.contains { $0.contains("Inbox  #books") }, "\(rows)")
    }
}

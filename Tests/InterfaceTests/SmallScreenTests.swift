import Foundation
import NoteStore
import Terminal
import Testing
import ViewModel

@testable import Interface

/// Tests that what a small screen shows is whole: keys, messages, names and counts.
@MainActor
@Suite(.serialized)
struct SmallScreenTests {
    private func lastLine(_ window: Window) -> String { window.lines.last ?? "" }

    private func says(_ window: Window, _ text: String) -> Bool { window.lines.contains { $0.contains(text) } }

    @Test func `narrow screens show the keys that fit beside the path`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Reading list"])
        defer { window.close() }
        #expect(lastLine(window).hasSuffix("? help  ^Q quit") && lastLine(window).contains("Reading list"))
        window.press("/")
        #expect(lastLine(window).hasSuffix("Esc cancel"))
        window.press("Esc", "Ctrl-P")
        #expect(lastLine(window).hasSuffix("Esc cancel"))
        let small = try Window(columns: 20, rows: 5, notes: ["Reading list"])
        defer { small.close() }
        // The end of the path says more than its beginning.
        #expect(lastLine(small).hasPrefix(" Reading") && lastLine(small).hasSuffix("? help"))
    }

    @Test(arguments: [false, true])
    func `a question that is longer than the screen can be read whole`(isRead: Bool) throws {
        let window = try Window(columns: 20, rows: 5, notes: ["Reading list"])
        defer { window.close() }
        if isRead { window.interface.apply(Configuration.read("[screen]\nreader = true\n")) }
        let line = "wc -w < /srv/archive/a-path-that-is-longer-than-the-screen/notes.txt"
        window.interface.apply(
            Configuration.read(
                "\(isRead ? "[screen]\nreader = true\n" : "")[command.count]\ntitle = \"Count\"\nrun = \"\(line)\"\n"))
        window.interface.perform("command.count")
        window.draw()
        var seen = ""
        for _ in 0..<40 {
            seen += window.lines.joined().filter { !$0.isWhitespace && !"│▐".contains($0) }
            window.press("Down")
        }
        #expect(!isRead == seen.contains("Downmore"))
        // The line of the shell is broken at any letter; these parts of it stand in one row each.
        for part in ["wc-w<", "/srv/archive", "screen", ".txt"] { #expect(seen.contains(part), "\(part): \(seen)") }
        #expect(window.interface.overlays.count == 1 && window.host.scripts.isEmpty)
        #expect(!says(window, "Down more"))
        // Up and down scroll here, and Enter is still the safe answer.
        window.press("Enter")
        #expect(window.interface.overlays.isEmpty && window.host.scripts.isEmpty)
    }

    @Test func `Enter in an empty list makes no note that nothing on the screen offers`() throws {
        for (columns, rows) in [(40, 12), (20, 5)] {
            let window = try Window(columns: columns, rows: rows)
            defer { window.close() }
            window.press("Enter")
            #expect(window.fixture.model.allNotesFolder?.noteCount == 0 && window.fixture.model.openNote == nil)
            window.press("w")
            #expect(window.fixture.model.openNote?.title == WelcomeNote.title)
        }
    }

    @Test func `a click on a hint of a narrow screen does what it says`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Reading list"])
        defer { window.close() }
        let column = try #require(lastLine(window).firstRange(of: "? help")).lowerBound
        let line = lastLine(window)
        let position = Position(column: line.distance(from: line.startIndex, to: column), row: 11)
        window.send(.mouse(MouseEvent(.press, .left, at: position)))
        #expect(says(window, "Help"))
    }

    @Test func `while writing, the facts come first, and no path of a letter stands beside them`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Reading list"])
        defer { window.close() }
        window.press("Enter")
        #expect(lastLine(window).contains("saved · 2 words · 1:1") && lastLine(window).hasSuffix("Esc list"))
        #expect(!lastLine(window).contains("…"))
    }

    @Test func `a long title in a message leaves room for what became of it, and for the window`() throws {
        let title = "A very long title of a note that nobody would ever give to one, but somebody did it all the same"
        for (columns, rows) in [(20, 5), (24, 8)] {
            let window = try Window(columns: columns, rows: rows, notes: [title, "Ana"])
            defer { window.close() }
            window.fixture.model.say("“\(title)” is in the Trash", kind: .done)
            window.draw()
            let said = window.lines.suffix(4).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            #expect(said.contains("“A very") && said.hasSuffix("…” is in the Trash"), "\(window.lines)")
            #expect(window.lines[0].hasPrefix(" Inbox"), "\(window.lines)")
        }
    }

    @Test(arguments: [(20, 5), (30, 10), (60, 16), (80, 24)])
    func `vim's mode, its keys and what it records stand before all else`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows, notes: ["Reading list of this year\n\nOne"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        window.press("Enter")
        #expect(lastLine(window).hasPrefix(" NORMAL"), "\(lastLine(window))")
        window.press("\"i\"")
        #expect(lastLine(window).hasPrefix(" INSERT"), "\(lastLine(window))")
        window.press("Esc", "\"V\"")
        #expect(lastLine(window).hasPrefix(" VISUAL LINE"), "\(lastLine(window))")
        window.press("Esc", "\"qa2d\"")
        let status = try #require(window.interface.state.vim).text
        #expect(lastLine(window).hasPrefix(" " + status.prefix(columns - 4)), "\(lastLine(window))")
    }

    @Test func `a message that the line has no room for takes rows above it, and goes with the next key`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Reading list", "Ana"])
        defer { window.close() }
        window.press("Alt-0")
        let rule = window.lines[10]
        #expect(window.lines[10].hasPrefix(" The sidebar is shown only while it has"))
        #expect(window.lines[11].hasPrefix(" the keys"))
        window.press("Down")
        #expect(window.lines[10] != rule && window.lines[10].hasPrefix("──"))
        let small = try Window(columns: 20, rows: 5, notes: ["Reading list"])
        defer { small.close() }
        small.press("Alt-0")
        #expect(small.lines[2...].joined(separator: " ").contains("The sidebar is  shown only while  it has the keys"))
        // Two rows stay as they are, if the message fits below them.
        #expect(small.lines[1].contains("Reading list"))
        let long = "Asking needs a model: set ai.chat to a provider in ai.chat of the config file"
        small.fixture.model.say(long, kind: .refused)
        small.draw()
        #expect(small.lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ") == long)
        let longer = long + ", then try again with the same words as before, please"
        small.fixture.model.say(longer, kind: .refused)
        small.draw()
        #expect(small.lines[4].hasSuffix("…"))
        small.press("Down")
        small.interface.perform("app.message")
        var read: [String] = []
        small.draw()
        for _ in 0..<20 {
            let rows = small.lines[1...3].map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "│▐ ")) }
            read += rows.filter { !read.contains($0) }
            small.press("Down")
        }
        #expect(read.joined(separator: " ") == longer)
    }

    @Test(arguments: [true, false])
    func `a window that grows shows more notes above rather than empty rows`(isCompact: Bool) throws {
        let window = try Window(columns: 120, rows: 12, notes: (1...16).map { "Note number \($0)\ntext" })
        defer { window.close() }
        if isCompact { window.press("L") }
        window.press("G")
        window.size = Size(columns: 120, rows: 40)
        window.draw()
        for number in 1...16 {
            #expect(window.lines.contains { $0.contains("Note number \(number) ") }, "\(number)")
        }
        window.size = Size(columns: 120, rows: 10)
        window.draw()
        #expect(window.interface.state.listTop > 0)
        // One row for each note has room for all of them again.
        window.size = Size(columns: 120, rows: 22)
        window.draw()
        if !isCompact { window.press("L") }
        #expect(window.interface.state.listTop == 0)
    }

    @Test func `a sidebar that grows shows more lines above rather than empty rows`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["Some note"])
        defer { window.close() }
        window.press("Alt-1", "G")
        #expect(window.interface.state.sidebarTop > 0)
        window.size = Size(columns: 120, rows: 40)
        window.draw()
        #expect(window.interface.state.sidebarTop == 0 && says(window, "Inbox"))
    }

    @Test func `a text whose pane grows fills it, unless rows were left empty before`() throws {
        let text = (1...30).map { "line \($0)" }.joined(separator: "\n")
        let window = try Window(columns: 120, rows: 10, notes: [text])
        defer { window.close() }
        window.press("Enter", "Ctrl-End")
        window.size = Size(columns: 120, rows: 40)
        window.draw()
        let session = try #require(window.interface.model.session)
        #expect(session.visibleRows().count == 30)
        window.size = Size(columns: 120, rows: 10)
        window.draw()
        session.scroll(by: 30)
        window.draw()
        window.size = Size(columns: 120, rows: 20)
        window.draw()
        #expect(session.visibleRows().count < 5)
    }

    @Test(arguments: [(40, 12), (20, 5)])
    func `why a name is not allowed is read below the last line of the sidebar too`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows, notes: [])
        defer { window.close() }
        for name in ["ant", "bee", "cat", "dog", "elk", "fox"] { window.fixture.model.addTag(name) }
        window.press("Alt-1", "G")
        window.press("r", "\"ant\"")
        #expect(says(window, "A tag with this"), "\(window.lines)")
        window.press("Ctrl-U", "\"gnu\"", "Enter")
        #expect(window.fixture.model.tags.map(\.name).sorted() == ["ant", "bee", "cat", "dog", "elk", "gnu"])
    }

    @Test func `a command that changes the text goes to it from a list that hides it`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["x\nb\na"])
        defer { window.close() }
        let (model, state) = (window.fixture.model, window.interface.state)
        window.press("Ctrl-P", "\"count words\"", "Enter")
        #expect(state.focus == .list)
        window.press("Ctrl-P", "\"sort the lines\"", "Enter")
        #expect(state.focus == .editor && model.session?.text == "x\na\nb" && window.lines[1] == " a")
        window.press("Ctrl-Z")
        #expect(model.session?.text == "x\nb\na")
    }

    @Test(arguments: [(40, 12), (20, 5)])
    func `p in a list that fills the screen shows the note for reading`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows, notes: ["One\n\n**first**", "Two\n\n**second**"])
        defer { window.close() }
        window.press("j", "p")
        let state = window.interface.state
        #expect(state.focus == .editor && state.isPreviewing && window.lines[0] == " Two")
        // Notes are read on, so in the list the key shows the next one too.
        window.press("Esc", "k", "p")
        #expect(state.focus == .editor && state.isPreviewing && window.lines[0] == " One")
        window.press("p")
        #expect(state.focus == .editor && !state.isPreviewing)
    }

    @Test func `a text that is typed at its end fills a pane that grows`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["line 0"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End")
        for number in 1..<20 { window.press("Enter", "\"line \(number)\"") }
        window.press("Enter")
        #expect(!window.lines.contains(" line 0"))
        window.size = Size(columns: 40, rows: 30)
        window.draw()
        #expect(window.lines[0] == " line 0" && window.lines[19] == " line 19", "\(window.lines)")
    }

    @Test func `the header of a narrow list keeps its title`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["Reading list", "Ana"])
        defer { window.close() }
        let home = try window.fixture.notebook.folders.create("Home")
        try window.fixture.add("One two three four", folder: home.id)
        window.fixture.model.readOutsideChanges()
        window.fixture.model.selectContainer(home.id)
        window.draw()
        #expect(window.lines[0].hasPrefix(" Home ") && window.lines[0].hasSuffix("1 note ↓"))
    }

    @Test func `what an empty list says is broken between words`() throws {
        let window = try Window(columns: 20, rows: 12, notes: [])
        defer { window.close() }
        window.fixture.model.selectContainer(.archive)
        window.draw()
        #expect(says(window, "Nothing is") && says(window, "archived.") && says(window, "Press a on a note"))
        #expect(!window.lines.dropLast().contains { $0.contains("…") })
    }

    @Test func `an empty Trash names no key that restores or empties`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let note = try #require(window.fixture.model.noteList[0])
        window.fixture.model.selectContainer(.trash)
        window.draw()
        #expect(!lastLine(window).contains("restore") && lastLine(window).contains("help"))
        window.press("Alt-1")
        #expect(!lastLine(window).contains("empty"))
        try window.fixture.notebook.trash.add([note.id])
        window.fixture.model.readOutsideChanges()
        window.draw()
        #expect(lastLine(window).contains("X empty"))
        window.press("Alt-2")
        #expect(lastLine(window).contains("R restore"))
    }

    @Test func `a narrow row of a renamed note says what an empty title means`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Reading list"])
        defer { window.close() }
        window.press("r")
        #expect(says(window, "empty: first line"))
        let wide = try Window(columns: 140, rows: 30, notes: ["Reading list"])
        defer { wide.close() }
        wide.press("r")
        #expect(says(wide, "leave empty to use the first line") || says(wide, "empty: first line"))
    }

    @Test(arguments: [40, 80, 120])
    func `a remark about a search is shortened by words, and its end stays`(columns: Int) throws {
        let window = try Window(columns: columns, rows: 12, notes: ["Ana"])
        defer { window.close() }
        window.press("/")
        window.press("\"foo:bar ana\"")
        #expect(window.fixture.scheduler.run { !window.fixture.model.searchRemarks.isEmpty })
        window.draw()
        let row = try #require(window.lines.first { $0.contains("foo: is not a filter") })
        let own = row.split(separator: "│")[columns < 100 ? 0 : 1].trimmingCharacters(in: .whitespaces)
        // Whole words, and no more than fit.
        let known = ["tag", "in", "is", "has", "created", "updated", "title"].map { $0 + ":" }
        let shorter = (1..<7).map { "foo: is not a filter; try \(known.prefix($0).joined(separator: " ")) …" }
        let all = ["foo: is not a filter; the filters are \(known.joined(separator: " "))", "foo: is not a filter"]
        #expect((shorter + all).contains(own), "\(own)")
        if columns == 40 { #expect(own.contains("; try tag:")) }
    }

    @Test func `of a task in a narrow row the title stays whole before its note does`() throws {
        let window = try Window(columns: 40, rows: 12, notes: [])
        defer { window.close() }
        try window.fixture.add("Meeting with Ana\n\n- [ ] book the venue @2026-11-20")
        window.fixture.model.readOutsideChanges()
        window.press("Alt-T")
        let isShown = window.fixture.scheduler.run {
            window.draw()
            return says(window, "book the venue")
        }
        #expect(isShown)
        #expect(says(window, "2026-11-20"))
    }

    @Test func `no key of the help is cut, and most titles take one row`() throws {
        for (columns, rows) in [(80, 24), (40, 12)] {
            let window = try Window(columns: columns, rows: rows, notes: ["One"])
            defer { window.close() }
            window.press("?")
            var seen = ""
            for _ in 0..<40 {
                seen += window.lines.joined(separator: "\n")
                window.press("PgDn")
            }
            #expect(seen.contains("Ctrl-Shift-Right") && seen.contains("Shift-F3"))
            if columns == 80 { #expect(seen.contains("Check the notebook and rebuild its index")) }
        }
    }

    @Test func `a list has two rows on the smallest screen`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["One"])
        defer { window.close() }
        window.press("Ctrl-P")
        #expect(window.lines.count { $0.hasPrefix("│  ") } == 2, "\(window.lines)")
        #expect(lastLine(window).contains("Esc cancel"))
    }

    @Test func `both answers of a question are whole on the smallest screen`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["One"])
        defer { window.close() }
        _ = try window.fixture.notebook.tags.create("travel")
        window.fixture.model.readOutsideChanges()
        window.press("Alt-1", "End", "d")
        #expect(says(window, "Keep n") && says(window, "Delete y"))
    }

    @Test func `answers that are too long for one row have a row each`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["One"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[command.count]\ntitle = \"Count\"\nrun = \"wc -w\"\n"))
        window.interface.perform("command.count")
        window.draw()
        #expect(says(window, "▌Do not run it n") && says(window, " Run it, now and later y"))
        window.press("Down")
        #expect(says(window, " Do not run it n") && says(window, "▌Run it, now and later y"))
    }

    @Test func `the first key in the box that replaces in notes replaces what was looked for before`() throws {
        let window = try Window(notes: ["Pears and plums"])
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "\"pe\"", "Esc", "Esc")
        window.interface.perform("notes.replace")
        window.draw()
        #expect(says(window, "Find    Pe"))
        window.press("\"x\"")
        #expect(says(window, "Find    x") && !says(window, "Pex"))
    }

    @Test func `folders and the places of the notebook have signs, and tags their own`() throws {
        let window = try Window(notes: ["One #blue"])
        defer { window.close() }
        _ = try window.fixture.notebook.folders.create("Home")
        _ = try window.fixture.notebook.projects.create("Poems", type: .poetry, details: "")
        window.fixture.model.readOutsideChanges()
        window.press("Alt-1")
        for row in ["⌂ Inbox", "★ Starred", "≡ All Notes", "× Trash", "▤ Archive", "▪ Home", "◊ Poems", "#blue"] {
            #expect(says(window, row), "\(row)")
        }
        #expect(Glyphs.symbolNames.count > 40)
        for (symbol, _) in Glyphs.symbolNames {
            let sign = try #require(Glyphs.unicode.picture(of: symbol))
            #expect(TextWidth.shared.width(of: String(sign)) == 1, "\(symbol)")
        }
        window.show(Theme.dark)
    }
}

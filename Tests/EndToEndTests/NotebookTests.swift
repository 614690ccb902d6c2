import Foundation
import TerminalDriver
import Testing

/// Tests the notebook, driven by keys in a real terminal.
@Suite(.serialized)
struct NotebookTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    @Test func `a note that was written is there after quitting and starting again`() throws {
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.press("n")
        try terminal.type("Groceries")
        try terminal.press("Enter")
        try terminal.type("Milk, eggs, coffee filters")
        try terminal.waitFor("coffee filters")
        try terminal.press("C-q")
        try terminal.waitForShell()

        try terminal.startNotebook()
        try terminal.waitFor("Groceries")
        try terminal.press("/")
        try terminal.type("coffee")
        try terminal.waitFor("one hit") {
            $0.contains { $0.contains("1 hit") } && $0.contains { $0.contains("Groceries") }
        }
        let shown = try workplace.tn("show", "Groceries")
        #expect(shown == .init(output: "Groceries\nMilk, eggs, coffee filters", error: "", status: 0))
    }

    @Test func `a new notebook shows the first steps and holds nothing until the first note`() throws {
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        let line = "keeps this as a note to try things in"
        try terminal.waitFor(line)
        #expect(try workplace.tn("list").output.isEmpty)
        let captured = try workplace.tn("--new", "A first thought")
        #expect(captured.status == 0)
        try terminal.waitFor("no first steps") { !$0.contains { $0.contains(line) } }
        try terminal.press("w")
        try terminal.waitFor("Add the welcome note?")
        try terminal.press("y")
        try terminal.waitFor("2 notes")
        #expect(try workplace.tn("list").output.contains("Welcome to TakeNote"))
    }

    @Test func `the order of the list is there after the program was killed`() throws {
        _ = try workplace.tn("--new", "Only note")
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.waitFor("↓ created")
        try terminal.press("O")
        try terminal.waitFor("↑ created")
        kill(try terminal.processID(), SIGKILL)
        let next = try TmuxTerminal(workplace)
        try next.startNotebook()
        try next.waitFor("↑ created")
    }

    @Test func `a note captured in another shell appears without a key pressed`() throws {
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        let captured = try workplace.tn("--new", "A thought from elsewhere")
        #expect(captured.status == 0)
        #expect(captured.output.hasPrefix("takenote://note/"))
        try terminal.waitFor("A thought from elsewhere")
    }

    @Test(arguments: ["#Far%20below", "#far below", "#Part#Far below", "#^mark"])
    func `an address with a heading or block opens the note there`(anchor: String) throws {
        let lines = (1...200).map { "line \($0)\n" }.joined(separator: "\n")
        let captured = try workplace.tn("--new", input: "Long\n\n\(lines)\n## Far below\n\nits text ^mark\n")
        let address = captured.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook("'\(address)\(anchor)'")
        try terminal.waitFor("its text ^mark")
        try terminal.type("typed there: ")
        try terminal.press("C-s")
        let line = anchor.contains("mark") ? "its text ^mark" : "## Far below"
        try terminal.wait(for: "the typed text") {
            try workplace.tn("show", address).output.contains("\ntyped there: \(line)\n")
        }
    }

    @Test func `an address with a heading that is not there opens the note and says so`() throws {
        let captured = try workplace.tn("--new", "Short note")
        _ = try workplace.tn("--new", "Other note")
        let address = captured.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook("'\(address)#None'")
        try terminal.waitFor("The note has no heading “None”")
        try terminal.waitFor("Inbox › Short note")
    }

    @Test func `resizing goes from three panes to one and back`() throws {
        _ = try workplace.tn("--new", "Only note\nwith its text")
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.waitFor("three panes") { $0.contains { $0.split(separator: "│").count == 3 } }
        try terminal.resize(columns: 40, rows: 12)
        try terminal.waitFor("one pane") { screen in
            screen.contains { $0.contains("Only note") } && !screen.contains { $0.contains("│") }
        }
        try terminal.resize(columns: 19, rows: 4)
        try terminal.waitFor("tn needs 20x5")
        try terminal.resize(columns: 120, rows: 40)
        try terminal.waitFor("three panes") { $0.contains { $0.split(separator: "│").count == 3 } }
    }

    @Test func `the Trash takes a note and undo brings it back`() throws {
        _ = try workplace.tn("--new", "To be or not")
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.waitFor("To be or not")
        try terminal.press("d")
        try terminal.waitFor("No notes yet")
        try terminal.press("u")
        try terminal.waitFor("To be or not")
        try terminal.press("s")
        try terminal.waitFor("★ Starred")
    }

    @Test func `CJK, emoji families, flags and combining marks stand where the cursor thinks they do`() throws {
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.press("n")
        try terminal.type("世界 e\u{301}a 🇺🇸 x")
        try terminal.waitFor("世界 e\u{301}a")
        let line = try #require(try terminal.screen().first)
        let text = try #require(line.split(separator: "│").last)
        #expect(text.hasSuffix("x"))
        // One column of margin left of the text, then 4 + 1 + 2 + 1 + 2 + 1 + 1 cells.
        let left = try terminal.cursor()[0] - 12
        try terminal.press("Home")
        try terminal.wait(for: "the caret at the line's start") { try terminal.cursor()[0] == left }
        try terminal.press("Right", "Right", "Right", "Right")
        try terminal.wait(for: "the caret after the accented e") { try terminal.cursor()[0] == left + 6 }
        try terminal.press("BSpace")
        try terminal.waitFor("世界 a")
    }

    @Test func `typing with soft wrap keeps the caret in the pane`() throws {
        let terminal = try TmuxTerminal(workplace, columns: 40, rows: 12)
        try terminal.startNotebook()
        try terminal.press("n")
        try terminal.type("the quick brown fox jumps over the lazy dog and runs away into the wood")
        try terminal.waitFor("wood")
        let rows = try terminal.screen().prefix(3)
        #expect(rows.allSatisfy { $0.count <= 40 && !$0.isEmpty || $0.isEmpty })
        #expect(try terminal.cursor()[1] == 1)
        try terminal.press("Home", "Up", "End", "Up")
        try terminal.wait(for: "the caret in the first row") { try terminal.cursor()[1] == 0 }
    }

    @Test func `the help lists keys and closes again`() throws {
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.press("?")
        try terminal.waitFor("Esc closes")
        try terminal.press("Escape")
        try terminal.waitFor("no help") { !$0.contains { $0.contains("Esc closes") } }
    }
}

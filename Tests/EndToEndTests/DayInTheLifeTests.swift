import Foundation
import TerminalDriver
import Testing

/// Tests a day with the notebook in a real terminal: each flow by key, by palette and by mouse.
@Suite(.serialized)
struct DayInTheLifeTests {
    let workplace: Workplace
    let terminal: TmuxTerminal

    init() throws {
        workplace = try Workplace()
        terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
    }

    /// Runs a command from the palette.
    private func palette(_ words: String) throws {
        try terminal.press("C-p")
        try terminal.waitFor("Enter select")
        try terminal.type(words)
        try terminal.press("Enter")
    }

    /// Presses and releases the left button at a cell, both counted from 0, as terminals report it (SGR).
    private func click(column: Int, row: Int) throws {
        try terminal.send("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
    }

    /// Goes back to the list; a key pressed immediately after Esc would be read as Alt and that key.
    private func leaveEditor() throws {
        try terminal.waitFor("Esc list")
        try terminal.press("Escape")
        try terminal.waitFor("? help")
    }

    private func waitForNo(_ text: String) throws {
        try terminal.waitFor("no \(text)") { !$0.contains { $0.contains(text) } }
    }

    /// Returns the row of the screen that has a text in its first columns.
    private func row(of text: String, before column: Int = 20) throws -> Int {
        try #require(try terminal.screen().firstIndex { $0.prefix(column).contains(text) })
    }

    @Test func `write, link, tag, move, search, delete, undo, restore, archive, by key`() throws {
        // Write.
        try terminal.press("n")
        try terminal.type("Groceries")
        try terminal.press("Enter")
        try terminal.type("Milk, eggs")
        try leaveEditor()
        // The title is found once it is saved, which the list shows.
        try terminal.waitFor("a title in the list") {
            $0.contains { $0.dropFirst(22).prefix(40).contains("Groceries") }
        }
        // Link: the second note leads to the first, which then shows it.
        try terminal.press("n")
        try terminal.type("Errands [[")
        try terminal.waitFor("Link to note")
        try terminal.type("groc")
        try terminal.press("Enter")
        try waitForNo("Link to note")
        try leaveEditor()
        try terminal.press("C-o")
        try terminal.waitFor("Go to note")
        try terminal.type("groceries")
        try terminal.press("Enter")
        try terminal.waitFor("1 backlink")
        try leaveEditor()
        // Tag.
        try terminal.press("t")
        try terminal.waitFor("Tags of")
        try terminal.type("shopping")
        try terminal.press("Enter")
        try terminal.waitFor("tagged #shopping")
        try terminal.press("Escape")
        try waitForNo("Tags of")
        // Move, into a folder created by mouse and key.
        try click(column: 5, row: 2)
        try terminal.press("n")
        try terminal.waitFor("New folder")
        try terminal.type("Home")
        try terminal.press("Enter")
        try terminal.waitFor("Created folder “Home”")
        try click(column: 5, row: 2)
        try terminal.press("M-2", "G", "m")
        try terminal.waitFor("Move “Groceries”")
        try terminal.type("home")
        try terminal.press("Enter")
        try terminal.waitFor("moved to Home")
        // Search.
        try terminal.press("/")
        try terminal.type("milk tag:sho")
        try terminal.press("Tab")
        try terminal.waitFor("1 hit")
        try terminal.press("Escape")
        try terminal.waitFor("1 note")
        // Delete and undo; delete and restore.
        try terminal.press("M-2", "d")
        try terminal.waitFor("No notes yet.")
        try terminal.press("u")
        try terminal.waitFor("Undone:")
        try terminal.press("d")
        try terminal.waitFor("moved to the Trash")
        let trash = try row(of: "Trash")
        try click(column: 5, row: trash)
        try terminal.waitFor("Errands")
        try terminal.press("M-2", "R")
        try terminal.waitFor("restored")
        // Archive.
        try click(column: 5, row: 2)
        try terminal.waitFor("1 note ↓ created")
        try terminal.press("M-2", "a")
        try terminal.waitFor("archived")
        #expect(try workplace.tn("list", "--archive").output.contains("Errands"))
        #expect(try workplace.tn("list", "--folder", "Home").output.contains("Groceries"))
    }

    @Test func `the same by palette; empty Trash, import, export, quit and come back`() throws {
        try palette("new note")
        try terminal.type("Old plan")
        try leaveEditor()
        try palette("star or unstar")
        try terminal.waitFor("★ Starred")
        try palette("tags of the note")
        // Wait for the box to appear, so that its disappearance can be seen: a key sent too soon after Esc is read with
        // Alt.
        try terminal.waitFor("Tags of")
        try terminal.type("later")
        try terminal.press("Enter", "Escape")
        try waitForNo("Tags of")
        try terminal.waitFor("#later")
        try palette("archive or unarchive")
        try terminal.waitFor("archived")
        try palette("undo the last")
        try terminal.waitFor("Undone:")
        try palette("move to the trash")
        try terminal.waitFor("moved to the Trash")
        // Empty the Trash: the safe answer is the default.
        try palette("empty the trash")
        try terminal.waitFor("will be gone")
        try terminal.press("Enter")
        try waitForNo("will be gone")
        #expect(try workplace.tn("list", "--trash").output.contains("Old plan"))
        try palette("empty the trash")
        try terminal.waitFor("will be gone")
        try terminal.press("y")
        try terminal.waitFor("Trash emptied: 1 note")
        // Import a folder that contains an invalid file.
        let files = workplace.folder.appending(path: "files/Trips")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try "# Lisbon\n\nPastéis.".write(to: files.appending(path: "Lisbon.md"), atomically: true, encoding: .utf8)
        try Data([0xFF, 0xFE]).write(to: files.appending(path: "broken.txt"))
        try palette("import files")
        try terminal.waitFor("Import into")
        try terminal.press("C-u")
        try terminal.type("~/files/Trips")
        try terminal.press("Enter")
        try terminal.waitFor("not UTF-8")
        try terminal.press("Escape")
        try waitForNo("not UTF-8")
        try terminal.waitFor("Trips")
        // Export it.
        let trips = try row(of: "Trips")
        try click(column: 6, row: trips)
        try terminal.waitFor("Pastéis")
        try terminal.press("E")
        try terminal.waitFor("Export “Trips” to folder")
        try terminal.press("C-u")
        try terminal.type("~/out")
        try terminal.press("Enter")
        try terminal.waitFor("1 note exported to ~/out")
        let exported = workplace.folder.appending(path: "out/Trips/Lisbon.md")
        #expect(try String(contentsOf: exported, encoding: .utf8) == "# Lisbon\n\nPastéis.")
        // Save a search, quit, return to the same state.
        try terminal.press("/")
        try terminal.type("lisbon")
        try terminal.waitFor("1 hit")
        try terminal.press("C-s")
        try terminal.waitFor("Save search as")
        try terminal.press("Enter")
        try terminal.waitFor("/lisbon")
        try palette("quit")
        try terminal.waitForShell()
        try terminal.startNotebook()
        try terminal.waitFor("/lisbon")
        try terminal.waitFor("Pastéis")
    }

    @Test func `link, rename, move, cut, paste, search, sort, restore, replace, by palette`() throws {
        try palette("new note")
        try terminal.type("Reading list")
        try leaveEditor()
        try palette("new note")
        try terminal.type("Errands ")
        try palette("link to a note")
        try terminal.waitFor("Link to note")
        try terminal.type("read")
        try terminal.press("Enter")
        try waitForNo("Link to note")
        try leaveEditor()
        try palette("rename the note")
        try terminal.press("C-u")
        try terminal.type("Chores")
        try terminal.press("Enter")
        try terminal.waitFor("Inbox › Chores")
        // The linked note shows its backlinks, and one leads back.
        try palette("go to a note")
        try terminal.waitFor("Go to note")
        try terminal.type("reading")
        try terminal.press("Enter")
        try terminal.waitFor("1 backlink")
        try palette("links here")
        try terminal.waitFor("─ Backlinks ─")
        try terminal.press("Enter")
        try terminal.waitFor("Inbox › Chores")
        try leaveEditor()
        // Folders.
        try palette("new folder")
        try terminal.waitFor("─ New folder ─")
        try terminal.type("Home")
        try terminal.press("Enter")
        try terminal.waitFor("Created folder “Home”")
        try click(column: 5, row: 2)
        try terminal.waitFor("Inbox › ")
        try palette("move to a folder")
        try terminal.waitFor("Move “")
        try terminal.type("home")
        try terminal.press("Enter")
        try terminal.waitFor("moved to Home")
        try palette("cut the note")
        try terminal.waitFor("cut; v pastes")
        try click(column: 6, row: try row(of: "Home"))
        try terminal.waitFor("1 note, ")
        try palette("paste notes here")
        try terminal.waitFor("pasted into Home")
        try terminal.waitFor("2 notes")
        // Search and order.
        try palette("search all notes")
        try terminal.type("errands")
        try terminal.waitFor("1 hit")
        try terminal.press("Escape")
        try terminal.waitFor("2 notes")
        try palette("sort by the next")
        try terminal.waitFor("↑ title")
        // Trash and restore.
        try palette("move to the trash")
        try terminal.waitFor("moved to the Trash")
        try click(column: 5, row: try row(of: "Trash"))
        try terminal.waitFor("Trash › ")
        try palette("restore from the trash")
        try terminal.waitFor("restored")
        // Reading, replacing, the day.
        try click(column: 6, row: try row(of: "Home"))
        try terminal.waitFor("2 notes")
        try palette("replace in notes")
        try terminal.waitFor("Replace in notes")
        try terminal.type("Errands")
        try terminal.press("Enter")
        try terminal.type("Jobs")
        try terminal.press("Enter")
        try terminal.waitFor("[x] Chores")
        try terminal.press("Enter")
        try terminal.waitFor("1 match in 1 note replaced")
        try palette("undo the last")
        try terminal.waitFor("Undone: replace text in “Chores”")
        try palette("today")
        try terminal.waitFor("Esc list")
        let today = try workplace.tn("today").output
        #expect(today.contains("takenote://note/"))
        try leaveEditor()
        #expect(try workplace.tn("list", "--folder", "Home").output.contains("Chores"))
    }
}

import Foundation
import Load
import TerminalDriver
import Testing

/// Tests a note that is edited in another program from the window.
@Suite(.serialized, .underLoad)
struct OutsideEditTests {
    let workplace: Workplace
    let terminal: TmuxTerminal

    init() throws {
        workplace = try Workplace()
        _ = try workplace.tn("--new", "Only note\n")
        terminal = try TmuxTerminal(workplace)
    }

    private func drafts() throws -> [String] {
        let folder = workplace.folder.appending(path: "state/takenote-dev/drafts").path
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `an editor that removes its file has changed nothing, and leaves no draft`() throws {
        try terminal.enter("export EDITOR=rm")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("e")
        try terminal.waitFor("Back from the editor")
        #expect(try drafts() == [])
        #expect(try workplace.tn("show", "Only note").output.hasPrefix("Only note"))
    }

    @Test func `the window tells that an editor goes on in the background, and keeps its file`() throws {
        let script = workplace.folder.appending(path: "editor")
        let go = workplace.folder.appending(path: "go").path
        try Data(
            "(until [ -e '\(go)' ]; do sleep 0.05; done; echo late >> \"$1\") >/dev/null 2>&1 &\n".utf8
        ).write(to: script)
        try terminal.enter("export EDITOR='sh \(script.path)'")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("e")
        try terminal.waitFor("the editor goes on in the background")
        #expect(try drafts().count == 1)
        try Data().write(to: URL(filePath: go))
        try terminal.wait(for: "the text that was saved in the background") {
            try workplace.tn("show", "Only note").output.contains("late")
        }
        #expect(try drafts() == [])
    }

    /// An editor as `code` is without `--wait`: it tells a program that runs already of the file, and ends.
    private func handingEditor() throws -> (command: String, file: String) {
        let script = workplace.folder.appending(path: "handing")
        let told = workplace.folder.appending(path: "told").path
        try Data("printf %s \"$1\" > '\(told).part'; mv '\(told).part' '\(told)'\n".utf8).write(to: script)
        return ("sh \(script.path)", told)
    }

    @Test func `what a program saves that the editor has handed its file to is taken in, each time`() throws {
        let (command, told) = try handingEditor()
        try terminal.enter("export EDITOR='\(command)'")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("e")
        try terminal.waitFor("the editor returned at once without a change")
        let file = URL(filePath: try String(contentsOfFile: told, encoding: .utf8))
        #expect(try workplace.tn("doctor").output.contains("for an editor that returned at once"))
        #expect(try drafts().count == 1)
        try Data("Only note\nfirst\n".utf8).write(to: file)
        try terminal.waitFor("first")
        #expect(try workplace.tn("show", "Only note").output == "Only note\nfirst\n")
        try terminal.press("C-q")
        try terminal.waitForShell()
        // The next command takes it in, and merges with what came since.
        #expect(try workplace.tn("append", "Only note", "from a shell").status == 0)
        try Data("Only note\nfirst\nsecond\n".utf8).write(to: file)
        let shown = try workplace.tn("show", "Only note").output
        #expect(shown.contains("second") && shown.contains("from a shell"), "\(shown)")
        #expect(try drafts().count == 1)
    }

    @Test func `what is saved into a note that was put into the Trash meanwhile brings it back`() throws {
        let (command, told) = try handingEditor()
        try terminal.enter("EDITOR='\(command)' \(Workplace.program) edit 'Only note'; echo status $?")
        try terminal.waitFor("status 0")
        let file = URL(filePath: try String(contentsOfFile: told, encoding: .utf8))
        #expect(try workplace.tn("trash", "Only note").status == 0)
        try Data("Only note\nsaved later\n".utf8).write(to: file)
        #expect(try workplace.tn("list").output.contains("Only note"))
        #expect(try workplace.tn("show", "Only note").output == "Only note\nsaved later\n")
    }

    @Test func `a new note whose text the editor has handed over is made when it is saved`() throws {
        let (command, told) = try handingEditor()
        try terminal.enter("EDITOR='\(command)' \(Workplace.program) --new; echo status $?")
        try terminal.waitFor("status 0")
        try terminal.waitFor("returned at once")
        let file = URL(filePath: try String(contentsOfFile: told, encoding: .utf8))
        try Data("Made elsewhere\n".utf8).write(to: file)
        #expect(try workplace.tn("list").output.contains("Made elsewhere"))
        try Data("Made elsewhere\nand more\n".utf8).write(to: file)
        #expect(try workplace.tn("show", "Made elsewhere").output == "Made elsewhere\nand more\n")
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 2)
    }

    @Test func `an editor that has used the terminal and left without a change leaves no draft`() throws {
        let script = workplace.folder.appending(path: "raw")
        let steps = "stty raw -echo\n\(Workplace.untilLookedAgain)stty sane\n"
        try Data(steps.utf8).write(to: script)
        try terminal.enter("export EDITOR='sh \(script.path)'")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("e")
        try terminal.waitFor("Back from the editor")
        #expect(try drafts() == [])
    }

    @Test func `doctor says the notebook's whole path, whatever way it was named`() throws {
        let path = workplace.database.path
        let name = try #require(path.split(separator: "/").last)
        let folder = path.dropLast(name.count + 1)
        let inner = try #require(folder.split(separator: "/").last)
        let result = try workplace.run(
            "/bin/sh", ["-c", "cd '\(folder)' && '\(Workplace.program)' doctor --database './/../\(inner)/./\(name)'"])
        #expect(result.output.contains("\t\(path), 1 note"), "\(result.output)")
    }

    @Test func `a window whose notebook gets a second name goes on saving, and the second name is only read`() throws {
        let other = workplace.database.path + ".link"
        // Leaving a window moves its log into the file, where the second name shows it.
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("C-q")
        try terminal.waitForShell()
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try FileManager.default.linkItem(atPath: workplace.database.path, toPath: other)
        try terminal.press("s")
        try terminal.wait(for: "the star") { try workplace.tn("search", "is:starred").output.contains("Only note") }
        #expect(try workplace.tn("--new", "Another").status == 0)
        let doctor = try workplace.tn("doctor")
        #expect(doctor.status == 0 && doctor.output.contains("notes are saved under this one"), "\(doctor.output)")
        let refused = try workplace.tn("--new", "Third", environment: ["TAKENOTE_DATABASE": other])
        #expect(refused.status == 74 && refused.error.contains("has 2 names (hard links)"), "\(refused.error)")
        #expect(refused.error.contains("saved under \(workplace.database.path) only"), "\(refused.error)")
        let examined = try workplace.tn("doctor", "--repair", environment: ["TAKENOTE_DATABASE": other])
        #expect(examined.status == 65 && examined.output.contains("has 2 names (hard links)"), "\(examined.output)")
        // The window's log is the one that has the notes.
        let advice = "keep \(workplace.database.path), whose log is the newest"
        #expect(examined.output.contains(advice), "\(examined.output)")
        let list = try workplace.tn("list", environment: ["TAKENOTE_DATABASE": other])
        #expect(list.status == 0 && list.error.contains("what is shown here may be old"), "\(list.error)")
    }

    @Test func `without a terminal, what a program saves that the editor has handed its file to is taken in`() throws {
        let (command, told) = try handingEditor()
        let edit = try workplace.tn("edit", "Only note", environment: ["EDITOR": command])
        let file = URL(filePath: try String(contentsOfFile: told, encoding: .utf8))
        #expect(edit.status == 0 && edit.error.contains(file.path), "\(edit.error)")
        try Data("Only note\nsaved later\n".utf8).write(to: file)
        #expect(try workplace.tn("show", "Only note").output == "Only note\nsaved later\n")
        try Data("Only note\nsaved again\n".utf8).write(to: file)
        #expect(try workplace.tn("show", "Only note").output == "Only note\nsaved again\n")
        // The draft's record is replaced as a whole, so a record that was cut off does not count.
        let folder = file.deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains("handed.json") && !names.contains { $0.hasSuffix(".part") }, "\(names)")
    }

    @Test func `doctor names a draft whose record is damaged, since no command takes it in`() throws {
        let draft = workplace.folder.appending(path: "state/takenote-dev/drafts/\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
        try Data("From a power cut\n".utf8).write(to: draft.appending(path: "note.md"))
        try Data().write(to: draft.appending(path: "about.json"))
        let doctor = try workplace.tn("doctor")
        #expect(doctor.status == 65 && doctor.output.contains("\(draft.path) may have a text"), "\(doctor.output)")
        #expect(try drafts() == [draft.lastPathComponent])
    }

    @Test func `a draft is taken in although what was written when it was handed over is cut off`() throws {
        let (command, told) = try handingEditor()
        #expect(try workplace.tn("edit", "Only note", environment: ["EDITOR": command]).status == 0)
        let file = URL(filePath: try String(contentsOfFile: told, encoding: .utf8))
        try Data("Only note\nsaved later\n".utf8).write(to: file)
        try Data("{\"data".utf8).write(to: file.deletingLastPathComponent().appending(path: "handed.json"))
        #expect(try workplace.tn("show", "Only note").output == "Only note\nsaved later\n")
    }
}

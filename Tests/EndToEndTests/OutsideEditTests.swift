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

    @Test func `a window whose notebook gets a second name says so, and one name is enough again`() throws {
        let other = workplace.database.path + ".link"
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try FileManager.default.linkItem(atPath: workplace.database.path, toPath: other)
        try terminal.press("s")
        try terminal.waitFor("has 2 names (hard links)")
        let refused = try workplace.tn("--new", "Another")
        #expect(refused.status == 74 && refused.error.contains("has 2 names (hard links)"), "\(refused.error)")
        let doctor = try workplace.tn("doctor")
        #expect(doctor.status == 65 && doctor.output.contains("has 2 names (hard links)"), "\(doctor.output)")
        let list = try workplace.tn("list")
        #expect(list.status == 0 && list.error.contains("what is shown may be old"), "\(list.error)")
        try FileManager.default.removeItem(atPath: other)
        try terminal.press("s")
        try terminal.wait(for: "the star") { try workplace.tn("search", "is:starred").output.contains("Only note") }
        #expect(try workplace.tn("--new", "Another").status == 0)
        #expect(try workplace.tn("doctor").status == 0)
    }
}

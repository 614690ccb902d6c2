import Foundation
import TerminalDriver
import Testing

/// Tests that an open window keeps a mirrored folder and the notebook the same.
@Suite(.serialized)
struct MirroringWindowTests {
    private let workplace: Workplace
    private let folder: URL

    init() throws {
        workplace = try Workplace()
        folder = workplace.folder.appending(path: "mirror")
        _ = try workplace.tn("--new", "Plan\n\nlist: ")
        #expect(try workplace.tn("mirror", folder.path).status == 0)
    }

    private func text(_ path: String) -> String {
        // A file that is not there says nothing.
        (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
    }

    private func write(_ text: String, to path: String) throws {
        try OutsideFile.write(text, to: folder.appending(path: path).path)
    }

    private func window() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Plan")
        return terminal
    }

    @Test func `what another program writes appears, and what is typed is in the file`() throws {
        let terminal = try window()
        try terminal.send("\r")
        try terminal.wait(for: "Plan")
        try write("Plan\n\nbought by another", to: "Inbox/Plan.md")
        try terminal.wait(for: "bought by another")
        try terminal.send("\u{1B}[1;5Ftyped here ")
        try terminal.wait(for: "the file") { _ in text("Inbox/Plan.md").contains("typed here") }
        #expect(text("Inbox/Plan.md").contains("bought by another"))
        // What is typed last is written by a program that goes on after the window.
        try terminal.send("and at last\u{11}")
        #expect(terminal.waitForExit() == 0)
        waitForText("at last")
    }

    @Test func `what is typed in a window that is left before its first round is in the file`() throws {
        let terminal = try window()
        try terminal.send("\r\u{1B}[1;5Ftyped in passing\u{11}")
        #expect(terminal.waitForExit() == 0)
        waitForText("typed in passing")
    }

    /// Waits until a program that goes on after the window has written a text into the file.
    private func waitForText(_ expected: String) {
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while !text("Inbox/Plan.md").contains(expected), Date() < end { usleep(50_000) }
        #expect(text("Inbox/Plan.md").contains(expected))
    }

    @Test func `two windows and a program work on one folder`() throws {
        let (one, two) = (try window(), try window())
        func wait(for what: String, until condition: () -> Bool) throws {
            let end = Date().addingTimeInterval(PseudoTerminal.patience)
            while !condition(), Date() < end {
                for terminal in [one, two] { try terminal.pump(milliseconds: 20) }
            }
            #expect(condition(), "\(what): \(one.screen.lines) \(two.screen.lines)")
        }
        for terminal in [one, two] { try terminal.send("\r") }
        try one.send("\u{1B}[1;5Ffirst ")
        try wait(for: "the first line in the second window") { two.screen.contains("first") }
        try two.send("\u{1B}[1;5Fsecond ")
        try wait(for: "the second line in the first window") { one.screen.contains("second") }
        try wait(for: "both in the file") {
            text("Inbox/Plan.md").contains("first") && text("Inbox/Plan.md").contains("second")
        }
        try write(text("Inbox/Plan.md") + "\nthird", to: "Inbox/Plan.md")
        try wait(for: "the third line in both") { one.screen.contains("third") && two.screen.contains("third") }
        #expect(try workplace.query("SELECT count(*) FROM note WHERE title LIKE '%conflict%'") == "0")
    }

    @Test func `a folder that vanishes costs no note, and the window says it`() throws {
        let terminal = try window()
        try FileManager.default.removeItem(at: folder)
        try terminal.wait(for: "mount its disk")
        #expect(try workplace.query("SELECT count(*) FROM note WHERE place = 'live' OR place = 0") != "0")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
    }

    @Test func `a window that is killed in the midst loses nothing, and the next one goes on`() throws {
        for number in 0..<5 {
            let terminal = try window()
            for file in 0..<10 { try write("outside \(number) \(file)", to: "Inbox/Round \(number) \(file).md") }
            try terminal.send("\r\u{1B}[1;5Ftyped \(number) ")
            for _ in 0..<(number * 10) { try terminal.pump(milliseconds: 40) }
            kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
        }
        _ = try workplace.tn("list")
        let mirrored = try workplace.tn("mirror", folder.path)
        #expect(mirrored.status == 0, "\(mirrored)")
        let texts = try workplace.query("SELECT group_concat(text, char(10)) FROM note_text")
        for number in 0..<5 {
            for file in 0..<10 {
                #expect(text("Inbox/Round \(number) \(file).md") == "outside \(number) \(file)")
                #expect(texts.contains("outside \(number) \(file)"))
            }
        }
        #expect(try workplace.query("SELECT count(*) FROM note") == "51")
        #expect(try workplace.tn("mirror", folder.path).output == "Both are the same.\n")
    }
}

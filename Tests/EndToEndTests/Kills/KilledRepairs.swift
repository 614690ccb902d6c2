import Foundation
import SeededRandom
import TerminalDriver
import Testing

extension KillTests {
    private static let texts = "SELECT group_concat(hex(text), ' ') FROM (SELECT text FROM note_text ORDER BY text)"

    /// Runs a command and kills it after the given time in milliseconds.
    private func kill(_ words: [String], _ workplace: Workplace, afterMilliseconds time: Int) throws {
        let terminal = try PseudoTerminal(Workplace.program, words, environment: workplace.environment)
        let end = PseudoTerminal.now + UInt64(time) * 1_000_000
        while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
        Foundation.kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
    }

    @Test func `a backup that is being put in place is there wholly or not at all after a kill`() throws {
        var chance = SeededGenerator(seed: Self.seed &+ 11)
        let workplace = try Workplace()
        let backup = workplace.folder.appending(path: "backup.sqlite").path
        for number in 0..<12 { _ = try workplace.tn("--new", "Before \(number)") }
        #expect(try workplace.tn("backup", backup).status == 0)
        let before = try workplace.query(Self.texts)
        for number in 0..<12 { _ = try workplace.tn("--new", "After \(number) " + String(repeating: "w ", count: 999)) }
        let after = try workplace.query(Self.texts)
        let template = try NotebookTemplate(of: workplace)
        var seen: Set<String> = []
        for round in 0..<max(6, Self.rounds) {
            try template.putBack()
            try kill(["restore-backup", backup], workplace, afterMilliseconds: chance.number(in: 1...250))
            let found = try workplace.query(Self.texts)
            #expect(found == before || found == after, "round \(round)")
            seen.insert(found)
            #expect(try workplace.query("PRAGMA integrity_check") == "ok", "round \(round)")
            #expect(try workplace.tn("doctor").output.contains("!!") == false, "round \(round)")
        }
        print("restores that were killed had been done: \(seen.contains(before)), not done: \(seen.contains(after))")
        #expect(try workplace.tn("restore-backup", backup).status == 0)
        #expect(try workplace.query(Self.texts) == before)
    }

    @Test func `a damaged file that is being repaired gives all its texts, however often the repair is killed`() throws
    {
        var chance = SeededGenerator(seed: Self.seed &+ 12)
        let workplace = try Workplace()
        for number in 0..<20 { _ = try workplace.tn("--new", "Paper \(number) " + String(repeating: "w ", count: 99)) }
        let texts = try workplace.query(Self.texts)
        // Its beginning is lost, and some texts are only in the log.
        let file = try FileHandle(forWritingTo: workplace.database)
        try file.write(contentsOf: Data(count: 100))
        try file.close()
        let template = try NotebookTemplate(of: workplace)
        for round in 0..<max(6, Self.rounds) {
            try template.putBack()
            for _ in 0..<chance.number(in: 1...3) {
                try kill(["doctor", "--repair"], workplace, afterMilliseconds: chance.number(in: 20...400))
            }
            #expect(try workplace.tn("doctor", "--repair").status == 0, "round \(round)")
            #expect(try workplace.query(Self.texts) == texts, "round \(round)")
            #expect(try workplace.query("PRAGMA integrity_check") == "ok", "round \(round)")
        }
    }
}

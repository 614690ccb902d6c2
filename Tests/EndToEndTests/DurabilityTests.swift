import Foundation
import Testing

/// Kills the program at moments of chance and compares what is found with what had been on screen.
///
/// `TN_KILLS` is how many times (500 for a proof, a few by default), `TN_SEED` where chance begins.
@Suite(.serialized)
struct DurabilityTests {
    /// What was on screen this long before the kill must be there afterwards, in nanoseconds.
    static let promise: UInt64 = 10_000_000

    static var kills: Int { number("TN_KILLS") ?? 8 }
    static var seed: UInt64 { UInt64(number("TN_SEED") ?? 1) }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test func `what was typed, pasted and deleted survives a kill at any moment`() throws {
        var chance = SeededChance(Self.seed)
        for round in 0..<Self.kills { try killWhileTyping(round: round, seed: chance.next()) }
    }

    private func killWhileTyping(round: Int, seed: UInt64) throws {
        let workplace = try Workplace()
        var chance = SeededChance(seed)
        var typing = Typing()
        var frames = FrameHistory()
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        terminal.onFrame = { frames.append($0, at: $1) }
        try terminal.wait(for: "Inbox")
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send("Proof\r")
        try terminal.send("\u{1B}[21~")
        try terminal.wait(for: "the title") { $0.lines.contains { $0.hasPrefix(" Proof") || $0.contains("  Proof") } }
        let end = PseudoTerminal.now + UInt64(chance.number(in: 20...1500)) * 1_000_000
        while PseudoTerminal.now < end {
            try terminal.send(typing.step(&chance))
            let pause = chance.number(in: 0...9) == 0 ? chance.number(in: 50...600) : chance.number(in: 0...12)
            let next = min(end, PseudoTerminal.now + UInt64(pause) * 1_000_000)
            while PseudoTerminal.now < next { try terminal.pump(milliseconds: 1) }
        }
        let killed = PseudoTerminal.now
        kill(terminal.process, SIGKILL)
        #expect(terminal.waitForExit() == 128 + SIGKILL)
        let text = try textFoundAfterRestart(in: workplace)
        let shown = typing.stateShown(by: frames.frames(until: killed - Self.promise))
        let found = typing.states.indices.last { typing.states[$0] == text }
        let context = "round \(round), seed \(seed): shown state \(shown) of \(typing.states.count)"
        guard let found else {
            Issue.record(
                "\(context): a text that was never typed: \(text.debugDescription)\nwanted \(typing.states[shown])")
            return
        }
        #expect(found >= shown, "\(context), found only \(found)")
        try expectIntact(workplace, context)
    }

    /// Starts the program again, leaves it, and asks for the note's text.
    private func textFoundAfterRestart(in workplace: Workplace) throws -> String {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        return try workplace.tn("show", "Proof").output
    }

    @Test func `notes thrown away stay away and none is lost, whenever the program is killed`() throws {
        var chance = SeededChance(Self.seed &+ 1)
        let titles = (10..<22).map { "Paper \($0)" }
        for round in 0..<max(1, Self.kills / 4) {
            let workplace = try Workplace()
            for title in titles { _ = try workplace.tn("--new", title) }
            var frames = FrameHistory()
            let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
            terminal.onFrame = { frames.append($0, at: $1) }
            try terminal.wait(for: "Paper 21")
            for _ in 0..<chance.number(in: 1...8) {
                try terminal.send("d")
                let next = PseudoTerminal.now + UInt64(chance.number(in: 0...60)) * 1_000_000
                while PseudoTerminal.now < next { try terminal.pump(milliseconds: 1) }
            }
            let killed = PseudoTerminal.now
            kill(terminal.process, SIGKILL)
            #expect(terminal.waitForExit() == 128 + SIGKILL)
            let live = try titlesListed(workplace)
            let trashed = try titlesListed(workplace, "--trash")
            #expect(Set(live + trashed) == Set(titles) && live.count + trashed.count == titles.count)
            // The pseudo-terminal hands a large frame over in pieces: one without any title is such a piece.
            let whole = frames.frames(until: killed - Self.promise).last { $0.contains("Paper") }
            if let last = whole {
                let shown = titles.filter { last.contains($0) }
                #expect(Set(live).isSubset(of: shown), "round \(round): came back: \(Set(live).subtracting(shown))")
            }
            try expectIntact(workplace, "round \(round)")
        }
    }

    private func titlesListed(_ workplace: Workplace, _ arguments: String...) throws -> [String] {
        let result = try workplace.run(Workplace.program, ["list", "--json"] + arguments)
        let notes = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
        return notes.compactMap { $0["title"] as? String }
    }

    @Test func `an import that is killed leaves whole notes and a sound notebook`() throws {
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "papers")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var texts: Set<String> = []
        for number in 100..<400 {
            let text = "# Paper \(number)\n\n" + String(repeating: "word \(number) ", count: 50) + "\n"
            texts.insert(text)
            try Data(text.utf8).write(to: folder.appending(path: "\(number).md"))
        }
        guard try workplace.hasCommand("import") else { return }
        _ = try workplace.tn("--new", "# Paper 000\n\nThere before")
        var chance = SeededChance(Self.seed &+ 2)
        for round in 0..<max(1, Self.kills / 4) {
            let terminal = try PseudoTerminal(
                Workplace.program, ["import", folder.path], environment: workplace.environment)
            let end = PseudoTerminal.now + UInt64(chance.number(in: 1...250)) * 1_000_000
            while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
            kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
            try expectIntact(workplace, "round \(round)")
        }
        let contents = try workplace.query(
            "SELECT count(*) FROM notes WHERE content NOT LIKE '# Paper ___' || char(10) || '%'")
        #expect(contents == "0")
    }

    /// SQLite finds nothing wrong, and neither does the program.
    private func expectIntact(_ workplace: Workplace, _ context: String) throws {
        #expect(try workplace.query("PRAGMA integrity_check") == "ok", "\(context)")
        #expect(try workplace.query("PRAGMA foreign_key_check") == "", "\(context)")
    }
}

extension Workplace {
    /// Whether the program has a command.
    func hasCommand(_ name: String) throws -> Bool {
        try tn(name, "--help").output.contains("USAGE: tn \(name)")
    }

    /// Asks the notebook by the plain tool.
    func query(_ sql: String) throws -> String {
        let result = try run("/usr/bin/env", ["sqlite3", database.path, sql])
        guard result.status == 0 else { return "sqlite3: \(result.error)" }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

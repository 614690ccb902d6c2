import Foundation
import Testing

/// A day of use in little time: memory, open files and the size on disk stay what they were.
///
/// `TN_LONG_KEYS` is how many keys: 100,000 for a proof, a few by default.
struct LongLifeTests {
    static let keys = ProcessInfo.processInfo.environment["TN_LONG_KEYS"].flatMap { Int($0) } ?? 3000

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `memory, handles and files do not grow with use`() throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        var chance = SeededChance(7)
        try use(terminal, keys: Self.keys / 3, &chance)
        let before = try facts(of: terminal.process)
        try use(terminal, keys: Self.keys * 2 / 3, &chance)
        let after = try facts(of: terminal.process)
        // Double the use may fill caches, and a short run has not filled them all: half as much again, and 8 MB.
        #expect(after.memory < before.memory * 3 / 2 + 8192, "KB: \(before.memory), then \(after.memory)")
        #expect(after.handles <= before.handles + 2, "\(before.handles) handles, then \(after.handles)")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        let text = Int(try workplace.query("SELECT total(length(content)) FROM notes").split(separator: ".")[0]) ?? 0
        let size = try FileManager.default.attributesOfItem(atPath: workplace.database.path)[.size] as? Int ?? 0
        #expect(size < 40 * text + 1_000_000, "\(size) bytes on disk for \(text) of text")
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
    }

    private func use(_ terminal: PseudoTerminal, keys: Int, _ chance: inout SeededChance) throws {
        var typed = 0
        while typed < keys {
            try terminal.send("\u{1B}2n")
            try terminal.settle(quiet: 5, atMost: 1)
            let words = chance.number(in: 2...60)
            for _ in 0..<words {
                try terminal.send("word\(chance.number(in: 0...999)) ")
                typed += 8
                while try terminal.pump(milliseconds: 0) {}
            }
            if chance.number(in: 0...4) == 0 {
                terminal.setSize(columns: chance.number(in: 40...160), rows: chance.number(in: 10...50))
            }
            try terminal.send("\u{1B}[A\u{1B}[B\u{1B}1\u{1B}2")
            try terminal.settle(quiet: 5, atMost: 1)
            try #require(!terminal.isClosed)
        }
        try terminal.settle(quiet: 500, atMost: 10)
    }

    private func facts(of process: pid_t) throws -> (memory: Int, handles: Int) {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        let handles = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        return (Int(line.filter(\.isNumber)) ?? 0, handles)
    }
}

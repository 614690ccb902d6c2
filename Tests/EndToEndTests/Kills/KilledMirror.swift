import Foundation
import SeededRandom
import TerminalDriver
import Testing

extension KillTests {
    @Test func `a mirror that is killed at any moment loses nothing, and the next call goes on`() throws {
        var chance = SeededGenerator(seed: Self.seed &+ 21)
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "mirror")
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        var typed: Set<String> = []
        var isEnded = 0
        for round in 0..<max(6, Self.rounds) {
            for number in 0..<8 {
                let line = "line \(number) of round \(round)"
                typed.formUnion(["here \(line)", "there \(line)"])
                _ = try workplace.tn("--new", "here \(line)")
                let place = folder.appending(path: "Folder \(chance.number(in: 0...2))")
                try files.createDirectory(at: place, withIntermediateDirectories: true)
                try OutsideFile.write("there \(line)", to: place.appending(path: "\(round) \(number).md").path)
            }
            let present = try files.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".md") && !$0.hasPrefix(".")
            }.sorted()
            for path in present where chance.number(in: 0...3) == 0 {
                let line = "more \(typed.count) of round \(round)"
                typed.insert(line)
                let file = folder.appending(path: path)
                try OutsideFile.write(String(contentsOf: file, encoding: .utf8) + "\n" + line, to: file.path)
            }
            for _ in 0..<chance.number(in: 1...3) {
                let terminal = try PseudoTerminal(
                    Workplace.program, ["mirror", folder.path], environment: workplace.environment)
                let end = PseudoTerminal.now + UInt64(chance.number(in: 1...200)) * 1_000_000
                while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
                if terminal.isClosed { isEnded += 1 }
                Foundation.kill(terminal.process, SIGKILL)
                _ = terminal.waitForExit()
            }
            var result = try workplace.tn("mirror", folder.path)
            // A child that another test starts has the files open that this one is writing, until its own program begins.
            while result.error.contains("it was changed just now") {
                result = try workplace.tn("mirror", folder.path)
            }
            #expect(result.status == 0, "round \(round): \(result)")
            #expect(try workplace.tn("mirror", folder.path).output == "Both are the same.\n", "round \(round)")
            let texts = try workplace.query(
                "SELECT group_concat(text, char(10)) FROM (SELECT text FROM note_text ORDER BY text)")
            let all = try files.subpathsOfDirectory(atPath: folder.path)
            let written = try all.filter { $0.hasSuffix(".md") }.map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }.sorted()
            #expect(written.joined(separator: "\n") == texts, "round \(round)")
            let lines = texts.split(separator: "\n").map(String.init)
            #expect(typed.subtracting(lines).isEmpty && Set(lines).count == lines.count, "round \(round)")
            #expect(!all.contains { $0.contains(".part") }, "round \(round)")
        }
        print("mirrors that were to be killed had ended: \(isEnded)")
    }
}

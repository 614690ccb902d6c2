import Foundation
import SeededRandom
import TerminalDriver
import Testing

extension KillTests {
    /// The files below a folder, by path; without the list of the export's own files.
    private func files(_ folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path != ".tn-export" {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
            if !isFolder.boolValue { found[path] = try Data(contentsOf: URL(filePath: folder + "/" + path)) }
        }
        return found
    }

    @Test(arguments: [[], ["--front-matter"], ["--site"], ["--obsidian"]])
    func `an export that is killed leaves whole files, and the next one goes on`(form: [String]) throws {
        var chance = SeededGenerator(seed: Self.seed &+ 31 &+ UInt64(form.first?.utf8.count ?? 0))
        let workplace = try Workplace()
        let folder = workplace.folder
        let papers = folder.appending(path: "papers")
        for number in 100..<220 {
            let place = papers.appending(path: "Part \(number % 4)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let line = "word \(number), see [[Paper \(number - 1)]]\n"
            let text = "# Paper \(number)\n\n" + String(repeating: line, count: 60)
            try Data(text.utf8).write(to: place.appending(path: "Paper \(number).md"))
        }
        #expect(try workplace.tn("import", papers.path).status == 0)
        func export(to path: String) throws -> Workplace.Result {
            try workplace.run(Workplace.program, ["export", path] + form)
        }
        let (earlier, whole) = (folder.appending(path: "earlier").path, folder.appending(path: "whole").path)
        #expect(try export(to: earlier).status == 0)
        for number in stride(from: 100, to: 220, by: 7) {
            #expect(try workplace.tn("append", "Paper \(number)", "changed since").status == 0)
        }
        #expect(try workplace.tn("rename", "Paper 101", "Another name").status == 0)
        #expect(try workplace.tn("trash", "Paper 102").status == 0)
        #expect(try export(to: whole).status == 0)
        let updated = folder.appending(path: "updated").path
        try FileManager.default.copyItem(atPath: earlier, toPath: updated)
        #expect(try export(to: updated).status == 0)
        let (old, new) = (try files(earlier), try files(whole))
        #expect(new.count > 100)
        let texts = "SELECT group_concat(uuid || hex(content)) FROM (SELECT * FROM notes ORDER BY uuid)"
        let notebook = try workplace.query(texts)
        var ends: Set<String> = []
        for round in 0..<max(4, Self.rounds) {
            let target = folder.appending(path: "target \(round)").path
            let isBroughtUpToDate = round % 2 == 1
            if isBroughtUpToDate { try FileManager.default.copyItem(atPath: earlier, toPath: target) }
            for _ in 0..<chance.number(in: 1...3) {
                let terminal = try PseudoTerminal(
                    Workplace.program, ["export", target] + form, environment: workplace.environment)
                let end = PseudoTerminal.now + UInt64(chance.number(in: 5...250)) * 1_000_000
                while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
                Foundation.kill(terminal.process, SIGKILL)
                _ = terminal.waitForExit()
                guard FileManager.default.fileExists(atPath: target) else { continue }
                let found = try files(target)
                for (path, bytes) in found where !path.contains(".part") {
                    #expect(bytes == old[path] || bytes == new[path], "round \(round), half a file: \(path)")
                }
                if !found.isEmpty {
                    #expect(FileManager.default.fileExists(atPath: target + "/.tn-export"), "round \(round): no mark")
                }
                ends.insert(found == new ? "whole" : found.isEmpty ? "empty" : found == old ? "earlier" : "between")
            }
            let next = try export(to: target)
            #expect(next.status == 0, "round \(round): \(next)")
            let found = try files(target)
            // A file of a note that is no longer exported stays.
            let wanted = isBroughtUpToDate ? try files(updated) : new
            let wrong = Set(found.keys).union(wanted.keys).filter { found[$0] != wanted[$0] }
            #expect(wrong.isEmpty, "round \(round): \(wrong.sorted())")
            #expect(try workplace.query(texts) == notebook, "round \(round)")
        }
        print("exports that were killed left: \(ends.sorted())")
    }

    @Test func `a notebook in one file is there wholly or not at all after a kill`() throws {
        var chance = SeededGenerator(seed: Self.seed &+ 37)
        let workplace = try Workplace()
        let texts = (100..<130).map { "Paper \($0)\n\n" + String(repeating: "word \($0) ", count: 400) }
        for text in texts { _ = try workplace.tn("--new", text) }
        for round in 0..<max(6, Self.rounds) {
            let file = workplace.folder.appending(path: "notes \(round).json").path
            let terminal = try PseudoTerminal(
                Workplace.program, ["export", file, "--json"], environment: workplace.environment)
            let end = PseudoTerminal.now + UInt64(chance.number(in: 5...120)) * 1_000_000
            while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
            Foundation.kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
            if !FileManager.default.fileExists(atPath: file) {
                let next = try workplace.tn("export", file, "--json")
                #expect(next.status == 0, "round \(round): \(next)")
            }
            let other = try Workplace()
            let taken = try other.tn("import", file)
            #expect(taken.status == 0, "round \(round): \(taken)")
            #expect(
                Set(try other.query("SELECT hex(content) FROM notes").split(separator: "\n").map(String.init))
                    == Set(texts.map { $0.utf8.map { String(format: "%02X", $0) }.joined() }), "round \(round)")
        }
    }
}

import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Tests a day of use in a short time: memory, open files, journal and the size on disk do not grow.
///
/// `TN_LONG_KEYS` is the number of keys, in notes of a hundred keys each, with a resize at every fifth note: 3,000 by
/// default, and 100,000 for the full proof, in 1,000 notes with 200 resizes, which take half a minute.
struct LongLifeTests {
    static let keys = ProcessInfo.processInfo.environment["TN_LONG_KEYS"].flatMap { Int($0) } ?? 3_000
    private static let keysOfNote = 100

    /// The resources that the program uses.
    private struct Facts: CustomStringConvertible {
        /// Resident memory in KB.
        var memory = 0
        /// The open files without those of the notebook.
        var handles = 0
        /// The open files of the notebook: each of its connections has the file and its log open, and the first has the
        /// log's index besides.
        var handlesOfNotebook = 0
        /// The size of the session's journal in bytes.
        var journal = 0

        var description: String {
            "\(memory) KB, \(handles) handles and \(handlesOfNotebook) of the notebook, journal \(journal) bytes"
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `memory, handles and files do not grow with use`() throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        var chance = SeededGenerator(seed: 7)
        let notes = Self.keys / Self.keysOfNote
        try use(terminal, notes: notes / 3, &chance)
        let before = try facts(of: terminal, workplace)
        try use(terminal, notes: notes - notes / 3, &chance)
        let after = try facts(of: terminal, workplace)
        // Twice the use may fill caches: a quarter more, and 4 MB (measured: a fifteenth).
        #expect(after.memory < before.memory * 5 / 4 + 4096, "KB: \(before.memory), then \(after.memory)")
        #expect(after.handles <= before.handles + 2, "\(before.handles) handles, then \(after.handles)")
        // A reader is connected when the others are busy, which may happen late: one for writing and three for reading.
        #expect(after.handlesOfNotebook <= 2 * (1 + 3) + 1, "\(before), then \(after)")
        // The journal is emptied when everything is saved and it has grown beyond 4 MB.
        #expect(after.journal < 5_000_000, "\(before), then \(after)")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(try workplace.query("SELECT count(*) FROM note") == "\(notes)")
        let text = Int(try workplace.query("SELECT total(length(content)) FROM notes").split(separator: ".")[0]) ?? 0
        let size = try FileManager.default.attributesOfItem(atPath: workplace.database.path)[.size] as? Int ?? 0
        #expect(size < 40 * text + 1_000_000, "\(size) bytes on disk for \(text) of text")
        let packed = workplace.folder.appending(path: "packed.sqlite").path
        #expect(try workplace.query("VACUUM INTO '\(packed)'").isEmpty)
        let content = try FileManager.default.attributesOfItem(atPath: packed)[.size] as? Int ?? 0
        #expect(size < 2 * content + 100_000, "\(size) bytes on disk for \(content) of content")
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        #expect(try journalFiles(workplace).isEmpty)
        print("\(Self.keys) keys: \(before), then \(after); \(size) bytes on disk, \(content) packed, \(text) of text")
    }

    private func use(_ terminal: PseudoTerminal, notes: Int, _ chance: inout SeededGenerator) throws {
        for note in 0..<notes {
            try terminal.send("\u{1B}2n")
            try terminal.settle(quiet: 5, atMost: 1)
            var typed = 0
            while typed < Self.keysOfNote {
                let word = "word\(chance.number(in: 0...999)) "
                try terminal.send(word)
                typed += word.utf8.count
                while try terminal.pump(milliseconds: 0) {}
            }
            if note % 5 == 4 {
                terminal.setSize(columns: chance.number(in: 40...160), rows: chance.number(in: 10...50))
            }
            try terminal.send("\u{1B}[A\u{1B}[B\u{1B}1\u{1B}2")
            try terminal.settle(quiet: 5, atMost: 1)
            try #require(!terminal.isClosed)
        }
        try terminal.waitUntilIdle(milliseconds: 600)
    }

    private func facts(of terminal: PseudoTerminal, _ workplace: Workplace) throws -> Facts {
        let status = try String(contentsOfFile: "/proc/\(terminal.process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        let folder = "/proc/\(terminal.process)/fd/"
        // A file that was closed since the folder was read has no target.
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder)
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
        let ofNotebook = targets.filter { $0.hasPrefix(workplace.database.path) }.count
        let journal = try journalFiles(workplace).reduce(0) { sum, file in
            sum + (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0)
        }
        return Facts(
            memory: Int(line.filter(\.isNumber)) ?? 0, handles: targets.count - ofNotebook,
            handlesOfNotebook: ofNotebook, journal: journal)
    }

    private func journalFiles(_ workplace: Workplace) throws -> [URL] {
        let folder = workplace.database.deletingLastPathComponent().appending(path: "sessions")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }
}

import Foundation
import SeededRandom
import TerminalDriver

/// A kind of work during which a program is killed, and the checks afterwards.
protocol KilledWork {
    /// Whether some of the work is in the journal, so that only the start of the next program recovers it.
    var isFoundByRestart: Bool { get }
    /// The SQL query about the notebook; each row of the answer is a line.
    var question: String { get }

    /// Prepares the notebook for a life; no program has it open.
    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws
    /// Waits for the start.
    func awaitStart(_ life: KilledLife) throws
    /// Works until the moment of the kill.
    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws
    /// Whether the work, or some of it, was on screen.
    func wasSeen(in life: KilledLife) -> Bool
    /// Returns the notebook's fault, in words; nil for none.
    func fault(in answer: [Substring], after life: KilledLife) -> String?
}

extension KilledWork {
    var isFoundByRestart: Bool { false }

    func prepare(_ number: Int, _ chance: inout SeededGenerator) {}

    func awaitStart(_ life: KilledLife) throws {
        try life.terminal.wait(for: "Inbox")
    }

    /// Returns the notebook's fault after a kill, found by SQLite or by the work's own check; nil for none.
    func fault(_ workplace: Workplace, after life: KilledLife) throws -> String? {
        let checks = "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT 'end of checks'; "
        let answer = try workplace.query(checks + question).split(separator: "\n", omittingEmptySubsequences: false)
        guard answer.prefix(2) == ["ok", "end of checks"] else { return "damaged: \(answer)" }
        return fault(in: Array(answer.dropFirst(2)), after: life)
    }
}

/// A run of the program from its start to its kill, and its screens.
final class KilledLife {
    let number: Int
    let terminal: PseudoTerminal
    private var frames = FrameHistory()

    /// - Parameter core: the only processor that the program may use; nil for all.
    init(_ workplace: Workplace, number: Int, core: Int? = nil) throws {
        self.number = number
        let words = (core.map { ["taskset", "-c", "\($0)"] } ?? []) + [Workplace.program]
        terminal = try PseudoTerminal("/usr/bin/env", words, environment: workplace.environment)
        terminal.onFrame = { [unowned self] screen, _ in frames.append(screen) }
    }

    deinit {
        if terminal.exitStatus == nil { _ = kill() }
    }

    /// Reads output for the given time in milliseconds.
    func linger(milliseconds: Int) throws {
        let end = PseudoTerminal.now + UInt64(milliseconds) * 1_000_000
        while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
    }

    /// Kills the program.
    ///
    /// - Returns: whether it was alive until then.
    func kill() -> Bool {
        Foundation.kill(terminal.process, SIGKILL)
        return terminal.waitForExit() == 128 + SIGKILL
    }

    /// Discards the screens so far, which may show the previous life's work.
    func forgetFrames() { frames = FrameHistory() }

    /// All screens: everything the program ever sent, down to the last byte before the kill.
    var shown: [TerminalScreen] { frames.frames }

    /// The last screen, as text.
    var lastShown: String { shown.last?.lines.joined(separator: "\n") ?? "" }

    /// Returns the count that the sidebar last showed next to a name; nil if it did not show the name.
    func shownCount(of name: String) -> Int? {
        for screen in shown.reversed() {
            for line in screen.lines {
                let words = line.prefix(21).split(separator: " ")
                guard let first = words.first, first == name || first == "▌" + name else { continue }
                return words.count > 1 ? Int(words.last ?? "") : 0
            }
        }
        return nil
    }
}

/// A notebook's files as they are before each life; restored without starting a program.
struct NotebookTemplate {
    private let workplace: Workplace
    private let files: [(suffix: String, data: Data)]

    /// Saves the workplace's notebook as it is now.
    init(of workplace: Workplace) throws {
        self.workplace = workplace
        files = try ["", "-wal"].compactMap { suffix in
            let path = workplace.database.path + suffix
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return (suffix, try Data(contentsOf: URL(filePath: path)))
        }
    }

    func putBack() throws {
        let folder = workplace.database.deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        for file in files { try file.data.write(to: folder.appending(path: "notes.sqlite" + file.suffix)) }
    }
}

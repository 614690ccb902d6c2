import Foundation
import TerminalDriver

/// Measures editor actions other than typing, from the key to the last byte of the answer.
///
/// Each action is measured at each size and in a single line of megabytes.
struct EditorBenchmark {
    let workshop: Workshop
    let sizes: [Int]
    let rounds: Int
    /// The program's memory in megabytes with the first, smallest text; the base for the memory that larger texts add.
    private var memoryOfSmallest: Double?

    init(workshop: Workshop, sizes: [Int], rounds: Int) {
        (self.workshop, self.sizes, self.rounds) = (workshop, sizes, rounds)
    }

    /// A text, and its title in the report.
    private struct Text {
        let title: String
        let document: Contender.Document
    }

    /// An action and its keys; the keys in `before` bring the caret to its start.
    private struct Action {
        let name: String
        var before: [String] = []
        let keys: String
    }

    private static let start = "\u{1B}[1;5H"
    private static let end = "\u{1B}[1;5F"
    private static let actions = [
        Action(name: "a key", before: [start, "\u{1B}[B", "\u{1B}[B"], keys: "e"),
        Action(name: "page down", keys: "\u{1B}[6~"),
        Action(name: "to the end", before: [start], keys: end),
        Action(name: "a key at the end", before: [end], keys: "e"),
        Action(name: "to the start", before: [end], keys: start),
        Action(name: "select all, delete", before: [start], keys: "\u{01}\u{7F}"),
        Action(name: "undo of that", keys: "\u{1A}"),
        Action(name: "preview", before: [start], keys: "\u{05}"),
        Action(name: "a page of it", keys: "\u{1B}[6~"),
        Action(name: "back to writing", keys: "\u{05}"),
    ]

    mutating func run() throws {
        for text in try texts() {
            do {
                try measure(text)
            } catch {
                Report.write("\n\(text.title): \(error)")
            }
        }
    }

    private func texts() throws -> [Text] {
        var texts = try sizes.map {
            Text(title: "\($0 / 1000) KB", document: try Contender.document(bytes: $0, in: workshop))
        }
        var prose = Prose(seed: 5)
        var line = "# document of one line "
        while line.utf8.count < 5_000_000 { line += prose.paragraph(words: 200) + " " }
        let made = try workshop.notebook("line", [.init(text: line)])
        let document = Contender.Document(
            bytes: line.utf8.count, file: try workshop.write(line, to: "line.md"), middleLine: 1, notebook: made.path,
            note: made.notes[0].id.description)
        texts.append(Text(title: "a line of 5 MB", document: document))
        return texts
    }

    private mutating func measure(_ text: Text) throws {
        var opened = Samples()
        var results: [String: Samples] = [:]
        var (memory, peak): (Double?, Double?) = (nil, nil)
        for round in 0..<rounds {
            let notebook = try untouched(text.document.notebook, round)
            let began = PseudoTerminal.now
            let terminal = try PseudoTerminal(
                workshop.program, ["--database", notebook, "open", text.document.note],
                environment: workshop.environment("tn"))
            try terminal.wait(for: "document of", seconds: 60)
            opened.values.append(Double(terminal.lastArrival - began) / 1e6)
            try terminal.settle(quiet: 700, atMost: 20)
            (memory, peak) = (
                ProcessFacts.memory(terminal.process, "VmRSS"), ProcessFacts.memory(terminal.process, "VmHWM")
            )
            for action in Self.actions { try time(action, in: terminal, &results[action.name, default: Samples()]) }
            try time(paste, in: terminal, &results[paste.name, default: Samples()])
            try find(in: terminal, &results)
        }
        var rows = [["from the shell to the text", Report.number(opened.median), Report.number(opened.p99), ""]]
        for name in Self.actions.map(\.name) + [paste.name, "find, as typed", "next match"] {
            let median = results[name]?.median
            rows.append([
                name, Report.number(median), Report.number(results[name]?.p99),
                name.hasPrefix("a key") ? Report.within(median, Self.keyBudget) : "",
            ])
        }
        let added = Double(text.document.bytes) / 1e6
        let budgets = memoryOfSmallest.map { (settled: 60.0, peak: $0 + 8 * added) }
        if memoryOfSmallest == nil { memoryOfSmallest = memory }
        rows.append(["memory, MB", Report.number(memory), "", budgets.map { Report.within(memory, $0.settled) } ?? ""])
        rows.append([
            "memory at the most, MB", Report.number(peak), "", budgets.map { Report.within(peak, $0.peak) } ?? "",
        ])
        Report.table("The editor in \(text.title)", ["what", "median", "p99", "in budget"], rows)
    }

    /// The time limit of a key in milliseconds in the worst text, a line of megabytes: one frame of a screen.
    private static let keyBudget = 16.0

    /// Returns a copy of a notebook in a separate folder, so that a round's changes do not affect other rounds.
    private func untouched(_ notebook: String, _ round: Int) throws -> String {
        let folder = notebook + ".round-\(round)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = folder + "/notes.sqlite"
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: notebook + ending) {
            try FileManager.default.copyItem(atPath: notebook + ending, toPath: copy + ending)
        }
        return copy
    }

    private var paste: Action {
        let megabyte = String(repeating: "pasted words of a long text\n", count: 37_450)
        return Action(name: "paste of 1 MB", before: [Self.start], keys: "\u{1B}[200~" + megabyte + "\u{1B}[201~")
    }

    private func time(_ action: Action, in terminal: PseudoTerminal, _ samples: inout Samples) throws {
        for key in action.before {
            try terminal.send(key)
            try terminal.settle(quiet: 40, atMost: 3)
        }
        let nanoseconds = try terminal.timeToSettle(Array(action.keys.utf8), quiet: 40)
        if nanoseconds > 0 { samples.values.append(Double(nanoseconds) / 1e6) }
        try terminal.settle(quiet: 60, atMost: 5)
    }

    /// Types the letters of a rare word one by one, then goes to the next match.
    private func find(in terminal: PseudoTerminal, _ results: inout [String: Samples]) throws {
        try time(Action(name: "", before: [Self.start], keys: "\u{06}"), in: terminal, &results["", default: Samples()])
        for letter in ["l", "u", "k", "a"] {
            let action = Action(name: "find, as typed", keys: letter)
            try time(action, in: terminal, &results[action.name, default: Samples()])
        }
        let next = Action(name: "next match", keys: "\r")
        for _ in 0..<5 { try time(next, in: terminal, &results[next.name, default: Samples()]) }
        try terminal.send("\u{1B}")
        try terminal.settle(quiet: 100, atMost: 2)
    }
}

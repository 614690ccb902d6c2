import Foundation
import TerminalDriver

/// Measures keys at a thousand carets, from the key to the last byte of the answer.
struct CaretBenchmark {
    let workshop: Workshop
    let rounds: Int

    /// The most milliseconds that a key may take: one frame of a screen.
    private static let budget = 16.0
    private static let carets = 1_000
    private static let keys = [
        (name: "a letter", bytes: "x"), (name: "Backspace", bytes: "\u{7F}"), (name: "Left", bytes: "\u{1B}[D"),
        (name: "Enter", bytes: "\r"), (name: "undo", bytes: "\u{1A}"),
    ]

    func run() throws {
        try measure("paragraphs") { "paragraph \($0) alpha\n\nanother paragraph\n\n" }
        try measure("numbered items") { "\($0). item alpha\n" }
    }

    private func measure(_ name: String, _ piece: (Int) -> String) throws {
        let text = "# carets document of\n\n" + (1...Self.carets).map(piece).joined()
        let made = try workshop.notebook("carets-" + name.prefix(4), [.init(text: text)])
        let terminal = try PseudoTerminal(
            workshop.program, ["--database", made.path, "open", made.notes[0].id.description],
            environment: workshop.environment("tn"))
        try terminal.wait(for: "document of", seconds: 60)
        try terminal.settle(quiet: 500, atMost: 10)
        // Go to the word that all lines contain, select its matches, and go to the ends of their lines.
        for key in ["\u{1B}[1;5H", "\u{1B}[B", "\u{1B}[B", "\u{1B}[F", "\u{1B}[1;5D", "\u{1B}m", "\u{1B}[F"] {
            try terminal.send(key)
            try terminal.settle(quiet: 60, atMost: 5)
        }
        var samples: [String: Samples] = [:]
        for _ in 0..<rounds {
            for key in Self.keys {
                let nanoseconds = try terminal.timeToSettle(Array(key.bytes.utf8), quiet: 40)
                if nanoseconds > 0 { samples[key.name, default: Samples()].values.append(Double(nanoseconds) / 1e6) }
                try terminal.settle(quiet: 400, atMost: 5)
            }
        }
        Report.table(
            "A key at \(Self.carets) carets in \(name)", ["key", "median", "p99", "in budget"],
            Self.keys.map { key in
                let median = samples[key.name]?.median
                return [
                    key.name, Report.number(median), Report.number(samples[key.name]?.p99),
                    Report.within(median, Self.budget),
                ]
            })
    }
}

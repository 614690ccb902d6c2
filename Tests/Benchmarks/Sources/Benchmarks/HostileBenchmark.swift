import TerminalDriver

/// Measures keys in the middle of texts designed to be slow.
///
/// No letter or other key may exceed the budget, not even during a save.
struct HostileBenchmark {
    let workshop: Workshop
    /// The factor by which the texts are reduced.
    let scale: Int
    /// The number of letters typed into each text, and of other keys pressed.
    let keys: Int

    /// The time limit of a key in milliseconds, in any text.
    private static let budget = 50.0

    /// A text in two halves; between them is the word to which the caret is brought.
    private struct Text {
        let name: String
        let before: String
        let after: String

        var whole: String { before + " mitte " + after }

        /// Halves of the given number of pieces each, below a heading.
        init(_ name: String, halves count: Int, of piece: String) {
            self.init(name, count) { _ in piece }
        }

        /// Halves of the given number of numbered pieces each, below a heading.
        init(_ name: String, _ count: Int, _ piece: (Int) -> String) {
            self.name = name
            before = "# document of \(name)\n\n" + (0..<count).map(piece).joined()
            after = (count..<2 * count).map(piece).joined()
        }

        init(_ name: String, before: String, after: String) {
            (self.name, self.before, self.after) = (name, "# document of \(name)\n\n" + before, after)
        }
    }

    private var texts: [Text] {
        let thousand = 1000 / scale
        let million = 1_000_000 / scale
        return [
            Text("a line of 10 MB", halves: million, of: "word "),
            Text("a word of 10 MB", halves: 5 * million, of: "x"),
            Text("100,000 headings", 50 * thousand) { "# heading \($0)\n" },
            Text("1,000 levels of quotes", before: repeated("> ", thousand), after: "deep\n"),
            Text("1,000 levels of lists", thousand / 2) { repeated("  ", $0) + "- item\n" },
            Text("quotes and lists in turn", before: repeated("> - ", thousand / 2), after: "deep\n"),
            Text("100,000 brackets", halves: 50 * thousand, of: "["),
            Text(
                "100,000 closed brackets", before: repeated("![", 50 * thousand), after: repeated("](x)", 50 * thousand)
            ),
            Text("100,000 delimiters", halves: 50 * thousand, of: "*a_`~"),
            Text("1 MB of code marks", thousand / 2) { repeated("`", $0 % 1400) + " " },
            Text("1 MB of controls", halves: million / 10, of: "\u{1B}[2J\u{0}\u{202E}\u{9B}"),
            Text(
                "1 MB of nested HTML", before: repeated("<div><!--", million / 20),
                after: repeated("</div>", million / 12)),
            Text(
                "a table of 10,000 rows", before: "| a | b | c |\n|---|:-:|--:|\n" + rows(5000 / scale),
                after: rows(5000 / scale)),
            Text("a table of 1,000 columns", 250 / scale) { _ in repeated("| cell ", thousand) + "|\n" },
            Text("1 MB of emoji", halves: million / 36, of: "👨‍👩‍👧🇺🇸"),
            Text("a cluster of 1 MB", before: "e", after: repeated("\u{301}\u{200D}", million / 5)),
            Text("100,000 definitions", 50 * thousand) { "[label \($0)]: /target\n" },
            Text("100,000 open fences", 50 * thousand) { _ in "```x\n~~~\n" },
        ]
    }

    private func repeated(_ piece: String, _ count: Int) -> String { String(repeating: piece, count: count) }

    private func rows(_ count: Int) -> String { (0..<count).map { "| \($0) | **cell** | `c` |\n" }.joined() }

    func run() throws {
        var table: [[String]] = []
        for text in texts {
            do {
                table.append(try measure(text))
            } catch {
                Report.write("\n\(text.name): \(error)")
                table.append([text.name] + Array(repeating: "", count: 6) + ["**no**"])
            }
        }
        Report.table(
            "Keys in the middle of texts that are made to be slow",
            [
                "text", "KB", "a letter", "the slowest", "another key", "the slowest", "while it is saved",
                "all within \(Int(Self.budget))",
            ], table)
    }

    private func measure(_ text: Text) throws -> [String] {
        let whole = text.whole
        let made = try workshop.notebook(text.name, [.init(text: whole)])
        let terminal = try Contender.startNotebook(made.path, made.notes[0].id.description, workshop)
        var (letters, others, saved) = (Samples(), Samples(), Samples())
        for index in 0..<keys {
            letters.values.append(
                Double(try terminal.timeToPrint(UInt8(ascii: "A") + UInt8(index % 26)).nanoseconds) / 1e6)
            if index % 7 == 6 { letters.values.append(try timeToFrame(" ", in: terminal)) }
        }
        for key in Self.others(keys) { others.values.append(try timeToFrame(key, in: terminal)) }
        // A save begins some 300 ms after a key; the next keys come during the save.
        for pause in stride(from: Int32(290), to: 440, by: 10) {
            try terminal.send("e")
            let end = PseudoTerminal.now + UInt64(pause) * 1_000_000
            while PseudoTerminal.now < end { try terminal.pump(milliseconds: 1) }
            saved.values.append(Double(try terminal.timeToPrint(UInt8(ascii: "Z")).nanoseconds) / 1e6)
        }
        let slowest = [letters, others, saved].compactMap { $0.values.max() }.max()
        return [
            text.name, Report.number(Double(whole.utf8.count) / 1000), Report.number(letters.median),
            Report.number(letters.values.max()), Report.number(others.median), Report.number(others.values.max()),
            Report.number(saved.values.max()), Report.within(slowest, Self.budget),
        ]
    }

    /// Keys that delete, move, break lines and page, each of which has a visible effect.
    private static func others(_ count: Int) -> [String] {
        let keys = [
            "\u{7F}", "\u{1B}[D", "\u{1B}[C", "\r", "\u{7F}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[6~", "\u{1B}[5~",
            "\u{1A}",
            "\u{19}", "\u{1B}[1;2D", "\u{1B}[C",
        ]
        return (0..<count).map { keys[$0 % keys.count] }
    }

    /// Returns the milliseconds from a key to its first output; no output within half a second counts as that time.
    private func timeToFrame(_ key: String, in terminal: PseudoTerminal) throws -> Double {
        try terminal.settle(quiet: 30, atMost: 1)
        let (start, before) = (PseudoTerminal.now, terminal.byteCount)
        try terminal.send(key)
        while terminal.byteCount == before, PseudoTerminal.now - start < 500_000_000 {
            guard !terminal.isClosed else {
                throw PseudoTerminal.Failure(description: "ended by \(key.debugDescription)")
            }
            try terminal.pump(milliseconds: 20)
        }
        return Double((terminal.byteCount > before ? terminal.lastArrival : PseudoTerminal.now) - start) / 1e6
    }
}

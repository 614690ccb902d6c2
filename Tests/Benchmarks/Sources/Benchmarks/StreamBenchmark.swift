import TerminalDriver

/// Measures streams of keys: 10,000 at once, without Enter and with Enter after each 50, a key held down at 60 and 1,000 a second, and page by page.
struct StreamBenchmark {
    let workshop: Workshop
    let rounds: Int

    func run() throws {
        let document = try Contender.document(bytes: 100_000, in: workshop)
        var rows: [[String]] = []
        var heapOfNeovim: Double?
        for contender in Contender.all(workshop).sorted(by: { $0.name == "nvim" && $1.name != "nvim" }) {
            do {
                let terminal = try contender.start(document)
                var (heap, lines, slow, fast, pages) = (Samples(), Samples(), Samples(), Samples(), Samples())
                for round in 0..<rounds {
                    heap.values.append(
                        try heapOfKeys(Self.words, terminal, marker: UInt8(ascii: "A") + UInt8(round)))
                    lines.values.append(
                        try heapOfKeys(Self.lines, terminal, marker: UInt8(ascii: "S") + UInt8(round)))
                    slow.values.append(try held(terminal, rate: 60, marker: UInt8(ascii: "G") + UInt8(round)))
                    fast.values.append(try held(terminal, rate: 1000, marker: UInt8(ascii: "M") + UInt8(round)))
                }
                for index in 0..<20 {
                    let key = index % 10 < 5 ? "\u{1B}[6~" : "\u{1B}[5~"
                    let time = try terminal.timeToSettle(Array(key.utf8), quiet: 12)
                    if time > 0 { pages.values.append(Double(time) / 1e6) }
                }
                if contender.name == "nvim" { heapOfNeovim = lines.median }
                rows.append([
                    contender.name, Report.number(heap.median), Report.number(lines.median),
                    Report.ratio(lines.median, to: heapOfNeovim),
                    Report.number(slow.median), Report.number(fast.median), Report.number(pages.median),
                    Report.number(pages.p99), contender.name == "tn" ? Report.within(lines.median, 25) : "",
                ])
            } catch {
                Report.write("\n\(contender.name): \(error)")
            }
        }
        Report.table(
            "Heaps of keys in 100 KB",
            [
                "program", "10,000 keys at once", "with Enter after each 50", "to nvim", "lag after a second at 60/s",
                "at 1,000/s", "page down", "page down p99", "in budget",
            ], rows)
    }

    private static let words = (0..<1999).flatMap { _ in Array("word ".utf8) } + Array("end ".utf8)
    private static let lines: [UInt8] = {
        let line = String(repeating: "word ", count: 9) + "word\r"
        return Array(String(repeating: line, count: 200).utf8)
    }()

    private func heapOfKeys(_ keys: [UInt8], _ terminal: PseudoTerminal, marker: UInt8) throws -> Double {
        try terminal.settle(quiet: 100, atMost: 2)
        let start = PseudoTerminal.now
        try terminal.send(keys)
        _ = try terminal.timeToPrint(marker, seconds: 60)
        return Double(terminal.lastArrival - start) / 1e6
    }

    /// Holds a key down for a second; returns the time from the last repeat to its frame.
    private func held(_ terminal: PseudoTerminal, rate: Int, marker: UInt8) throws -> Double {
        try terminal.settle(quiet: 100, atMost: 2)
        var next = PseudoTerminal.now
        for index in 0..<rate {
            try terminal.send([index % 6 == 5 ? 0x20 : UInt8(ascii: "e")])
            next += 1_000_000_000 / UInt64(rate)
            while PseudoTerminal.now < next {
                try terminal.pump(milliseconds: Int32((next - min(next, PseudoTerminal.now)) / 1_000_000))
            }
        }
        return Double(try terminal.timeToPrint(marker, seconds: 30).nanoseconds) / 1e6
    }
}

import TerminalDriver

/// Measures single keys in a wrapped and highlighted text, inside a paragraph and on a new line after the last one: time,
/// bytes, processor, and growth with size.
struct TypingBenchmark {
    private enum Place: CaseIterable {
        case inside, newLine

        var title: String { self == .inside ? "inside a paragraph" : "on a new line at the end" }
    }

    let workshop: Workshop
    let sizes: [Int]
    /// The number of rounds, in each of which every program is typed into in turn, and the number of keys of a round.
    let rounds: Int
    let keys: Int

    /// The measurements of one program at one size.
    private struct Result {
        var times = Samples()
        var bytes = Samples()
        var allBytes = Samples()
        var processor = Samples()
        var instructions = Samples()
    }

    /// The budget of a key in `tn`: milliseconds, at the median, at the 99th percentile and of the processor; bytes;
    /// instructions in user mode.
    private static let budget = (median: 0.4, p99: 3.0, processor: 1.5, bytes: 12.0, instructions: 200_000.0)

    func run() throws {
        for place in Place.allCases { try run(place) }
    }

    private func run(_ place: Place) throws {
        let contenders = Contender.all(workshop)
        var medians: [String: Double] = [:]
        for size in sizes {
            let document = try Contender.document(bytes: size, in: workshop)
            var results: [String: Result] = [:]
            var terminals: [String: PseudoTerminal] = [:]
            for contender in contenders {
                do {
                    let terminal = try contender.start(document)
                    if place == .newLine {
                        try terminal.send(contender.newLine)
                        try terminal.settle(quiet: 700, atMost: 5)
                    }
                    terminals[contender.name] = terminal
                } catch {
                    Report.write("\n\(contender.name) could not be brought to the middle of \(size) bytes: \(error)")
                }
            }
            for _ in 0..<rounds {
                for contender in contenders {
                    guard let terminal = terminals[contender.name] else { continue }
                    do {
                        try type(into: terminal, &results[contender.name, default: Result()])
                    } catch {
                        Report.write("\n\(contender.name): \(error)")
                        terminals[contender.name] = nil
                    }
                }
            }
            report(place, size, contenders.map(\.name), results, &medians)
        }
    }

    private func type(into terminal: PseudoTerminal, _ result: inout Result) throws {
        let processorBefore = ProcessFacts.processorTime(terminal.process)
        for index in 0..<keys {
            // A marker that the text does not contain; occasional spaces turn the markers into words.
            let marker = UInt8(ascii: "A") + UInt8(index % 26)
            let bytesBefore = terminal.byteCount
            let (nanoseconds, bytes) = try terminal.timeToPrint(marker)
            result.times.values.append(Double(nanoseconds) / 1e6)
            result.bytes.values.append(Double(bytes))
            // As a hand types, which leaves room for what a program does between two keys.
            try terminal.settle(quiet: 60, atMost: 0.1)
            result.allBytes.values.append(Double(terminal.byteCount - bytesBefore))
            if index % 7 == 6 { _ = try terminal.timeToSettle([0x20], quiet: 6) }
        }
        let used = ProcessFacts.processorTime(terminal.process) - processorBefore
        result.processor.values.append(Double(used) / 1e6 / Double(keys))
        // Counting slows the program down, so these keys are not timed.
        let counted = try ProcessFacts.instructions(of: terminal.process, in: workshop.folder) {
            for index in 0..<keys { _ = try terminal.timeToPrint(UInt8(ascii: "A") + UInt8(index % 26)) }
        }
        if let counted { result.instructions.values.append(counted / Double(keys)) }
    }

    private func report(
        _ place: Place, _ size: Int, _ names: [String], _ results: [String: Result], _ medians: inout [String: Double]
    ) {
        let floor = results["echo floor"]?.times.median
        let neovim = results["nvim"]?.times.median
        let rows = names.compactMap { name -> [String]? in
            guard let result = results[name], let median = result.times.median else { return nil }
            if size == sizes[0] { medians[name] = median }
            return [
                name, Report.number(median), Report.number(result.times.p99), Report.ratio(median, to: floor),
                Report.ratio(median, to: neovim), Report.number(result.bytes.median),
                Report.number(result.allBytes.median), Report.number(result.processor.median),
                Report.number(result.instructions.median), Report.ratio(median, to: medians[name]),
                name == "tn" ? keepsBudget(result, median, neovim) : "",
            ]
        }
        Report.table(
            "A key \(place.title) of \(size / 1000) KB, wrapped and highlighted",
            [
                "program", "median", "p99", "to the floor", "to nvim", "bytes", "bytes with what follows",
                "processor", "instructions", "to \(sizes[0] / 1000) KB", "in budget",
            ], rows)
    }

    /// `yes`, or the quantities that exceed the budget.
    private func keepsBudget(_ result: Result, _ median: Double, _ neovim: Double?) -> String {
        var over: [String] = []
        if median > Self.budget.median { over.append("time") }
        if let neovim, median > neovim / 2 { over.append("time beside nvim") }
        if result.processor.median ?? 0 > Self.budget.processor { over.append("processor") }
        if result.times.p99 ?? 0 > Self.budget.p99 { over.append("p99") }
        if result.bytes.median ?? 0 > Self.budget.bytes { over.append("bytes") }
        if result.instructions.median ?? 0 > Self.budget.instructions { over.append("instructions") }
        return over.isEmpty ? "yes" : "**no**: " + over.joined(separator: ", ")
    }
}

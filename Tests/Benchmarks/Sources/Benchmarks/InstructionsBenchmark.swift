import Foundation
import TerminalDriver

/// Counts the instructions of a typed key with valgrind, which gives the same number on any machine, busy or not.
///
/// The program is run twice, the second time with twice as many keys. The difference is what the additional keys cost;
/// the start, the first edit's copy of the text and the last save are in both runs.
struct InstructionsBenchmark {
    let workshop: Workshop
    let sizes: [Int]
    let keys: Int

    /// The budget of a key on the main thread, from the byte to the frame.
    private static let budget = 200_000.0

    private struct Count {
        var main = 0.0
        var others = 0.0
    }

    func run() throws {
        guard Workshop.isInstalled("valgrind"), Workshop.isInstalled("strip") else {
            return Report.write("\nvalgrind and strip are needed to count instructions.")
        }
        // Valgrind may not understand the format of the debug symbols.
        let program = workshop.folder.appending(path: "tn-without-symbols").path
        _ = try workshop.time(
            "strip", ["-g", "-o", program, workshop.program], environment: workshop.environment("strip"))
        var rows: [[String]] = []
        for size in sizes {
            let document = try Contender.document(bytes: size, in: workshop)
            let (first, second) = (try count(program, document, keys), try count(program, document, 2 * keys))
            let main = (second.main - first.main) / Double(keys)
            let others = (second.others - first.others) / Double(keys)
            rows.append([
                "\(size / 1000) KB", Report.number(main), Report.number(others), Report.within(main, Self.budget),
            ])
        }
        Report.table(
            "The instructions of a key on a new line at the end",
            ["text", "main thread", "other threads", "in budget"], rows)
    }

    /// Counts the instructions of a run in which `keys` letters are typed.
    private func count(_ program: String, _ document: Contender.Document, _ keys: Int) throws -> Count {
        let output = workshop.folder.appending(path: "instructions-\(document.bytes)-\(keys)").path
        var environment = workshop.environment("instructions-\(keys)")
        // Otherwise the program sets this and executes itself again, which would execute valgrind's own file.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let notebook = output + ".sqlite"
        try FileManager.default.copyItem(atPath: document.notebook, toPath: notebook)
        let terminal = try PseudoTerminal(
            "valgrind",
            [
                "-q", "--tool=callgrind", "--separate-threads=yes", "--fair-sched=yes",
                "--callgrind-out-file=\(output)", program, "--database", notebook, "open", document.note,
            ], environment: environment)
        try terminal.wait(for: "document of")
        try terminal.waitUntilIdle(milliseconds: 500)
        // Go to the end of the text and begin a new line.
        try terminal.send("\u{1B}[1;5F\r")
        try terminal.waitUntilIdle(milliseconds: 500)
        for index in 0..<keys {
            // Type letters that the text does not contain; occasional spaces make words of them.
            _ = try terminal.timeToPrint(UInt8(ascii: "A") + UInt8(index % 26))
            if index % 7 == 6 { try terminal.send(" ") }
            try terminal.settle(quiet: 60, atMost: 0.12)
        }
        try terminal.waitUntilIdle(milliseconds: 3000)
        try terminal.send([0x11])
        guard terminal.waitForExit() == 0 else {
            throw PseudoTerminal.Failure(description: "valgrind did not end well:\n\(terminal.screen.lines)")
        }
        return try totals(output)
    }

    /// Adds up what valgrind has written for each thread; the main thread is the first one.
    private func totals(_ output: String) throws -> Count {
        let folder = URL(filePath: output).deletingLastPathComponent()
        let name = URL(filePath: output).lastPathComponent + "-"
        var count = Count()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix(name) {
            let text = try String(contentsOfFile: folder.appending(path: file).path, encoding: .utf8)
            let line = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }
            let total = line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
            if file.hasSuffix("-01") { count.main += total } else { count.others += total }
        }
        return count
    }
}

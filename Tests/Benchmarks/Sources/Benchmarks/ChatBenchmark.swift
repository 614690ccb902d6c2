import Foundation
import Intelligence
import NoteStore
import ScriptedServer
import Synchronization
import TerminalDriver

/// Measures an answer that a server streams into the chat: what a piece costs, when it is on the screen, what a key pays
/// for it, and the memory that it takes.
///
/// The server is a part of this program and sends its pieces by a clock, so the time that a model takes is not in the
/// figures.
struct ChatBenchmark {
    let workshop: Workshop
    /// The number of pieces of an answer.
    let pieces: Int
    let keys: Int

    /// The milliseconds between two pieces: what a fast model on this machine takes.
    private static let gap = 15

    func run() throws {
        var rows = [cost()]
        let times = Mutex<[UInt64]>([])
        let long = String(repeating: "nothing of note was said about it, ", count: 20)
        let script: [ScriptedServer.Reply] = [
            reply((0..<pieces).map { "w\(1000 + $0) " }) { times.withLock { $0.append(PseudoTerminal.now) } },
            // More pieces than the keys take time, and then enough text to fill memory.
            reply((0..<20_000).map { _ in "nothing " }), reply((0..<200).map { _ in long }, gap: 5),
        ]
        guard let server = ScriptedServer(script) else { throw PseudoTerminal.Failure(description: "no port is free") }
        defer { server.stop() }
        let terminal = try start(server)
        let before = ProcessFacts.memory(terminal.process, "VmRSS") ?? 0
        let idle = try typing(in: terminal)
        let processor = ProcessFacts.processorTime(terminal.process)
        let shown = try pieces(in: terminal, times)
        let used = Double(ProcessFacts.processorTime(terminal.process) - processor) / 1e6 / Double(pieces)
        try ask(terminal)
        try terminal.wait(for: "nothing nothing")
        let streaming = try typing(in: terminal)
        try terminal.send("\u{1B}")
        try terminal.wait(for: "stopped")
        try ask(terminal)
        try terminal.wait(for: "the long answer") { !$0.contains("answering") && $0.contains("said about it") }
        try terminal.settle(quiet: 500)
        let memory = (ProcessFacts.memory(terminal.process, "VmRSS") ?? 0) - before
        rows += [
            row("a piece in the window, its curl included, processor", [used], target: 0.3, isMean: true),
            row("a piece from the server to the screen", shown, target: 40),
            row("a key in the chat, nothing streams", idle, target: nil),
            row("a key in the chat while an answer streams", streaming, target: nil),
            row("memory of an answer of 140 KB, MB", [memory], target: 20, isMean: true),
        ]
        Report.table("An answer that streams", ["", "median", "p99", "target", "in budget"], rows)
        let (calm, busy) = (Samples(values: idle).median ?? 0, Samples(values: streaming).median ?? 0)
        let ratio = Report.ratio(busy, to: calm)
        Report.write("\nA key while an answer streams takes \(ratio) the time of one without; the target is 1.02 x.")
        try terminal.send("\u{11}")
        _ = terminal.waitForExit(seconds: 10)
    }

    private func row(_ name: String, _ values: [Double], target: Double?, isMean: Bool = false) -> [String] {
        let samples = Samples(values: values)
        return [
            name, Report.number(samples.median), isMean ? "" : Report.number(samples.p99), Report.number(target),
            target.map { Report.within(samples.p99, $0) } ?? "",
        ]
    }

    /// The time that the modules take for one piece, from its bytes to its text with links.
    private func cost() -> [String] {
        let note = NoteID()
        let chunk = Chunk(note: note, title: "Budget", headings: [], text: "The budget must not grow beyond that.")
        var (decoder, builder) = (EventStreamDecoder(), AnswerBuilder())
        var reader = CitationReader([chunk], form: .link)
        var times: [Double] = []
        for number in 0..<2000 {
            let text = number % 12 == 11 ? " [1]. The" : " budget"
            let delta = "{\"content\":\(ScriptedServer.Reply.quoted(text))}"
            let choice = "{\"index\":0,\"delta\":\(delta),\"finish_reason\":null}"
            let head = #"{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":"#
            let bytes = Array("data: \(head)[\(choice)]}\n\n".utf8)
            let start = PseudoTerminal.now
            for event in decoder.decode(bytes).flatMap({ builder.take($0) }) {
                if case .text(let words) = event { _ = reader.read(words) }
            }
            times.append(Double(PseudoTerminal.now - start) / 1e6)
        }
        return row("a piece, from bytes to text with links", times, target: 0.3)
    }

    private func reply(
        _ words: [String], gap: Int = gap, _ sent: @escaping @Sendable () -> Void = {}
    ) -> ScriptedServer.Reply {
        var acts: [ScriptedServer.Act] = [.send(Array(ScriptedServer.Reply.streamHead.utf8))]
        for word in words {
            acts.append(
                .answer { _ in
                    sent()
                    let choice = "{\"delta\":{\"content\":\(ScriptedServer.Reply.quoted(word))}}"
                    return "data: {\"choices\":[\(choice)]}\n\n"
                })
            acts.append(.pause(gap))
        }
        return ScriptedServer.Reply(acts + [.send(Array("data: [DONE]\n\n".utf8))])
    }

    /// Starts the window with the chat open.
    private func start(_ server: ScriptedServer) throws -> PseudoTerminal {
        let environment = workshop.environment("chat")
        let folder = URL(filePath: environment["HOME"] ?? "/").appending(path: ".config/takenote")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let provider = "[ai.provider.local]\nurl = \"\(server.url)\"\nmodel = \"m\"\n"
        try Data("[ai]\nchat = \"local\"\n\(provider)".utf8).write(to: folder.appending(path: "config.toml"))
        let path = try workshop.notebook("chat", [NewNote(text: "budget\n\nthe budget must not grow.\n")]).path
        let terminal = try PseudoTerminal(workshop.program, ["--database", path], environment: environment)
        try terminal.wait(for: "must not grow")
        try terminal.settle(quiet: 300, atMost: 5)
        try terminal.send("\u{1B}i")
        try terminal.wait(for: "Ask something")
        try terminal.settle(quiet: 300, atMost: 5)
        return terminal
    }

    private func ask(_ terminal: PseudoTerminal) throws {
        // What the keys have typed is removed first.
        try terminal.send([0x15])
        try terminal.send("budget\r")
    }

    /// The milliseconds from a key to the frame that shows it.
    private func typing(in terminal: PseudoTerminal) throws -> [Double] {
        // Each capital is used once, so that a frame with it is the one that prints it.
        try (0..<keys).map { index in
            if index % 26 == 0 { try terminal.send([0x15]) }
            return Double(try terminal.timeToPrint(UInt8(ascii: "A") + UInt8(index % 26)).nanoseconds) / 1e6
        }
    }

    /// The milliseconds from the sending of each piece to the frame that shows it.
    private func pieces(in terminal: PseudoTerminal, _ times: borrowing Mutex<[UInt64]>) throws -> [Double] {
        let marks = (0..<pieces).map { "w\(1000 + $0)" }
        var (arrivals, next) = ([UInt64](), 0)
        try ask(terminal)
        terminal.onFrame = { screen, time in
            // A frame may show several new pieces, and the last one is always on the screen.
            let coming = marks[next..<min(next + 12, marks.count)]
            guard let last = coming.lastIndex(where: { screen.contains($0) }) else { return }
            while next <= last {
                arrivals.append(time)
                next += 1
            }
        }
        defer { terminal.onFrame = nil }
        try terminal.wait(for: "the last piece") { _ in next >= marks.count }
        try terminal.wait(for: "the end") { !$0.contains("answering") }
        return zip(times.withLock { $0 }, arrivals).map { Double($1 - min($0, $1)) / 1e6 }
    }
}

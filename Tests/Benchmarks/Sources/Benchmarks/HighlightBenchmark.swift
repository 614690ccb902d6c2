import Foundation
import Markdown
import TerminalDriver
import TextEditing

/// Measures the highlighting of a whole note, up to the spans of its last line, and cmark-gfm's parsing of it.
///
/// The program highlights the visible part and reads the rest in idle moments; this measures all of that work at once.
struct HighlightBenchmark {
    let workshop: Workshop
    let rounds: Int

    func run() throws {
        let document = try Contender.document(bytes: 10_000_000, in: workshop)
        let text = try String(contentsOfFile: document.file, encoding: .utf8)
        let buffer = TextBuffer(text)
        let lines = BufferLines(buffer: buffer)
        var (states, spans) = (Samples(), Samples())
        var runs = 0
        for _ in 0..<rounds {
            var highlighter = MarkdownHighlighter(.extended)
            let start = PseudoTerminal.now
            highlighter.reset(lines)
            while !highlighter.advance(lines, byteBudget: 1 << 20) {}
            let read = PseudoTerminal.now
            runs = 0
            for line in 0..<lines.lineCount { runs += highlighter.spans(ofLine: line, in: lines).runs.count }
            states.values.append(Double(read - start) / 1e6)
            spans.values.append(Double(PseudoTerminal.now - start) / 1e6)
        }
        var peers: [[String]] = []
        var budget: Double?
        let extensions = ["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist"]
        for options in [[], extensions] where Workshop.isInstalled("cmark-gfm") {
            var times = Samples()
            for _ in 0..<rounds {
                times.values.append(
                    try workshop.time(
                        "cmark-gfm", options + [document.file], environment: workshop.environment("highlight")))
            }
            peers.append(row((["cmark-gfm"] + options).joined(separator: " "), times.median, of: text) + [""])
            budget = times.median
        }
        let spansRow = row("blocks and spans of all lines, \(runs) spans", spans.median, of: text)
        let rows =
            [
                row("blocks of all lines", states.median, of: text) + [""],
                // The budget comes from the last measured parser, which supports the same extensions.
                spansRow + [budget.map { Report.within(spans.median, $0) } ?? ""],
            ] + peers
        Report.table("Highlighting of a whole note, 10 MB", ["what", "median", "MB/s", "in budget"], rows)
    }

    private func row(_ what: String, _ milliseconds: Double?, of text: String) -> [String] {
        [what, Report.number(milliseconds), Report.number(milliseconds.map { Double(text.utf8.count) / 1000 / $0 })]
    }
}

/// Passes the lines of a text to the highlighter as the editor does.
private struct BufferLines: LineSource {
    let buffer: TextBuffer

    var lineCount: Int { buffer.lineCount }

    func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try buffer.withUTF8(of: LineNumber(index), body)
    }
}

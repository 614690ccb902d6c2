import Foundation
import Intelligence
import NoteStore
import TerminalDriver

/// Measures the work that needs no model, or comes before a request to one: summaries, passages, related notes and
/// vectors.
///
/// The time that a model takes is not the program's. There is no peer to compare with, so the figures are shown beside
/// targets.
struct IntelligenceBenchmark {
    let workshop: Workshop
    let counts: [Int]
    /// The number of vectors that are searched.
    let vectors: Int
    let rounds: Int

    /// The number of dimensions of a usual small embedding.
    private static let dimensions = 384

    func run() throws {
        var rows = [try summary(bytes: 10_000), try scan()]
        for count in counts { rows += try retrieval(count) }
        Report.table(
            "Without a model, or before it is asked", ["", "of", "median", "p99", "target", "in budget"], rows)
    }

    private func row(
        _ name: String, _ size: String, target: Double, _ body: (Int) throws -> Void
    ) rethrows -> [String] {
        var times = Samples()
        // The first run reads the pages into the cache.
        for round in 0...rounds {
            let start = PseudoTerminal.now
            try body(round)
            if round > 0 { times.values.append(Double(PseudoTerminal.now - start) / 1e6) }
        }
        return [
            name, size, Report.number(times.median), Report.number(times.p99), Report.number(target),
            Report.within(times.p99, target),
        ]
    }

    private func summary(bytes: Int) throws -> [String] {
        var prose = Prose(seed: 7)
        var text = "# a long note\n"
        while text.utf8.count < bytes {
            let sentences = (0..<5).map { _ in (0..<14).map { _ in prose.word() }.joined(separator: " ").capitalized }
            text += "\n" + sentences.map { $0 + "." }.joined(separator: " ") + "\n"
        }
        return row("summary of a note", "\(text.utf8.count / 1000) KB", target: 5) { _ in
            _ = ExtractiveSummary.of(text, title: "a long note")
        }
    }

    private func scan() throws -> [String] {
        var prose = Prose(seed: 11)
        func code() -> [Int8] { (0..<Self.dimensions).map { _ in Int8(truncatingIfNeeded: prose.next()) } }
        var content = VectorFile.Content()
        let note = NoteID()
        for number in 0..<vectors { content.add(VectorKey(note: note, text: "\(number)"), code()) }
        let question = code()
        return row("scan of vectors", "\(vectors) vectors", target: 20) { _ in
            _ = VectorScan(content).nearest(to: question[...], count: 50)
        }
    }

    private func retrieval(_ count: Int) throws -> [[String]] {
        let notebook = try Notebook.open(try workshop.filledNotebook(count))
        let notes = notebook.retrieval.sendable(for: .reader)
        // The targets are for a hundred thousand notes; fewer must not take longer.
        var prose = Prose(seed: 13)
        let questions = (0...rounds).map { _ in (0..<6).map { _ in prose.word() }.joined(separator: " ") }
        // A letter in the middle of each long word is missing.
        let slips = questions.map { question in
            question.split(separator: " ").map { word in
                word.count < 6 ? String(word) : String(word.prefix(3) + word.dropFirst(4))
            }.joined(separator: " ")
        }
        let some = try notebook.lists.rows(ListQuery(container: .allNotes), limit: rounds + 1)
        let size = "\(count) notes"
        var rows: [[String]] = []
        rows.append(
            try row("passages for a question", size, target: 50) { round in
                _ = try PassageFinder(notes).passages(for: questions[round])
            })
        rows.append(
            try row("passages for a misspelt question", size, target: 50) { round in
                _ = try PassageFinder(notes).passages(for: slips[round])
            })
        rows.append(
            try row("related notes", size, target: 30) { round in
                guard let note = try notebook.notes.load(some[round % some.count].id) else { return }
                _ = try RelatedNotes.find(for: note, among: notes)
            })
        try notebook.close()
        return rows
    }
}

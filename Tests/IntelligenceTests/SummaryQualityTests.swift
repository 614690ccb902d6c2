import NoteStore
import Testing

@testable import Intelligence

/// Tests that a summary made without a model covers more of a reader's summary than the beginning of the note does.
struct SummaryQualityTests {
    /// The means of ROUGE-1, ROUGE-2 and ROUGE-L.
    private struct Scores: CustomStringConvertible {
        var values = [0.0, 0.0, 0.0]

        mutating func add(_ summary: String, _ reference: String, of count: Int) {
            let scores = [Rouge.one, Rouge.two, Rouge.longest].map { $0(summary, reference) }
            values = zip(values, scores).map { $0 + $1 / Double(count) }
        }

        func isAtLeast(_ other: Scores) -> Bool { zip(values, other.values).allSatisfy { $0 >= $1 } }

        var description: String { values.map { "\(($0 * 1000).rounded() / 1000)" }.joined(separator: " ") }
    }

    /// Returns the scores of our summaries, and of the first three sentences, at equal length.
    private static func scores(_ entries: [SummarySet.Entry]) -> (ours: Scores, lead: Scores) {
        var (ours, leads) = (Scores(), Scores())
        for entry in entries {
            let lead = Sentences.placed(inMarkdown: entry.text, title: entry.title).prefix(3)
                .map(\.text).joined(separator: " ")
            let summary = ExtractiveSummary.of(entry.text, title: entry.title, length: max(lead.count, 160))
            ours.add(summary, entry.reference, of: entries.count)
            leads.add(lead, entry.reference, of: entries.count)
        }
        return (ours, leads)
    }

    @Test(arguments: [("tuning", SummarySet.tuning), ("held out", SummarySet.heldOut)])
    func `summaries of notes are better than their first three sentences`(part: String, entries: [SummarySet.Entry]) {
        let (ours, lead) = Self.scores(entries)
        print("\(part): ROUGE-1, -2, -L \(ours), of the first three sentences \(lead)")
        #expect(ours.isAtLeast(lead), "\(ours) against \(lead)")
    }

    @Test func `the line that lists show has what was decided, not who was there`() throws {
        let minutes = try #require(SummarySet.tuning.first)
        let line = ExtractiveSummary.of(minutes.text, title: minutes.title)
        #expect(line.hasPrefix("Hoses are forbidden") && line.count <= ExtractiveSummary.usualLength, "\(line)")
        for entry in SummarySet.tuning + SummarySet.heldOut {
            let line = ExtractiveSummary.of(entry.text, title: entry.title)
            #expect((40...ExtractiveSummary.usualLength).contains(line.count), "\(line)")
        }
    }

    // MARK: - The measure

    @Test func `ROUGE counts words, pairs of words and words in order`() {
        let reference = "the cat sat on the mat"
        #expect(Rouge.one(reference, reference: reference) == 1 && Rouge.two(reference, reference: reference) == 1)
        #expect(Rouge.longest(reference, reference: reference) == 1)
        // Three of four words are among six: precision 3/4, recall 1/2.
        #expect(abs(Rouge.one("a cat on the", reference: reference) - 0.6) < 1e-9)
        // One pair of three, “on the”, is among five.
        #expect(abs(Rouge.two("a cat on the", reference: reference) - 0.25) < 1e-9)
        // A word counts at most as often as it occurs in the reference.
        #expect(abs(Rouge.one("cat cat cat cat", reference: reference) - 0.2) < 1e-9)
        // All six words, but no more than three of them in the order of the reference: “on the mat”.
        #expect(Rouge.one("on the mat the cat sat", reference: reference) == 1)
        #expect(abs(Rouge.longest("on the mat the cat sat", reference: reference) - 0.5) < 1e-9)
        #expect(Rouge.one("", reference: reference) == 0 && Rouge.two("cat", reference: reference) == 0)
        #expect(Rouge.longest("dog", reference: reference) == 0)
    }
}

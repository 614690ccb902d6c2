import Foundation
import NoteStore
import Testing

@testable import Intelligence

/// Tests that related notes, passages and summaries are good without any model.
///
/// Related notes are tested on a small set written here, passages and summaries on public sets if
/// `Resources/evaluation.sh` has fetched them.
struct QualityTests {
    // MARK: - Summaries

    /// Returns the first three sentences, which are hard to beat on news.
    private static func lead(_ text: String) -> String {
        Sentences.split(text).prefix(3).joined(separator: " ")
    }

    /// Returns the mean of ROUGE-2 for our summaries and for the first three sentences, at equal length.
    private static func scores(_ articles: [(text: String, summary: String)]) -> (ours: Double, lead: Double) {
        var (ours, leads) = (0.0, 0.0)
        for (text, reference) in articles {
            let lead = lead(text)
            ours += Rouge.two(ExtractiveSummary.of(text, length: max(lead.count, 160)), reference: reference)
            leads += Rouge.two(lead, reference: reference)
        }
        return (ours / Double(articles.count), leads / Double(articles.count))
    }

    // MARK: - Related notes

    @Test func `the related note that a person would name is among the first two`() throws {
        let test = try TestNotes()
        for text in RetrievalTests.notes { try test.add(text) }
        let pairs = [
            ("Sourdough", "Pizza dough"), ("Bicycle chain", "Cassette tools"), ("Swift notes", "Rust notes"),
            ("Piranesi", "Ficciones"), ("Cassette tools", "Bicycle chain"), ("Pizza dough", "Sourdough"),
            ("Rust notes", "Swift notes"), ("Tomatoes", "Garden plan"), ("Violin", "Choir"),
            ("Budget meeting", "Tax return"),
        ]
        var hits = 0
        var missed: [String] = []
        for (title, other) in pairs {
            let row = try test.notebook.notes.resolve(reference: title)
            let note = try #require(try test.notebook.notes.load(row.id))
            let found = try RelatedNotes.find(for: note, among: test.sendable()).prefix(2).map(\.row.title)
            if found.contains(other) { hits += 1 } else { missed.append("\(title): \(found)") }
        }
        #expect(hits >= 8, "\(missed)")
    }

    // MARK: - Public sets

    private static func data(_ variable: String) -> Data? {
        ProcessInfo.processInfo.environment[variable].flatMap { try? Data(contentsOf: URL(filePath: $0)) }
    }

    /// XQuAD: each paragraph is a note, and each question has one right note.
    @Test(.enabled(if: data("TN_XQUAD") != nil))
    func `questions of XQuAD find their paragraph`() throws {
        struct Set: Decodable {
            struct Article: Decodable { var title: String; var paragraphs: [Paragraph] }
            struct Paragraph: Decodable { var context: String; var qas: [Question] }
            struct Question: Decodable { var question: String }
            var data: [Article]
        }
        let set = try JSONDecoder().decode(Set.self, from: try #require(Self.data("TN_XQUAD")))
        let test = try TestNotes()
        var questions: [(text: String, note: NoteID)] = []
        for paragraph in set.data.flatMap(\.paragraphs) {
            let row = try test.add(paragraph.context)
            questions += paragraph.qas.map { ($0.question, row.id) }
        }
        let words = try gain(questions, PassageFinder(test.sendable()))
        print("XQuAD, \(questions.count) questions, nDCG@10 by words: \(words)")
        #expect(words >= 0.97)
        guard let url = ProcessInfo.processInfo.environment["TN_EMBED_URL"] else { return }
        let provider = Provider(name: "v", way: .server(try #require(ServerAddress(url))))
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let index = MeaningIndex(test.sendable(), provider: provider)
        try index.build(index.plan(), EmbeddingRun(provider, environment: environment))
        let finder = PassageFinder(test.sendable(), embedding: provider, environment: environment)
        #expect(finder.sendsQuestion)
        let fused = try gain(questions, finder)
        print("XQuAD, nDCG@10 by words and meaning: \(fused)")
        #expect(fused >= words)
    }

    /// Returns the mean normalised discounted cumulative gain at ten, with one right note.
    private func gain(_ questions: [(text: String, note: NoteID)], _ finder: PassageFinder) throws -> Double {
        var sum = 0.0
        for (text, note) in questions {
            var seen: [NoteID] = []
            for passage in try finder.passages(for: text, limit: 30).passages where !seen.contains(passage.chunk.note) {
                seen.append(passage.chunk.note)
            }
            if let place = seen.prefix(10).firstIndex(of: note) { sum += 1 / log2(Double(place + 2)) }
        }
        return sum / Double(questions.count)
    }

    /// CNN/DM: articles with the highlights that their editors wrote.
    @Test(.enabled(if: data("TN_CNNDM") != nil))
    func `summaries of news are no worse than their first three sentences`() throws {
        struct Article: Decodable { var article: String; var highlights: String }
        let articles = try JSONDecoder().decode([Article].self, from: try #require(Self.data("TN_CNNDM")))
        let (ours, lead) = Self.scores(articles.map { ($0.article, $0.highlights) })
        print("CNN/DM, \(articles.count) articles, ROUGE-2: \(ours), of the first three sentences: \(lead)")
        #expect(ours >= lead)
    }
}

import Foundation
import NoteStore
import Synchronization
import Testing

@testable import Intelligence

/// Tests against real servers, on request: `TN_MODEL_TESTS=1` with a llama-server and an embeddings server running.
///
/// `TN_CHAT_URL` and `TN_EMBED_URL` are their addresses; the defaults are their usual ports on this machine.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TN_MODEL_TESTS"] != nil), .serialized)
struct RealModelTests {
    private let environment = ProcessInfo.processInfo.environment

    private func provider(_ variable: String, _ usual: String) throws -> Provider {
        let address = try #require(ServerAddress(environment[variable] ?? usual))
        return Provider(name: variable, way: .server(address))
    }

    private var chat: Provider {
        get throws { try provider("TN_CHAT_URL", "http://127.0.0.1:8080/v1") }
    }

    private var embed: Provider {
        get throws { try provider("TN_EMBED_URL", "http://127.0.0.1:8000/v1") }
    }

    @Test func `a real model answers in pieces, and counts its tokens`() throws {
        let pieces = Mutex(0)
        var request = Prompts.test
        request.answerTokens = 32
        let answer = try ModelRun(try chat, environment: environment).answer(to: request) { _ in
            pieces.withLock { $0 += 1 }
        }
        #expect(!answer.text.isEmpty && pieces.withLock { $0 } > 0)
        #expect((answer.promptTokens ?? 0) > 0 && answer.estimatedTokens >= answer.promptTokens ?? 0)
    }

    @Test func `a real model answers from notes, and cites nothing that was not sent`() throws {
        let test = try TestNotes()
        for text in RetrievalTests.notes { try test.add(text) }
        let notes = test.sendable(SendingRule(.thisMachine))
        let passages = try PassageSearch(notes).passages(for: "how much pressure does the boiler need?")
        var question = NotebookQuestion(
            "How much pressure does the boiler need?", passages: passages, notes: notes, provider: try chat)
        question.turns = []
        let answer = try question.answer(ModelRun(try chat, environment: environment), form: .link) { _ in }
        #expect(!answer.text.isEmpty && !answer.text.unicodeScalars.contains("\u{1B}"))
        #expect(Set(answer.sources.map(\.note)).isSubset(of: Set(passages.map(\.chunk.note))))
    }

    @Test func `a real model's vectors find what the words do not`() throws {
        let test = try TestNotes()
        for text in RetrievalTests.notes { try test.add(text) }
        let index = MeaningIndex(test.sendable(SendingRule(.thisMachine)), provider: try embed)
        try index.build(index.plan(), EmbeddingRun(try embed, environment: environment))
        let finder = PassageFinder(test.sendable(), embedding: try embed, environment: environment)
        for (question, title) in [
            ("doctor for my teeth", "Dentist"), ("password of the internet at home", "Wifi"),
            ("singing", "Choir"), ("Wann ist das Museum geschlossen?", "Berlin trip"),
        ] {
            let titles = try finder.passages(for: question).passages.prefix(3).map(\.chunk.title)
            #expect(titles.contains(title), "\(question): \(titles)")
        }
    }
}

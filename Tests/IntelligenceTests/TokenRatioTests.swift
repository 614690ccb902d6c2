import Foundation
import NoteStore
import ScriptedServer
import Testing

@testable import Intelligence

/// Tests that estimates of tokens are corrected by the counts of the server, and stay safe.
struct TokenRatioTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

    private func provider(_ server: ScriptedServer, model: String = "m", context: Int = 4096) throws -> Provider {
        var provider = Provider(name: "p", way: .server(try #require(ServerAddress(server.url))))
        (provider.model, provider.context) = (model, context)
        return provider
    }

    /// An answer of a server that has counted the prompt.
    private static func counted(_ tokens: Int, _ delta: String = #"{"content":"So."}"#) -> ScriptedServer.Reply {
        .stream([
            #"{"choices":[{"delta":\#(delta),"finish_reason":"stop"}]}"#,
            #"{"choices":[],"usage":{"prompt_tokens":\#(tokens)}}"#,
        ])
    }

    /// A notebook with more about a budget than fits into a context of 4096 tokens.
    private func notes() throws -> TestNotes {
        let test = try TestNotes()
        for number in 0..<20 {
            let sentences = (0..<30).map { "The budget of \(number * $0) grows." }
            try test.add("Budget \(number)\n\n" + sentences.joined(separator: " "))
        }
        return test
    }

    private func question(_ test: TestNotes, _ provider: Provider) throws -> NotebookQuestion {
        let notes = test.sendable(SendingRule(.thisMachine))
        return NotebookQuestion(
            "budget", passages: try PassageSearch(notes).passages(for: "budget"), notes: notes, provider: provider)
    }

    private func ask(_ question: NotebookQuestion, _ test: TestNotes) throws {
        let run = ModelRun(
            question.provider, environment: Self.environment,
            memory: TokenMemory(question.provider, in: test.notebook))
        _ = try question.answer(run, form: .link) { _ in }
    }

    @Test func `a higher count holds at once, a lower one little by little, and none beyond the bounds`() {
        var ratio = TokenRatio()
        #expect(ratio.tokens(1000) == 1000 && ratio.estimate(fitting: 1000) == 1000)
        ratio.learn(counted: 1500, estimated: 1000)
        #expect(ratio.value == 1.5 && ratio.tokens(1000) >= 1500 && ratio.estimate(fitting: 1500) <= 1000)
        ratio.learn(counted: 700, estimated: 1000)
        #expect(ratio.value < 1.5 && ratio.value > 1.2)
        for _ in 0..<50 { ratio.learn(counted: 700, estimated: 1000) }
        #expect(abs(ratio.value - 0.7) < 0.01)
        // The prompt was cut, or is too short to tell.
        let before = ratio
        ratio.learn(counted: 400, estimated: 1000)
        ratio.learn(counted: 190, estimated: 199)
        ratio.learn(counted: 0, estimated: 1000)
        #expect(ratio == before)
        ratio.learn(counted: 90_000, estimated: 1000)
        #expect(ratio.value == TokenRatio.bounds.upperBound)
        #expect(TokenRatio(0.1) == nil && TokenRatio(7) == nil && TokenRatio(.nan) == nil)
    }

    @Test func `a question holds more where the server counts fewer tokens, and less where it counts more`() throws {
        let test = try notes()
        var last = 0
        for share in [1.6, 1.0, 0.7] {
            let server = try #require(
                ScriptedServer([
                    .init([
                        .answer { request in
                            // The count is a share of what is estimated for the request.
                            let body = request.components(separatedBy: "\r\n\r\n").last ?? ""
                            let messages = JSONValue(parsing: body)?["messages"]?.list ?? []
                            let estimate = messages.reduce(120) {
                                $0 + 8 + TokenCount.estimate($1["content"]?.text ?? "")
                            }
                            let choice = #"{"delta":{"content":"So."},"finish_reason":"stop"}"#
                            let usage = #"{"prompt_tokens":\#(Int(Double(estimate) * share))}"#
                            let payload = #"{"choices":[\#(choice)],"usage":\#(usage)}"#
                            return ScriptedServer.Reply.streamHead + "data: \(payload)\n\ndata: [DONE]\n\n"
                        }
                    ])
                ]))
            defer { server.stop() }
            let provider = try provider(server, model: "m\(share)")
            let first = try question(test, provider)
            for _ in 0..<12 { try ask(try question(test, provider), test) }
            let learnt = try question(test, provider)
            #expect(learnt.amount.excerpts > last)
            #expect(share == 1 || (learnt.amount.excerpts > first.amount.excerpts) == (share < 1))
            // Whatever the server counts, the prompt and its answer fit the context.
            let tokens = Double(learnt.request.estimatedTokens) * share
            #expect(Int(tokens) + learnt.request.answerTokens <= provider.context)
            last = learnt.amount.excerpts
        }
    }

    @Test func `what was learnt is of one provider, address and model, and outlives the program`() throws {
        let server = try #require(ScriptedServer([Self.counted(5000)]))
        defer { server.stop() }
        let test = try notes()
        let provider = try provider(server)
        try ask(try question(test, provider), test)
        #expect(TokenMemory(provider, in: test.notebook).ratio.value > 1)
        let again = try Notebook.open(test.notebook.path, mode: .command)
        #expect(TokenMemory(provider, in: again).ratio.value > 1)
        try again.close()
        #expect(TokenMemory(try self.provider(server, model: "other"), in: test.notebook).ratio == TokenRatio())
        var elsewhere = provider
        elsewhere.way = .server(try #require(ServerAddress("http://127.0.0.1:1/v1")))
        #expect(TokenMemory(elsewhere, in: test.notebook).ratio == TokenRatio())
        // A stored value that is not a ratio counts as none.
        for value in ["", "x", "\(provider.identity) 0.01", "\(provider.identity) nan", "\(provider.identity) 0.7 1"] {
            try test.notebook.settings.set("ai.tokens/p", value)
            #expect(TokenMemory(provider, in: test.notebook).ratio == TokenRatio())
        }
    }

    @Test func `a prompt that the server has cut teaches nothing`() throws {
        let server = try #require(ScriptedServer([Self.counted(40), Self.counted(1200)]))
        defer { server.stop() }
        let test = try notes()
        let provider = try provider(server)
        for _ in 0..<2 { try ask(try question(test, provider), test) }
        #expect(TokenMemory(provider, in: test.notebook).ratio == TokenRatio())
    }

    @Test func `what the model searches for fits the context too, and the model is told if there is no room`() throws {
        let function = #"{"name":"search_notes","arguments":"{\"query\":\"harvest\"}"}"#
        let call = #"{"tool_calls":[{"id":"a","function":\#(function)}]}"#
        let server = try #require(ScriptedServer([Self.counted(0, call)]))
        defer { server.stop() }
        let test = try notes()
        for number in 0..<6 {
            let sentences = (0..<30).map { "The harvest of \(number * $0) is in." }
            try test.add("Harvest \(number)\n\n" + sentences.joined(separator: " "))
        }
        let question = try question(test, provider(server))
        // What only searches has not answered.
        #expect(throws: ModelFailure.self) { try ask(question, test) }
        let bodies = server.requests.map { $0.components(separatedBy: "\r\n\r\n").last ?? "" }
        #expect(bodies.count == 1 + NotebookQuestion.maximumRounds)
        #expect(bodies.last?.contains("There is no room for more.") == true)
        for body in bodies {
            let messages = try #require(JSONValue(parsing: body)?["messages"]?.list)
            let estimate = messages.reduce(0) { $0 + TokenCount.estimate($1["content"]?.text ?? "") }
            #expect(estimate + ChatRequest.usualAnswer <= 4096)
        }
    }

    @Test func `a model that searches notes which cannot be read is told so, not that nothing was found`() throws {
        let function = #"{"name":"search_notes","arguments":"{\"query\":\"budget\"}"}"#
        let call = #"{"tool_calls":[{"id":"a","function":\#(function)}]}"#
        let server = try #require(ScriptedServer([Self.counted(0, call), Self.counted(0)]))
        defer { server.stop() }
        let test = try notes()
        let question = try question(test, provider(server))
        try test.notebook.close()
        try ask(question, test)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.contains("The notes cannot be searched now.") == true)
    }

    @Test func `a note is cut into fewer sections where the server counts fewer tokens`() throws {
        let text = (0..<200).map { "Line \($0) of a note that is long.\n\n" }.joined()
        let provider = Provider(name: "p", way: .command(["x"]))
        func formatting(_ ratio: TokenRatio?) throws -> Formatting {
            Formatting(text, provider: provider, ratio: try #require(ratio))
        }
        let (few, usual, many) = try (
            formatting(TokenRatio(0.5)), formatting(TokenRatio()), formatting(TokenRatio(2))
        )
        #expect(few.sections.count < usual.sections.count && usual.sections.count < many.sections.count)
        for (formatting, ratio) in [(few, 0.5), (many, 2.0)] {
            for request in formatting.requests {
                #expect(Int(Double(request.estimatedTokens) * ratio) + request.answerTokens <= provider.context)
            }
        }
    }
}

import Foundation
import NoteStore
import ScriptedServer
import Synchronization
import Testing

@testable import Intelligence

/// Tests the limits of a question to a model: rounds, context, earlier turns, and the size of a proposed note.
struct ConversationTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

    private func question(
        _ test: TestNotes, _ server: ScriptedServer, context: Int = 4096
    ) throws -> NotebookQuestion {
        var provider = Provider(name: "p", way: .server(try #require(ServerAddress(server.url))))
        (provider.model, provider.context) = ("m", context)
        let notes = test.sendable(SendingRule(.thisMachine))
        return NotebookQuestion(
            "budget", passages: try PassageSearch(notes).passages(for: "budget"), notes: notes, provider: provider)
    }

    @Test func `what a model may reason is added to each answer and taken from the room for the prompt`() throws {
        let server = try #require(ScriptedServer([.answer(["So", "."])]))
        defer { server.stop() }
        let test = try TestNotes()
        for number in 0..<20 {
            let sentences = (0..<60).map { "The budget of \(number * $0) grows." }
            try test.add("Budget \(number)\n\n" + sentences.joined(separator: " "))
        }
        let usual = try question(test, server)
        for (reasoning, room) in [(1500, 1500), (1_000_000, 2048)] {
            var provider = usual.provider
            provider.reasoning = reasoning
            let question = NotebookQuestion("budget", passages: usual.passages, notes: usual.notes, provider: provider)
            #expect(question.amount.excerpts < usual.amount.excerpts)
            let limit = question.request.answerTokens + room
            #expect(question.request.estimatedTokens + limit <= provider.context)
            // What is shown beforehand is what is sent.
            #expect(provider.shown(question.request).contains("\"max_tokens\":\(limit)"))
            _ = try answer(question)
            #expect(server.requests.last?.contains("\"max_tokens\":\(limit)") == true)
        }
    }

    @Test func `a model that cannot call tools is told of none`() throws {
        let server = try #require(ScriptedServer([.answer(["So."])]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("The budget grows.")
        let usual = try question(test, server)
        var (bare, program) = (usual.provider, usual.provider)
        (bare.hasTools, program.way) = (false, .command(["cat"]))
        for (provider, isTold) in [(usual.provider, true), (bare, false), (program, false)] {
            var question = NotebookQuestion("budget", passages: usual.passages, notes: usual.notes, provider: provider)
            question.propose = { _ in false }
            #expect(provider.shown(question.request).contains("create_note") == isTold)
            #expect(question.request.tools.isEmpty != isTold)
        }
    }

    private func answer(_ question: NotebookQuestion) throws -> NotebookAnswer {
        try question.answer(ModelRun(question.provider, environment: Self.environment), form: .link) { _ in }
    }

    private static func call(_ name: String, _ arguments: JSONValue) -> String {
        let function: JSONValue = ["name": .text(name), "arguments": .text(arguments.line)]
        return JSONValue.object([
            "choices": .list([["delta": ["tool_calls": .list([["id": "a", "function": function]])]]])
        ]).line
    }

    @Test func `a call that the model writes as its answer is made`() throws {
        let call = "```json\n{\"name\": \"search_notes\", \"arguments\": {\"query\": \"rent\"}}\n```"
        let server = try #require(ScriptedServer([.answer([call]), .answer(["The rent grows [2]."])]))
        defer { server.stop() }
        let test = try TestNotes()
        for text in ["The budget grows.", "The rent grows."] { try test.add(text) }
        let answer = try answer(question(test, server))
        #expect(answer.text.hasPrefix("The rent grows [2](takenote://") && AnswerTexts.remarks(on: answer).isEmpty)
        #expect(server.requests.last?.contains(#""tool_call_id":"call-1-0""#) == true)
    }

    @Test func `each of several calls that the model writes as its answer is made`() throws {
        let words = ["rent", "flour"].map {
            "<tool_call>\n{\"name\": \"search_notes\", \"arguments\": {\"query\": \"\($0)\"}}\n</tool_call>\n"
        }
        let server = try #require(ScriptedServer([.answer(words), .answer(["It grows [2], and is white [3]."])]))
        defer { server.stop() }
        let test = try TestNotes()
        for text in ["The budget grows.", "The rent grows.", "Flour is white."] { try test.add(text) }
        let answer = try answer(question(test, server))
        #expect(answer.text.contains("[2](takenote://") && answer.text.contains("[3](takenote://"), "\(answer.text)")
        #expect(server.requests.last?.contains(#""tool_call_id":"call-1-1""#) == true)
    }

    @Test func `a call that the model writes badly is not shown, and it is asked again without tools`() throws {
        let bad = [#"{"name": "Budget", "#, #""arguments": {"text": "12"}}"#]
        let cut = [#"{"name": "search_notes", "arguments": {"query": "bud"#]
        let test = try TestNotes()
        try test.add("The budget is 12.")
        for words in [bad, cut, ["```json\n"] + bad + ["\n```"]] {
            let server = try #require(ScriptedServer([.answer(words), .answer(["It is 12."])]))
            defer { server.stop() }
            let events = Mutex<[AskEvent]>([])
            let question = try question(test, server)
            let run = ModelRun(question.provider, environment: Self.environment)
            _ = try question.answer(run, form: .link) { event in events.withLock { $0.append(event) } }
            let shown = events.withLock { $0 }.map { if case .text(let text) = $0 { text } else { "?" } }.joined()
            #expect(shown == "It is 12.")
            #expect(server.requests.map { $0.contains("\"tools\"") } == [true, false])
        }
    }

    @Test func `an answer is without the reasoning whose beginning is in the prompt`() throws {
        // What the reasoning cites does not count.
        let words = ["Hm, the budget [7].\n</think>\n", "The budget grows [1]."]
        let server = try #require(ScriptedServer([.answer(words)]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("The budget grows.")
        let answer = try answer(question(test, server))
        #expect(answer.text.hasPrefix("The budget grows [1]("))
        #expect(AnswerTexts.remarks(on: answer) == [AnswerTexts.reasonedAloud])
    }

    @Test func `a call that the model writes into its answer is remarked on`() throws {
        let call = "I look. {\"name\": \"search_notes\", \"arguments\": {\"query\": \"budget\"}}"
        let server = try #require(
            ScriptedServer([.answer([call]), .answer(["Look for \"search_notes\" [1]."]), .answer([call])]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("The budget grows.")
        let usual = try question(test, server)
        let uncited = "the answer cites no note; check it against “The budget grows.”"
        #expect(AnswerTexts.remarks(on: try answer(usual)) == [AnswerTexts.wroteCall, uncited])
        #expect(AnswerTexts.remarks(on: try answer(usual)).isEmpty)
        // A model that is offered no tools calls none.
        var bare = usual.provider
        bare.hasTools = false
        let question = NotebookQuestion("budget", passages: usual.passages, notes: usual.notes, provider: bare)
        #expect(AnswerTexts.remarks(on: try answer(question)) == [uncited])
    }

    @Test func `a search finds notes of a title alone besides those that were sent`() throws {
        let server = try #require(
            ScriptedServer([.stream([Self.call("search_notes", ["query": "rent"])]), .answer(["So", "."])]))
        defer { server.stop() }
        let test = try TestNotes()
        for text in ["# The budget", "# The rent"] { try test.add(text) }
        _ = try answer(question(test, server))
        #expect(server.requests.map { $0.contains("The rent") } == [false, true])
    }

    @Test func `a model searches four times at most, and then has no tool any more`() throws {
        let server = try #require(
            ScriptedServer([.stream([Self.call("search_notes", ["query": "budget"])])]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("Budget\n\nThe budget must not grow.")
        // What only searches has not answered.
        #expect(throws: ModelFailure.self) { _ = try answer(question(test, server)) }
        #expect(server.requests.count == 5)
        #expect(server.requests.map { $0.contains("\"tools\"") } == [true, true, true, true, false])
    }

    @Test func `what a model says before a search and after it are two paragraphs`() throws {
        let said = #"{"choices":[{"delta":{"content":"Let me look."}}]}"#
        let search = Self.call("search_notes", ["query": "rent"])
        let server = try #require(
            ScriptedServer([.stream([said, search]), .stream([search]), .answer(["So", "."])]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("Budget\n\nThe budget must not grow.")
        #expect(try answer(question(test, server)).text == "Let me look.\n\nSo.")
    }

    @Test func `a prompt that the server has cut is reported`() throws {
        let usage = #"{"choices":[{"delta":{"content":"So."},"finish_reason":"stop"}],"usage":{"prompt_tokens":40}}"#
        let server = try #require(ScriptedServer([.stream([usage])]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("Budget\n\n" + String(repeating: "The budget must not grow at all. ", count: 200))
        let answer = try answer(question(test, server))
        #expect(answer.isPromptCut && AnswerTexts.remarks(on: answer).contains(AnswerTexts.promptCut))
    }

    @Test func `a request fits the context, and earlier turns take half of it at most`() throws {
        let server = try #require(ScriptedServer([.answer(["So."])]))
        defer { server.stop() }
        let test = try TestNotes()
        for number in 0..<20 {
            let sentences = (0..<60).map { "The budget of \(number * $0) grows." }
            try test.add("Budget \(number)\n\n" + sentences.joined(separator: " "))
        }
        var last = 0
        for context in [2048, 4096, 8192] {
            var question = try question(test, server, context: context)
            let count = question.amount.excerpts
            #expect(count > last && question.request.estimatedTokens + question.request.answerTokens <= context)
            last = count
            question.turns = (0..<50).map {
                Turn(question: "Question \($0)?", answer: String(repeating: "word ", count: 60))
            }
            let request = question.request
            #expect(question.amount.turns > 0 && question.amount.excerpts > 0)
            #expect(request.estimatedTokens + request.answerTokens <= context)
            // The latest turns are kept.
            #expect(request.messages.contains { $0.content == "Question 49?" })
            let turns = request.messages.dropFirst().dropLast().map { TokenCount.estimate($0.content) }.reduce(0, +)
            #expect(turns <= context / 2)
        }
    }

    @Test func `a note of more than 100 KB is not proposed, and the model is told`() throws {
        let long = String(repeating: "a", count: NoteProposal.maximumLength + 1)
        let server = try #require(
            ScriptedServer([
                .stream([Self.call("create_note", ["text": .text(long)])]),
                .stream([Self.call("create_note", ["text": .text(String(long.dropLast()))])]), .answer(["So."]),
            ]))
        defer { server.stop() }
        let test = try TestNotes()
        try test.add("Budget\n\nThe budget must not grow.")
        let proposed = Mutex<[Int]>([])
        var question = try question(test, server)
        question.propose = { proposal in
            proposed.withLock { $0.append(proposal.text.utf8.count) }
            return false
        }
        _ = try answer(question)
        #expect(proposed.withLock { $0 } == [NoteProposal.maximumLength])
        #expect(server.requests[1].contains("The note is too long."))
    }
}

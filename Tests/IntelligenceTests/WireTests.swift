import SeededRandom
import Testing

@testable import Intelligence

/// Tests the decoding of a server's bytes, in all the forms that servers use.
struct WireTests {
    private func read(_ text: String, cut: Int = .max) -> (events: [AnswerEvent], builder: AnswerBuilder) {
        var decoder = EventStreamDecoder()
        var builder = AnswerBuilder()
        var events: [AnswerEvent] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(cut, bytes.count))
            events += decoder.decode(bytes[start..<end]).flatMap { builder.take($0) }
            start = end
        }
        events += decoder.finish().flatMap { builder.take($0) }
        events += builder.end()
        return (events, builder)
    }

    /// Returns what a written call is taken for, with the text that was shown before its end.
    private func written(_ text: String, cut: Int = 1) -> (shown: String, ending: WrittenCall.Ending) {
        var call = WrittenCall([.searchNotes])
        var (shown, rest) = ("", text[...])
        while !rest.isEmpty {
            shown += call.take(String(rest.prefix(cut)))
            rest = rest.dropFirst(cut)
        }
        return (shown, call.end())
    }

    @Test(
        arguments: [
            #"{"name": "search_notes", "arguments": {"query": "choir"}}"#,
            #"  {"type": "function", "function": {"name": "search_notes", "parameters": {"query": "choir"}}}"#,
            "```json\n{\n  \"name\": \"search_notes\",\n  \"arguments\": {\"query\": \"choir\"}\n}\n```",
            "<tool_call>\n{\"name\": \"search_notes\", \"arguments\": \"{\\\"query\\\":\\\"choir\\\"}\"}\n</tool_call>",
            #"[{"name": "search_notes", "arguments": {"query": "choir"}}]"#,
            #"{"type": "function", "function": "search_notes", "parameters": {"query": "choir"}}"#,
        ])
    func `a call that is written as the answer is made`(text: String) throws {
        for cut in [1, 7, 1000] {
            let (shown, ending) = written(text, cut: cut)
            guard case .calls(let calls) = ending, calls.count == 1 else {
                Issue.record("\(ending)")
                continue
            }
            #expect(shown.isEmpty && calls[0].name == "search_notes")
            #expect(JSONValue(parsing: calls[0].arguments) == ["query": "choir"])
        }
    }

    private static let writtenCalls = [
        #"{"name": "search_notes", "arguments": {"query": "a}\"{"}}"#,
        #"{"name": "search_notes", "arguments": {"query": "choir"}}"#,
    ]

    @Test(arguments: [
        ("", "\n", ""), ("[", ", ", "]"), ("<tool_call>\n", "\n</tool_call>\n<tool_call>\n", "\n</tool_call>"),
        ("```json\n", "\n```\n\n```json\n", "\n```"),
        ("", #" {"name": "open", "arguments": {}} "#, "\n{\"name\": \"sea"),
    ])
    func `several calls that are written as the answer are made`(before: String, between: String, after: String) {
        let (shown, ending) = written(before + Self.writtenCalls.joined(separator: between) + after)
        guard case .calls(let calls) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(shown.isEmpty && calls.map { JSONValue(parsing: $0.arguments)?["query"] } == ["a}\"{", "choir"])
    }

    @Test func `a call that never ends, and calls without end, end the answer`() {
        let delta = { (call: String) in #"{"choices":[{"delta":{"tool_calls":[\#(call)]}}]}"# }
        var builder = AnswerBuilder(limit: 20)
        for text in ["{", "aaaaaaaaaa", "bbbbbbbbbb"] {
            #expect(!builder.isFull)
            _ = builder.take(.data(delta(#"{"index":0,"function":{"name":"search_notes","arguments":"\#(text)"}}"#)))
        }
        #expect(builder.isFull && builder.finish == .length)
        builder = AnswerBuilder()
        for number in 0..<33 {
            #expect(!builder.isFull)
            let call = #"{"index":\#(number),"id":"\#(number)","function":{"name":"search_notes"}}"#
            _ = builder.take(.data(delta(call)))
        }
        #expect(builder.isFull && builder.toolCalls.count == 32)
    }

    @Test func `only what may be a call is held back`() {
        for text in ["Yes.", "[1] is it.", "```swift\nlet a = 1\n```", #"{"theme": "dark"}"#, "<b>Yes</b>", "`code`"] {
            let (shown, ending) = written(text)
            #expect(shown == text && ending == .text(""))
        }
        // JSON that calls nothing is shown at the end.
        for text in [#"{"name": "Ana"}"#, #"{"name""#, "```", " "] {
            let (shown, ending) = written(text)
            #expect(shown.isEmpty && ending == .text(text))
        }
        // A tool that was not offered, and a call without an end.
        for text in [#"{"name": "open", "arguments": {}}"#, #"{"name": "search_notes", "arguments": {"#] {
            let (shown, ending) = written(text)
            #expect(shown.isEmpty && ending == .unusable)
        }
        var none = WrittenCall([])
        let (shown, ending) = (none.take(#"{"name"#), none.end())
        #expect(shown == #"{"name"# && ending == .text(""))
    }

    @Test func `reasoning that begins in the prompt is taken off at the end`() {
        for (text, kept) in [
            ("Hm.\n</think>\n\nYes.", "Yes."), ("Write </think> here.", "Write </think> here."),
            ("Look:\n<think>\n</think>\nYes.", "Look:\n<think>\n</think>\nYes."),
            ("It ends so:\n```\n</think>\n```\nYes.", "It ends so:\n```\n</think>\n```\nYes."),
            ("Hm:\n```\na\n```\n</think>\nYes.", "Yes."),
        ] {
            var builder = AnswerBuilder()
            let events = builder.take(output: text) + builder.end()
            #expect(events == [.text(text)] && builder.text == kept && builder.hasReasonedAloud == (text != kept))
        }
    }

    private func content(_ text: String) -> String { #"{"choices":[{"delta":{"content":"\#(text)"}}]}"# }

    @Test func `a stream gives the same answer however its bytes are cut`() {
        let text = """
            : a comment\r
            data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\r
            \r
            event: message
            data: \(content("Grüße, "))

            data:\(content("東京 🍐"))

            data: {"choices":[],"usage":{"prompt_tokens":42}}

            data: [DONE]

            """
        for cut in 1...text.utf8.count {
            let (events, builder) = read(text, cut: cut)
            #expect(builder.text == "Grüße, 東京 🍐" && builder.isDone && builder.promptTokens == 42)
            #expect(events == [.text("Grüße, "), .text("東京 🍐")])
        }
    }

    @Test(arguments: [
        // Neither a blank line at the end nor [DONE].
        #"data: {"choices":[{"delta":{"content":"yes"}}]}"#,
        // Lines ended by carriage returns alone.
        "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\r\r",
        // A byte order mark at the start.
        "\u{FEFF}data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\n\n",
        // One JSON value over two lines of data.
        "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"yes\"}}]}\n\n",
        // Two events without a blank line between them.
        "data: {\"choices\":[{\"delta\":{\"content\":\"ye\"}}]}\ndata: {\"choices\":[{\"delta\":{\"content\":\"s\"}}]}\n\n",
        // A response that is not a stream.
        #" {"choices":[{"message":{"role":"assistant","content":"yes"},"finish_reason":"stop"}]}"#,
        // Content in several pieces instead of a text, and the older protocol.
        #"{"choices":[{"message":{"content":[{"type":"text","text":"ye"},{"type":"text","text":"s"}]}}]}"#,
        #"data: {"choices":[{"text":"yes","index":0}]}"#,
        // JSON values on separate lines.
        "{\"choices\":[{\"delta\":{\"content\":\"ye\"}}]}\n{\"choices\":[{\"delta\":{\"content\":\"s\"}}]}\n",
    ])
    func `odd forms of a stream are understood`(text: String) {
        #expect(read(text).builder.text == "yes")
    }

    @Test func `thoughts are told apart from the answer and never kept`() {
        let thinking = read(
            "data: \(content("<thi"))\n\ndata: \(content("nk>so, "))\n\ndata: \(content("well</th"))\n\n"
                + "data: \(content("ink>\\n\\nYes, <think> is a word."))\n\n")
        #expect(thinking.builder.text == "Yes, <think> is a word.")
        #expect(thinking.events.first == .reasoning("so, "))
        let field = read(#"data: {"choices":[{"delta":{"reasoning_content":"hm","content":null}}]}"#)
        #expect(field.events == [.reasoning("hm")] && field.builder.text.isEmpty)
    }

    @Test func `control characters do not get through`() {
        let text = read(#"data: {"choices":[{"delta":{"content":"a\u001b[31mb\u0000\u0007\u009bc\td\r\ne"}}]}"#).builder
            .text
        #expect(text == "a[31mbc\td\ne")
    }

    @Test func `half of a character is replaced, and the text around it stays`() {
        let (first, second) = (content(#"Pear \ud83c"#), content(#"\uDF50, \ud83c\udf50 \\ud83c"#))
        let halves = read("data: \(first)\n\ndata: \(second)\n\n")
        #expect(halves.builder.text == "Pear \u{FFFD}\u{FFFD}, 🍐 \\ud83c" && halves.builder.strange == 0)
    }

    @Test func `an error is a fact, whatever form it has`() {
        #expect(read(#"data: {"error":{"message":"Incorrect API key sk-123","code":401}}"#).builder.problem == .other)
        #expect(read(#"{"error":"model 'x' not found"}"#).builder.problem == .noSuchModel)
        #expect(read(#"{"error":{"code":503,"message":"Loading model"}}"#).builder.problem == .loading)
        // In a field of its own, after some text.
        let alone = "data: \(content("so"))\n\nerror: {\"message\":\"boom\"}\n\n"
        for cut in 1...alone.utf8.count { #expect(read(alone, cut: cut).builder.problem == .other) }
        #expect(read("error: {\"message\":\"Loading model\"}").builder.problem == .loading)
        #expect(read("data: \(content("so"))\n\n{\"error\":{\"message\":\"boom\"}}\n").builder.problem == .other)
        // FastAPI's form, an object that is named an error, and an error in a list.
        let missing = #"{"detail":[{"type":"missing","loc":["body","model"],"msg":"Field required"}]}"#
        #expect(read(missing).builder.problem == .noSuchModel)
        #expect(read(#"{"detail":"Model 'x' not found"}"#).builder.problem == .noSuchModel)
        #expect(read(#"{"object":"error","message":"The model x does not exist"}"#).builder.problem == .noSuchModel)
        #expect(read(#"[{"error":{"message":"Loading model"}}]"#).builder.problem == .loading)
        let context = #"{"error":{"message":"the request exceeds the available context size"}}"#
        #expect(read(context).builder.problem == .contextExceeded)
    }

    @Test func `a server's words keep names of models, and neither keys nor more than a line`() {
        let words = { (text: String) in ServerWords(text, hiding: "k1")?.line }
        #expect(words("gemma-3-270m-it-Q4_K_M: full\r\n\tdisk-0 \u{7}") == "gemma-3-270m-it-Q4_K_M: full disk-0")
        #expect(words("k1 Bearer AIzaSyA1234567890abcdefgh. key=sk-1") == "… Bearer … …")
        #expect(words(String(repeating: "ä ", count: 200))?.count == 160)
        #expect(words(" \n ") == nil && ServerWords(nil, hiding: nil) == nil)
    }

    private func calls(_ deltas: String...) -> [ToolCall] {
        read(deltas.map { #"data: {"choices":[{"delta":{"tool_calls":[\#($0)]}}]}"# + "\n\n" }.joined())
            .builder.toolCalls
    }

    @Test func `tool calls are put together with and without numbers and names of their own`() {
        let pears = ToolCall(id: "a", name: "search_notes", arguments: #"{"query":"pears"}"#)
        #expect(
            calls(
                #"{"index":0,"id":"a","function":{"name":"search_notes","arguments":""}}"#,
                #"{"index":0,"function":{"arguments":"{\"query\":"}}"#,
                #"{"index":0,"function":{"arguments":"\"pears\"}"}}"#) == [pears])
        let plums = ToolCall(id: "b", name: "search_notes", arguments: #"{"query":"plums"}"#)
        // Both calls have the number 0.
        #expect(
            calls(
                #"{"index":0,"id":"a","function":{"name":"search_notes","arguments":"{\"query\":\"pears\"}"}}"#,
                #"{"index":0,"id":"b","function":{"name":"search_notes","arguments":"{\"query\":\"plums\"}"}}"#)
                == [pears, plums])
        // The calls have no numbers or identities, an object instead of a text, and null instead of arguments.
        let bare = calls(
            #"{"function":{"name":"search_notes","arguments":{"query":"pears"}}}"#,
            #"{"function":{"name":"create_note","arguments":null}}"#)
        #expect(bare.map(\.name) == ["search_notes", "create_note"])
        #expect(bare.map(\.arguments) == [#"{"query":"pears"}"#, ""])
    }

    @Test func `heads are cut off, provisional ones passed over, and what is not a head is reported`() {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 7\r\n\r\nbody"
        for cut in 1...text.utf8.count {
            var splitter = ResponseSplitter()
            var body: [UInt8] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: cut) {
                body += splitter.body(bytes[start..<min(bytes.count, start + cut)])
            }
            #expect(splitter.head == ResponseHead(status: 429, retryAfter: 7) && body == Array("body".utf8))
        }
        #expect(RetryTime.seconds(" Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == 7)
        for odd in ["", "soon", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49 GMT"] {
            #expect(RetryTime.seconds(odd, now: 0) == nil, "\(odd)")
        }
        var strange = ResponseSplitter()
        _ = strange.body(Array("220 smtp.example.com ESMTP\r\n\r\n".utf8))
        #expect(strange.isMalformed)
    }

    @Test func `an address that curl cannot use is to be corrected, not tried again`() {
        let sentence = ModelFailure.transferFailed("127.0.0.1:99999", code: 3).sentence
        #expect(sentence.hasSuffix("correct the provider's url"))
    }

    @Test func `only a literal address of this machine is local`() throws {
        let local = [
            "http://127.0.0.1:8080/v1", "http://localhost", "https://LOCALHOST:1/", "http://[::1]:8080/v1",
            "http://127.1.2.3/",
        ]
        for text in local { #expect(try #require(ServerAddress(text)).isLocal, "\(text)") }
        let elsewhere = [
            "http://127.0.0.1@evil.example/", "http://localhost.evil.example", "http://127.0.0.1.evil.example/",
            "http://192.168.1.2/v1", "http://127.0.0.1:80@evil.example", "http://127.1/", "http://[::2]/",
            "http://0177.0.0.1/", "http://localhost\\@evil.example/", "http://127.0.0.1:8080:x/", "http://127.0.0.256/",
        ]
        for text in elsewhere { #expect(try !#require(ServerAddress(text)).isLocal, "\(text)") }
        for text in ["ftp://127.0.0.1/", "127.0.0.1:8080", "http://", "http://a b/", "http://a\n/"] {
            #expect(ServerAddress(text) == nil, "\(text)")
        }
        #expect(try #require(ServerAddress("http://x/v1", socket: "/run/x.sock")).isLocal)
    }
}

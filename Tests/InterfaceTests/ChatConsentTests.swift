import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests what Magic Chat sends, and the question before it.
@MainActor
struct ChatConsentTests {
    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    @Test func `a provider that is elsewhere is asked about first`() throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        let window = try Window.withChat(server, host: "127.0.0.1@localhost")
        defer { window.close() }
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "Send the question"))
        window.press("Enter")
        #expect(window.waitsInChat(for: "nothing was sent") && server.requests.isEmpty)
        window.press("\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "Send the question"))
        window.press("*")
        #expect(window.waitsInChat(for: "Yes.") && server.requests.count == 1)
        window.press("\"budget\"", "Enter")
        #expect(
            window.fixture.scheduler.run {
                window.fixture.scheduler.advance(by: .milliseconds(40)); return server.requests.count == 2
            })
    }

    @Test func `what one provider has got goes to no other one, nor what was closed since`() throws {
        let server = try server(.answer(["The budget must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        func ask(_ question: String, whole count: Int) {
            window.press("\"\(question)\"", "Enter")
            #expect(
                window.fixture.scheduler.run {
                    window.fixture.scheduler.advance(by: .milliseconds(40))
                    return server.requests.count == count && !window.fixture.model.magicChat.isAnswering
                })
        }
        window.press("Alt-I")
        ask("who said budget?", whole: 1)
        ask("what about sourdough?", whole: 2)
        #expect(server.requests[1].contains("who said budget?"))
        let id = try #require(
            try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9)
                .first { $0.title == "Budget meeting" }
        ).id
        try window.fixture.notebook.retrieval.setPrivacy(.never, of: id)
        ask("what about sourdough?", whole: 3)
        #expect(!server.requests[2].contains("must not grow"))
        try window.fixture.notebook.retrieval.setPrivacy(.inherit, of: id)
        window.interface.apply(
            Configuration.read(
                "[ai]\nchat = \"t\"\n[ai.provider.t]\nurl = \"http://127.0.0.1:\(server.port)/v2\"\nmodel = \"m\"\n"))
        ask("what about sourdough?", whole: 4)
        #expect(!server.requests[3].contains("who said budget"))
    }

    @Test func `before consent s shows the request, which lacks nothing that is sent`() throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        let window = try Window.withChat(server, host: "127.0.0.1@localhost")
        defer { window.close() }
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "Send the question"))
        guard case .consent(let sentence)? = window.fixture.model.magicChat.demand else {
            Issue.record("no question")
            return
        }
        #expect(sentence.contains("1 passage of 1 note and what the model searches for"))
        #expect(!window.lines.contains { $0.contains("answering…") })
        window.press("s")
        #expect(window.lines.contains { $0.contains("What would be sent") } && server.requests.isEmpty)
        #expect(window.lines.contains { $0.contains("\"messages\"") })
        window.press("Esc")
        #expect(window.fixture.model.magicChat.demand != nil)
        let shown = try #require(window.fixture.model.magicChat.awaitedRequest)
        window.press("y")
        #expect(window.waitsInChat(for: "Yes.") && server.requests[0].hasSuffix(shown))
    }
}

import Intelligence
import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests the summaries that a model makes by itself, against a server that does what a script says.
@MainActor
@Suite(.serialized)
struct AutomaticSummaryTests {
    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    private static let long =
        "Bread\n\n"
        + (0..<12).map { "The dough of step \($0) rests for some hours in the fridge." }
        .joined(separator: " ")

    /// Changes the first note, leaves it, and returns its summary after some seconds.
    private func summary(_ window: Window) throws -> String? {
        window.press("Enter", "Ctrl-End", "\" More.\"", "Esc", "j", "Enter", "Esc")
        let id = try #require(
            try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9)
                .first { $0.title == "Bread" }
        ).id
        func summary() -> String? { try? window.fixture.notebook.notes.load(id)?.row.aiSummary }
        _ = window.fixture.scheduler.run(until: {
            window.fixture.scheduler.advance(by: .seconds(1))
            return summary()?.isEmpty == false
        })
        return summary()
    }

    @Test func `a summary is made by itself where the setting asks for it`() throws {
        let server = try server(.answer(["By the model."]))
        defer { server.stop() }
        for (setting, sent) in [("extract", 0), ("model", 1)] {
            let window = try Window.withModel(server, notes: [Self.long, "Other"], more: "summaries = \"\(setting)\"")
            defer { window.close() }
            let summary = try summary(window)
            #expect(setting == "model" ? summary == "By the model." : summary?.contains("dough") == true)
            #expect(server.requests.count == sent)
        }
    }

    @Test func `the tokens that a provider may reason are a setting of its table`() {
        func reading(_ value: String) -> Configuration.Reading {
            Configuration.read(
                """
                [ai]
                chat = "t"
                [ai.provider.t]
                url = "http://127.0.0.1:8080/v1"
                reasoning = \(value)
                """)
        }
        let settings = reading("4000").configuration.intelligence
        #expect(settings.providers.map(\.reasoning) == [4000])
        // What `tn config` prints has the same effect.
        let printed = Configuration.read(reading("4000").configuration.text)
        #expect(printed.configuration.intelligence == settings)
        for wrong in ["-1", "\"many\""] {
            #expect(reading(wrong).configuration.intelligence.problem?.contains("ai.provider.t.reasoning") == true)
        }
    }

    @Test func `a provider that is elsewhere gets notes by itself only where its table says automatic`() throws {
        let server = try server(.answer(["By the model."]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: [Self.long, "Other"])
        defer { window.close() }
        window.interface.apply(
            Configuration.read(
                """
                [ai]
                chat = "t"
                summaries = "model"
                [ai.provider.t]
                url = "http://127.0.0.1@localhost:\(server.port)/v1"
                model = "m"
                automatic = true
                """))
        #expect(try summary(window) == "By the model." && server.requests.count == 1)
    }

    @Test func `a summary by itself makes way for what the user wants, and is made after it`() throws {
        let server = try server(.init([.hang]), .init([.hang]), .answer(["By the model."]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: [Self.long, "Other"], more: "summaries = \"model\"")
        defer { window.close() }
        let scheduler = window.fixture.scheduler
        func wait(until condition: @escaping () -> Bool) -> Bool {
            scheduler.run(until: {
                scheduler.advance(by: .seconds(1))
                return condition()
            })
        }
        window.press("Enter", "Ctrl-End", "\" More.\"", "Esc", "j", "Enter")
        #expect(wait { server.requests.count == 1 })
        window.press("Alt-M", "\"Rewrite\"", "Enter")
        #expect(wait { server.requests.count == 2 && server.openConnections == 1 })
        // The summary is due, and waits.
        for _ in 0..<20 { scheduler.advance(by: .seconds(1)) }
        #expect(server.requests.count == 2)
        window.press("Esc")
        let id = try #require(
            try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9).first { $0.title == "Bread" }
        ).id
        #expect(wait { (try? window.fixture.notebook.notes.load(id)?.row.aiSummary) == "By the model." })
        #expect(server.requests.count == 3 && server.requests[2].contains("Bread"))
    }

    @Test func `no summary is made by itself where it is not asked for, or the model is elsewhere`() throws {
        let server = try server(.answer(["By the model."]))
        defer { server.stop() }
        for (more, host) in [("", "127.0.0.1"), ("summaries = \"model\"", "127.0.0.1@localhost")] {
            let window = try Window.withModel(server, notes: [Self.long, "Other"], host: host, more: more)
            defer { window.close() }
            window.press("Enter", "Ctrl-End", "\" More.\"", "Esc", "j", "Enter", "Esc")
            for _ in 0..<20 { window.fixture.scheduler.advance(by: .seconds(1)) }
            #expect(server.requests.isEmpty)
        }
    }
}

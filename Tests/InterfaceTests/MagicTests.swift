import Intelligence
import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests what a model does with texts in the window, against a server that does what a script says.
@MainActor
@Suite(.serialized)
struct MagicTests {
    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    /// Opens the menu and chooses an item by its first letters.
    private func choose(_ window: Window, _ item: String) { window.press("Alt-M", "\"\(item)\"", "Enter") }

    private func text(_ window: Window) -> String? { window.fixture.model.session?.text }

    @Test func `the menu says what it would change, and what sends nothing needs no model`() throws {
        let window = try Window(notes: ["Bread\n\nFlour and water make a dough. The dough rests overnight."])
        defer { window.close() }
        window.press("Enter", "Alt-M")
        #expect(window.lines.contains { $0.contains("Rewrite") && $0.contains("whole note") })
        // The reason is shown once for all unavailable items, and again if one of them is chosen all the same.
        #expect(window.lines.count { $0.contains("no model is configured") } == 1)
        window.press("Enter")
        #expect(window.lines.last?.contains("No model is configured") == true)
        window.press("Alt-G")
        #expect(window.lines.contains { $0.contains("Related notes") && $0.contains("sends nothing") })
        window.press("\"own sent\"", "Enter")
        #expect(window.interface.overlays.isEmpty)
        let id = try #require(window.fixture.model.openNote).id
        #expect(try window.fixture.notebook.notes.load(id)?.row.aiSummary.contains("dough") == true)
        for command in ["magic.assist", "magic.format", "magic.summarize"] {
            window.interface.perform(CommandName(command))
            window.draw()
            #expect(
                window.interface.overlays.isEmpty && window.lines.last?.contains("No model is") == true, "\(command)")
        }
    }

    @Test func `where the reason for dimmed actions has no room, the list takes its rows`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["Bread"])
        defer { window.close() }
        window.press("Enter", "Alt-M")
        #expect(!window.lines.contains { $0.contains("no model is configured") })
        #expect(window.lines.count { $0.hasPrefix("│  ") } == 8, "\(window.lines)")
    }

    @Test func `the menu is searched by words as the palette is, and knows its actions as those of Magic`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["Bread"])
        defer { window.close() }
        window.press("Enter", "Alt-M", "\"magic f\"")
        #expect(window.lines.contains { $0.contains("Format the note as clean Markdown") })
        #expect(!window.lines.contains { $0.contains("Shorten") })
        window.press("Ctrl-U", "\"chat\"")
        #expect(window.lines.contains { $0.contains("Ask about your notes") })
        #expect(!window.lines.contains { $0.contains("Format the note") })
    }

    @Test(arguments: [(40, 12), (80, 24)])
    func `a long result is read from its beginning, and a narrow box names the key that takes it`(
        columns: Int, rows: Int
    ) throws {
        let words = (1...120).map { "word\($0) " }
        let server = try server(.answer(words))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there\nEnd"])
        defer { window.close() }
        window.size = Size(columns: columns, rows: rows)
        window.press("Enter", "Ctrl-Home", "Shift-End")
        choose(window, "rew")
        #expect(window.waits(for: "Enter replace"), "\(window.lines)")
        #expect(window.lines.contains { $0.contains("word1 word2") }, "\(window.lines)")
        #expect(window.lines.contains { $0.contains("Enter replace") && $0.contains("Esc cancel") && $0.contains("─") })
        window.press("End")
        #expect(window.lines.contains { $0.contains("word120") }, "\(window.lines)")
    }

    @Test func `what has failed before its first word offers nothing to copy`() throws {
        let server = try server(.status(404))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there\nEnd"])
        defer { window.close() }
        window.press("Enter")
        choose(window, "Rewrite")
        #expect(window.waits(for: "Esc closes"))
        #expect(!window.lines.contains { $0.contains("y copy") }, "\(window.lines)")
    }

    @Test func `Enter replaces the selection, i inserts below, and Esc drops the result`() throws {
        let server = try server(.answer(["Good ", "morning"]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there\nEnd"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "Shift-End", "Alt-M")
        #expect(window.lines.contains { $0.contains("Shorten") && $0.contains("selection") })
        window.press("Esc")
        window.interface.perform("magic.assist")
        window.press("\"as a greeting\"", "Enter")
        #expect(window.waits(for: "Enter replace"))
        #expect(window.lines.contains { $0.contains("Good morning") } && text(window) == "Hello there\nEnd")
        #expect(server.requests[0].contains("as a greeting") && !server.requests[0].contains("End"))
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty && text(window) == "Hello there\nEnd")
        choose(window, "Rewrite")
        #expect(window.waits(for: "Enter replace"))
        window.press("i")
        #expect(text(window) == "Hello there\n\nGood morning\nEnd")
        #expect(window.lines.last?.contains("Inserted below; undo takes it out again") == true)
        window.press("Ctrl-Z")
        window.press("Ctrl-Home", "Shift-End")
        choose(window, "Shorten")
        #expect(window.waits(for: "Enter replace"))
        window.press("Enter")
        #expect(text(window) == "Good morning\nEnd" && window.interface.overlays.isEmpty)
        #expect(window.lines.last?.contains("Replaced by the result; undo restores the earlier text") == true)
        window.press("Ctrl-Z")
        #expect(text(window) == "Hello there\nEnd")
    }

    @Test func `an empty answer or a failure never replaces, and copies nothing`() throws {
        let server = try server(.answer(["  \n"]), .status(401, "sk-1"), .answer(["```\n```"]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there"])
        defer { window.close() }
        window.press("Enter")
        for sign in ["empty answer", "does not accept the key"] {
            choose(window, "Rewrite")
            #expect(window.waits(for: sign))
            window.press("Enter", "i", "y")
            #expect(text(window) == "Hello there" && window.host.copied.isEmpty)
            window.press("Esc")
            #expect(window.interface.overlays.isEmpty)
        }
    }

    @Test func `Esc stops a stream, what came stays to be copied, and the note is as it was`() throws {
        let beginning =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"content\":\"So far\"}}]}\n\n"
        let server = try server(.init([.send(Array(beginning.utf8)), .hang]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there"])
        defer { window.close() }
        window.press("Enter")
        choose(window, "Rewrite")
        #expect(window.waits(for: "So far"))
        window.press("Enter", "Esc")
        #expect(window.lines.contains { $0.contains("stopped") } && text(window) == "Hello there")
        window.press("Enter", "i")
        #expect(text(window) == "Hello there")
        window.press("y")
        #expect(window.host.copied == ["So far"] && window.interface.overlays.isEmpty)
    }

    @Test func `Ctrl-C stops a stream as Esc does, and what would be sent is shown before`() throws {
        let beginning =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"content\":\"So far\"}}]}\n\n"
        let server = try server(.init([.send(Array(beginning.utf8)), .hang]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Hello there"], host: "127.0.0.1@localhost")
        defer { window.close() }
        window.press("Enter")
        for (count, item) in ["Rewrite", "Format"].enumerated() {
            choose(window, item)
            #expect(window.waits(for: "s show it"))
            window.press("s")
            #expect(window.lines.contains { $0.contains("What would be sent") })
            #expect(window.lines.contains { $0.contains("\"messages\"") } && server.requests.count == count)
            window.press("Esc", "y")
            #expect(window.waits(for: item == "Format" ? "waiting for the text" : "So far"))
            #expect(server.requests.last?.contains("Hello there") == true)
            window.press("Ctrl-C")
            #expect(window.lines.contains { $0.contains("stopped") } && text(window) == "Hello there")
            window.press("Esc")
            #expect(window.interface.overlays.isEmpty)
        }
    }

    @Test func `a form is reviewed change by change, and taken as one step with a version`() throws {
        let server = try server(.answer(["# Bread\n\nFlour and **water**.\n\nRest.\n\n- salt"]))
        defer { server.stop() }
        let before = "Bread\n\nFlour and water.\n\nRest.\n\nsalt"
        let window = try Window.withModel(server, notes: [before])
        defer { window.close() }
        window.press("Enter")
        choose(window, "Format")
        #expect(window.waits(for: "3 of 3 changes taken"))
        #expect(window.lines.contains { $0.contains("[x] change 2 of 3, line 3") })
        #expect(window.lines.contains { $0.contains("+ - salt") } && text(window) == before)
        window.press("Down", "Space")
        #expect(window.lines.contains { $0.contains("2 of 3 changes taken") })
        window.press("Enter")
        #expect(text(window) == "# Bread\n\nFlour and water.\n\nRest.\n\n- salt")
        let id = try #require(window.fixture.model.openNote).id
        let kept = try window.fixture.notebook.versions.all(of: id)
        #expect(try kept.contains { try window.fixture.notebook.versions.text(of: id, version: $0.number) == before })
        window.press("Ctrl-Z")
        #expect(text(window) == before)
    }

    @Test func `words that change are reported, and what is not the same text is refused`() throws {
        let server = try server(
            .answer(["Bread from flour and water, resting for one night in the cold kitchen"]), .answer(["Bread"]))
        defer { server.stop() }
        let window = try Window.withModel(
            server, notes: ["Bread from flour and water, resting for one night in the warm kitchen"])
        defer { window.close() }
        window.press("Enter")
        choose(window, "Format")
        #expect(window.waits(for: "1 word changed"))
        window.press("*", "Enter")
        #expect(text(window)?.contains("warm") == true)
        choose(window, "Format")
        #expect(window.waits(for: "did not return the same text"))
        window.press("Enter")
        #expect(text(window)?.contains("warm") == true && window.interface.overlays.isEmpty)
    }

    @Test func `a summary is kept by Enter, and nothing is sent twice`() throws {
        let server = try server(.answer(["Flour, water and a night."]))
        defer { server.stop() }
        let window = try Window.withModel(server, notes: ["Bread\n\nFlour and water. A night."])
        defer { window.close() }
        window.press("Enter")
        let id = try #require(window.fixture.model.openNote).id
        window.interface.perform("magic.summarize")
        #expect(window.waits(for: "Enter keep"))
        #expect(try window.fixture.notebook.notes.load(id)?.row.aiSummary.isEmpty == true)
        window.press("i")
        #expect(text(window) == "Bread\n\nFlour and water. A night.")
        window.press("Enter")
        #expect(try window.fixture.notebook.notes.load(id)?.row.aiSummary == "Flour, water and a night.")
        #expect(try window.fixture.notebook.notes.summaryAuthor(of: id) == "model" && server.requests.count == 1)
    }

    @Test func `nothing is sent before the user agrees, and nothing at all of a note that stays here`() throws {
        let server = try server(.answer(["Good morning"]))
        defer { server.stop() }
        let window = try Window.withModel(
            server, notes: ["Hello there"], host: "127.0.0.1@localhost", more: "never-send = [\"#private\"]")
        defer { window.close() }
        window.press("Enter")
        choose(window, "Rewrite")
        #expect(window.lines.contains { $0.contains("Send a text of 11 characters") })
        window.press("Enter")
        #expect(window.waits(for: "nothing was sent") && server.requests.isEmpty)
        window.press("Esc")
        choose(window, "Rewrite")
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty && server.requests.isEmpty)
        choose(window, "Rewrite")
        window.press("y")
        #expect(window.waits(for: "Enter replace") && server.requests.count == 1)
        window.press("Esc")
        // The tag is in the text, and not yet in the notebook.
        window.press("Ctrl-End", "\" #private\"")
        for item in ["Rewrite", "Format", "Summarize the note by the m"] {
            choose(window, item)
            #expect(window.lines.last?.contains("may not be sent") == true, "\(item): \(window.lines.last ?? "")")
            #expect(window.interface.overlays.isEmpty && server.requests.count == 1)
        }
    }

    @Test func `what one does without asking a model sends nothing`() throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        let window = try Window.withModel(
            server, notes: ["Bread\n\nFlour, fridge.", "Pizza\n\nFlour, fridge.", "Other"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" and salt\"", "Ctrl-S", "Esc", "j", "j", "k", "/", "\"flour\"", "Esc")
        window.interface.perform("note.related")
        window.press("Esc")
        window.interface.perform("note.summarize")
        for _ in 0..<100 { window.fixture.scheduler.advance(by: .seconds(5)) }
        window.press("Alt-G", "Esc", "Alt-I", "Tab", "Esc")
        #expect(server.requests.isEmpty)
    }
}

import Intelligence
import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests Magic Chat in the window, against a server that follows a script.
@MainActor
struct ChatTests {
    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    @Test func `a screen reader gets an answer once it is whole`() throws {
        let piece = #"data: {"choices":[{"index":0,"delta":{"content":"The budget "}}]}"# + "\n\n"
        let server = try server(.init([.send(Array((ScriptedServer.Reply.streamHead + piece).utf8)), .hang]))
        let window = try Window.withChat(server)
        defer { window.close() }
        window.interface.state.theme.glyphs = .words
        window.press("Alt-I", "\"budget?\"", "Enter")
        let chat = window.fixture.model.magicChat
        #expect(
            window.fixture.scheduler.run(until: {
                window.fixture.scheduler.advance(by: .milliseconds(40))
                return chat.entries.last?.answer.contains("budget") == true
            }))
        window.draw()
        #expect(chat.isAnswering && !window.lines.contains { $0.contains("The budget") }, "\(window.lines)")
        chat.stop()
        #expect(window.waitsInChat(for: "The budget"))
        server.stop()
    }

    @Test func `for a screen reader the cursor is on the citation, and the chat begins at the edge`() throws {
        let server = try server(.answer(["The budget must not grow [1], and Ana said so [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.interface.apply(
            Configuration.read(
                """
                [screen]
                reader = true
                [ai]
                chat = "t"
                [ai.provider.t]
                url = "\(server.url)"
                model = "m"
                """))
        window.press("Alt-I", "\"budget?\"")
        #expect(window.lines[0].hasPrefix("Chat") && window.lines.contains { $0.hasPrefix("budget?") })
        window.press("Enter")
        #expect(window.waitsInChat(for: "The budget must not grow 1, and"), "\(window.lines)")
        var columns: [Int] = []
        for _ in 0..<2 {
            window.press("Tab")
            let position = try #require(window.cursor).position
            #expect(window.lines[position.row].dropFirst(position.column).hasPrefix("1"), "\(window.lines)")
            columns.append(position.column)
        }
        #expect(columns[0] < columns[1])
    }

    @Test func `Tab begins at the newest answer, also where an older one is in sight`() throws {
        let server = try server(
            .answer(["Not to grow [1], ever [1]."]), .answer(["Ana said so [1], in a meeting [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget?\"", "Enter")
        #expect(window.waitsInChat(for: "Not to grow 1, ever 1."), "\(window.lines)")
        // What was selected in the older answer is not gone on from.
        window.press("Tab", "Esc", "\"who on the budget?\"", "Enter")
        #expect(window.waitsInChat(for: "Ana said so 1, in"), "\(window.lines)")
        #expect(window.lines.contains { $0.contains("Not to grow 1, ever 1.") })
        let row = try #require(window.lines.firstIndex { $0.contains("Ana said so") })
        var columns: [Int] = []
        for _ in 0..<2 {
            window.press("Tab")
            let position = try #require(window.cursor).position
            #expect(position.row == row, "\(window.lines)")
            columns.append(position.column)
        }
        #expect(columns[0] < columns[1])
    }

    @Test func `a chat that waits for its model says so`() throws {
        let server = try server(.init([.hang]))
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget?\"", "Enter")
        #expect(window.waitsInChat(for: "waiting for 127.0.0.1:\(server.port)", isWhole: false))
        window.fixture.model.magicChat.stop()
        server.stop()
    }

    @Test func `reasoning without a beginning is not left in the answer`() throws {
        let server = try server(.answer(["Let me see.", "\n</think>\n", "\nIt must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget?\"", "Enter")
        #expect(window.waitsInChat(for: "It must not grow"))
        window.draw()
        #expect(!window.lines.contains { $0.contains("Let me see") }, "\(window.lines)")
        #expect(window.fixture.model.magicChat.entries.last?.answer.hasPrefix("It must not grow [1](takenote") == true)
    }

    @Test func `pages of a long answer are turned while the next question is typed`() throws {
        let answer = (1...60).map { "- point \($0)" }.joined(separator: "\n") + "\n\nThe end."
        let server = try server(.answer([answer]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget?\"", "Enter")
        #expect(window.waitsInChat(for: "point"))
        window.press("\"and\"")
        func shows(_ text: String) -> Bool { window.lines.contains { $0.contains(text) } }
        for _ in 0..<4 { window.press("PgDn") }
        #expect(shows("The end.") && !shows("budget?"), "\(window.lines)")
        for _ in 0..<4 { window.press("PgUp") }
        #expect(shows("budget?") && !shows("The end.") && shows("and"), "\(window.lines)")
    }

    @Test func `a chat that gets no vector of the question says that it searched by words`() throws {
        let server = try server(.answer(["The budget must not grow [1]."]))
        defer { server.stop() }
        let vectors = try self.server(.status(200, "[[1,0],[0,1]]"))
        let window = try Window.withChat(server)
        defer { window.close() }
        window.interface.apply(
            Configuration.read(
                """
                [ai]
                chat = "t"
                embed = "e"
                [ai.provider.t]
                url = "\(server.url)"
                model = "m"
                [ai.provider.e]
                url = "\(vectors.url)"
                """))
        let model = window.fixture.model
        let provider = try #require(try model.intelligence.embedProvider())
        let notes = window.fixture.notebook.retrieval.sendable(for: model.intelligence.rule(for: provider))
        let index = MeaningIndex(notes, provider: provider)
        let run = EmbeddingRun(provider, environment: model.magicChat.environment)
        #expect(try index.build(index.plan(), run) == 2)
        vectors.stop()
        window.press("Alt-I", "\"budget?\"", "Enter")
        #expect(window.waitsInChat(for: "found by words only"), "\(window.lines)")
        #expect(window.lines.contains { $0.contains("must not grow 1.") })
    }

    @Test func `an answer streams, its citation opens the note, and it becomes a note`() throws {
        let server = try server(.answer(["The budget ", "must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I")
        #expect(window.lines[0].contains("Chat") && window.cursor != nil)
        window.press("\"who said budget?\"", "Enter")
        #expect(window.waitsInChat(for: "must not grow 1."), "\(window.lines)")
        #expect(window.lines.contains { $0.contains("who said budget?") })
        window.press("Tab", "n")
        let titles = try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title)
        #expect(titles.contains("who said budget?"))
        window.press("Enter")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.session?.text.hasPrefix("Budget meeting") == true)
        // The conversation is still there.
        window.press("Alt-I")
        #expect(window.lines.contains { $0.contains("who said budget?") })
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty)
    }

    @Test func `in a narrow chat the keys of an answer are shown without the first, not without the last`() throws {
        let server = try server(.answer(["The budget ", "must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.size = Size(columns: 80, rows: 24)
        window.press("Alt-I", "\"who said budget?\"", "Enter")
        #expect(window.waitsInChat(for: "must not grow 1."), "\(window.lines)")
        window.press("Tab")
        #expect(window.lines.contains { $0.contains("save as note, Esc back") && !$0.contains("…") }, "\(window.lines)")
    }

    @Test func `a click on a citation opens its note`() throws {
        let server = try server(.answer(["The budget ", "must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"who said budget?\"", "Enter")
        #expect(window.waitsInChat(for: "must not grow 1."), "\(window.lines)")
        #expect(window.click("grow 1.") && window.interface.overlays.count == 1)
        #expect(window.click("1."))
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.session?.text.hasPrefix("Budget meeting") == true)
    }

    @Test(arguments: [(120, 30), (80, 24), (40, 12), (20, 5)])
    func `no line of the conversation lies on a rule, and what would be sent fills its box`(
        columns: Int, rows: Int
    ) throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        let window = try Window.withChat(server, host: "127.0.0.1@localhost")
        defer { window.close() }
        window.size = Size(columns: columns, rows: rows)
        window.draw()
        window.press("Alt-I")
        func mixed() -> [String] {
            let pane = window.interface.layout.panes[.editor]?.column ?? 0
            let parts = window.lines.dropLast(2).map { $0.dropFirst(pane).filter { $0 != " " } }
            return parts.filter { $0.contains("──") && $0.contains(where: \.isLetter) }
        }
        #expect(mixed().isEmpty, "\(window.lines)")
        #expect(window.lines.contains { $0.contains("Ask") } || rows < 8, "\(window.lines)")
        window.press("\"budget\"", "Enter")
        #expect(
            window.fixture.scheduler.run {
                window.fixture.scheduler.advance(by: .milliseconds(40))
                window.draw()
                return window.fixture.model.magicChat.demand != nil
            })
        #expect(mixed().isEmpty, "\(window.lines)")
        window.press("s")
        let shown = try #require(window.fixture.model.magicChat.awaitedRequest)
        let box = try #require(window.interface.overlays.last as? AnswerOverlay)
        #expect(box.rowTexts.joined() == shown.filter { !$0.isNewline } && box.rowTexts.count > 3)
        let wide = min(96, columns - 4)
        #expect(box.rowTexts.map(\.count).max() == wide && shown.contains("must not grow"))
        window.press("End")
        let last = try #require(box.rowTexts.last)
        #expect(window.lines.contains { $0.contains(last) }, "\(window.lines)")
        #expect(window.lines.contains { $0.contains(box.rowTexts.first { $0.count == wide } ?? "-") } || rows < 30)
    }

    @Test func `a question is answered though work that hangs has taken all shared threads`() throws {
        let server = try server(.answer(["The budget ", "must not grow [1]."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        let occupied = OccupiedThreads()
        defer { occupied.free() }
        window.press("Alt-I", "\"who said budget?\"", "Enter")
        #expect(window.waitsInChat(for: "must not grow 1."), "\(window.lines)")
    }

    @Test func `Esc stops an answer and stays, and leaves when nothing comes`() throws {
        let beginning =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"content\":\"So far\"}}]}\n\n"
        let server = try server(.init([.send(Array(beginning.utf8)), .hang]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "So far", isWhole: false))
        // Enter asks nothing while an answer arrives.
        #expect(window.lines.last?.contains("ask") == false && window.lines.last?.contains("Esc stop") == true)
        window.press("Esc")
        #expect(window.lines.last?.contains("Enter ask") == true)
        #expect(window.lines.contains { $0.contains("stopped") } && window.interface.overlays.count == 1)
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty)
    }

    @Test func `Ctrl-C stops an answer from the field and from the answer, and does nothing without one`() throws {
        let beginning =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"content\":\"So far\"}}]}\n\n"
        let server = try server(.init([.send(Array(beginning.utf8)), .hang]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"one\"", "Ctrl-C")
        #expect(window.lines.contains { $0.contains("one") } && window.interface.overlays.count == 1)
        for keys in [[], ["Tab"]] {
            window.press("\"budget\"", "Enter")
            #expect(window.waitsInChat(for: "So far", isWhole: false) && window.fixture.model.magicChat.isAnswering)
            for key in keys { window.press(key) }
            window.press("Ctrl-C")
            #expect(!window.fixture.model.magicChat.isAnswering && window.lines.contains { $0.contains("stopped") })
            #expect(window.interface.overlays.count == 1)
        }
    }

    @Test func `reasoning and searches are seen until the answer begins, and are not kept`() throws {
        let thinking =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm, let me see\"}}]}\n\n"
        let server = try server(.init([.send(Array(thinking.utf8)), .hang]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "hm, let me see", isWhole: false))
        window.press("Esc")
        #expect(!window.lines.contains { $0.contains("hm, let me see") })
    }

    @Test func `a list shows a kept summary as long as it fits the text`() throws {
        let window = try Window(notes: ["Sourdough\n\nFlour and water."])
        defer { window.close() }
        let (notes, id) = (window.fixture.notebook.notes, try #require(window.fixture.model.noteUnderCursor).id)
        func shows(_ line: String) -> Bool {
            window.fixture.scheduler.run {
                window.fixture.scheduler.advance(by: .seconds(1))
                window.draw()
                return window.lines.contains { $0.contains(line) }
            }
        }
        let note = try #require(try notes.load(id))
        try notes.setSummary("Bread that takes a day.", of: id, madeFrom: note.content, author: "model")
        #expect(shows("Bread that takes a day."))
        _ = try notes.save(
            id, text: "Sourdough\n\nRye now.", baseRevision: note.row.revision, base: note.content)
        #expect(shows("Rye now.") && !window.lines.contains { $0.contains("takes a day") })
    }

    @Test func `the chat is off until a provider is named, and related notes need none`() throws {
        let window = try Window(notes: ["Sourdough\n\nFlour, fridge.", "Pizza\n\nFlour, fridge.", "Other\n\nNothing."])
        defer { window.close() }
        window.press("Alt-I")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.lines.last?.contains("No model is configured") == true)
        window.interface.perform("note.related")
        window.draw()
        #expect(window.lines.contains { $0.contains("Pizza") && $0.contains("flour") })
    }
}

import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests notes that a model wants in the chat, which are made only with the consent of the user.
@MainActor
struct WantedNoteTests {
    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    @Test func `a note that the model wants is shown whole, and made only with y`() throws {
        let call =
            #"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"create_note","#
            + #""arguments":"{\"title\":\"Plan\",\"text\":\"Buy pears\"}"}}]},"finish_reason":"tool_calls"}]}"#
        let server = try server(.stream([call]), .answer(["Fine."]), .stream([call]), .answer(["Done."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        func titles() throws -> [String] {
            try window.fixture.notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title)
        }
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "Buy pears"))
        #expect(try !titles().contains("Plan"))
        window.press("Enter")
        #expect(window.waitsInChat(for: "Fine."))
        #expect(try !titles().contains("Plan") && server.requests[1].contains("declined"))
        window.press("\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "Buy pears"))
        window.press("y")
        #expect(window.waitsInChat(for: "Done."))
        #expect(try titles().contains("Plan") && server.requests[3].contains("accepted"))
    }

    @Test func `a wanted note shows its links' addresses, is as closed as its sources, and u takes it back`() throws {
        let call =
            #"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"create_note","#
            + #""arguments":"{\"title\":\"Plan\",\"text\":\"[pears](http://evil.example/x) ```\"}"}}]}}]}"#
        let server = try server(.stream([call]), .answer(["Done."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        let notebook = window.fixture.notebook
        let id = try #require(
            try notebook.lists.rows(ListQuery(container: .inbox), limit: 9).first { $0.title == "Budget meeting" }
        ).id
        try notebook.retrieval.setPrivacy(.thisMachine, of: id)
        window.press("Alt-I", "\"budget\"", "Enter")
        #expect(window.waitsInChat(for: "[pears](http://evil.example/x)"))
        window.press("y")
        #expect(window.waitsInChat(for: "Done."))
        func made() throws -> NoteRow? {
            try notebook.lists.rows(ListQuery(container: .inbox), limit: 9).first { $0.title == "Plan" }
        }
        #expect(try notebook.retrieval.privacy(of: #require(try made()).id) == .thisMachine)
        window.press("Esc", "u")
        #expect(try made() == nil)
    }

    @Test(arguments: [(120, 30), (80, 24), (40, 12)])
    func `a wanted note that is longer than the pane is shown from its beginning, and can be scrolled`(
        columns: Int, rows: Int
    ) throws {
        let text = (1...60).map { "line \($0)" }.joined(separator: #"\\n"#)
        let call =
            #"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"create_note","#
            + #""arguments":"{\"title\":\"Plan\",\"text\":\"\#(text)\"}"}}]}}]}"#
        let server = try server(.answer(["Ana said no."]), .stream([call]), .answer(["Done."]))
        defer { server.stop() }
        let window = try Window.withChat(server)
        defer { window.close() }
        window.press("Alt-I", "\"who said it?\"", "Enter")
        #expect(window.waitsInChat(for: "Ana said no."))
        window.size = Size(columns: columns, rows: rows)
        window.press("\"budget\"", "Enter")
        let chat = window.fixture.model.magicChat
        #expect(window.waitsInChat(for: "The model") && chat.demand != nil, "\(window.lines)")
        #expect(window.lines.contains { $0.contains("line 1") }, "\(window.lines)")
        let left = window.interface.layout.panes[.editor]?.column ?? 0
        let top = window.lines[2].dropFirst(left)
        #expect(top.contains("The model"), "\(window.lines)")
        #expect(!window.lines.contains { $0.contains("line 60") })
        #expect(window.lines.contains { $0.contains("PgDn") }, "\(window.lines)")
        for _ in 0..<40 { window.press("PgDn") }
        #expect(window.lines.contains { $0.contains("line 60") }, "\(window.lines)")
        window.press("Home")
        #expect(window.lines.contains { $0.contains("The model") } && !window.lines.contains { $0.contains("line 60") })
        window.press("End")
        #expect(window.lines.contains { $0.contains("line 60") } && chat.demand != nil)
        window.press("n")
        #expect(window.waitsInChat(for: "Done."))
    }
}

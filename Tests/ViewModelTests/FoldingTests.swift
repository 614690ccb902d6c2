import TestSupport
import Testing
import TextEditing
import ViewModel

/// Tests folded sections in an open text.
@MainActor
@Suite(.serialized)
struct FoldingTests {
    private static let text = """
        # One
        a
        ## Inner
        b
        c

        Under
        -----
        d

        # Two
        e
        """

    private func open(_ text: String = text, _ body: (EditorSession) throws -> Void) throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        try fixture.add(text)
        fixture.model.start()
        let session = try #require(fixture.model.session)
        session.resize(columns: 60, rows: 30)
        try body(session)
    }

    /// Returns the visible lines, from the top of the text.
    private func lines(_ session: EditorSession) -> [Int] {
        session.scroll(by: -100)
        return session.visibleRows().map(\.line.rawValue)
    }

    private func goToEnd(ofLine line: Int, _ session: EditorSession) {
        session.go(toLine: line)
        session.move(.lineEnd)
    }

    @Test func `a section folds up to the next heading of its level, from anywhere in it`() throws {
        try open { session in
            session.go(toLine: 3)
            #expect(session.toggleFold())
            #expect(lines(session) == [0, 1, 2, 5, 6, 7, 8, 9, 10, 11])
            #expect(session.caretLabel == "3:9")
            #expect(session.foldedLines(under: 2) == 2)
            #expect(session.toggleFold())
            #expect(lines(session).count == 12)
        }
    }

    @Test func `a higher section takes the lower ones along, and gives them back as they were`() throws {
        try open { session in
            session.go(toLine: 2)
            #expect(session.toggleFold())
            session.go(toLine: 0)
            #expect(session.toggleFold())
            #expect(lines(session) == [0, 9, 10, 11])
            #expect(session.toggleFold())
            #expect(lines(session) == [0, 1, 2, 5, 6, 7, 8, 9, 10, 11])
        }
    }

    @Test func `an underlined heading folds, seen from its text and from its line`() throws {
        try open { session in
            for line in [6, 7, 8] {
                _ = session.unfoldAll()
                session.go(toLine: line)
                #expect(session.toggleFold())
                #expect(lines(session) == [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11])
            }
        }
    }

    @Test func `what only looks like a heading folds nothing`() throws {
        try open("```\n# comment\nx\n```\n- a\n  # in a list\n  b") { session in
            session.go(toLine: 2)
            #expect(!session.toggleFold())
            session.go(toLine: 6)
            #expect(!session.toggleFold())
        }
    }

    @Test func `all sections fold to their headings and open again`() throws {
        try open { session in
            #expect(session.foldAll())
            #expect(lines(session) == [0, 2, 5, 6, 7, 9, 10])
            #expect(session.unfoldAll())
            #expect(lines(session).count == 12 && !session.unfoldAll())
        }
    }

    @Test func `a jump, a match and an undo into a fold open it`() throws {
        try open { session in
            let fold = {
                session.go(toLine: 0)
                #expect(session.toggleFold())
                #expect(lines(session).count == 4)
            }
            fold()
            session.go(toLine: 4)
            #expect(lines(session).count == 12)
            fold()
            session.find(FindQuery("b"))
            #expect(lines(session).count == 12)
            session.endFind(puttingBack: false)
            session.go(toLine: 3)
            session.type("x")
            fold()
            session.undo()
            #expect(lines(session).count == 12)
        }
    }

    @Test func `typing around a fold leaves it, and taking its heading away opens it`() throws {
        try open { session in
            goToEnd(ofLine: 2, session)
            #expect(session.toggleFold())
            session.type("!")
            session.go(toLine: 0)
            session.paste("new\n")
            #expect(session.foldedLines(under: 3) == 2)
            #expect(lines(session).count == 11)
            session.go(toLine: 3)
            for _ in 0..<3 { session.change { $0.delete(.forward) } }
            #expect(session.text.contains("\nInner!\n"))
            #expect(session.foldedLines(under: 3) == nil)
        }
    }

    @Test func `Enter at the end of a folded heading opens it`() throws {
        try open { session in
            goToEnd(ofLine: 2, session)
            #expect(session.toggleFold())
            session.newLine()
            #expect(lines(session).count == 13)
        }
    }
}

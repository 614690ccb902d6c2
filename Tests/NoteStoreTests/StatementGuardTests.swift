import Foundation
import GRDB
import Synchronization
import Testing

@testable import NoteStore

/// Tests that a notebook whose triggers never end can be left.
@Suite struct StatementGuardTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook() }

    /// Makes every new note begin work that never ends.
    private static let trigger = """
        CREATE TABLE endless (n);
        CREATE TRIGGER endless_note AFTER INSERT ON note BEGIN
            INSERT INTO endless WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count)
                SELECT n FROM count WHERE n < 0;
        END
        """

    @Test(arguments: [Notebook.Mode.command, .interactive], [true, false])
    func `a trigger that never ends is ended when the program is, and nothing is half done`(
        mode: Notebook.Mode, isLeaving: Bool
    ) throws {
        let isAsked = Mutex(false)
        var options = Notebook.Options(now: test.clock.now)
        options.grace = .zero
        options.isAskedToEnd = { isAsked.withLock { $0 } }
        let notebook = try Notebook.open(test.path, mode: mode, options: options)
        let before = try notebook.notes.create(NewNote(text: "before"))
        try notebook.database.writeWithoutTransaction { try $0.execute(sql: Self.trigger) }
        if isLeaving { notebook.beginLeaving() } else { isAsked.withLock { $0 = true } }
        #expect(throws: StoreError.interrupted) { try notebook.notes.create(NewNote(text: "endless")) }
        #expect(try notebook.lists.rows(ListQuery(container: .inbox), limit: 5).map(\.id) == [before.id])
        // What ends by itself is done, whoever has asked.
        try notebook.database.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER endless_note") }
        let after = try notebook.notes.create(NewNote(text: "after"))
        #expect(try notebook.lists.rows(ListQuery(container: .inbox), limit: 5).map(\.id) == [after.id, before.id])
        try notebook.close()
    }
}

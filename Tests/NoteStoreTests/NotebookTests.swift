import Foundation
import Synchronization
import Testing

@testable import NoteStore

@Suite struct NotebookTests {
    @Test func `a new notebook has its system containers in order and a file for the owner only`() throws {
        let test = try TestNotebook()
        let names = try test.notebook.containers.all().map(\.name)
        #expect(names == ["Inbox", "Starred", "All Notes", "Trash", "Archive", "Buffer"])
        let mode = try FileManager.default.attributesOfItem(atPath: test.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a note is there after closing and opening`() throws {
        let test = try TestNotebook()
        let row = try test.note("# Hello\n\nworld\r\n\u{0}tail")
        try test.restart(mode: .command)
        let note = try #require(try test.notebook.notes.load(row.id))
        #expect(note.content == "# Hello\n\nworld\r\n\u{0}tail")
        #expect(note.title == "Hello")
        #expect(note.row == row)
    }

    @Test func `whoever still reads, searches or writes while it is closed gets an answer or is told so`() throws {
        for _ in 0..<20 {
            let test = try TestNotebook()
            try test.note("one of some")
            let notebook = test.notebook
            let ended = DispatchGroup()
            let surprises = Mutex<[String]>([])
            let calls: [@Sendable () throws -> Void] = [
                { _ = try notebook.lists.rows(ListQuery(container: .inbox), limit: 10) },
                { _ = try notebook.search.hits("some") },
                { _ = try notebook.notes.create(NewNote(text: "two")) },
                { notebook.care.releaseMemory() },
            ]
            for call in calls {
                DispatchQueue.global().async(group: ended) { @Sendable in
                    do {
                        for _ in 0..<200 { try call() }
                    } catch StoreError.closed, StoreError.interrupted {
                        // An expected error.
                    } catch {
                        surprises.withLock { $0.append("\(error)") }
                    }
                }
            }
            try notebook.close()
            ended.wait()
            #expect(surprises.withLock { $0 } == [])
            #expect(throws: StoreError.closed(path: test.path)) { try notebook.search.hits("some") }
            #expect(throws: StoreError.closed(path: test.path)) { try notebook.notes.create(NewNote(text: "three")) }
        }
    }

    @Test func `counts follow every change`() throws {
        let test = try TestNotebook()
        let one = try test.note("one")
        let two = try test.note("two")
        try test.notebook.notes.setStarred([one.id], true)
        try test.notebook.trash.add([two.id])
        func count(_ id: ContainerID) throws -> Int { try test.notebook.lists.count(ListQuery(container: id)) }
        #expect(try count(.inbox) == 1)
        #expect(try count(.starred) == 1)
        #expect(try count(.allNotes) == 1)
        #expect(try count(.trash) == 1)
        try test.notebook.trash.restore([two.id])
        #expect(try count(.inbox) == 2)
        #expect(try count(.trash) == 0)
    }

    @Test func `a list is starred first, then newest, in windows that join without gap`() throws {
        let test = try TestNotebook()
        var rows = try (0..<25).map { try test.note("note \($0)") }
        try test.notebook.notes.setStarred([rows[3].id, rows[7].id], true)
        rows = try rows.map { try #require(try test.notebook.notes.row($0.id)) }
        for query in Self.queries {
            let all = try test.notebook.lists.rows(query, limit: 100)
            #expect(all == rows.sorted { Self.precedes($0, $1, query) })
            var windows: [NoteRow] = []
            var anchor = ListAnchor.start
            while case let window = try test.notebook.lists.rows(query, from: anchor, limit: 4), let last = window.last
            {
                windows += window
                anchor = .after(last)
            }
            #expect(windows == all)
            #expect(try test.notebook.lists.rows(query, from: .before(all[12]), limit: 5) == Array(all[7..<12]))
            #expect(try test.notebook.lists.rows(query, from: .end, limit: 6) == Array(all.suffix(6)))
            #expect(try test.notebook.lists.ordinal(of: all[9].id, in: query) == 9)
        }
    }

    private static let queries: [ListQuery] = [SortBy.created, .updated, .title, .byHand].flatMap { sort in
        [SortOrder.newestFirst, .oldestFirst].flatMap { order in
            [true, false].map {
                ListQuery(container: .inbox, sortBy: sort, sortOrder: order, starredFirst: $0)
            }
        }
    }

    private static func precedes(_ one: NoteRow, _ other: NoteRow, _ query: ListQuery) -> Bool {
        if query.starredFirst, one.starred != other.starred { return one.starred }
        let ascending =
            switch query.sortBy {
            case .created: (one.createdDate, one.key) < (other.createdDate, other.key)
            case .updated: (one.updatedDate, one.key) < (other.updatedDate, other.key)
            case .title: (one.title, one.key) < (other.title, other.key)
            case .byHand: (one.handKey, one.key) < (other.handKey, other.key)
            }
        return ascending == (query.sortOrder == .oldestFirst)
    }

    @Test func `a save moves the revision, the title, the date and the search index`() throws {
        let test = try TestNotebook()
        let row = try test.note("apple pie")
        guard case .saved(let saved) = try test.notebook.notes.save(row.id, text: "pear cake", baseRevision: 1) else {
            Issue.record("not saved")
            return
        }
        #expect(saved.title == "pear cake")
        #expect(saved.revision == 2)
        #expect(saved.updatedDate > row.updatedDate)
        #expect(try test.notebook.search.hits("apple").isEmpty)
        #expect(try test.notebook.search.hits("pea").map(\.id) == [row.id])
        #expect(try test.notebook.search.hits("pea", stage: .instant).map(\.id) == [row.id])
    }

    @Test func `undo and redo of a move to Trash work across a restart`() throws {
        let test = try TestNotebook()
        let row = try test.note("keep me")
        try test.notebook.trash.add([row.id])
        try test.restart()
        #expect(try test.notebook.actions.nextUndo()?.kind == .trash)
        #expect(try test.notebook.actions.undo()?.notes == [row.id])
        #expect(try test.notebook.notes.row(row.id) == row)
        #expect(try test.notebook.actions.redo()?.kind == .trash)
        #expect(try test.notebook.notes.row(row.id)?.place == .trash)
        #expect(try test.notebook.actions.redo() == nil)
    }

    @Test func `a reference is a URL, a UUID, a title or the start of a UUID`() throws {
        let test = try TestNotebook()
        let row = try test.note("Groceries")
        let uuid = row.id.description
        for reference in [row.getURL().lowercased(), uuid, uuid.lowercased(), "groceries", String(uuid.prefix(4))] {
            #expect(try test.notebook.notes.resolve(reference: reference).id == row.id)
        }
        #expect(throws: StoreError.noSuchReference("nothing")) { try test.notebook.notes.resolve(reference: "nothing") }
        try test.note("Groceries")
        #expect(throws: StoreError.self) { try test.notebook.notes.resolve(reference: "Groceries") }
    }

    @Test func `a path names a container and says what is missing`() throws {
        let test = try TestNotebook()
        let home = try test.notebook.folders.create("Home")
        let odd = try test.notebook.folders.create("A/B", in: home.id)
        #expect(try test.notebook.containers.resolve(path: "home/A\\/B").id == odd.id)
        #expect(try test.notebook.containers.resolve(path: "Inbox").id == .inbox)
        #expect(throws: StoreError.noSuchPath("Home/X/Y", missing: "X")) {
            try test.notebook.containers.resolve(path: "Home/X/Y")
        }
        #expect(
            Notebook.Containers.names(ofPath: Notebook.Containers.path(ofNames: ["a/b", "c\\d"])) == ["a/b", "c\\d"])
    }

    @Test func `a change of another program is seen within half a second`() async throws {
        let test = try TestNotebook()
        let (stream, continuation) = AsyncStream.makeStream(of: StoreChange.self)
        let observation = test.notebook.observeChanges { continuation.yield($0) }
        let row = try test.note("mine")
        var changes = stream.makeAsyncIterator()
        var change = try #require(await changes.next())
        #expect(change.source == .thisProgram && change.notes == [row.id])
        let other = try Notebook.open(test.path, mode: .command)
        _ = try other.notes.create(NewNote(text: "theirs"))
        change = try #require(await changes.next())
        #expect(change.source == .anotherProgram && change.notes == nil)
        #expect(try test.titles(.inbox).contains("theirs"))
        observation.cancel()
    }
}

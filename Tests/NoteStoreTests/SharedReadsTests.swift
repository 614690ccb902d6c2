import Testing

@testable import NoteStore

@Suite struct SharedReadsTests {
    @Test func `reads at one moment share a connection and see no note that another program adds meanwhile`() throws {
        let test = try TestNotebook()
        try test.note("one")
        let other = try Notebook.open(test.path, mode: .command)
        try test.notebook.atOneMoment {
            #expect(try test.titles(.inbox) == ["one"])
            let connection = try test.notebook.read { ObjectIdentifier($0) }
            try other.notes.create(NewNote(text: "two"))
            #expect(try test.titles(.inbox) == ["one"])
            #expect(try test.notebook.lists.count(ListQuery(container: .inbox)) == 1)
            #expect(try test.notebook.read { ObjectIdentifier($0) } == connection)
        }
        #expect(try test.titles(.inbox).sorted() == ["one", "two"])
        try other.close()
    }

    @Test func `a write during such reads is kept, and the next reads see it`() throws {
        let test = try TestNotebook()
        try test.notebook.atOneMoment {
            #expect(try test.titles(.inbox).isEmpty)
            try test.note("written")
            #expect(try test.titles(.inbox).isEmpty)
        }
        #expect(try test.titles(.inbox) == ["written"])
    }

    @Test func `what such reads throw arrives as it is, and the next read is a transaction of its own`() throws {
        struct Unexpected: Error {}
        let test = try TestNotebook()
        #expect(throws: Unexpected.self) {
            try test.notebook.atOneMoment {
                _ = try test.titles(.inbox)
                throw Unexpected()
            }
        }
        try test.note("one")
        #expect(try test.titles(.inbox) == ["one"])
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `they work before the reading connections are open`(mode: Notebook.Mode) throws {
        let test = try TestNotebook(mode: .command)
        try test.note("one")
        try test.notebook.close()
        var options = Notebook.Options()
        options.opensReadersLater = true
        test.notebook = try Notebook.open(test.path, mode: mode, options: options)
        try test.notebook.atOneMoment {
            #expect(try test.titles(.inbox) == ["one"])
            try test.note("two")
        }
        #expect(try test.titles(.inbox).sorted() == ["one", "two"])
    }
}

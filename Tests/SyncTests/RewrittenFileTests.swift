import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests files of notes that other programs have written anew, in their own way of writing front matter.
struct RewrittenFileTests {
    private let id = "0B5C2E5A-0000-4000-8000-000000000001"

    private func fields(_ file: String) throws -> NoteFields { try #require(NoteFields(Array(file.utf8))) }

    /// Windows ends lines with a carriage return too; the note's text takes that over, tn's lines do not.
    @Test func `a file with line ends of Windows keeps its note`() throws {
        let file = """
            ---
            title: "Call: Ana"
            tags: ["to read"]
            starred: true
            tn: \(id)
            ---
            one
            two

            """
        let read = try fields(file.replacing("\n", with: "\r\n"))
        #expect(read.id == NoteID(id))
        #expect(read.title == "Call: Ana" && read.tags == ["to read"] && read.starred)
        #expect(read.text == "one\r\ntwo\r\n")
        let own = try fields("---\r\ntn: \(id)\r\naliases: [x]\r\n---\r\ntext\r\n")
        #expect(own.id == NoteID(id) && own.text == "---\r\naliases: [x]\r\n---\r\ntext\r\n")
    }

    @Test func `a byte order mark does not hide the identity`() throws {
        let read = try fields("\u{FEFF}---\ntn: \(id)\n---\ntext\n")
        #expect(read.id == NoteID(id) && read.text == "text\n")
        // Where nothing is tn's it belongs to the text.
        #expect(try fields("\u{FEFF}text\n").text == "\u{FEFF}text\n")
    }

    @Test func `a dropped line feed at the end of an empty note adds nothing to it`() throws {
        #expect(try fields("---\ntn: \(id)\n---").text == "")
        #expect(try fields("---\ntn: \(id)\n---\n").text == "")
    }

    @Test func `lists and maps may stand in lines of their own`() throws {
        let read = try fields(
            """
            ---
            cssclasses: wide
            tags:
              - a b
              - "c: d"
              - 2024
            summary:
              - short
              - 0a1b
            former:
              first title: 1700000000000
              "with: colon": 2
            from:
              id: \(id)
              path: '["It''s"]'
              archived: true
              moved: -1
            tn: \(id)
            added: yes
            ---
            text
            """)
        #expect(read.tags == ["a b", "c: d", "2024"])
        #expect(read.summary.0 == "short" && read.summary.1 == "0a1b")
        #expect(read.former == ["first title": 1_700_000_000_000, "with: colon": 2])
        #expect(read.origin == SyncOrigin(container: ContainerID(id), path: "[\"It's\"]", wasArchived: true, moved: -1))
        #expect(read.text == "---\ncssclasses: wide\nadded: yes\n---\ntext")
    }

    /// A library for Python writes dates in another form, too.
    @Test func `the date of the last change may follow the identity`() throws {
        let read = try fields(
            """
            ---
            aliases: [x]
            created: 2026-03-01 09:30:00+00:00
            tags:
            - books
            title: 'Call: Ana'
            tn: \(id)
            type: note
            updated: 2026-03-01 10:30:00.250000+01:00
            zebra: yes
            ---
            text

            """)
        #expect(read.id == NoteID(id) && read.title == "Call: Ana" && read.tags == ["books"])
        #expect(read.created == 1_772_357_400_000 && read.updated == 1_772_357_400_250)
        #expect(read.text == "---\naliases: [x]\ntype: note\nzebra: yes\n---\ntext\n")
        let alone = try fields("---\ntn: \(id)\nupdated: 2026-03-01T09:30:00.250Z\n---\ntext\n")
        #expect(alone.updated == 1_772_357_400_250 && alone.text == "text\n")
        // Where tn's line is in its place, another one is the note's own.
        let both = try fields("---\ntn-updated: 5\ntn: \(id)\nupdated: 2026-03-01\n---\ntext\n")
        #expect(both.updated == 5 && both.text == "---\nupdated: 2026-03-01\n---\ntext\n")
        let other = try fields("---\ntn: \(id)\nupdated: never\n---\ntext\n")
        #expect(other.updated == nil && other.text == "---\nupdated: never\n---\ntext\n")
    }

    @Test(arguments: [
        "a long\n  title", ">-\n  a long\n  title", "|\n  a long title", "\"a long\n  title\"", "'a\n long title'",
    ])
    func `a long title may stand in several lines`(_ value: String) throws {
        let read = try fields("---\ntitle: \(value)\nupdated: 5\ntn: \(id)\n---\ntext\n")
        #expect(read.title == "a long title" && read.updated == 5 && read.text == "text\n")
    }

    @Test func `a tag of digits needs no quotes`() throws {
        #expect(try fields("---\ntags: [2024, 7]\ntn: \(id)\n---\n").tags == ["2024", "7"])
    }

    /// Lines of the note's own front matter that look similar stay as they are.
    @Test func `what is not tn's stays`() throws {
        let read = try fields("---\ntitle:\n  a: b\nnested:\n  - order: 1\ntn: \(id)\n---\ntext")
        #expect(read.title == nil && read.order == 0)
        #expect(read.text == "---\ntitle:\n  a: b\nnested:\n  - order: 1\n---\ntext")
    }

    // MARK: - Files without tn's lines

    private let store = MemoryCommits()

    @Test func `a new file gets the date of its commit`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        for machine in machines { try machine.sync() }
        store.put("new\n", at: "Inbox/New.md")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            let note = try #require(try machine.state().notes.values.first { $0.text == "new\n" })
            // A commit by hand is made one second after the beginning of time here.
            #expect(note.created == 1000 && note.updated == 1000)
        }
    }

    @Test func `a file that lost all of tn's lines keeps what they said`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let named = try notebook.notes.create(NewNote(text: "one\n", title: "Named"))
        let plain = try notebook.notes.create(NewNote(text: "first line\n"))
        try notebook.tags.add(try notebook.tags.create("kept").id, to: [named.id, plain.id])
        try notebook.notes.setStarred([named.id], true)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let before = try machines[1].state().notes
        store.put("one\ntwo\n", at: "Inbox/Named.md")
        store.put("another line\n", at: "Inbox/first line.md")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            let notes = try machine.state().notes
            var wanted = try #require(before[named.id])
            (wanted.text, wanted.updated) = ("one\ntwo\n", 1000)
            #expect(notes[named.id] == wanted)
            wanted = try #require(before[plain.id])
            (wanted.text, wanted.updated) = ("another line\n", 1000)
            (wanted.title, wanted.defaultTitle) = ("another line", "another line")
            #expect(notes[plain.id] == wanted)
            #expect(notes.count == 2)
        }
    }
}

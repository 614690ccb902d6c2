import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests tags in texts beside those set by hand.
@Suite struct TagTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func names(_ note: NoteRow) throws -> [String] { try #require(try notebook.notes.row(note.id)).tagNames }

    private func tag(_ name: String) throws -> NoteContainer { try #require(try notebook.tags.find(named: name)) }

    /// Returns the titles in a tag's list.
    private func listed(_ name: String) throws -> [String] { try test.titles(try tag(name).id).sorted() }

    private func save(_ note: NoteRow, _ text: String) throws {
        let revision = try #require(try notebook.notes.row(note.id)).revision
        _ = try notebook.notes.save(note.id, text: text, baseRevision: revision)
    }

    @Test func `a tag in a text is a tag until the text loses it`() throws {
        let note = try test.note("Soup #cooking and #Åland, `#code` https://x.org/#part # no #12\n## also #in-heading")
        #expect(try names(note) == ["cooking", "in-heading", "Åland"])
        #expect(try listed("cooking") == [note.title])
        try save(note, "Soup #Cooking")
        #expect(try names(note) == ["cooking"])
        #expect(try notebook.tags.find(named: "Åland") == nil)
        try save(note, "Soup")
        #expect(try names(note) == [])
        #expect(try notebook.containers.all().filter(\.isTag).isEmpty)
        try test.expectSound()
    }

    @Test func `a tag above others lists their notes, and is not a tag of theirs`() throws {
        let rome = try test.note("Rome #travel/italy/rome")
        let food = try test.note("Pasta #travel/italy")
        let hand = try test.note("Oslo")
        try notebook.tags.add(try notebook.tags.create("travel/norway").id, to: [hand.id])
        #expect(try names(rome) == ["travel/italy/rome"])
        #expect(try listed("travel") == ["Oslo", food.title, rome.title].sorted())
        #expect(try listed("travel/italy") == [food.title, rome.title].sorted())
        #expect(try tag("travel").noteCount == 3)
        #expect(try notebook.search.hits("tag:travel", limit: 9).count == 3)
        #expect(try notebook.search.hits("tag:travel/italy", limit: 9).count == 2)
        try test.expectSound()
        try save(rome, "Rome")
        #expect(try listed("travel") == ["Oslo", food.title].sorted())
        #expect(try notebook.tags.find(named: "travel/italy/rome") == nil)
        _ = try notebook.trash.add([hand.id, food.id])
        #expect(try notebook.containers.all().filter(\.isOnlyInTexts).isEmpty)
        try notebook.trash.deleteForever([hand.id, food.id], backup: false)
        #expect(try notebook.containers.all().filter(\.isTag).map(\.name) == ["travel/norway"])
        try test.expectSound()
    }

    @Test func `a tag by hand stays when the text loses it, and the text keeps what the hand cannot take`() throws {
        let note = try test.note("Text #both")
        let both = try tag("both")
        #expect(both.isOnlyInTexts)
        let other = try test.note("Other")
        try notebook.tags.add(both.id, to: [other.id])
        #expect(try tag("both").isOnlyInTexts == false)
        let refusal = StoreError.tagInText(name: "both", notes: 1)
        #expect(throws: refusal) { try notebook.tags.remove(both.id, from: [note.id, other.id]) }
        #expect(throws: refusal) { try notebook.containers.delete([both.id]) }
        #expect(try names(other) == ["both"])
        try notebook.tags.remove(both.id, from: [other.id])
        #expect(try names(other) == [])
        let mine = try notebook.tags.create("mine")
        try notebook.tags.set(note.id, [both.id, mine.id])
        #expect(try notebook.notes.row(note.id)?.handTagNames == ["mine"])
        try save(note, "Text #mine")
        #expect(try names(note) == ["mine"])
        try save(note, "Text")
        #expect(try names(note) == ["mine"])
        try notebook.containers.delete([mine.id])
        _ = try notebook.actions.undo()
        #expect(try names(note) == ["mine"])
        try test.expectSound()
    }

    @Test func `a tag of thousands of levels makes few lists`() throws {
        let deep = String(repeating: "a/", count: 5_000) + "a"
        let note = try test.note("hand")
        try notebook.tags.add(try notebook.tags.create(deep).id, to: [note.id])
        #expect(try names(note) == [deep])
        #expect(try notebook.containers.all().filter(\.isTag).count == 33)
        #expect(TagPath.above(deep).first == "a" && TagPath.above(deep).last?.count == 63)
        try test.expectSound()
    }

    @Test func `a deleted tag that stays for nested ones comes back by undo with its notes`() throws {
        let hand = try test.note("hand")
        try notebook.tags.add(try notebook.tags.create("travel").id, to: [hand.id])
        let rome = try test.note("rome")
        try notebook.tags.add(try notebook.tags.create("travel/italy").id, to: [rome.id])
        try notebook.containers.delete([try tag("travel").id])
        #expect(try names(hand) == [])
        #expect(try tag("travel").isOnlyInTexts)
        _ = try notebook.actions.undo()
        #expect(try names(hand) == ["travel"])
        #expect(try tag("travel").isOnlyInTexts == false)
        try test.expectSound()
        _ = try notebook.actions.redo()
        #expect(try names(hand) == [])
        #expect(try tag("travel").isOnlyInTexts)
        try test.expectSound()
    }

    @Test func `renaming a tag writes the new name into the texts, and undo takes it all back`() throws {
        let text = "---\ntags: [x]\n---\n#old, `#old` #OLD/Part #older [#old](a#old) #old"
        let note = try test.note(text)
        let hand = try test.note("hand")
        try notebook.tags.add(try tag("old").id, to: [hand.id])
        let old = try tag("old").id
        #expect(throws: StoreError.tagInText(name: "old", notes: 1)) { try notebook.containers.rename(old, to: "new") }
        #expect(throws: StoreError.notATag(name: "two words")) {
            try notebook.tags.rename(old, to: "two words", rewritingTexts: true)
        }
        #expect(throws: StoreError.self) { try notebook.tags.rename(old, to: "older", rewritingTexts: true) }
        #expect(try notebook.notes.text(note.id) == text)
        #expect(try notebook.tags.rename(try tag("old").id, to: "a/new", rewritingTexts: true) == 1)
        let rewritten = "---\ntags: [x]\n---\n#a/new, `#old` #a/new/Part #older [#old](a#old) #a/new"
        #expect(try notebook.notes.text(note.id) == rewritten)
        #expect(try names(hand) == ["a/new"])
        #expect(try tag("a").noteCount == 2)
        try test.expectSound()
        _ = try notebook.actions.undo()
        #expect(try notebook.notes.text(note.id) == text)
        #expect(try names(hand) == ["old"])
        #expect(try names(note) == ["old", "OLD/Part", "older"])
        try test.expectSound()
        _ = try notebook.actions.redo()
        #expect(try notebook.notes.text(note.id) == rewritten)
        try test.expectSound()
    }

    @Test(arguments: [
        ("tags: [people, work/team]", "tags: [people, work/crew]"),
        ("tags:\n- Work/Team # whom\n- 'work/team/lead'", "tags:\n- work/crew # whom\n- 'work/crew/lead'"),
        ("tags: work/team, workshop", "tags: work/crew, workshop"),
        (
            "title: work/team\ntag: \"#work/team\"\nother: [work/team]",
            "title: work/team\ntag: \"#work/crew\"\nother: [work/team]"
        ),
    ])
    func `renaming a tag writes the new name into front matter too`(before: String, after: String) throws {
        let rest = "\n---\nText, and work/team\n"
        let note = try test.note("---\n" + before + rest)
        try notebook.tags.add(try notebook.tags.create("work/team").id, to: [note.id])
        let team = try tag("work/team").id
        #expect(try notebook.tags.textCount(of: team) == 1)
        #expect(throws: StoreError.tagInText(name: "work/team", notes: 1)) {
            try notebook.containers.rename(team, to: "work/crew")
        }
        #expect(try notebook.tags.rename(team, to: "work/crew", rewritingTexts: true) == 1)
        #expect(try notebook.notes.text(note.id) == "---\n" + after + rest)
        #expect(try names(note) == ["work/crew"])
        try test.expectSound()
        _ = try notebook.actions.undo()
        #expect(try notebook.notes.text(note.id) == "---\n" + before + rest)
        try test.expectSound()
    }

    @Test(arguments: [
        ("tags: [a] # a was old\n# a", "tags: [b] # a was old\n# a"),
        ("\"tags\": [a]", "\"tags\": [b]"), ("'tags': a", "'tags': b"),
        ("tags: &a [a, c]", "tags: &a [b, c]"), ("tags:\n- &x a\n- *x", "tags:\n- &x b\n- *x"),
        ("tags: [a b, a, \"a c\"]", "tags: [a b, b, \"a c\"]"), ("tags: [A/c, d/a]", "tags: [b/c, d/a]"),
        ("? tags\n: [a]", "? tags\n: [b]"),
    ])
    func `only what is read as a tag is renamed in front matter`(before: String, after: String) throws {
        let note = try test.note("---\n" + before + "\n---\nText")
        try notebook.tags.add(try notebook.tags.create("a").id, to: [note.id])
        let renaming = try notebook.tags.renaming(try tag("a").id, to: "b", rewritingTexts: true)
        #expect(renaming == Notebook.Tags.Renaming(rewritten: 1))
        #expect(try notebook.notes.text(note.id) == "---\n" + after + "\n---\nText")
        try test.expectSound()
    }

    @Test(arguments: ["tags: [two words]\nx: [two words]", "tags: ['two words', c]"])
    func `a tag of several words is renamed in front matter`(before: String) throws {
        let note = try test.note("---\n" + before + "\n---\nText")
        try notebook.tags.add(try notebook.tags.create("two words").id, to: [note.id])
        try notebook.tags.rename(try tag("two words").id, to: "one", rewritingTexts: true)
        let text = try notebook.notes.text(note.id) ?? ""
        #expect(NoteFrontMatter(of: text)?.tags.first == "one")
        #expect(text.contains("x: [two words]") == before.contains("x:"))
    }

    @Test(arguments: ["tags: [\"\\x61\"]", "x: &t a\ntags: [*t]", "tags: a c"])
    func `front matter that keeps the former name of a tag is reported`(before: String) throws {
        let text = "---\n" + before + "\n---\nText"
        let note = try test.note(text, title: "Title")
        try notebook.tags.add(try notebook.tags.create("a").id, to: [note.id])
        let renaming = try notebook.tags.renaming(try tag("a").id, to: "two words", rewritingTexts: true)
        #expect(renaming.rewritten == 0 && renaming.kept == ["Title"])
        #expect(try notebook.notes.text(note.id) == text)
    }

    @Test func `front matter that cannot hold the new name of a tag stays as it is`() throws {
        let text = "---\ntags: work other\n---\nText"
        let note = try test.note(text)
        try notebook.tags.add(try notebook.tags.create("work").id, to: [note.id])
        #expect(try notebook.tags.rename(try tag("work").id, to: "two words", rewritingTexts: true) == 0)
        #expect(try notebook.notes.text(note.id) == text)
        #expect(try names(note) == ["two words"])
    }

    @Test(arguments: [
        "कुकिंग", "料理", "요리", "طبخ", "בישול", "готовка", "μαγειρική", "การทำอาหาร", "እንጀራ", "ⴰⵎⴰⵣⵉⵖ", "🍕", "👩‍🍳/🍕",
        "2024-plan", "y2k", "a_b-c/d",
    ])
    func `a tag may be of any script`(_ name: String) throws {
        let note = try test.note("見 #\(name), #\(name)。 (#\(name)) #\(name)！")
        #expect(try names(note) == [name])
        #expect(try notebook.search.hits("tag:\(name)", limit: 2).count == 1)
        #expect(try notebook.tags.rename(try tag(name).id, to: "x", rewritingTexts: true) == 1)
        #expect(try notebook.notes.text(note.id) == "見 #x, #x。 (#x) #x！")
    }

    @Test func `an older notebook gets the tags of its texts in steps`() throws {
        for index in 0..<450 { try test.note("note #many/n\(index % 7)") }
        let hand = try test.note("hand")
        try notebook.write { transaction in
            try transaction.run("DELETE FROM note_tag")
            try transaction.run("DELETE FROM container WHERE kind = 'tag'")
            let tag = try transaction.insertContainer(.tag, name: "by/hand", parent: nil)
            try transaction.run("INSERT INTO note_tag (note, tag) VALUES (?, ?)", [hand.key, tag.key])
            try transaction.run("INSERT INTO setting (key, value) VALUES ('tagsAreOld', '0')")
        }
        try test.restart(mode: .interactive)
        #expect(try notebook.tags.find(named: "many") == nil)
        try notebook.care.readTags()
        #expect(try tag("many").noteCount == 450)
        #expect(try listed("by") == ["hand"])
        let left = try notebook.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE key = 'tagsAreOld'")
        }
        #expect(left == 0)
        try test.expectSound()
    }

    @Test func `an archive keeps which tags were set by hand`() throws {
        let note = try test.note("Text #in/text")
        try notebook.tags.add(try notebook.tags.create("by/hand").id, to: [note.id])
        let archive = try notebook.transfer.archive()
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importArchive(archive)
        let copy = try #require(try other.notebook.notes.row(note.id))
        #expect(copy.tagNames == ["by/hand", "in/text"] && copy.handTagNames == ["by/hand"])
        let again = try other.notebook.transfer.archive()
        #expect(again.containers == archive.containers)
        #expect(again.notes == archive.notes)
        #expect(again == archive)
        try other.expectSound()
    }

    @Test func `a change of tags leaves those that another program has added meanwhile`() throws {
        let note = try test.note("Text")
        let tags = try ["a", "b", "c"].map { try notebook.tags.create($0).id }
        let other = try Notebook.open(notebook.path)
        try other.tags.change([note.id], adding: [tags[1]], removing: [])
        try notebook.tags.change([note.id], adding: [tags[0], tags[2]], removing: [tags[2]])
        #expect(Set(try names(note)) == ["a", "b"])
        try notebook.tags.change([note.id], adding: [], removing: [tags[1], tags[2]])
        #expect(try names(note) == ["a"])
        try test.expectSound()
    }

    @Test func `tags of several notes are changed at once, or of none, and come back by one undo`() throws {
        let notes = [try test.note("One"), try test.note("Two"), try test.note("Three #b")]
        let tags = try ["a", "c"].map { try notebook.tags.create($0).id }
        try notebook.tags.change(notes.map(\.id), adding: [tags[0]], removing: [])
        try notebook.tags.change([notes[0].id, notes[1].id], adding: [tags[1]], removing: [tags[0]])
        #expect(try notes.map { Set(try names($0)) } == [["c"], ["c"], ["a", "b"]])
        let inText = try tag("b").id
        #expect(throws: StoreError.tagInText(name: "b", notes: 1)) {
            try notebook.tags.change(notes.map(\.id), adding: [tags[0]], removing: [inText])
        }
        #expect(try notes.map { Set(try names($0)) } == [["c"], ["c"], ["a", "b"]])
        _ = try notebook.actions.undo()
        #expect(try notes.map { Set(try names($0)) } == [["a"], ["a"], ["a", "b"]])
        try test.expectSound()
    }

    @Test func `a tag of a text is the same in every notebook, unless its identity is taken`() throws {
        let other = try TestNotebook()
        _ = try test.note("Text #Garden")
        _ = try other.note("Another #garden")
        #expect(try tag("garden").id == other.notebook.tags.find(named: "garden")?.id)
        _ = try notebook.tags.renaming(try tag("garden").id, to: "yard", rewritingTexts: true)
        _ = try test.note("Third #garden")
        #expect(try tag("garden").id != tag("yard").id)
        try test.expectSound()
    }
}

import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// A tag that stands in a text is made on every machine that gets the text, with an identity derived from its name.
struct TextTagTests {
    private let store = MemoryCommits()

    /// Each machine has the tag in a text of its own, whether it has synchronised before or joins.
    @Test(arguments: [false, true])
    func `a tag of texts that another machine gives by hand comes to be the notebook's own`(_ joins: Bool) throws {
        let machines = try ["one", "other"].map { try Machine($0, store) }
        let notebook = machines[0].notebook
        for machine in machines {
            try machine.notebook.notes.create(NewNote(text: "#red on \(machine.name)\n"))
            if !joins { try machine.sync() }
        }
        let note = try notebook.notes.create(NewNote(text: "plain\n")).id
        let tag = try #require(try notebook.tags.find(named: "red"))
        try notebook.tags.add(tag.id, to: [note])
        let state = try settled(machines)
        #expect(state.notes[note]?.tags == [tag.id])
        #expect(state.tags[tag.id]?.name == "red")
        for machine in machines {
            #expect(try machine.notebook.containers.all().filter(\.isTag).map(\.name) == ["red"])
        }
    }

    @Test func `a tag that another machine has renamed leaves the texts here theirs`() throws {
        let machines = try ["one", "other"].map { try Machine($0, store) }
        let notebook = machines[0].notebook
        let written = try notebook.notes.create(NewNote(text: "#red here\n"))
        let note = try notebook.notes.create(NewNote(text: "plain\n")).id
        let tag = try #require(try notebook.tags.find(named: "red"))
        try notebook.tags.add(tag.id, to: [note])
        _ = try notebook.notes.save(written.id, text: "nothing here\n", baseRevision: written.revision)
        try notebook.containers.rename(tag.id, to: "crimson")
        try machines[1].notebook.notes.create(NewNote(text: "#red there\n"))
        let state = try settled(machines)
        #expect(state.tags.mapValues(\.name) == [tag.id: "crimson"])
        for machine in machines {
            let names = try machine.notebook.containers.all().filter(\.isTag).map(\.name)
            #expect(names.sorted() == ["crimson", "red"])
        }
    }

    /// The machine that gets the text makes the tag, and removes it with the text; neither is to be sent.
    @Test func `a tag that only a received text has is no change`() throws {
        let machines = try ["one", "other"].map { try Machine($0, store) }
        let note = try machines[0].notebook.notes.create(NewNote(text: "#red\n"))
        _ = try settled(machines)
        let present = try #require(try machines[0].notebook.notes.row(note.id))
        _ = try machines[0].notebook.notes.save(note.id, text: "plain\n", baseRevision: present.revision)
        _ = try settled(machines)
        #expect(try machines[1].notebook.containers.all().allSatisfy { !$0.isTag })
    }

    /// The machine that has renamed its tag of texts receives another tag with the new name, and a text with the former
    /// one: the tag is removed and made again by one synchronisation.
    @Test func `a tag of texts that is removed and made again by a synchronisation is no change`() throws {
        let (here, there) = try Machine.pair(store)
        try here.notebook.notes.create(NewNote(text: "#blue\n"))
        let blue = try #require(try here.notebook.tags.find(named: "blue")).id
        try here.notebook.tags.rename(blue, to: "red", rewritingTexts: true)
        try here.sync()
        let red = try there.notebook.tags.create("red").id
        try there.notebook.notes.create(NewNote(text: "#blue again\n"))
        try there.sync()
        try here.sync()
        #expect(try here.notebook.sync.changeCount() == 0)
        #expect(try settled([here, there]).tags.mapValues(\.name) == [red: "red"])
        for machine in [here, there] {
            #expect(try machine.notebook.containers.all().filter(\.isTag).map(\.name).sorted() == ["blue", "red"])
            #expect(try machine.notebook.tags.find(named: "blue")?.id == blue)
            #expect(try machine.notebook.tags.find(named: "red")?.id == red)
        }
    }

    /// A note with `a/b` is in the list of `a` too, so that it stays there when `a` is taken from it.
    @Test func `a tag that is deleted above another one does not come back`() throws {
        let machines = try ["one", "other"].map { try Machine($0, store) }
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "plain\n")).id
        let below = try notebook.tags.create("a/b").id
        try notebook.tags.add(below, to: [note])
        let above = try #require(try notebook.tags.find(named: "a")).id
        try notebook.tags.add(above, to: [note])
        #expect(try settled(machines).notes[note]?.tags == [above, below])
        try notebook.containers.delete([above])
        let state = try settled(machines)
        #expect(state.notes[note]?.tags == [below])
        #expect(Array(state.tags.keys) == [below])
        // The next change of the note says the same.
        try notebook.notes.setTitle(note, "Renamed")
        #expect(try settled(machines).notes[note]?.tags == [below])
    }

    @Test func `a tag that is made where only a text in the Trash has it is sent at once`() throws {
        let machines = try ["one", "other"].map { try Machine($0, store) }
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "#red\n")).id
        try notebook.trash.add([note])
        #expect(try settled(machines).tags.isEmpty)
        let tag = try notebook.tags.create("red").id
        #expect(try settled(machines).tags[tag]?.name == "red")
    }

    /// Lets a tag of both machines replace one that is derived from its name, and be renamed.
    private func replaceTag(
        _ here: Machine, _ there: Machine
    ) throws -> (former: ContainerID, present: ContainerID) {
        try there.notebook.notes.create(NewNote(text: "#red\n"))
        let plain = try there.notebook.notes.create(NewNote(text: "plain\n")).id
        let former = try #require(try there.notebook.tags.find(named: "red")).id
        try there.notebook.tags.add(former, to: [plain])
        // Of two tags with the same name the one with the smaller identity stays.
        var tag = try here.notebook.tags.create("red").id
        while tag.uuid.uuidString > former.uuid.uuidString {
            try here.notebook.containers.delete([tag])
            tag = try here.notebook.tags.create("red").id
        }
        #expect(try settled([here, there]).gone[former.uuid] == .some(tag.uuid))
        // The other machine receives the tag before the text, which has the former name until then.
        try here.notebook.tags.rename(tag, to: "crimson", rewritingTexts: true)
        #expect(try settled([here, there]).gone[former.uuid] == .some(tag.uuid))
        return (former, tag)
    }

    @Test func `a tag that is given by hand again does not become the one that replaced it`() throws {
        let (here, there) = try Machine.pair(store)
        let (former, tag) = try replaceTag(here, there)
        try there.notebook.notes.create(NewNote(text: "#red again\n"))
        let note = try there.notebook.notes.create(NewNote(text: "other\n")).id
        #expect(try there.notebook.tags.find(named: "red")?.id == former)
        try there.notebook.tags.add(former, to: [note])
        let state = try settled([here, there])
        #expect(state.notes[note]?.tags == [former])
        #expect(state.tags.mapValues(\.name) == [tag: "crimson", former: "red"])
        #expect(state.gone[former.uuid] == nil)
    }

    @Test func `a tag of a machine that joins does not become the renamed one that replaced it elsewhere`() throws {
        let (here, there) = try Machine.pair(store)
        let (former, tag) = try replaceTag(here, there)
        let new = try Machine("new", store)
        try new.notebook.notes.create(NewNote(text: "#red here too\n"))
        let note = try new.notebook.notes.create(NewNote(text: "other\n")).id
        #expect(try new.notebook.tags.find(named: "red")?.id == former)
        try new.notebook.tags.add(former, to: [note])
        let state = try settled([here, there, new])
        #expect(state.notes[note]?.tags == [former])
        #expect(state.tags.mapValues(\.name) == [tag: "crimson", former: "red"])
        #expect(state.gone[former.uuid] == nil)
    }
}

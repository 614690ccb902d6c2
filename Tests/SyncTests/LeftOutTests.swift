import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests that what a notebook cannot read in its repository is counted, and that an unknown format stops it.
struct LeftOutTests {
    private let store = MemoryCommits()

    private func unread(_ machine: Machine) throws -> Int { try NotebookSync(machine.notebook).unreadCount() }

    @Test func `notes that cannot be read are counted until they are gone or can be read`() throws {
        let (here, there) = try Machine.pair(store)
        try here.notebook.notes.create(NewNote(text: "text", title: "Read"))
        try here.sync()
        #expect(try unread(here) == 0)
        store.put([0xFF, 0xFE], at: "Inbox/One.md")
        store.put([0xFF, 0xFD], at: "Inbox/Other.md")
        // Nobody takes it for a note.
        store.put([0xFF, 0xFC], at: "Inbox/plan.pdf")
        // One machine had a head, and the other one joins.
        for machine in [here, there] {
            try machine.sync()
            #expect(try unread(machine) == 2)
        }
        // A change that is only sent leaves the number as it is.
        try here.notebook.notes.create(NewNote(text: "more", title: "More"))
        for machine in [here, there] { try machine.sync() }
        #expect(try [here, there].map(unread) == [2, 2])
        store.put(nil, at: "Inbox/One.md")
        store.put("can be read", at: "Inbox/Other.md")
        for _ in 0..<2 { for machine in [here, there] { try machine.sync() } }
        #expect(try [here, there].map(unread) == [0, 0])
        #expect(try differences(here.state(), there.state()) == [])
    }

    @Test(arguments: ["tn two", "vault 3", "", "tn 0"])
    func `a format that is not known stops the synchronisation before anything is taken over`(_ words: String) throws {
        let (here, there) = try Machine.pair(store)
        try here.notebook.notes.create(NewNote(text: "text", title: "Here"))
        try here.sync()
        store.put(words + "\nand more\n", at: ListFiles.format)
        store.put("foreign", at: "Inbox/Foreign.md")
        let branch = store.branch
        for machine in [here, there] {
            #expect(throws: SyncError.unknownFormat(words)) { try machine.sync() }
        }
        #expect(try here.state().notes.count == 1 && there.state().notes.isEmpty && store.branch == branch)
        store.put(ListFiles.formatText, at: ListFiles.format)
        for _ in 0..<2 { for machine in [here, there] { try machine.sync() } }
        #expect(try here.state().notes.count == 2 && there.state().notes.count == 2)
    }

    @Test func `a newer format stops the synchronisation before anything is taken over`() throws {
        let (here, there) = try Machine.pair(store)
        try here.notebook.notes.create(NewNote(text: "text", title: "Here"))
        try here.sync()
        store.put("tn \(ListFiles.version + 1)\n", at: ListFiles.format)
        store.put("foreign", at: "Inbox/Foreign.md")
        let branch = store.branch
        for machine in [here, there] {
            #expect(throws: SyncError.newerFormat(ListFiles.version + 1)) { try machine.sync() }
        }
        #expect(try here.state().notes.count == 1 && there.state().notes.isEmpty && store.branch == branch)
    }
}

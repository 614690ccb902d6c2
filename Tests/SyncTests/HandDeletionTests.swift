import Foundation
import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Somebody deletes a note's file by hand, after one machine wrote a text that another one never had.
struct HandDeletionTests {
    private func remote(_ usesGit: Bool) throws -> any SharedRemote { usesGit ? try GitRemote() : MemoryCommits() }

    /// Returns the only path of a note in the newest commit.
    private func path(in remote: any SharedRemote) throws -> TreePath {
        let tree = try remote.entries(of: #require(remote.branch))
        return try #require(tree.first { TreeLayout.role(of: $0, $1) == .note }?.key)
    }

    @Test(arguments: [false, true], [false, true])
    func `the newest text is in the Trash, or in the note that somebody edits`(_ usesGit: Bool, _ edits: Bool) throws {
        let remote = try remote(usesGit)
        let (writer, reader) = (try Machine("writer", remote), try Machine("reader", remote))
        let note = try writer.notebook.notes.create(NewNote(text: "first\n\nlast\n", title: "Plan"))
        for machine in [writer, reader] { try machine.sync() }
        func save(_ text: String, on machine: Machine) throws {
            let revision = try #require(try machine.notebook.notes.row(note.id)).revision
            _ = try machine.notebook.notes.save(note.id, text: text, baseRevision: revision)
        }
        // The file also gets another path, so that its deletion is not the only one in the history.
        try save("first\n\nlast\nnewest\n", on: writer)
        try writer.notebook.notes.setTitle(note.id, "Journey")
        try writer.sync()
        if edits { try save("mine first\n\nlast\n", on: reader) }
        var change = TreeChange()
        change.entries[try path(in: remote)] = .some(nil)
        try remote.foreign(change)
        for machine in [reader, writer, reader] { try machine.sync() }
        let states = try [writer, reader].map { try $0.state() }
        #expect(differences(states[0], states[1]).isEmpty)
        let kept = try #require(states[0].notes[note.id])
        #expect(kept.text == (edits ? "mine first\n\nlast\nnewest\n" : "first\n\nlast\nnewest\n"))
        #expect(kept.title == "Journey")
        #expect(states[0].isInTrash(kept.folder) == !edits)
    }
}

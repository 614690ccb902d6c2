import Foundation
import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests a host of an encrypted repository that does whatever is possible without the key: none of it counts as an
/// edit.
struct HostileHostTests {
    private let store = MemoryCommits()
    private let key = SyncKey.random()
    private var layout: SealedLayout { SealedLayout(key: key) }

    private func machine(_ name: String) throws -> Machine { try Machine(name, store, key: key) }

    /// The changes that a host may make to the newest tree.
    enum Act: CaseIterable {
        case dropNote, dropTags, dropGone, dropAll, dropKey
        case spoilNote, spoilTags, swapNotes, oldNote, oldTags, oldTree
        case addClear, changeNothing
    }

    /// Returns the path of a file in a commit.
    private func encryptedPath(_ path: TreePath, in commit: String) throws -> TreePath {
        try #require(store.tree(of: commit).keys.first { layout.entry(at: $0)?.path == path })
    }

    private func note(_ title: String) -> TreePath { TreePath("Inbox/\(title).md") }

    /// Returns the change that an act makes; `old` and `new` are commits of the machines.
    private func change(_ act: Act, old: String, new: String) throws -> TreeChange {
        let (before, now) = (store.tree(of: old), store.tree(of: new))
        var change = TreeChange()
        func drop(_ path: TreePath) throws { change.entries[try encryptedPath(path, in: new)] = .some(nil) }
        func spoil(_ path: TreePath) throws {
            let encryptedPath = try encryptedPath(path, in: new)
            var bytes = try #require(store.blobs[now[encryptedPath]?.object ?? ""])
            bytes[40] ^= 1
            change.contents[GitObject.name(ofBlob: bytes)] = bytes
            change.entries[encryptedPath] = TreeEntry(object: GitObject.name(ofBlob: bytes))
        }
        func putBack(_ path: TreePath) throws {
            try drop(path)
            let encryptedPath = try encryptedPath(path, in: old)
            change.entries[encryptedPath] = before[encryptedPath]
        }
        switch act {
        case .dropNote: try drop(note("first"))
        case .dropTags: try drop(ListFiles.tags)
        case .dropGone: try drop(ListFiles.gone)
        case .dropAll: for encryptedPath in now.keys { change.entries[encryptedPath] = .some(nil) }
        case .dropKey: change.entries[SealedLayout.keyPath] = .some(nil)
        case .spoilNote: try spoil(note("first"))
        case .spoilTags: try spoil(ListFiles.tags)
        case .swapNotes:
            change.entries[try encryptedPath(note("first"), in: new)] = now[try encryptedPath(note("second"), in: new)]
        case .oldNote: try putBack(note("first"))
        case .oldTags: try putBack(ListFiles.tags)
        case .oldTree:
            for encryptedPath in now.keys { change.entries[encryptedPath] = .some(nil) }
            for (encryptedPath, entry) in before { change.entries[encryptedPath] = entry }
        case .addClear:
            let forged = Array("forged\n".utf8)
            change.contents[GitObject.name(ofBlob: forged)] = forged
            for path in ["Inbox/forged.md", "s/00/forged.md", "s/00/AAAA"] as [TreePath] {
                change.entries[path] = TreeEntry(object: GitObject.name(ofBlob: forged))
            }
        case .changeNothing: break
        }
        return change
    }

    /// Prepares two machines that have synchronised and continued; returns their first commit and the newest.
    private func begin(_ one: Machine, _ other: Machine) throws -> (old: String, new: String) {
        let first = try one.notebook.notes.create(NewNote(text: "early", title: "first"))
        let gone = try one.notebook.notes.create(NewNote(text: "gone", title: "gone"))
        _ = try one.notebook.tags.create("early")
        for machine in [one, other] { try machine.sync() }
        let old = try #require(store.branch)
        let revision = try one.notebook.notes.row(first.id)?.revision ?? 0
        _ = try one.notebook.notes.save(first.id, text: "late", baseRevision: revision)
        try one.notebook.notes.create(NewNote(text: "more", title: "second"))
        _ = try one.notebook.tags.create("late")
        try one.notebook.trash.add([gone.id])
        try one.notebook.trash.empty(backup: false)
        for machine in [one, other] { try machine.sync() }
        return (old, try #require(store.branch))
    }

    @Test(arguments: Act.allCases)
    func `nothing that a host does to the files is taken over`(_ act: Act) throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, new) = try begin(one, other)
        try other.notebook.notes.create(NewNote(text: "meanwhile", title: "third"))
        let before = [try one.state(), try other.state()]
        store.foreign(try change(act, old: old, new: new))
        let forged = try #require(store.branch)
        for _ in 0..<2 {
            for choice in [SyncChoice.none, .adopt] {
                for machine in [one, other] {
                    #expect(throws: SyncError.key(.isForged)) { try machine.sync(choice) }
                }
            }
        }
        #expect(store.branch == forged, "nothing is sent after it")
        for (state, machine) in zip(before, [one, other]) { #expect(differences(state, try machine.state()) == []) }
        // The choice that the message names solves the problem, and one machine is enough.
        try one.sync(.join)
        #expect(differences(before[0], try one.state()) == [])
        for machine in [other, one] { try machine.sync() }
        for machine in [one, other] { #expect(differences(before[1], try machine.state()) == []) }
        let branch = try #require(store.branch)
        #expect(store.isAncestor(forged, of: branch))
        #expect(store.tree(of: branch).keys.allSatisfy { $0 == SealedLayout.keyPath || layout.entry(at: $0) != nil })
        for machine in [one, other] { try machine.sync() }
        #expect(store.branch == branch, "it is over with that")
    }

    @Test func `both machines may go on from the last good commit at once`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, new) = try begin(one, other)
        for (machine, title) in [(one, "here"), (other, "there")] {
            try machine.notebook.notes.create(NewNote(text: title, title: title))
        }
        store.foreign(try change(.oldTree, old: old, new: new))
        for machine in [one, other] { try machine.sync(.join) }
        for machine in [one, other] { try machine.sync() }
        let state = try one.state()
        #expect(differences(state, try other.state()) == [])
        #expect(Set(state.notes.values.map(\.text.string)).isSuperset(of: ["late", "more", "here", "there"]))
        #expect(!state.notes.values.contains { state.isInTrash($0.folder) })
    }

    @Test func `what another machine has sent is not lost behind a forged commit`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, _) = try begin(one, other)
        try other.notebook.notes.create(NewNote(text: "sent", title: "sent"))
        try other.sync()
        try one.notebook.notes.create(NewNote(text: "unsent", title: "unsent"))
        store.foreign(try change(.dropNote, old: old, new: try #require(store.branch)))
        try one.sync(.join)
        try other.sync()
        for machine in [one, other] {
            let state = try machine.state()
            #expect(Set(state.notes.values.map(\.text.string)).isSuperset(of: ["late", "more", "sent", "unsent"]))
            #expect(!state.notes.values.contains { state.isInTrash($0.folder) })
        }
    }

    @Test func `very many forged commits stop nobody for good`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        _ = try begin(one, other)
        let before = try one.state()
        for number in 0..<1001 {
            var change = TreeChange()
            let bytes = Array("\(number)\n".utf8)
            change.contents[GitObject.name(ofBlob: bytes)] = bytes
            change.entries["s/00/AAAA"] = TreeEntry(object: GitObject.name(ofBlob: bytes))
            store.foreign(change)
        }
        for machine in [one, other] { #expect(throws: SyncError.key(.isForged)) { try machine.sync() } }
        try one.sync(.join)
        for machine in [one, other] {
            try machine.sync()
            #expect(differences(before, try machine.state()) == [])
        }
    }

    @Test func `an older commit of the machines is brought forward`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, new) = try begin(one, other)
        let before = try one.state()
        for branch in [old, nil] {
            store.branch = branch
            for machine in [other, one] { try machine.sync() }
            #expect(try store.isAncestor(new, of: #require(store.branch)))
            for machine in [one, other] { #expect(differences(before, try machine.state()) == []) }
        }
    }

    @Test func `who joins takes nothing from a forged commit`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, new) = try begin(one, other)
        store.foreign(try change(.oldNote, old: old, new: new))
        let third = try machine("c")
        try third.notebook.notes.create(NewNote(text: "own", title: "own"))
        let before = try third.state()
        #expect(throws: SyncError.key(.isForged)) { try third.sync() }
        #expect(differences(before, try third.state()) == [])
        try one.sync(.join)
        for machine in [third, one] { try machine.sync() }
        #expect(Set(try third.state().notes.values.map(\.text.string)).isSuperset(of: ["late", "more", "own"]))
        #expect(differences(try one.state(), try third.state()) == [])
    }

    /// A seal is valid for one commit and one key, and not with another tree, parent, date or seal.
    @Test func `a mark fits one commit and one key`() throws {
        let plain = CommitText(Array("tree 11\nparent 22\nauthor tn <tn> 7 +0000\n\nNotes\n".utf8))
        let text = plain.sealed(key)
        #expect(text.isSealed(key) && !text.isSealed(.random()) && !plain.isSealed(key))
        #expect(text.parents == ["22"] && !CommitText([]).isSealed(key))
        for index in text.bytes.indices {
            var changed = text
            changed.bytes[index] ^= 1
            #expect(!changed.isSealed(key))
        }
        #expect(!CommitText(text.bytes + [0x0A]).isSealed(key) && !CommitText(text.bytes.dropLast()).isSealed(key))
    }

    /// Deletions are recognised by comparing with the common ancestor, so a host that could choose it could delete.
    @Test func `a forged commit is nobody's common past`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let (old, new) = try begin(one, other)
        store.foreign(try change(.dropNote, old: old, new: new))
        let forged = try #require(store.branch)
        let sides = try ["x", "y"].map {
            try one.commits.commit(Draft(parents: [new, forged], message: $0, date: $0 == "x" ? 1 : 2), TreeChange())
        }
        #expect(store.mergeBase(sides[0], sides[1]) == forged)
        #expect(try one.commits.mergeBase(sides[0], sides[1]) == nil)
        #expect(try one.commits.mergeBase(sides[0], new) == new)
    }
}

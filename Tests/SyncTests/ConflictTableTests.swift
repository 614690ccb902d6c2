import Foundation
import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests what a merge makes of each kind of change that both sides have made to one thing.
struct ConflictTableTests {
    private let note = NoteID(Self.uuid(9))
    private let first = ContainerID(Self.uuid(1))
    private let second = ContainerID(Self.uuid(2))

    private static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// A state with one note, which has a title given by hand, and with two folders.
    private var base: SyncState {
        var state = SyncState()
        state.notes[note] = SyncNote(title: "Note", defaultTitle: "base", text: "base\n", folder: first, updated: 1)
        state.folders = [first: SyncFolder(name: "Work"), second: SyncFolder(name: "Home")]
        return state
    }

    private func changed(_ state: SyncState, _ change: (inout SyncState) -> Void) -> SyncState {
        var state = state
        change(&state)
        return state
    }

    /// Returns the base with another note.
    private func edited(_ change: (inout SyncNote) -> Void) throws -> SyncState {
        var note = try #require(base.notes[note])
        change(&note)
        return changed(base) { $0.notes[self.note] = note }
    }

    /// Merges two states in both orders, which must not matter.
    private func merged(
        _ base: SyncState?, _ one: SyncState, _ other: SyncState, _ location: SourceLocation = #_sourceLocation
    ) -> SyncState {
        let merged = merge(base: base, one, other)
        #expect(differences(merge(base: base, other, one), merged) == [], sourceLocation: location)
        return merged
    }

    // MARK: - Notes

    @Test func `of one word changed twice the later stands, and the other text is a note of its own`() throws {
        let one = try edited { ($0.text, $0.updated) = ("alpha alpha\n", 2) }
        let other = try edited { ($0.text, $0.updated) = ("beta beta\n", 3) }
        let state = merged(base, one, other)
        #expect(state.notes[note]?.text == "beta beta\n")
        let copy = try #require(state.notes[Merge.copyID(of: note, "alpha alpha\n")])
        #expect(copy.title == "Note (conflict)" && copy.text == "alpha alpha\n" && copy.conflictOf == note)
        #expect(copy.folder == first && state.notes.count == 2)
    }

    @Test func `the later title, folder and order stand, and the other title is a former one`() throws {
        let one = try edited { ($0.title, $0.folder, $0.order, $0.updated) = ("Here", .inbox, 1, 2) }
        let other = try edited { ($0.title, $0.folder, $0.order, $0.updated) = ("There", second, 2, 3) }
        let state = merged(base, one, other)
        let later = try #require(state.notes[note])
        #expect(later.title == "There" && later.folder == second && later.order == 2 && later.updated == 3)
        #expect(later.former.keys.contains("here"))
    }

    @Test func `tags that either side gave stay, and those that either side took are gone`() throws {
        let tags = (10...13).map { ContainerID(Self.uuid($0)) }
        func tagged(_ indices: [Int]) throws -> SyncState {
            var state = try edited { $0.tags = Set(indices.map { tags[$0] }) }
            for (number, tag) in tags.enumerated() { state.tags[tag] = SyncTag(name: ExactText("tag \(number)")) }
            return state
        }
        let state = merged(try tagged([0, 1]), try tagged([0, 2]), try tagged([0, 1, 3]))
        #expect(state.notes[note]?.tags == [tags[0], tags[2], tags[3]])
    }

    @Test func `a tag that was deleted stays if the other side gave it to a note meanwhile`() throws {
        let tag = ContainerID(Self.uuid(10))
        let before = changed(base) { $0.tags[tag] = SyncTag(name: "red") }
        let used = changed(before) { $0.notes[note]?.tags = [tag] }
        let state = merged(before, base, used)
        #expect(state.tags[tag]?.name == "red" && state.notes[note]?.tags == [tag])
        #expect(merged(before, base, before).tags.isEmpty)
    }

    // MARK: - Trash and deletions

    @Test func `a note edited here and moved to the Trash there lives`() throws {
        let edits = try edited { ($0.text, $0.updated) = ("more\n", 2) }
        let trashes = try edited {
            $0.folder = .trash
            $0.origin = SyncOrigin(container: first, path: "[\"Work\"]", moved: 3)
            $0.updated = 3
        }
        let kept = try #require(merged(base, edits, trashes).notes[note])
        #expect(kept.text == "more\n" && kept.folder == first && kept.origin == nil)
        let stars = try edited { ($0.starred, $0.updated) = (true, 4) }
        #expect(merged(base, stars, trashes).notes[note]?.folder == .trash)
    }

    @Test func `a folder moved to the Trash stays with what was edited in it, and the rest goes there`() {
        let other = NoteID(Self.uuid(8))
        let before = changed(base) {
            $0.notes[other] = SyncNote(title: "other", defaultTitle: "other", text: "other\n", folder: first)
        }
        let edits = changed(before) { $0.notes[note]?.text = "more\n" }
        let trashes = changed(before) {
            $0.folders[first]?.parent = .trash
            $0.folders[first]?.origin = SyncOrigin(container: nil, path: "[]", moved: 3)
        }
        let state = merged(before, edits, trashes)
        #expect(!state.isInTrash(first) && state.notes[note]?.folder == first)
        #expect(state.notes[other]?.folder == .trash)
    }

    @Test func `a note deleted for ever lives if its text was edited, not if it was starred`() throws {
        let deletes = changed(base) { ($0.notes[note], $0.gone[note.uuid]) = (nil, .some(nil)) }
        let state = merged(base, deletes, try edited { $0.text = "more\n" })
        #expect(state.notes[note]?.text == "more\n" && state.gone.isEmpty)
        let gone = merged(base, deletes, try edited { ($0.starred, $0.updated) = (true, 9) })
        #expect(gone.notes.isEmpty && Array(gone.gone.keys) == [note.uuid])
    }

    @Test func `a note that is missing but was not deleted for ever is in the Trash`() throws {
        let state = merged(base, changed(base) { $0.notes[note] = nil }, base)
        #expect(state.notes[note]?.folder == .trash && state.notes[note]?.origin?.container == first)
        #expect(state.gone.isEmpty)
    }

    // MARK: - Folders and files

    @Test func `the later name and looks of a folder stand`() {
        func looking(_ name: ExactText, _ color: UInt32, _ order: Int64, _ updated: Int64) -> SyncState {
            changed(base) { $0.folders[first] = SyncFolder(name: name, updated: updated, color: color, order: order) }
        }
        let folder = merged(base, looking("Here", 1, 1, 2), looking("There", 2, 2, 3)).folders[first]
        #expect(folder == SyncFolder(name: "There", updated: 3, color: 2, order: 2))
    }

    @Test func `of two folders moved into each other the smaller one returns`() {
        let one = changed(base) { $0.folders[first]?.parent = second }
        let other = changed(base) { $0.folders[second]?.parent = first }
        let state = merged(base, one, other)
        #expect(state.folders[first]?.parent == nil && state.folders[second]?.parent == first)
    }

    @Test func `two new folders, and two new tags, of one name are one`() {
        let (third, fourth) = (ContainerID(Self.uuid(3)), ContainerID(Self.uuid(4)))
        func making(_ folder: ContainerID, _ tag: ContainerID, _ name: ExactText, _ id: UInt8) -> SyncState {
            changed(SyncState()) {
                $0.folders[folder] = SyncFolder(name: name)
                $0.tags[tag] = SyncTag(name: name)
                $0.notes[NoteID(Self.uuid(id))] = SyncNote(
                    title: "x", defaultTitle: "x", text: "x\n", folder: folder, tags: [tag])
            }
        }
        let state = merged(SyncState(), making(first, third, "Work", 20), making(second, fourth, "work", 21))
        #expect(Array(state.folders.keys) == [first] && Array(state.tags.keys) == [third])
        #expect(state.notes.count == 2 && state.notes.values.allSatisfy { $0.folder == first && $0.tags == [third] })
        #expect(state.gone == [second.uuid: first.uuid, fourth.uuid: third.uuid])
    }

    @Test func `of two folders renamed to one name the greater one gets a number`() {
        let one = changed(base) { $0.folders[first] = SyncFolder(name: "Same", updated: 2) }
        let other = changed(base) { $0.folders[second] = SyncFolder(name: "same", updated: 3) }
        let folders = merged(base, one, other).folders
        #expect(folders[first]?.name == "Same" && folders[second]?.name == "same 2")
    }

    @Test func `of a file that is not tn's both contents stay`() {
        func holding(_ letter: String) -> SyncState {
            changed(base) { $0.files["Work/plan.pdf"] = TreeEntry(object: String(repeating: letter, count: 40)) }
        }
        let files = merged(holding("a"), holding("c"), holding("b")).files
        #expect(files["Work/plan.pdf"]?.object.first == "b")
        #expect(files["Work/plan (conflict cccccccc).pdf"]?.object.first == "c" && files.count == 2)
    }

    // MARK: - Machines

    @Test func `the same day's note of two machines is one note with the lines of both`() throws {
        let store = MemoryCommits()
        let machines = try ["a", "b"].map { try Machine($0, store) }
        let day = NoteID(ofKind: "day", named: "2026-03-01")
        for machine in machines {
            let text = "# 2026-03-01\n\n- line of \(machine.name)\n"
            _ = try machine.notebook.notes.create(NewNote(text: text), as: day, undoably: false)
        }
        let state = try settled(machines)
        let lines = try #require(state.notes[day]).text.string.split(separator: "\n").map(String.init)
        #expect(lines.sorted() == ["# 2026-03-01", "- line of a", "- line of b"] && state.notes.count == 1)
    }

    @Test func `a conflict that one machine has settled is settled everywhere`() throws {
        let store = MemoryCommits()
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "base\n", title: "Note")).id
        for machine in machines { try machine.sync() }
        for (machine, text) in zip(machines, ["alpha alpha\n", "beta beta\n"]) {
            let row = try #require(try machine.notebook.notes.row(note))
            _ = try machine.notebook.notes.save(note, text: text, baseRevision: row.revision)
        }
        _ = try settled(machines)
        let copies = try machines.map { try $0.notebook.sync.conflicts().map(\.id) }
        #expect(copies[0].count == 1 && copies[0] == copies[1])
        try machines[1].notebook.trash.add(copies[1])
        _ = try settled(machines)
        for machine in machines { #expect(try machine.notebook.sync.conflicts().isEmpty) }
    }
}

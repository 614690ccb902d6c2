import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests files that state values which no tn has written.
struct ForeignValuesTests {
    private let store = MemoryCommits()

    private func put(_ files: [(path: TreePath, text: String)], date: Int64 = 1) {
        var change = TreeChange()
        for file in files {
            let bytes = Array(file.text.utf8)
            let object = GitObject.name(ofBlob: bytes)
            (change.contents[object], change.entries[file.path]) = (bytes, TreeEntry(object: object))
        }
        let parents = store.branch.map { [$0] } ?? []
        store.branch = store.commit(Draft(parents: parents, message: "by hand", date: date), change)
    }

    private static let ids = (1...4).map { "0B5C2E5A-0000-4000-8000-00000000000\($0)" }

    /// The list of the notes computes with their dates and with their places in it.
    @Test func `numbers that a notebook cannot hold are neither dates nor places`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        for machine in machines { try machine.sync() }
        for (index, number) in [Int64.max, .min].enumerated() {
            put(
                [
                    (
                        TreePath("Inbox/\(index).md"),
                        """
                        ---
                        order: \(number)
                        created: \(number)
                        updated: \(number)
                        from: {"moved": \(number)}
                        tn: \(Self.ids[index])
                        ---
                        text \(index)

                        """
                    ),
                    (
                        TreePath("Folder \(index)/.folder"),
                        "order: \(number)\ncreated: \(number)\nupdated: \(number)\ntn: \(Self.ids[2 + index])\n"
                    ),
                ], date: number)
        }
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        #expect(try differences(machines[0].state(), machines[1].state()) == [])
        let state = try machines[0].state()
        for folder in state.folders.values { #expect(folder.order == 0) }
        for note in state.notes.values {
            #expect(note.order == 0 && abs(note.created) == 8_640_000_000_000_000 && note.updated == note.created)
        }
        let lists = machines[0].notebook.lists
        for sortBy in [SortBy.created, .updated, .byHand] {
            let query = ListQuery(container: .inbox, sortBy: sortBy)
            let first = try #require(try lists.rows(query, limit: 1).first)
            #expect(try lists.rows(query, from: .after(first), limit: 9).count == 1)
        }
    }

    @Test func `an identity that another container has is nobody else's`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let (kept, other) = (try notebook.folders.create("Kept").id, try notebook.folders.create("Other").id)
        let note = try notebook.notes.create(NewNote(text: "text\n", folder: kept))
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let system = [ContainerID.inbox, .starred, .allNotes, .trash, .archive, .buffer]
        var files = system.enumerated().map { number, id in
            (path: TreePath("Folder \(number)/.folder"), text: "tn: \(id)\n")
        }
        let tags = (system + [kept]).map { "{\"id\": \"\($0)\", \"name\": \"of \($0)\"}\n" }
        files.append((ListFiles.tags, tags.joined()))
        files.append((ListFiles.gone, "\(kept) > \(kept)\n\(other) > \(ContainerID.inbox)\n"))
        files.append(("Folder 0/New.md", "---\ntags: [\"of \(kept)\"]\ntn: \(Self.ids[0])\n---\nnew\n"))
        put(files)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        #expect(try differences(machines[0].state(), machines[1].state()) == [])
        let state = try machines[0].state()
        #expect(state.folders[kept]?.name == "Kept" && state.notes[note.id]?.folder == kept)
        let id = try #require(NoteID(Self.ids[0]))
        let new = try #require(state.notes[id])
        #expect(state.folders[new.folder]?.name == "Folder 0")
        #expect(new.tags.compactMap { state.tags[$0]?.name } == [ExactText("of \(kept)")])
        #expect(Set(state.folders.keys).isDisjoint(with: system) && Set(state.tags.keys).isDisjoint(with: system))
    }
}

import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests that files of every kind are sent to the other machines.
struct AttachmentTests {
    private let store = MemoryCommits()

    private func machines() throws -> (Machine, Machine) { (try Machine("a", store), try Machine("b", store)) }

    private func path(_ tree: Tree, _ ending: String) -> TreePath? {
        tree.keys.first { $0.isInside(TreeLayout.files) && $0.description.hasSuffix(ending) }
    }

    @Test func `a file comes back with its name and bytes`() throws {
        let (one, other) = try machines()
        let data = Data([0, 1, 2, 0xFF])
        let file = try one.notebook.attachments.add(data, name: "Plan für Ä.pdf")
        try one.notebook.notes.create(NewNote(text: "see \(file.markdown())\n"))
        try one.sync()
        try other.sync()
        let found = try #require(try other.notebook.attachments.load(file.id))
        #expect(found.name == file.name && found.createdDate == file.createdDate && found.noteCount == 1)
        #expect(try other.notebook.attachments.data(of: file.id) == data)
        let tree = store.tree(of: try #require(store.branch))
        #expect(path(tree, "/\(file.id.uuidString)/Plan für Ä.pdf") != nil)
        #expect(try other.notebook.sync.changeCount() == 0)
        let head = store.branch
        for machine in [one, other] { try machine.sync() }
        #expect(store.branch == head)
    }

    @Test func `the same file of two machines is stored once under both names`() throws {
        let (one, other) = try machines()
        let data = Data("bytes".utf8)
        let ids = [UUID(), UUID()]
        for (machine, id) in zip([one, other], ids) {
            try machine.notebook.write { transaction in
                try transaction.write(id, SyncAttachment(object: "", name: "x.txt", created: 1), data)
            }
            try machine.notebook.notes.create(NewNote(text: "[x](takenote://file/\(id.uuidString))\n"))
        }
        for _ in 0..<2 { for machine in [one, other] { try machine.sync() } }
        for machine in [one, other] {
            for id in ids { #expect(try machine.notebook.attachments.data(of: id) == data) }
            let all = try machine.notebook.attachments.all()
            #expect(all.count == 1 && all[0].noteCount == 2 && all[0].id == ids.min { $0.precedes($1) })
        }
        #expect(differences(try one.state(), try other.state()) == [])
    }

    /// Each machine has added the picture at its own time, and in the end all have the same one.
    @Test func `the same picture of two machines comes to rest`() throws {
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000), try Machine("c", store)]
        let image = try #require(Data(base64Encoded: Self.dot))
        let picture = try machines[0].notebook.images.add(image, name: "dot.png")
        #expect(try machines[1].notebook.images.add(image, name: "dot.png").imageUUID == picture.imageUUID)
        for machine in machines { try machine.notebook.notes.create(NewNote(text: picture.getMarkdown())) }
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let states = try machines.map { try $0.state() }
        #expect(Set(states.map { $0.images[picture.imageUUID]?.created }).count == 1)
        // What a machine changes later changes nothing of the picture.
        for machine in machines {
            let before = try #require(store.branch)
            try machine.notebook.notes.create(NewNote(text: "later"))
            try machine.sync()
            #expect(store.changes(from: before, to: try #require(store.branch)).entries.count == 1)
        }
    }

    /// A machine that has not yet synchronised may have the same bytes under another identity.
    @Test func `a picture of two identities goes with its notes`() throws {
        let (one, other) = try machines()
        let data = Data([0xFF, 0xD8, 0xFF, 1])
        var notes: [NoteID] = []
        for machine in [one, other] {
            let id = UUID()
            try machine.notebook.write { transaction in
                try transaction.insertImage(
                    id, hash: NoteImage.hash(of: data), type: .jpeg, created: 1, data: data)
            }
            let text = "![x](takenote://image/\(id.uuidString))"
            notes.append(try machine.notebook.notes.create(NewNote(text: text)).id)
        }
        for _ in 0..<2 { for machine in [one, other] { try machine.sync() } }
        #expect(try other.state().images.count == 2)
        try one.notebook.trash.add(notes)
        try one.notebook.trash.empty(backup: false)
        for _ in 0..<2 { for machine in [one, other] { try machine.sync() } }
        for machine in [one, other] { #expect(try machine.state().images.isEmpty) }
        #expect(try differences(one.state(), other.state()) == [])
    }

    @Test func `notebooks that are in sync have the same archive`() throws {
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000)]
        let image = try #require(Data(base64Encoded: Self.dot))
        for machine in machines {
            let notebook = machine.notebook
            let folder = try notebook.folders.create("Folder of \(machine.name)")
            let picture = try notebook.images.add(image, name: "dot.png")
            let file = try notebook.attachments.add(Data(machine.name.utf8), name: "file.bin")
            for text in [picture.getMarkdown(), file.markdown()] {
                try notebook.notes.create(NewNote(text: text, folder: folder.id))
            }
        }
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let archives = try machines.map { try $0.notebook.transfer.archive() }
        #expect(archives[0].containers == archives[1].containers)
        #expect(archives[0].notes.map(\.uuid) == archives[1].notes.map(\.uuid))
        #expect(archives[0].images == archives[1].images && archives[0].files == archives[1].files)
        #expect(archives[0].images.count == 1 && archives[0].files?.count == 2 && archives[0].notes.count == 4)
    }

    /// A picture of one pixel.
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test func `a file that no note needs goes everywhere`() throws {
        let (one, other) = try machines()
        let file = try one.notebook.attachments.add(Data([1]), name: "a.bin")
        let note = try one.notebook.notes.create(NewNote(text: file.markdown()))
        for machine in [one, other] { try machine.sync() }
        try one.notebook.trash.add([note.id])
        try one.notebook.trash.empty(backup: false)
        #expect(try one.notebook.attachments.all().isEmpty)
        for machine in [one, other] { try machine.sync() }
        #expect(try other.notebook.attachments.all().isEmpty)
        #expect(path(store.tree(of: try #require(store.branch)), "") == nil)
    }

    /// Programs that remove unused files do not know tn's URLs.
    @Test func `what somebody removes by hand stays while a note refers to it`() throws {
        let (one, other) = try machines()
        let image = try #require(Data(base64Encoded: Self.dot))
        let picture = try one.notebook.images.add(image, name: "dot.png")
        let file = try one.notebook.attachments.add(Data([1]), name: "a.bin")
        try one.notebook.notes.create(NewNote(text: picture.getMarkdown() + "\n" + file.markdown()))
        for machine in [one, other] { try machine.sync() }
        let tree = store.tree(of: try #require(store.branch))
        var change = TreeChange()
        for path in tree.keys where path.isInside(TreeLayout.images) || path.isInside(TreeLayout.files) {
            change.entries[path] = .some(nil)
        }
        #expect(change.entries.count == 2)
        store.foreign(change)
        try other.sync()
        #expect(store.tree(of: try #require(store.branch)) == tree)
        let third = try Machine("c", store)
        for machine in [one, third] { try machine.sync() }
        #expect(try third.notebook.images.load(picture.imageUUID)?.imageData == image)
        #expect(try third.notebook.attachments.data(of: file.id) == Data([1]))
        #expect(try differences(one.state(), third.state()) == [])
    }

    @Test func `a file that a note elsewhere refers to meanwhile stays`() throws {
        let (one, other) = try machines()
        let file = try one.notebook.attachments.add(Data([1]), name: "a.bin")
        let note = try one.notebook.notes.create(NewNote(text: file.markdown()))
        for machine in [one, other] { try machine.sync() }
        try other.notebook.notes.create(NewNote(text: "also \(file.markdown())"))
        try one.notebook.trash.add([note.id])
        try one.notebook.trash.empty(backup: false)
        for _ in 0..<2 { for machine in [other, one] { try machine.sync() } }
        for machine in [one, other] { #expect(try machine.notebook.attachments.data(of: file.id) == Data([1])) }
    }

    @Test func `hands in the repository rename and replace a file`() throws {
        let (one, other) = try machines()
        let file = try one.notebook.attachments.add(Data([1]), name: "a.bin")
        try one.notebook.notes.create(NewNote(text: file.markdown()))
        for machine in [one, other] { try machine.sync() }
        let tree = store.tree(of: try #require(store.branch))
        let old = try #require(path(tree, "/a.bin"))
        var change = TreeChange()
        change.contents[GitObject.name(ofBlob: [2])] = [2]
        change.entries[old] = .some(nil)
        change.entries[old.folder.appending("b: c.bin")] = TreeEntry(object: GitObject.name(ofBlob: [2]))
        store.foreign(change)
        for _ in 0..<2 { for machine in [other, one] { try machine.sync() } }
        for machine in [one, other] {
            #expect(try machine.notebook.attachments.load(file.id)?.name == "b- c.bin")
            #expect(try machine.notebook.attachments.data(of: file.id) == Data([2]))
            #expect(try machine.notebook.sync.changeCount() == 0)
        }
    }

    @Test func `what lies beside a file is none once the file is deleted`() throws {
        let (one, other) = try machines()
        let file = try one.notebook.attachments.add(Data([1]), name: "a.bin")
        let note = try one.notebook.notes.create(NewNote(text: file.markdown()))
        for machine in [one, other] { try machine.sync() }
        let head = try #require(store.branch)
        let own = try #require(path(store.tree(of: head), "/a.bin"))
        let beside = own.folder.appending("beside.txt")
        store.put([2], at: beside)
        for machine in [one, other] { try machine.sync() }
        try one.notebook.trash.add([note.id])
        try one.notebook.trash.empty(backup: false)
        // Meanwhile somebody edits it by hand.
        store.put([3], at: beside)
        for _ in 0..<2 { for machine in [one, other] { try machine.sync() } }
        let third = try Machine("c", store)
        for machine in [third, one, other] {
            try machine.sync()
            #expect(try machine.notebook.attachments.all().isEmpty)
        }
        let tree = store.tree(of: try #require(store.branch))
        #expect(tree[own] == nil && tree[beside]?.object == GitObject.name(ofBlob: [3]))
    }

    @Test func `a file that is too large stays and is reported`() throws {
        let (one, other) = try machines()
        let file = try one.notebook.attachments.add(Data(repeating: 7, count: 11), name: "large.bin")
        try one.notebook.notes.create(NewNote(text: file.markdown()))
        try one.sync(largest: 10)
        try other.sync()
        #expect(try other.notebook.attachments.all().isEmpty)
        let left = try one.notebook.sync.filesLeftBehind(largest: 10)
        #expect(left.map(\.name) == ["large.bin"] && left.map(\.size) == [11])
        // With a higher limit the file is sent, and no longer reported as left behind.
        try one.notebook.notes.create(NewNote(text: "more"))
        try one.sync()
        #expect(try one.notebook.sync.filesLeftBehind(largest: 10) == [])
        try other.sync()
        #expect(try other.notebook.attachments.data(of: file.id)?.count == 11)
        // A machine with a lower limit keeps the files that others have sent.
        try other.notebook.notes.create(NewNote(text: "again"))
        try other.sync(largest: 10)
        #expect(path(store.tree(of: try #require(store.branch)), "large.bin") != nil)
    }

    /// A picture that cannot be shown stays in the repository unchanged.
    @Test func `a picture with strange bytes is not deleted`() throws {
        let (one, _) = try machines()
        try one.notebook.notes.create(NewNote(text: "a"))
        try one.sync()
        let path = TreeLayout.images.appending("\(UUID().uuidString).png")
        store.put([9], at: path)
        try one.sync()
        try one.notebook.notes.create(NewNote(text: "b"))
        try one.sync()
        #expect(store.tree(of: try #require(store.branch))[path] != nil)
    }

    @Test func `two files put in the place of one both stay`() throws {
        let id = UUID()
        func state(_ object: String) -> SyncState {
            var state = SyncState()
            state.attachments[id] = SyncAttachment(
                object: String(repeating: object, count: 40), name: "x.pdf", created: 1)
            return state
        }
        let merged = merge(base: state("a"), state("c"), state("b"))
        #expect(merged.attachments[id]?.object.first == "b")
        #expect(merged.files.keys.map(\.description) == ["files/\(id.uuidString)/x (conflict cccccccc).pdf"])
    }
}

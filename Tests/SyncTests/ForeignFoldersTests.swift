import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests folders of a repository that other programs have made, and folders whose files they have removed.
struct ForeignFoldersTests {
    private let store = MemoryCommits()

    private var tree: Tree { store.branch.map { store.tree(of: $0) } ?? [:] }

    private func put(_ paths: [TreePath]) {
        var change = TreeChange()
        for path in paths {
            let bytes = Array("text of \(path)\n".utf8)
            let object = GitObject.name(ofBlob: bytes)
            (change.contents[object], change.entries[path]) = (bytes, TreeEntry(object: object))
        }
        store.foreign(change)
    }

    private func remove(_ isRemoved: (TreePath) -> Bool) {
        var change = TreeChange()
        for path in tree.keys where isRemoved(path) { change.entries[path] = .some(nil) }
        store.foreign(change)
    }

    private func sync(_ machines: [Machine]) throws {
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines { #expect(try differences(machine.state(), machines[0].state()) == []) }
    }

    /// In an Obsidian vault pictures lie beside the notes.
    @Test func `a folder keeps its name and its notes beside files that are not notes`() throws {
        let machine = try Machine("a", store)
        let paths: [TreePath] = [
            "Recipes/Pasta.md", "Recipes/pasta.jpg", "Recipes/Old/Soup.md", "Recipes/Old/soup.pdf", "Empty/plan.pdf",
        ]
        put(paths)
        try sync([machine])
        #expect(Set(paths).isSubset(of: tree.keys))
        #expect(tree["Recipes/.folder"] != nil && tree["Recipes/Old/.folder"] != nil)
        #expect(Set(try machine.state().folders.values.map(\.name)) == ["Recipes", "Old"])
    }

    /// Links between the files of a vault contain their names.
    @Test func `a file keeps a name that tn would not have given it`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        try sync(machines)
        let long = String(repeating: "long name ", count: 20)
        let paths: [TreePath] = [
            "Why?/What is love?.md", "Why?/a: b.md", TreePath("Why?/\(long)end.md"), "Cafe\u{301}/Cafe\u{301}.md",
        ]
        put(paths)
        try sync(machines)
        let id = try #require(try machines[0].state().notes.first { $0.value.title == "What is love?" }?.key)
        let notebook = machines[0].notebook
        let row = try #require(try notebook.notes.row(id))
        _ = try notebook.notes.save(id, text: "edited\n", baseRevision: row.revision)
        try sync(machines)
        #expect(Set(paths).isSubset(of: tree.keys))
        // A name that the user gives here is one for every file system.
        try notebook.notes.setTitle(id, "What is love? Really?")
        try sync(machines)
        #expect(tree["Why?/What is love- Really-.md"] != nil && tree["Why?/What is love?.md"] == nil)
    }

    @Test func `names that git reserves are not kept`() throws {
        let machine = try Machine("a", store)
        put(["\u{200C}.git/Note.md", "a/\u{202E}evil.md", "b/con.md"])
        try sync([machine])
        #expect(tree["\u{200C}.git/Note.md"] == nil && tree["a/\u{202E}evil.md"] == nil)
        #expect(tree["b/con.md"] != nil)
    }

    @Test func `a folder inbox is the Inbox in any case, and its files stay there`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let paths: [TreePath] = ["inbox/Plan.md", "inbox/plan.jpg", "INBOX/Other.md", "Work/inbox/Deep.md"]
        put(paths)
        try sync(machines)
        #expect(Set(paths).isSubset(of: tree.keys))
        #expect(Set(try machines[1].state().folders.values.map(\.name)) == ["Work", "inbox"])
        let notes = try machines[0].state().notes
        #expect(notes.filter { $0.value.folder == .inbox }.values.map(\.title).sorted() == ["Other", "Plan"])
        // An edited note stays in its file; a new one gets a name that no other file of the Inbox has.
        let notebook = machines[0].notebook
        let id = try #require(notes.first { $0.value.title == "Plan" }?.key)
        let row = try #require(try notebook.notes.row(id))
        _ = try notebook.notes.save(id, text: "edited\n", baseRevision: row.revision)
        try notebook.notes.create(NewNote(text: "new\n", title: "plan"))
        try sync(machines)
        #expect(tree["inbox/Plan.md"] != nil && tree["Inbox/plan.md"] == nil)
        #expect(tree.keys.count { $0.description.hasPrefix("Inbox/plan (") } == 1)
    }

    @Test func `a folder that this notebook has too is the same, with the files in it`() throws {
        let machine = try Machine("a", store)
        let folder = try machine.notebook.folders.create("Recipes")
        try machine.notebook.notes.create(NewNote(text: "mine\n", folder: folder.id))
        put(["Recipes/Pasta.md", "Recipes/pasta.jpg"])
        try sync([machine])
        #expect(Set(["Recipes/Pasta.md", "Recipes/pasta.jpg", "Recipes/mine.md"]).isSubset(of: tree.keys))
        #expect(try machine.state().folders.count == 1)
    }

    @Test func `a new folder where another one was is not that one`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        try sync(machines)
        put(["Work/One.md"])
        try sync(machines)
        let notebook = machines[0].notebook
        let old = try #require(try machines[0].state().folders.keys.first)
        try notebook.folders.move(old, to: notebook.folders.create("Archived").id)
        try sync(machines)
        put(["Work/Two.md"])
        try sync(machines)
        #expect(Set(["Archived/Work/One.md", "Work/Two.md"]).isSubset(of: tree.keys))
        let state = try machines[0].state()
        #expect(state.folders.count == 3 && state.notes.values.count { $0.folder == old } == 1)
    }

    /// So it is where a case-insensitive disk has renamed the folder, and where a disk writes accents in another way.
    @Test func `a folder whose name differs in case or in the form of its accents is no other one`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        for name in ["Work", "Caf\u{E9}"] {
            let folder = try notebook.folders.create(name)
            try notebook.notes.create(NewNote(text: "one\n", folder: folder.id))
        }
        try sync(machines)
        put(["work/Two.md", "work/plan.pdf", "work/new/Three.md", "WORK/New/Four.md", "Cafe\u{301}/Two.md"])
        try sync(machines)
        let state = try machines[1].state()
        #expect(Set(state.folders.values.map { $0.name.string.lowercased() }) == ["work", "new", "caf\u{E9}"])
        #expect(state.folders.count == 3)
        #expect(Set(["Work/one.md", "Work/Two.md", "work/plan.pdf", "Caf\u{E9}/Two.md"]).isSubset(of: tree.keys))
    }

    @Test func `a folder that lost its file is still the same`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let folder = try notebook.folders.create("Work")
        try notebook.containers.setColor(folder.id, 0x1234_56FF)
        let inner = try notebook.folders.create("Plans", in: folder.id)
        try notebook.projects.create("Poems", type: .poetry)
        let places = try machines[0].state().folders.filter { $0.value.holdsNotes }.keys
        for place in places { try notebook.notes.create(NewNote(text: "in \(place)\n", folder: place)) }
        #expect(places.contains(inner.id))
        try sync(machines)
        let before = try machines[1].state()
        remove { $0.name.elementsEqual(".folder".utf8) }
        try sync(machines)
        let after = try machines[1].state()
        #expect(after.notes == before.notes)
        // Nothing tells of a folder without notes any more, so it counts as deleted.
        for id in Set(places.flatMap { before.chain(from: $0) }) { #expect(after.folders[id] == before.folders[id]) }
        for note in after.notes.keys { #expect(try !after.isInTrash(#require(after.notes[note]).folder)) }
    }

    @Test func `tags and searches outlive the folder with all lists`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "text\n"))
        try notebook.tags.add(try notebook.tags.create("kept").id, to: [note.id])
        try notebook.tags.create("unused")
        try notebook.savedSearches.create("Open", query: "is:task")
        try sync(machines)
        let before = try machines[1].state()
        let paths = tree.keys
        remove { $0.isInside(ListFiles.folder) }
        try sync(machines)
        #expect(try differences(machines[1].state(), before) == [])
        #expect(tree.keys == paths)
    }

    @Test func `a symbolic link in the place of a file of tn is replaced by the file`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let folder = try notebook.folders.create("Work")
        let note = try notebook.notes.create(NewNote(text: "text\n", folder: folder.id))
        try notebook.tags.add(try notebook.tags.create("kept").id, to: [note.id])
        try sync(machines)
        let before = try machines[1].state()
        let files = tree
        let target = Array("../elsewhere".utf8)
        let entry = TreeEntry(mode: "120000", object: GitObject.name(ofBlob: target))
        var change = TreeChange()
        change.contents[entry.object] = target
        for path in [ListFiles.tags, TreePath("Work/.folder")] { change.entries[path] = entry }
        store.foreign(change)
        try sync(machines)
        #expect(try differences(machines[1].state(), before) == [])
        #expect(tree == files)
    }
}

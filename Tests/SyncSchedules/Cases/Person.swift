import Foundation
import NoteStore
import SeededRandom
import Sync

/// A person who works on machines at random, and remembers which words must not be lost.
///
/// Each edit types a word that nobody else types; deleting for ever records the words that the person saw.
package struct Person {
    package var random: SeededGenerator
    /// Whether the person writes links to notes by their titles, and renames more of these notes.
    package var writesLinks = false
    /// Whether the person often puts notes and folders away, and deletes folders for ever.
    package var putsAway = false
    /// Whether the person nests tags, writes them into texts, and renames and deletes more of them.
    package var nestsTags = false
    package private(set) var typed: Set<String> = []
    package private(set) var deleted: Set<String> = []
    private var typedByHand: Set<String> = []
    private var count = 0

    /// The titles of notes that are linked: so few that notes get the former titles of others, and so many that some
    /// titles are nobody's.
    private static let linkedTitles = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Larch", "Oak", "Pine"]

    private static let nestedTags = ["red", "green", "Blue", "red/dark", "Red/dark/Wine", "green/Moss", "blue/x"]
    private var tagNames: [String] { nestsTags ? Self.nestedTags : ["red", "green", "Blue"] }

    /// What may follow `[[`: a title, alone or with a folder, a heading or other words for it.
    private static func link(to title: String, _ random: inout SeededGenerator) -> String {
        "[[" + random.pick(["", "", "Work/", "Home/"]) + title + random.pick(["", "", "#Part", "|label"]) + "]]"
    }

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func word() -> String {
        count += 1
        typed.insert("word\(count)x")
        return "word\(count)x"
    }

    /// Returns the words that were typed, are not deleted on purpose and are not among the given ones.
    package func lost(_ words: Set<String>) -> Set<String> { typed.subtracting(deleted).subtracting(words) }

    package static func words(in text: String) -> Set<String> {
        Set(
            text.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter {
                $0.hasPrefix("word") && $0.hasSuffix("x")
            })
    }

    /// Does one thing; an action that a rule of the notebook forbids is left undone.
    package mutating func act(on machine: Machine) throws {
        let notebook = machine.notebook
        let before = typed
        do {
            switch random.below(20) {
            case 0, 1, 2: try add(to: machine)
            case 3 where writesLinks: try rename(notebook)
            case 3 where putsAway, 4 where putsAway: if let note = try note(notebook) { try notebook.trash.add([note]) }
            case 5 where putsAway: try deleteFolder(notebook)
            case 3 where nestsTags, 4 where nestsTags: try tag(notebook)
            case 5 where nestsTags: try untag(notebook)
            case 6 where nestsTags: try changeTag(notebook)
            case 6 where putsAway:
                _ = try notebook.folders.create(random.pick(["Work", "Home", "Plans", "work"]), in: folder(notebook))
            case 3, 4, 5, 6, 7: try edit(notebook)
            case 8: try rename(notebook)
            case 9, 10: try move(notebook)
            case 11: try tag(notebook)
            case 12: if let note = try note(notebook) { try notebook.notes.setStarred([note], random.chance(50)) }
            case 13: if let note = try note(notebook) { try notebook.trash.add([note]) }
            case 14: try purge(notebook)
            case 15: try restore(notebook)
            case 16:
                _ = try notebook.folders.create(random.pick(["Work", "Home", "Plans", "work"]), in: folder(notebook))
            case 17: try changeFolder(notebook)
            case 18: try changeTag(notebook)
            default: try rare(machine)
            }
        } catch is StoreError {
            // The person reads the message and does something else; nothing was typed.
            typed = before
        }
    }

    private mutating func note(_ notebook: Notebook, place: Place? = .live) throws -> NoteID? {
        let notes = try notebook.sync.snapshot(all: true)
        var state = SyncState()
        (state.notes, state.folders) = (notes.notes, notes.folders)
        let ids = state.notes.filter { _, note in
            switch place {
            case .trash: state.isInTrash(note.folder)
            case .live: !state.isInTrash(note.folder) && note.folder != .archive
            default: true
            }
        }.keys.sorted { $0.uuid.precedes($1.uuid) }
        return ids.isEmpty ? nil : random.pick(ids)
    }

    private mutating func folder(_ notebook: Notebook, inTrash: Bool = false) throws -> ContainerID? {
        let ids = try notebook.containers.all().filter { ($0.isFolder || $0.isProject) && $0.isInTrash == inTrash }
            .map(\.id).sorted { $0.uuid.precedes($1.uuid) }
        return ids.isEmpty ? nil : random.pick(ids)
    }

    private mutating func add(to machine: Machine) throws {
        let notebook = machine.notebook
        let folder = random.chance(50) ? try folder(notebook) ?? .inbox : .inbox
        var text = "\(word())\n\(word())\nshared line\n"
        // A tag that somebody may also give by hand.
        if putsAway || nestsTags, random.chance(nestsTags ? 50 : 20) { text += "#\(random.pick(tagNames))\n" }
        var title = random.chance(40) ? "Same title" : nil
        if writesLinks { title = random.pick(Self.linkedTitles) }
        try notebook.notes.create(
            NewNote(text: text, title: title, folder: folder, id: NoteID(machine.identity())))
    }

    private mutating func edit(_ notebook: Notebook) throws {
        guard let id = try note(notebook), let note = try notebook.notes.load(id) else { return }
        var lines = note.content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let index = random.below(lines.count)
        if writesLinks, random.chance(60) {
            lines[index] += " " + Self.link(to: random.pick(Self.linkedTitles), &random)
        }
        if nestsTags, random.chance(40) {
            lines[index] =
                random.chance(50)
                ? lines[index] + " #" + random.pick(tagNames) : lines[index].replacing(#/ ?#[A-Za-z/]+/#, with: "")
        }
        switch random.below(3) {
        case 0: lines.insert(word(), at: index)
        case 1: lines[index] += " " + word()
        default: lines.append(word())
        }
        _ = try notebook.notes.save(id, text: lines.joined(separator: "\n"), baseRevision: note.row.revision)
    }

    private mutating func rename(_ notebook: Notebook) throws {
        guard let note = try note(notebook) else { return }
        let titles = writesLinks ? Self.linkedTitles : ["Same title", "Other", "", "a/b: \"c\"", "..", ".git"]
        try notebook.notes.setTitle(note, random.pick(titles))
    }

    private mutating func move(_ notebook: Notebook) throws {
        guard let note = try note(notebook) else { return }
        if random.chance(20) { return try notebook.notes.archive([note]) }
        try notebook.notes.move([note], to: try folder(notebook) ?? .inbox)
    }

    private mutating func tag(_ notebook: Notebook) throws {
        guard let note = try note(notebook) else { return }
        let name = random.pick(tagNames)
        let tag = try notebook.tags.find(named: name) ?? notebook.tags.create(name)
        try notebook.tags.add(tag.id, to: [note])
    }

    /// Returns one of the notebook's tags.
    private mutating func anyTag(_ notebook: Notebook) throws -> ContainerID? {
        let tags = try notebook.containers.all().filter(\.isTag).map(\.id).sorted { $0.uuid.precedes($1.uuid) }
        return tags.isEmpty ? nil : random.pick(tags)
    }

    private mutating func untag(_ notebook: Notebook) throws {
        guard let note = try note(notebook), let tag = try anyTag(notebook) else { return }
        try notebook.tags.remove(tag, from: [note])
    }

    private mutating func changeTag(_ notebook: Notebook) throws {
        guard let tag = try anyTag(notebook) else { return }
        if random.chance(50) { return try notebook.containers.delete([tag]) }
        let name = random.pick(tagNames + ["grey"])
        if nestsTags {
            try notebook.tags.rename(tag, to: name, rewritingTexts: true)
        } else {
            try notebook.containers.rename(tag, to: name)
        }
    }

    private mutating func changeFolder(_ notebook: Notebook) throws {
        guard let folder = try folder(notebook) else { return }
        switch random.below(3) {
        case 0: try notebook.containers.rename(folder, to: random.pick(["Work", "Home", "images", "con", "X"]))
        case 1: try notebook.folders.move(folder, to: random.chance(30) ? nil : try self.folder(notebook))
        default: try notebook.containers.delete([folder])
        }
    }

    /// Deletes a note for ever, after recording its words as seen.
    private mutating func purge(_ notebook: Notebook) throws {
        guard let id = try note(notebook, place: .trash), let note = try notebook.notes.load(id) else { return }
        deleted.formUnion(Self.words(in: note.content))
        try notebook.trash.deleteForever([id], backup: false)
    }

    /// Puts a folder into the Trash, or deletes one that is there for ever, after recording the words in it as seen.
    private mutating func deleteFolder(_ notebook: Notebook) throws {
        guard random.chance(60), let trashed = try folder(notebook, inTrash: true) else {
            if let live = try folder(notebook) { try notebook.containers.delete([live]) }
            return
        }
        let snapshot = try notebook.sync.snapshot(all: true)
        var state = SyncState()
        state.folders = snapshot.folders
        for note in snapshot.notes.values where state.chain(from: note.folder).contains(trashed) {
            deleted.formUnion(Self.words(in: note.text.string))
        }
        try notebook.trash.deleteForever([trashed], backup: false)
    }

    private mutating func restore(_ notebook: Notebook) throws {
        if random.chance(50), let note = try note(notebook, place: .trash) {
            try notebook.trash.restore([note])
        } else if let folder = try folder(notebook, inTrash: true) {
            try notebook.trash.restore([folder])
        }
    }

    private mutating func rare(_ machine: Machine) throws {
        let notebook = machine.notebook
        switch random.below(5) {
        case 0: try notebook.projects.create(random.pick(["Poems", "Novel"]), type: .poetry)
        case 1: _ = try notebook.savedSearches.create(random.pick(["mine", "other"]), query: "word")
        case 2:
            let file = try notebook.attachments.add(
                Data((0..<8).map { _ in UInt8(random.below(3)) }),
                name: random.pick(["a.pdf", "b.md", ".git", "é.txt"]))
            try notebook.notes.create(NewNote(text: "\(word()) \(file.markdown())\n", id: NoteID(machine.identity())))
        case 3:
            // Only a person who has seen all words there may empty the Trash.
            let snapshot = try notebook.sync.snapshot(all: true)
            var state = SyncState()
            state.folders = snapshot.folders
            for note in snapshot.notes.values where state.isInTrash(note.folder) {
                deleted.formUnion(Self.words(in: note.text.string))
            }
            try notebook.trash.empty(backup: false)
        default:
            let data = Data([0xFF, 0xD8, 0xFF] + (0..<8).map { _ in UInt8(random.below(3)) })
            let image = try notebook.images.add(data, name: "x.jpg")
            try notebook.notes.create(
                NewNote(text: "\(word()) \(image.getMarkdown())\n", id: NoteID(machine.identity())))
        }
    }

    // MARK: - Other programs

    /// Edits the repository as somebody with another program would.
    package mutating func actByHand(on remote: any SharedRemote) throws {
        guard let branch = remote.branch else { return }
        let tree = try remote.entries(of: branch)
        let notes = tree.keys.filter { TreeLayout.role(of: $0, tree[$0] ?? TreeEntry(object: "")) == .note }.sorted()
        var change = TreeChange()
        func put(_ path: TreePath, _ bytes: [UInt8]) {
            let object = GitObject.name(ofBlob: bytes)
            change.contents[object] = bytes
            change.entries[path] = .some(TreeEntry(object: object))
        }
        let files = tree.keys.filter { $0.isInside(TreeLayout.files) }.sorted()
        switch random.below(7) {
        case 0: put(TreePath("By hand/file \(random.below(99)).md"), Array("no identity \(word())\n".utf8))
        case 1: put(TreePath("Inbox/\(random.pick(["a.pdf", "b.bin"]))"), [0, UInt8(random.below(256))])
        case 2:
            guard !notes.isEmpty else { return }
            let path = random.pick(notes)
            put(path, try (tree[path].map { try remote.bytes(of: $0.object) } ?? []) + Array("\n\(word())".utf8))
        case 3:
            guard !notes.isEmpty else { return }
            let path = random.pick(notes)
            change.entries[path] = .some(nil)
            change.entries[path.folder.appending("moved \(random.below(9)).md")] = tree[path]
        case 4:
            guard let path = files.randomElement(using: &random) else { return }
            change.entries[path] = .some(nil)
            change.entries[path.folder.appending("new name \(random.below(9)).bin")] = tree[path]
        case 5:
            guard let path = files.randomElement(using: &random) else { return }
            put(random.chance(50) ? path : path.folder.appending("beside.txt"), [1, UInt8(random.below(9))])
        default:
            guard !notes.isEmpty else { return }
            // A deletion by hand only moves to Trash, so nothing is deleted for good.
            change.entries[random.pick(notes)] = .some(nil)
        }
        // Text that was typed by hand and is removed by hand before any machine got it counts as seen.
        for (path, entry) in change.entries where tree[path] != entry {
            let old = try tree[path].map { try remote.bytes(of: $0.object) } ?? []
            deleted.formUnion(Self.words(in: String(decoding: old, as: UTF8.self)).intersection(typedByHand))
        }
        for bytes in change.contents.values {
            typedByHand.formUnion(Self.words(in: String(decoding: bytes, as: UTF8.self)))
        }
        try remote.foreign(change)
    }
}

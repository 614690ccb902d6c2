import Foundation
import SeededRandom
import Testing

@testable import NoteStore

/// Tests long sequences of random actions.
///
/// Every rule holds after each action, every action can be undone and redone exactly, and a simple model of texts,
/// stars, tags and places agrees with the notebook. `TN_ACTIONS` is the number of actions for each seed.
@Suite struct RandomActionTests {
    private static let steps = ProcessInfo.processInfo.environment["TN_ACTIONS"].flatMap { Int($0) } ?? 300

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `random actions keep every rule and agree with a simple model`(seed: UInt64) throws {
        var run = try RandomRun(seed: seed)
        for step in 0..<Self.steps {
            try run.step()
            if step % 25 == 0 || step > Self.steps - 10 {
                try run.test.expectSound("seed \(seed), step \(step): \(run.last)")
            }
            if step % 5 == 0 { try run.compare("seed \(seed), step \(step): \(run.last)") }
        }
    }
}

/// The state of a note in the model.
private struct ModelNote: Equatable {
    var text: String
    var starred = false
    var tags: Set<ContainerID> = []
    var place = Place.live
}

/// The visible state of a notebook.
private struct Picture: Equatable {
    var notes: [NoteID: NoteRow]
    var containers: [ContainerID: NoteContainer]

    init(_ notebook: Notebook) throws {
        let all = try notebook.read { try NoteRow.fetch($0, "WHERE 1") }
        notes = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        containers = Dictionary(uniqueKeysWithValues: try notebook.containers.all().map { ($0.id, $0) })
    }
}

private struct RandomRun {
    /// The session that owns what is cut.
    private static let owner = "test"

    let test: TestNotebook
    var random: SeededGenerator
    var model: [NoteID: ModelNote] = [:]
    var last = ""

    init(seed: UInt64) throws {
        test = try TestNotebook(mode: .command)
        random = SeededGenerator(seed: seed)
        try test.notebook.projects.create("Poems", type: .poetry)
    }

    private var notebook: Notebook { test.notebook }

    private mutating func pick<T>(_ choices: [T]) -> T? { choices.randomElement(using: &random) }

    private mutating func notes(_ place: Place) -> [NoteID] {
        let all = model.filter { $0.value.place == place }.keys.sorted { $0.description < $1.description }
        return Array(all.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    }

    private mutating func container(_ condition: (NoteContainer) -> Bool) throws -> NoteContainer? {
        pick(try notebook.containers.all().filter(condition))
    }

    mutating func step() throws {
        switch Int.random(in: 0..<24, using: &random) {
        case 0...3: try create()
        case 4...6: try save()
        case 7: try star()
        case 8...9: try move()
        case 10...11: try trash()
        case 12: try restore()
        case 13: try archive()
        case 14: try tag()
        case 15...16: try addContainer()
        case 17: try moveFolder()
        case 18: try trashFolder()
        case 19: try restoreFolder()
        case 20: try rename()
        case 21: try cutAndPaste()
        case 22: try test.restart(mode: .command)
        default: if Int.random(in: 0..<4, using: &random) == 0 { try emptyTrash() }
        }
    }

    // MARK: - Actions

    private mutating func create() throws {
        last = "create"
        guard let folder = try container({ $0.holdsNotes && $0.place == .live && !$0.isSystemFolder || $0.isInbox })
        else { return }
        let text = "# Note \(Int.random(in: 0..<8, using: &random))\nbody \(random.next())"
        let (one, other) = (random.next(), random.next())
        let id = withUnsafeBytes(of: (one, other)) { NoteID(UUID(uuid: $0.load(as: uuid_t.self))) }
        let row = try notebook.notes.create(NewNote(text: text, folder: folder.id, id: id))
        model[row.id] = ModelNote(text: text)
    }

    private mutating func save() throws {
        last = "save"
        guard let id = notes(.live).first, let row = try notebook.notes.row(id) else { return }
        let text = "Note \(Int.random(in: 0..<8, using: &random)) — 東京 \(random.next())"
        _ = try notebook.notes.save(id, text: text, baseRevision: row.revision)
        model[id]?.text = text
    }

    private mutating func star() throws {
        last = "star"
        let ids = notes(.live)
        let starred = Bool.random(using: &random)
        try acting {
            try $0.notes.setStarred(ids, starred)
        } then: {
            $0.starred = starred
        } of: {
            ids.contains($0)
        }
    }

    private mutating func move() throws {
        last = "move"
        let ids = notes(.live)
        guard let folder = try container({ $0.holdsNotes && $0.place == .live && $0.isFolder }) else { return }
        try acting { try $0.notes.move(ids, to: folder.id) }
    }

    private mutating func trash() throws {
        last = "trash"
        let ids = notes(Bool.random(using: &random) ? .live : .archive)
        try acting { try $0.trash.add(ids) }
    }

    private mutating func restore() throws {
        last = "restore"
        let ids = notes(.trash)
        try acting { try $0.trash.restore(ids) }
    }

    private mutating func archive() throws {
        last = "archive"
        let isBack = Bool.random(using: &random)
        let ids = notes(isBack ? .archive : .live)
        try acting { if isBack { try $0.notes.unarchive(ids) } else { try $0.notes.archive(ids) } }
    }

    private mutating func tag() throws {
        last = "tag"
        let ids = notes(.live)
        guard let tag = try container(\.isTag) else { return }
        try acting {
            try $0.tags.add(tag.id, to: ids)
        } then: {
            $0.tags.insert(tag.id)
        } of: {
            ids.contains($0)
        }
    }

    private mutating func addContainer() throws {
        last = "add"
        let name = "Folder \(Int.random(in: 0..<6, using: &random))"
        let parent = try container { $0.holdsFolders && $0.place == .live }
        let isTag = Int.random(in: 0..<4, using: &random) == 0
        do {
            if isTag { try notebook.tags.create(name) } else { try notebook.folders.create(name, in: parent?.id) }
        } catch StoreError.nameTaken {
            return
        }
    }

    private mutating func moveFolder() throws {
        last = "move folder"
        guard let folder = try container({ $0.isFolder && $0.place == .live }) else { return }
        let parent = try container { $0.holdsFolders && $0.place == .live }
        do {
            try acting { try $0.folders.move(folder.id, to: parent?.id) }
        } catch StoreError.nameTaken, StoreError.wouldContainItself {
            return
        }
    }

    private mutating func trashFolder() throws {
        last = "trash folder"
        guard let folder = try container({ !$0.isSystemFolder && $0.place == .live && !$0.isProject }) else { return }
        try acting {
            try $0.containers.delete([folder.id])
        } then: {
            $0.tags.remove(folder.id)
        } of: { _ in
            folder.isTag
        }
    }

    private mutating func restoreFolder() throws {
        last = "restore folder"
        guard let folder = try container({ $0.isFolder && $0.place == .trash }) else { return }
        try acting { try $0.trash.restore([folder.id]) }
    }

    private mutating func rename() throws {
        last = "rename"
        guard let id = notes(.live).first else { return }
        let title = "Title \(Int.random(in: 0..<5, using: &random))"
        do {
            try acting { try $0.notes.setTitle(id, title) }
        } catch StoreError.titleTaken {
            return
        }
    }

    private mutating func cutAndPaste() throws {
        last = "cut and paste"
        let ids = notes(.live)
        guard let folder = try container({ $0.holdsNotes && $0.place == .live && $0.isFolder }) else { return }
        try acting { try $0.buffer.cut(ids, owner: Self.owner) }
        try acting { try $0.buffer.paste(into: folder.id, owner: Self.owner) }
    }

    private mutating func emptyTrash() throws {
        last = "empty Trash"
        try notebook.trash.empty(backup: false)
        model = model.filter { $0.value.place != .trash }
    }

    // MARK: - Undo and the model

    /// Acts, undoes and redoes, comparing the visible states; then updates the model.
    private mutating func acting(
        _ action: (Notebook) throws -> Void, then change: (inout ModelNote) -> Void = { _ in },
        of isConcerned: (NoteID) -> Bool = { _ in false }
    ) throws {
        let before = try Picture(notebook)
        try action(notebook)
        let after = try Picture(notebook)
        if after != before, before.containers.keys == after.containers.keys, Bool.random(using: &random) {
            try notebook.actions.undo(owner: Self.owner)
            try expectEqual(try Picture(notebook), before, "undo")
            try notebook.actions.redo(owner: Self.owner)
            try expectEqual(try Picture(notebook), after, "redo")
        }
        for id in Array(model.keys) where isConcerned(id) { change(&model[id, default: ModelNote(text: "")]) }
        for id in Array(model.keys) { model[id]?.place = after.notes[id]?.place ?? .live }
        try expectPlaces(after)
    }

    private func expectEqual(_ one: Picture, _ other: Picture, _ what: String) throws {
        for (id, row) in other.notes where one.notes[id] != row {
            Issue.record("\(what) of \(last): \(String(describing: one.notes[id])) is not \(row)")
        }
        for (id, container) in other.containers where one.containers[id] != container {
            Issue.record("\(what) of \(last): \(String(describing: one.containers[id])) is not \(container)")
        }
        #expect(one.notes.count == other.notes.count && one.containers.count == other.containers.count)
    }

    /// Expects that each note's place agrees with the containers above it.
    private func expectPlaces(_ picture: Picture) throws {
        for row in picture.notes.values {
            var place = Place.live
            var next = row.folder
            while let id = next {
                if id == .trash { place = .trash }
                if id == .archive { place = .archive }
                if id == .buffer { place = .buffer }
                next = picture.containers[id]?.parent
            }
            #expect(row.place == place, "\(last)")
        }
    }

    func compare(_ comment: Comment) throws {
        let picture = try Picture(notebook)
        #expect(Set(picture.notes.keys) == Set(model.keys), comment)
        for (id, note) in model {
            guard let row = picture.notes[id] else { continue }
            #expect(row.starred == note.starred && Set(row.tags) == note.tags && row.place == note.place, comment)
            #expect(try notebook.notes.text(id) == note.text, comment)
        }
    }
}

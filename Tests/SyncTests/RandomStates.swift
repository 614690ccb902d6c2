import Foundation
import NoteStore
import SeededRandom

@testable import Sync

/// Random valid states, with texts, titles and names that could be mistaken for something else.
struct RandomStates {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let texts = [
        "", "a", "plain text\nwith lines\n", "---\ntitle: own\ntags: [x]\n---\nbody", "---\n---\nempty", "---\n\nrule",
        "---\ntn: 0B5C2E5A-0000-4000-8000-000000000001\n---\nnot an id", "nul \0 here ␀ and \0", "\u{FEFF}mark",
        "\0\u{301}combined", "a\r\nb\r\n", "---\r\ntitle: x\r\n---\r\nb", "--- \ntitle: x\n---\nb", "e\u{301} and é",
        "---\nkey: v\n...\nend", "<<<<<<< ours\n=======\n>>>>>>> theirs\n", "---\ntn-title: q\nupdated: never\n---\n",
        "---\ncreated: 2020\nfollows: true\n---", "---\nstarred: true\n---\nx\n---\ny", "\n\n\n", " \u{2028} \u{85} x",
    ]

    static let titles = [
        "a", "A", "Reading list", "..", ".git", "git~1", "GIT~1", "con", "a/b", "a\\b", "x: \"y\" #", "é", "e\u{301}",
        "\u{200C}.git", "-rf", ".folder", "README", "Inbox", "images", "\u{202E}evil", "trailing. ", "🜁 👩‍👩‍👧", "~", "*",
        "New Note", "x (0b5c2e5a)", "x.md", "tab\there", "null", String(repeating: "long ", count: 60),
    ]

    mutating func uuid() -> UUID {
        let (one, two) = (random.next(), random.next())
        return withUnsafeBytes(of: (one, two)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func title() -> ExactText {
        ExactText(random.pick(Self.titles) + (random.chance(50) ? " \(random.below(1000))" : ""))
    }

    mutating func state(notes: Int = 8) -> SyncState {
        var state = SyncState()
        for _ in 0..<random.below(5) { addFolder(&state) }
        for _ in 0..<random.below(4) {
            state.tags[ContainerID(uuid())] = SyncTag(name: title(), created: 1, updated: Int64(random.below(9)))
        }
        if random.chance(30) { state.searches[uuid()] = SyncSearch(name: title(), query: "x \"y\"", created: 5) }
        for _ in 0..<random.below(notes) { addNote(&state) }
        if random.chance(40) { state.gone[uuid()] = .some(nil) }
        if random.chance(30) {
            state.images[uuid()] = SyncImage(
                object: String(repeating: "a", count: 40), isJPEG: random.chance(50), created: 7)
        }
        for _ in 0..<random.below(3) {
            state.attachments[uuid()] = SyncAttachment(object: object(), name: fileName(), created: 8)
        }
        return Merge.settled(state, base: state)
    }

    private mutating func object() -> String { String(repeating: random.pick(["a", "b", "c"]), count: 40) }

    private mutating func fileName() -> ExactText {
        ExactText(random.pick(Self.titles) + random.pick([".pdf", ".md", "", ".png", ".git", ".a/b"]))
    }

    mutating func addFolder(_ state: inout SyncState) {
        let parents: [ContainerID?] =
            [nil, .trash] + state.folders.keys.sorted { $0.uuid.precedes($1.uuid) }.map { $0 }
        state.folders[ContainerID(uuid())] = SyncFolder(
            name: title(), parent: random.pick(parents), created: 3, updated: Int64(random.below(9)),
            color: UInt32(random.below(1 << 30)), order: Int64(random.below(3)),
            details: random.chance(20) ? "x\ny" : "")
    }

    mutating func addNote(_ state: inout SyncState) {
        let text = ExactText(random.pick(Self.texts) + (random.chance(60) ? "word\(random.below(100_000))\n" : ""))
        let derived = ExactText(Notebook.Sync.derivedTitle(of: text.string))
        let title = random.chance(40) ? self.title() : derived
        let places: [ContainerID] =
            [.inbox, .archive, .trash] + state.folders.keys.sorted { $0.uuid.precedes($1.uuid) }
        var note = SyncNote(
            title: title, defaultTitle: random.chance(50) ? title : random.chance(80) || title == "" ? derived : "",
            text: text, folder: random.pick(places), created: Int64(random.below(1 << 40)),
            updated: Int64(random.below(1 << 40)), starred: random.chance(20), order: Int64(random.below(3)))
        if note.title == note.defaultTitle, random.chance(50) { (note.title, note.defaultTitle) = (derived, derived) }
        for tag in state.tags.keys.sorted(by: { $0.uuid.precedes($1.uuid) }) where random.chance(40) {
            note.tags.insert(tag)
        }
        if note.folder == .trash {
            // A folder that is deleted later leaves an origin that no notebook can store.
            let origin = random.pick([.inbox] + state.folders.keys.sorted { $0.uuid.precedes($1.uuid) })
            note.origin = SyncOrigin(container: origin, path: "[\"Inbox\"]", wasArchived: random.chance(30), moved: 9)
        }
        if random.chance(20) { note.former[title] = 4 }
        if random.chance(10) { note.conflictOf = NoteID(uuid()) }
        if random.chance(10) { (note.summary, note.summaryHash) = ("sum\"mary\n", "ab") }
        state.notes[NoteID(uuid())] = note
    }

    /// Returns the state after a few changes, as a machine makes them.
    mutating func changed(_ state: SyncState) -> SyncState {
        var state = state
        for _ in 0..<(1 + random.below(5)) { change(&state) }
        return Merge.settled(state, base: state)
    }

    private mutating func change(_ state: inout SyncState) {
        let notes = state.notes.keys.sorted { $0.uuid.precedes($1.uuid) }
        let folders = state.folders.keys.sorted { $0.uuid.precedes($1.uuid) }
        let tags = state.tags.keys.sorted { $0.uuid.precedes($1.uuid) }
        let files = state.attachments.keys.sorted { $0.precedes($1) }
        switch random.below(18) {
        case 0: addNote(&state)
        case 1: addFolder(&state)
        case 2, 3, 4:
            guard !notes.isEmpty else { return }
            let id = random.pick(notes)
            guard let note = state.notes[id] else { return }
            let added = "more\(random.below(100_000))"
            let text = random.chance(50) ? note.text.string + added + "\n" : added + " " + note.text.string
            state.notes[id]?.text = ExactText(text)
            state.notes[id]?.updated += Int64(random.below(100))
            if note.followsText {
                let title = ExactText(Notebook.Sync.derivedTitle(of: text))
                state.notes[id]?.title = title
                state.notes[id]?.defaultTitle = title
            }
        case 5:
            if let id = notes.randomElement(using: &random) {
                state.notes[id]?.title = ExactText(title().string + "!")
                state.notes[id]?.defaultTitle = ""
            }
        case 6:
            if let id = notes.randomElement(using: &random) {
                state.notes[id]?.folder = random.pick([.inbox, .trash, .archive] + folders)
            }
        case 7:
            if let id = notes.randomElement(using: &random) {
                state.notes[id] = nil
                state.gone[id.uuid] = .some(nil)
            }
        case 8:
            if let id = folders.randomElement(using: &random) {
                let others = folders.filter { !state.chain(from: $0).contains(id) }
                state.folders[id]?.parent = random.pick([nil, .trash] + others.map { $0 })
            }
        case 9:
            if let id = folders.randomElement(using: &random) { state.folders[id]?.name = title() }
        case 10:
            if let id = notes.randomElement(using: &random), let tag = tags.randomElement(using: &random) {
                state.notes[id]?.tags.formSymmetricDifference([tag])
            }
        case 11:
            if let id = tags.randomElement(using: &random) {
                state.tags[id] = nil
                for note in notes { state.notes[note]?.tags.remove(id) }
            }
        case 12:
            if let id = tags.randomElement(using: &random) { state.tags[id]?.name = title() }
        case 13: state.attachments[uuid()] = SyncAttachment(object: object(), name: fileName(), created: 9)
        case 14: if let id = files.randomElement(using: &random) { state.attachments[id] = nil }
        case 16:
            // Only an empty folder can be deleted for ever.
            let used = Set(state.notes.values.map(\.folder)).union(state.folders.values.compactMap(\.parent))
            if let id = folders.filter({ !used.contains($0) }).randomElement(using: &random) {
                state.folders[id] = nil
                state.gone[id.uuid] = .some(nil)
            }
        case 15: if let id = files.randomElement(using: &random) { state.attachments[id]?.name = fileName() }
        default:
            if let id = files.randomElement(using: &random) { state.attachments[id]?.object = object() }
            if let id = notes.randomElement(using: &random) { state.notes[id]?.starred.toggle() }
        }
    }
}

/// Returns the number of random cases that a test tries; `TN_SYNC_CASES` multiplies it.
func cases(_ count: Int) -> Int {
    count * (ProcessInfo.processInfo.environment["TN_SYNC_CASES"].flatMap(Int.init) ?? 1)
}

import Foundation
import NoteStore
import SeededRandom
import Sync

/// One random schedule: people on several machines with one remote, who work, synchronise and are interrupted.
///
/// Everything in it follows from the seed. Once all rest and have synchronised twice, the notebooks are equal and no
/// word is lost.
package struct Schedule: Sendable {
    /// What happens to the machines besides people's work.
    package enum Kind: String, CaseIterable, Sendable {
        /// Broken connections only.
        case calm
        /// Synchronisations that are killed before a random step.
        case killed
        /// As `killed`, and somebody edits the files in the repository with other programs.
        case hands
        /// As `killed`, in an encrypted repository.
        case encrypted
        /// Another machine pushes while one synchronises, and the remote is set back or deleted.
        case remote
        /// As `killed`, and people write links to notes, which are renamed more often.
        case links
        /// As `killed`, and also between two transactions that write what was received. People put much away and delete
        /// folders for ever, and some repositories are encrypted.
        case torn
        /// As `killed`, and people nest tags, write them into texts, and rename and delete more of them.
        case nested
    }

    package let seed: UInt64
    package let kind: Kind
    /// The number of actions and events; `nil` lets the seed choose.
    package var length: Int?
    /// Called before each of them, with its number and the words that exist nowhere any more.
    package var trace: (@Sendable (Int, Set<String>) -> Void)?
    /// Makes the remote.
    package var makeRemote: @Sendable () throws -> any SharedRemote = { MemoryCommits() }

    package init(seed: UInt64, _ kind: Kind) { (self.seed, self.kind) = (seed, kind) }

    private var kills: Bool { kind != .calm }

    /// Runs the schedule to its end.
    ///
    /// - Returns: What is wrong at the end.
    package func failures() throws -> [String] {
        var person = Person(seed: seed)
        person.writesLinks = kind == .links
        person.putsAway = kind == .torn
        person.nestsTags = kind == .nested
        let remote = try makeRemote()
        let isEncrypted = kind == .encrypted || kind == .torn && seed % 2 == 1
        let key = isEncrypted ? SyncKey((0..<32).map { _ in UInt8(person.random.below(256)) }) : nil
        // Some clocks are wrong by ten years.
        let machines = try (0..<(2 + person.random.below(3 + person.random.below(3)))).map { number in
            try Machine(
                "machine \(number)", remote, clock: Double(person.random.below(3) - 1) * 315_360_000, key: key,
                seed: person.random.next())
        }
        let usual = 20 + person.random.below(40)
        for number in 0..<(length ?? usual) {
            if let trace { trace(number, try person.lost(words(everywhere: machines, remote))) }
            let machine = person.random.pick(machines)
            if person.random.chance(25) {
                try sync(machine, machines, &person)
            } else if kind == .hands, person.random.chance(10) {
                try person.actByHand(on: remote)
            } else if kind == .remote, person.random.chance(5) {
                try setBack(remote, &person)
            } else {
                try person.act(on: machine)
            }
        }
        try remote.rest()
        for _ in 0..<2 { for machine in machines { try settle(machine) } }
        return try check(machines, person, remote)
    }

    /// Returns the words on any machine or in the remote's newest commit.
    private func words(everywhere machines: [Machine], _ remote: any SharedRemote) throws -> Set<String> {
        var words: Set<String> = []
        for machine in machines {
            for note in try machine.state().notes.values {
                words.formUnion(Person.words(in: note.title.string + "\n" + note.text.string))
            }
        }
        let tree = try remote.branch.map { try remote.entries(of: $0) } ?? [:]
        for (path, entry) in tree {
            words.formUnion(Person.words(in: path.description))
            words.formUnion(Person.words(in: String(decoding: try remote.bytes(of: entry.object), as: UTF8.self)))
        }
        return words
    }

    /// Synchronises a machine, perhaps without a connection, perhaps overtaken by another, perhaps killed.
    private func sync(_ machine: Machine, _ machines: [Machine], _ person: inout Person) throws {
        let remote = machine.remote
        remote.isReachable = !person.random.chance(15)
        let stop = kills && person.random.chance(30) ? 1 + person.random.below(5) : nil
        let writes = kind == .torn && person.random.chance(40) ? 1 + person.random.below(5) : nil
        let other = person.random.pick(machines)
        if kind == .remote, other !== machine, person.random.chance(30) {
            remote.beforePush = {
                remote.beforePush = {}
                _ = try? other.sync()  // what stops it stops the other machine's next synchronisation too
            }
        }
        defer { (remote.isReachable, remote.beforePush) = (true, {}) }
        do {
            if let writes {
                try machine.sync(killedAfter: writes, stopping: stop)
            } else {
                try machine.sync(stopping: stop)
            }
        } catch is GitError {
            // The connection was broken, or git was killed.
        } catch is Machine.Killed {
            // The synchronisation is tried again later.
        } catch SyncError.rewritten where kind == .remote {
            try join(machine)
        }
    }

    /// Synchronises a machine to the end; where the history was rewritten, the person keeps both sides.
    private func settle(_ machine: Machine) throws {
        do { try machine.sync() } catch SyncError.rewritten where kind == .remote { try join(machine) }
    }

    private func join(_ machine: Machine) throws {
        do { try machine.sync(.join) } catch is GitError {}  // the connection was broken
    }

    /// Sets the remote's branch back, as a host does that restores a backup, or deletes it.
    private func setBack(_ remote: any SharedRemote, _ person: inout Person) throws {
        if person.random.chance(20) { return try remote.setBranch(nil) }
        for _ in 0...person.random.below(3) {
            guard let branch = remote.branch, let parent = try remote.parents(of: branch).first else { return }
            try remote.setBranch(parent)
        }
    }

    /// Returns what is wrong with what each machine derives on its own: where links lead, and the lists of tags.
    private static func checkDerived(_ machines: [Machine], _ state: SyncState) throws -> [String] {
        var failures: [String] = []
        let (links, lists) = (try machines[0].links(of: state.notes.keys), try machines[0].tagLists())
        for machine in machines.dropFirst() {
            for (note, here) in try machine.links(of: state.notes.keys) where links[note] != here {
                failures.append("links of \(note) on \(machine.name): \(here) | \(links[note] ?? [])")
            }
            let others = try machine.tagLists()
            for tag in Set(lists.keys).union(others.keys).sorted() where lists[tag] ?? [] != others[tag] ?? [] {
                failures.append("list of \(tag) on \(machine.name) differs")
            }
        }
        // A note is in the lists of its tags and of all tags above them.
        for (id, note) in state.notes where note.folder != .archive && !state.isInTrash(note.folder) {
            for name in note.tags.compactMap({ state.tags[$0]?.name.string }) {
                for tag in [name] + TagPath.above(name) where lists[Folding.key(tag)]?.contains(id) != true {
                    failures.append("\(id) is not in the list of \(tag)")
                }
            }
        }
        return failures
    }

    /// Returns what is wrong with machines that have synchronised.
    private func check(_ machines: [Machine], _ person: Person, _ remote: any SharedRemote) throws -> [String] {
        var failures: [String] = []
        func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) { if !isTrue { failures.append(text()) } }
        let head = remote.branch
        for machine in machines {
            expect(try machine.notebook.sync.changeCount() == 0, "\(machine.name) has unsent changes after two rounds")
            try machine.sync()
        }
        expect(remote.branch == head, "a third round made a commit")
        let first = try machines[0].state()
        for machine in machines {
            let differing = differences(first, try machine.state())
            expect(differing.isEmpty, "\(machine.name) differs: \(differing)")
            let problems = try machine.notebook.care.check()
            expect(problems.isEmpty, "\(machine.name) is damaged: \(problems)")
            expect(try machine.notebook.sync.changeCount() == 0, "\(machine.name) has unsent changes")
            let recorded = try machine.notebook.settings.value(Notebook.Sync.Key.head)
            expect(recorded == head, "\(machine.name) has another head")
        }
        failures += try Self.checkDerived(machines, first)
        let words = first.notes.values.reduce(into: Set<String>()) {
            $0.formUnion(Person.words(in: $1.title.string + "\n" + $1.text.string))
        }
        let lost = person.lost(words)
        expect(lost.isEmpty, "words are lost: \(lost.sorted())")
        // The notebooks equal the state in the tree.
        let tree = try head.map { try machines[0].commits.tree(of: $0) } ?? [:]
        let contents = try machines[0].commits.contents(of: Set(tree.values.map(\.object)))
        var decoded = decode(tree, contents: contents).state
        decoded.files = [:]
        let identities = tree.values.compactMap { contents[$0.object].flatMap { NoteFields($0)?.id } }
        expect(Set(identities).count == identities.count, "a note is there twice")
        let differing = differences(first, decoded)
        expect(differing.isEmpty, "the repository differs: \(differing)")
        return failures + (try remote.problems())
    }
}

/// Describes the differences of two states; empty for equal states.
package func differences(_ one: SyncState, _ other: SyncState) -> [String] {
    var found: [String] = []
    func compare<Key: Hashable, Value: Equatable>(_ name: String, _ one: [Key: Value], _ other: [Key: Value]) {
        for key in Set(one.keys).union(other.keys) where one[key] != other[key] {
            let (left, right) = (one[key].map { "\($0)".debugDescription }, other[key].map { "\($0)".debugDescription })
            found.append("\(name) \(key): \(left ?? "-") | \(right ?? "-")")
        }
    }
    compare("note", one.notes, other.notes)
    compare("folder", one.folders, other.folders)
    compare("tag", one.tags, other.tags)
    compare("search", one.searches, other.searches)
    compare("image", one.images, other.images)
    compare("attachment", one.attachments, other.attachments)
    compare("gone", one.gone, other.gone)
    compare("file", one.files, other.files)
    return found.sorted()
}

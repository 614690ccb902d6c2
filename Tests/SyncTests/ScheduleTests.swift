import Foundation
import NoteStore
import SeededRandom
import Testing

@testable import Sync

/// Tests random people on several machines with one remote: once they stop, all notebooks are equal and no word is
/// lost.
struct ScheduleTests {
    @Test func `machines converge`() throws {
        for seed in 0..<cases(12) { try Schedule(seed: UInt64(seed)).run() }
    }

    @Test func `machines converge though killed`() throws {
        for seed in 0..<cases(8) { try Schedule(seed: 10_000 + UInt64(seed), kills: true).run() }
    }

    @Test func `machines converge with hands in the repository`() throws {
        for seed in 0..<cases(8) { try Schedule(seed: 20_000 + UInt64(seed), hands: true, kills: true).run() }
    }

    @Test func `machines converge in an encrypted repository`() throws {
        for seed in 0..<cases(4) { try Schedule(seed: 30_000 + UInt64(seed), kills: true, key: .random()).run() }
    }
}

/// One random schedule.
private struct Schedule {
    let seed: UInt64
    var hands = false
    var kills = false
    var key: SyncKey?

    func run() throws {
        var person = Person(seed: seed)
        let store = MemoryCommits()
        // Some clocks are wrong by ten years.
        let machines = try (0..<(2 + person.random.below(3))).map { number in
            try Machine(
                "machine \(number)", store, clock: Double(person.random.below(3) - 1) * 315_360_000, key: key)
        }
        var lost: Set<String> = []
        for number in 0..<(20 + person.random.below(40)) {
            if ProcessInfo.processInfo.environment["TN_SYNC_TRACE"] != nil {
                let now = try person.typed.subtracting(person.deleted).subtracting(words(everywhere: machines, store))
                if now != lost { print("TRACE seed \(seed) before \(number): lost \(now)") }
                lost = now
            }
            let machine = person.random.pick(machines)
            if person.random.chance(25) {
                try sync(machine, &person)
            } else if hands, person.random.chance(10) {
                person.actByHand(on: store)
            } else {
                try person.act(on: machine)
            }
        }
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        try check(machines, person, store)
    }

    /// Returns the words on any machine or on the remote.
    private func words(everywhere machines: [Machine], _ store: MemoryCommits) throws -> Set<String> {
        var words: Set<String> = []
        for machine in machines {
            for note in try machine.state().notes.values {
                words.formUnion(Person.words(in: note.title.string + "\n" + note.text.string))
            }
        }
        let tree: Tree = store.branch.map { store.tree(of: $0) } ?? [:]
        for (path, entry) in tree {
            words.formUnion(Person.words(in: path.description))
            words.formUnion(Person.words(in: String(decoding: store.blobs[entry.object] ?? [], as: UTF8.self)))
        }
        return words
    }

    private func sync(_ machine: Machine, _ person: inout Person) throws {
        machine.store.isReachable = !person.random.chance(15)
        defer { machine.store.isReachable = true }
        do {
            try machine.sync(stopping: kills && person.random.chance(30) ? 1 + person.random.below(5) : nil)
        } catch is GitError {
            // The connection was broken.
        } catch is Machine.Killed {
            // The synchronisation is tried again later.
        }
    }

    private func check(_ machines: [Machine], _ person: Person, _ store: MemoryCommits) throws {
        let head = store.branch
        for machine in machines { try machine.sync() }
        #expect(store.branch == head, "a third round commits nothing; seed \(seed)")
        let first = try machines[0].state()
        for machine in machines.dropFirst() {
            #expect(differences(first, try machine.state()) == [], "seed \(seed)")
        }
        for machine in machines {
            #expect(try machine.notebook.care.check() == [], "seed \(seed)")
            let changes = try machine.notebook.sync.changeCount()
            #expect(changes == 0, "seed \(seed)")
        }
        let words = first.notes.values.reduce(into: Set<String>()) {
            $0.formUnion(Person.words(in: $1.title.string + "\n" + $1.text.string))
        }
        #expect(person.typed.subtracting(person.deleted).subtracting(words) == [], "no word is lost; seed \(seed)")
        // The notebooks equal the state in the tree.
        let tree = try store.branch.map { try machines[0].commits.tree(of: $0) } ?? [:]
        let contents = try machines[0].commits.contents(of: Set(tree.values.map(\.object)))
        var decoded = decode(tree, contents: contents).state
        decoded.files = [:]
        let identities = tree.values.compactMap { contents[$0.object].flatMap { NoteFields($0)?.id } }
        #expect(Set(identities).count == identities.count, "no note is there twice; seed \(seed)")
        #expect(differences(first, decoded) == [], "seed \(seed)")
    }
}

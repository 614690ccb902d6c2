import Foundation
import NoteStore
import SeededRandom
import Sync

/// A machine with a notebook that is synchronised, used by a person.
package final class Machine {
    package let folder: URL
    package let notebook: Notebook
    /// The remote that it shares with others.
    package let remote: any SharedRemote
    /// The commits as the synchronisation sees them: encrypted or not.
    package let commits: any CommitStore
    package let name: String
    private let ticks: Ticks
    private let identities: Identities

    /// - Parameters:
    ///   - clock: The error of this machine's clock in seconds.
    ///   - key: The key of an encrypted repository.
    ///   - seed: The seed of the identities that the machine creates.
    package init(
        _ name: String, _ remote: any SharedRemote, clock: TimeInterval = 0, key: SyncKey? = nil,
        seed: UInt64 = .random(in: 0...UInt64.max)
    ) throws {
        (self.name, self.remote) = (name, remote)
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try remote.commits(in: folder)
        commits =
            try key.map { key in
                SealedCommits(store, key, try WrappedKey(key, passphrase: "seven words", work: 1, salt: [1]))
            } ?? store
        let (ticks, identities) = (Ticks(start: 1_700_000_000 + clock), Identities(seed: seed))
        (self.ticks, self.identities) = (ticks, identities)
        let path = folder.appending(path: "notes.sqlite")
        try Self.template.get().write(to: path)
        var options = Notebook.Options(now: { ticks.next() }, recoversSessions: false)
        options.identity = { identities.next() }
        notebook = try Notebook.open(path.path, mode: .command, options: options)
        try notebook.sync.turnOn(url: "remote")
    }

    deinit {
        try? notebook.close(checkpointing: true)  // the folder is removed in any case
        try? FileManager.default.removeItem(at: folder)  // the system's temporary folder is cleaned by others too
    }

    /// The file of an empty notebook, since copying one is much faster than making one.
    private static let template = Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "tn-template-\(UUID().uuidString).sqlite")
        defer {
            for ending in ["", "-wal", "-shm", "-lock"] {
                // The system's temporary folder is cleaned by others too.
                try? FileManager.default.removeItem(atPath: path.path + ending)
            }
        }
        try Notebook.open(path.path, mode: .command).close(checkpointing: true)
        return try Data(contentsOf: path)
    }

    /// Synchronises once.
    ///
    /// - Parameters:
    ///   - stopping: The number of the step before which the program is killed.
    ///   - notesAtOnce: The number of received notes that one transaction writes.
    ///   - wrote: Called after each transaction that writes what was received.
    @discardableResult
    package func sync(
        _ choice: SyncChoice = .none, stopping: Int? = nil, largest: Int = 100_000_000,
        notesAtOnce: Int = Notebook.Sync.notesAtOnce, wrote: @escaping () throws -> Void = {}
    ) throws -> SyncReport {
        // Each synchronisation of the program prepares the repository, in which a killed git may have left its locks.
        _ = try remote.commits(in: folder)
        var synchronizer = Synchronizer(notebook: notebook, store: commits, url: remote.url)
        synchronizer.choice = choice
        synchronizer.takesForeign = true
        synchronizer.name = name
        synchronizer.maximumFileSize = largest
        synchronizer.step = { if $0 == stopping { throw Killed() } }
        (synchronizer.notesAtOnce, synchronizer.wrote) = (notesAtOnce, wrote)
        synchronizer.now = { [ticks] in ticks.next() }
        return try synchronizer.run()
    }

    /// Returns a new identity, the same in each run with the same seed.
    package func identity() -> UUID { identities.next() }

    /// The error that the program was killed.
    package struct Killed: Error {}

    /// Synchronises with few notes in each transaction, and is killed after some transactions.
    package func sync(killedAfter transactions: Int, stopping: Int? = nil) throws {
        var left = transactions
        try sync(stopping: stopping, notesAtOnce: 2) {
            left -= 1
            if left <= 0 { throw Killed() }
        }
    }

    /// Returns everything in the notebook that is synchronised.
    package func state() throws -> SyncState {
        let snapshot = try notebook.sync.snapshot(all: true)
        var state = SyncState()
        (state.notes, state.folders, state.tags) = (snapshot.notes, snapshot.folders, snapshot.tags)
        (state.searches, state.images, state.gone) = (snapshot.searches, snapshot.images, snapshot.gone)
        state.attachments = snapshot.attachments
        return state
    }

    /// Returns the links of notes in the order of their texts, each with the note that it leads to.
    package func links(of notes: some Sequence<NoteID>) throws -> [NoteID: [String]] {
        var links: [NoteID: [String]] = [:]
        for note in notes {
            links[note] = try notebook.links.outgoing(of: note).map { link in
                "\(link.target) leads to \(link.destination?.id.description ?? "nothing")"
            }
        }
        return links
    }

    /// Returns the notes in the list of each tag, by the tag's folded name: each machine spells a tag of texts as the
    /// first text does that it has got.
    package func tagLists() throws -> [String: Set<NoteID>] {
        var lists: [String: Set<NoteID>] = [:]
        for tag in try notebook.containers.all() where tag.isTag {
            let rows = try notebook.lists.rows(ListQuery(container: tag.id), limit: 10_000)
            lists[Folding.key(tag.name)] = Set(rows.map(\.id))
        }
        return lists
    }
}

/// A clock that advances by a second at each reading.
private final class Ticks: @unchecked Sendable {
    // Guarded by `lock`.
    private var time: TimeInterval
    private let lock = NSLock()

    init(start: TimeInterval) { time = start }

    func next() -> Date {
        lock.withLock {
            time += 1
            return Date(timeIntervalSince1970: time)
        }
    }
}

/// The identities that a machine creates, in a seeded order.
private final class Identities: @unchecked Sendable {
    // Guarded by `lock`.
    private var random: SeededGenerator
    private let lock = NSLock()

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func next() -> UUID {
        lock.withLock {
            var bytes = [UInt8]()
            for _ in 0..<2 { withUnsafeBytes(of: random.next()) { bytes += $0 } }
            // Version 4 and the variant of RFC 9562.
            (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
    }
}

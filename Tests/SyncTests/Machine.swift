import Foundation
import NoteStore
import SeededRandom

@testable import Sync

/// A machine with a notebook that is synchronised, used by a person.
final class Machine {
    let folder: URL
    let notebook: Notebook
    let store: MemoryCommits
    /// The commits as the synchronisation sees them: encrypted or not.
    let commits: any CommitStore
    let name: String

    /// - Parameters:
    ///   - clock: the error of this machine's clock in seconds.
    ///   - key: the key of an encrypted repository.
    init(_ name: String, _ store: MemoryCommits, clock: TimeInterval = 0, key: SyncKey? = nil) throws {
        self.name = name
        self.store = store
        commits =
            try key.map { key in
                SealedCommits(store, key, try WrappedKey(key, passphrase: "seven words", work: 1, salt: [1]))
            } ?? store
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ticks = Ticks(start: 1_700_000_000 + clock)
        notebook = try Notebook.open(
            folder.appending(path: "notes.sqlite").path, mode: .command,
            options: .init(now: { ticks.next() }, recoversSessions: false))
        try notebook.sync.turnOn(url: "memory")
    }

    deinit {
        try? notebook.close()  // the folder is removed in any case
        try? FileManager.default.removeItem(at: folder)  // the system's temporary folder is cleaned by others too
    }

    @discardableResult
    func sync(_ choice: SyncChoice = .none, stopping: Int? = nil, largest: Int = 100_000_000) throws -> SyncReport {
        var synchronizer = Synchronizer(notebook: notebook, store: commits, url: "memory")
        synchronizer.choice = choice
        synchronizer.takesForeign = true
        synchronizer.name = name
        synchronizer.maximumFileSize = largest
        synchronizer.step = { if $0 == stopping { throw Killed() } }
        return try synchronizer.run()
    }

    /// The error that the program was killed before a step.
    struct Killed: Error {}

    /// Returns everything in the notebook that is synchronised.
    func state() throws -> SyncState {
        let snapshot = try notebook.sync.snapshot(all: true)
        var state = SyncState()
        (state.notes, state.folders, state.tags) = (snapshot.notes, snapshot.folders, snapshot.tags)
        (state.searches, state.images, state.gone) = (snapshot.searches, snapshot.images, snapshot.gone)
        state.attachments = snapshot.attachments
        return state
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

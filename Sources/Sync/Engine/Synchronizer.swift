import Foundation
import NoteStore

/// Brings a notebook and a repository to the same notes.
///
/// 1. The other end's branch R is fetched. H is the commit that the notebook was in step with.
/// 2. What is marked as changed is laid over H's tree: L, which nobody else ever sees as long as it is not sent.
/// 3. If only one side has moved, the other takes it. Else both are merged from H, and the result goes after R.
/// 4. It is sent by compare-and-swap. If somebody was faster, it all begins anew: the notebook is still as it was.
/// 5. What came is written into the notebook, and only then is the new commit what the notebook is in step with.
///
/// So a kill at any moment leaves either nothing done or something that step 3 finds equal on both sides.
public struct Synchronizer {
    let notebook: Notebook
    let store: any CommitStore
    let url: String
    public var choice = SyncChoice.none
    /// Whether files that tn did not make may get an identity.
    public var takesForeign = false
    /// What this machine is called in the history.
    public var name = ""
    /// The greatest file that is sent, in bytes; larger ones stay here.
    var largestFile = Notebook.Sync.largestFile
    /// Called before each numbered step, for tests that stop there.
    var step: (Int) throws -> Void = { _ in }

    init(notebook: Notebook, store: any CommitStore, url: String) {
        (self.notebook, self.store, self.url) = (notebook, store, url)
    }

    /// How often a race may be lost.
    private static let tries = 20

    func run() throws -> SyncReport {
        for attempt in 0..<Self.tries {
            do {
                return try attemptOnce()
            } catch GitError.moved {
                // Somebody else was faster; a pause that differs from theirs.
                if attempt > 2 { usleep(useconds_t.random(in: 1_000...50_000)) }
            }
        }
        throw SyncError.crowded
    }

    private func attemptOnce() throws -> SyncReport {
        try step(1)
        let remote = try store.fetch(url)
        let head = try notebook.settings.value(Notebook.Sync.Key.head).flatMap { store.has($0) ? $0 : nil }
        if let remote, remote == head {
            if try notebook.settings.value(Notebook.Sync.Key.restored) != nil { try notebook.sync.forgetRestoring() }
            if try notebook.sync.changeCount() == 0 { return SyncReport() }
        }
        try step(2)
        var round = try Round(self, head: head, remote: remote)
        try round.export()
        if round.remoteIsBehind { return try round.send() }
        try round.merge()
        return try round.finish()
    }
}

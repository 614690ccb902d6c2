import Foundation
import NoteStore

/// Brings a notebook and a repository to the same notes.
///
/// 1. The remote's commit R is fetched. H is the last synchronised commit.
/// 2. The marked changes are applied to H's tree, which gives L. Nobody else sees L until it is pushed.
/// 3. If only one side has changed, its state is the result. Otherwise both are merged with H as the base, and the
///    result becomes a child of R.
/// 4. The result is pushed by compare-and-swap. If another machine was faster, everything starts again, with the
///    notebook still unchanged.
/// 5. The received changes are written into the notebook, and only then is the new commit recorded as H.
///
/// So if the program is killed before step 5, either nothing was done, or step 3 of the next run finds L in the history of
/// the remote. L is the base then, so that what was typed since is merged with what was sent. If it is killed in step 5,
/// the new commit is the base of the notes that were written, since they have its texts already.
public struct Synchronizer {
    let notebook: Notebook
    let store: any CommitStore
    let url: String
    public var choice = SyncChoice.none
    /// Whether notes in files that tn did not make may be given an identity.
    public var takesForeign = false
    /// Whether a commit with another key counts as forged, instead of asking the user about the key; see `NotebookSync`.
    var distrustsOtherKey = false
    /// The name of this machine in the history.
    public var name = ""
    /// The largest file that is synchronised, in bytes.
    package var maximumFileSize = Notebook.Sync.maximumFileSize
    /// The clock that dates commits.
    package var now: () -> Date = { Date() }
    /// Called before each numbered step, for tests that stop there.
    package var step: (Int) throws -> Void = { _ in }
    /// Called after each transaction that writes what was received, for tests that stop there.
    package var wrote: () throws -> Void = {}
    /// The number of notes that one transaction writes.
    package var notesAtOnce = Notebook.Sync.notesAtOnce

    package init(notebook: Notebook, store: any CommitStore, url: String) {
        (self.notebook, self.store, self.url) = (notebook, store, url)
    }

    /// The number of attempts before the operation fails with `contended`.
    private static let tries = 20

    package func run() throws -> SyncReport {
        var report = SyncReport()
        var last: any Error = SyncError.contended
        for attempt in 0..<Self.tries {
            do {
                if try attemptOnce(&report) { return report }
                last = SyncError.contended
            } catch let error as GitError where error.isCollision {
                // Another machine was faster. A random pause keeps both from colliding again.
                if attempt > 2 { usleep(useconds_t.random(in: 1_000...50_000)) }
                last = error == .moved ? SyncError.contended : error
            }
        }
        throw last
    }

    /// Synchronises once, and adds the result to the report.
    ///
    /// - Returns: false if texts were changed meanwhile that are to be sent at once.
    private func attemptOnce(_ report: inout SyncReport) throws -> Bool {
        try step(1)
        let remote = try store.fetch(url)
        let last = try notebook.settings.value(Notebook.Sync.Key.head)
        let ancestry = try last.flatMap { commit in try self.ancestry(of: commit, to: remote) }
        let head = ancestry == nil ? nil : last
        // Without the last commit nothing tells what was deleted since, so it is not given up while it can come back.
        if last != nil, head == nil, try store.isDamaged() { throw GitError.failed(Texts.Git.damaged) }
        if let remote, remote == head {
            if try notebook.settings.value(Notebook.Sync.Key.restored) != nil { try notebook.sync.forgetRestoring() }
            if try notebook.sync.changeCount() == 0 { return true }
        }
        try step(2)
        var round = try Round(self, head: head, remote: remote, ancestry ?? Ancestry())
        try round.export()
        if round.remoteIsBehind {
            report.add(try round.send())
            return true
        }
        try round.merge()
        report.add(try round.finish())
        return !round.hasKeptLinks
    }

    /// Returns how the last synchronised commit is related to the remote's, or `nil` if it is not here.
    private func ancestry(of last: String, to remote: String?) throws -> Ancestry? {
        guard let remote else { return store.has(last) ? Ancestry() : nil }
        // The commit that was just fetched exists.
        if last == remote { return Ancestry(isAncestor: true, isDescendant: true) }
        return try store.ancestry(of: last, to: remote)
    }
}

import Foundation
import NoteStore
import Synchronization

/// The rounds of all folders of `tn mirror`, one after the other, on a thread of their own.
final class MirrorRounds: Sendable {
    /// The result of one folder's round.
    struct Result: Sendable {
        var path: String
        var outcome: Swift.Result<MirrorReport, MirrorError>
        /// Whether the next round has something to do already.
        var hasMore = false
    }

    private struct State {
        var thread: BackgroundThread?
        var watches: [String: FolderWatch] = [:]
        /// The folders that a round of this program has mirrored.
        var begun: Set<String> = []
        /// The files that were missing in the last round, with the time since when, by folder.
        var missing: [String: [String: ContinuousClock.Instant]] = [:]
    }

    /// The time for which a file must be missing before its note goes to the Trash.
    ///
    /// Some editors remove a file and write it again, and a round may come right after another one.
    private static let minimumAbsence = Duration.seconds(3)
    /// The time in seconds for which a file must be unchanged before it is read, since it may be half written.
    ///
    /// A file whose date is in the future, by another machine's clock, counts as at rest.
    private static let restOfFile = 0.3

    private let notebook: Notebook
    private let now: @Sendable () -> ContinuousClock.Instant
    private let isSettled: @Sendable (Date) -> Bool
    private let state = Mutex(State())
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - now: the time; any steady clock.
    ///   - isSettled: whether a file that was last changed at the given time is whole.
    init(
        _ notebook: Notebook, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        isSettled: @escaping @Sendable (Date) -> Bool = { abs($0.timeIntervalSinceNow) > restOfFile }
    ) {
        (self.notebook, self.now, self.isSettled) = (notebook, now, isSettled)
    }

    /// Runs a round of each folder.
    ///
    /// - Parameters:
    ///   - byHand: whether the user asked for the round, so that every file is taken as complete.
    ///   - changed: called on another thread, from now on, whenever something changes in a folder.
    ///   - deliver: called on another thread with what came of each; nothing if there is no folder.
    func run(
        byHand: Bool = false, telling changed: @escaping @Sendable () -> Void,
        then deliver: @escaping @Sendable ([Result]) -> Void
    ) {
        let thread = state.withLock { state in
            let thread = state.thread ?? BackgroundThread(name: "tn.mirror")
            state.thread = thread
            return thread
        }
        thread.async { [self] in
            // Folders that cannot be read now are read after the next change.
            let folders = (try? notebook.transfer.mirroredFolders()) ?? []
            state.withLock { state in state.watches = state.watches.filter { folders.contains($0.key) } }
            deliver(notebook.unhurried { folders.map { mirror($0, byHand: byHand, changed) } })
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        state.withLock { $0.watches = [:] }
    }

    private func mirror(_ path: String, byHand: Bool, _ changed: @escaping @Sendable () -> Void) -> Result {
        var options = MirrorOptions()
        let known = state.withLock { ($0.watches[path], $0.missing[path] ?? [:]) }
        options.occasion = state.withLock { $0.begun.contains(path) ? .continued : .begun }
        let began = now()
        options.missed = Set(known.1.filter { began - $0.value >= Self.minimumAbsence }.keys)
        if !byHand { options.isSettled = isSettled }
        options.goesOn = { [weak self] in self.map { !$0.isStopped.load(ordering: .relaxed) } ?? false }
        do throws(MirrorError) {
            let report = try notebook.transfer.mirror(at: path, options)
            let watch = known.0 ?? FolderWatch(path, changed: changed)
            // What was written into a new folder before it was watched is seen by one more round.
            let isNew = watch.addFolders() || known.0 == nil
            state.withLock { state in
                state.watches[path] = watch
                state.begun.insert(path)
                state.missing[path] = Dictionary(
                    uniqueKeysWithValues: report.missing.map { ($0, known.1[$0] ?? began) })
            }
            return Result(
                path: path, outcome: .success(report), hasMore: isNew || !report.missing.isEmpty || report.wasStopped)
        } catch {
            // A folder that comes back is another one to the system.
            if !error.passes { state.withLock { $0.watches[path] = nil } }
            return Result(path: path, outcome: .failure(error))
        }
    }
}

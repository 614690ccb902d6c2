import Dispatch
import Foundation
import Synchronization
import SystemPackage

/// The journal of a program that has ended, locked so that no other program replays it.
public final class EndedSession: Sendable {
    let file: JournalFile
    public var path: String { file.path }

    init(_ file: JournalFile) { self.file = file }
}

/// Tells when another program that has a journal beside the notebook ends, in whatever way.
///
/// A thread waits for the lock of each journal whose program may be ending, since no clock tells when the kernel has
/// released it. These are the journals that are there when the watch begins, and then each of which inotify says that a
/// file was closed that could be written to. The kernel says so a moment before it releases the lock. Nothing of this
/// wakes a program while all others live.
///
/// Where inotify is missing, somebody has to look every few seconds. It does not see the programs of other machines on a
/// network's disk either.
public final class SessionWatch: Sendable {
    private struct State {
        /// The journals whose locks are waited for.
        var awaited: Set<String> = []
        var isWatching = false
        var timer: OwnedSource?
    }

    private let folder: String
    private let disk: JournalDisk
    /// The path of this program's own journal.
    private let own: String?
    private let ended: @Sendable (EndedSession?) -> Void
    private let queue = DispatchQueue(label: "tn.sessions", qos: .utility)
    private let state = Mutex(State())
    private let inotify = Inotify()

    /// The time between two looks where the system does not tell.
    private static let interval = DispatchTimeInterval.seconds(5)

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - own: the session of this program, which is not waited for.
    ///   - ended: called on another thread with the journal of a program that has ended, or with nil if it has to look.
    public init(
        _ journal: Notebook.Journal, except own: String?, ended: @escaping @Sendable (EndedSession?) -> Void
    ) {
        folder = journal.folder
        disk = journal.notebook.options.journalDisk
        self.own = own.map { [folder] in "\(folder)/\($0)\(JournalFile.ending)" }
        self.ended = ended
        inotify?.listen(on: queue) { [weak self] events in self?.take(events) }
        watchFolder()
    }

    /// Watches the folder if it is not watched yet, because it was missing or has been replaced.
    public func watchFolder() {
        guard !state.withLock({ $0.isWatching }), DiskFile.exists(folder) else { return }
        let kinds: FolderEvent.Kind = [.closedAfterWriting, .selfMoved, .onlyFolder]
        guard let inotify, (try? inotify.watch(folder, for: kinds)) != nil else { return poll() }  // looks instead
        state.withLock { $0.isWatching = true }
        // What ended before the watch began is not told.
        let names = (try? FolderListing.names(of: FilePath(folder))) ?? []  // it is gone again
        for name in names { awaitEnd(ofFile: name.string) }
    }

    private func take(_ events: [FolderEvent]) {
        for event in events {
            if event.kind.contains(.overflowed) { ended(nil) }
            if !event.kind.isDisjoint(with: [.ignored, .selfMoved]) { state.withLock { $0.isWatching = false } }
            if event.kind.contains(.closedAfterWriting) { awaitEnd(ofFile: event.name) }
        }
    }

    /// Waits, on a thread of its own, until no program holds a journal any more.
    private func awaitEnd(ofFile name: String) {
        let path = "\(folder)/\(name)"
        guard name.hasSuffix(JournalFile.ending), path != own,
            state.withLock({ $0.awaited.insert(path).inserted })
        else { return }
        let thread = Thread { @Sendable [weak self, disk] in
            do throws(Errno) {
                let file = try JournalFile.awaitEnd(of: path, disk: disk)
                self?.came(to: path, file.map(EndedSession.init))
            } catch {
                self?.cannotAwait(path)
            }
        }
        thread.name = "tn.session"
        thread.start()
    }

    private func came(to path: String, _ session: EndedSession?) {
        state.withLock { _ = $0.awaited.remove(path) }
        if let session { ended(session) }
    }

    /// Looks instead, since the file system has no such locks.
    private func cannotAwait(_ path: String) {
        state.withLock { _ = $0.awaited.remove(path) }
        poll()
    }

    // MARK: - Looking

    private func poll() {
        state.withLock { state in
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.ended(nil) }
            timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
            timer.resume()
            state.timer = OwnedSource(timer)
        }
    }
}

import Dispatch
import Foundation
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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
        var timer: Source?
    }

    /// A source of events; Dispatch lets any thread cancel one.
    private struct Source: @unchecked Sendable { let source: any DispatchSourceProtocol }

    private let folder: String
    private let disk: JournalDisk
    /// The path of this program's own journal.
    private let own: String?
    private let ended: @Sendable (EndedSession?) -> Void
    private let queue = DispatchQueue(label: "tn.sessions", qos: .utility)
    private let state = Mutex(State())
    /// The number of inotify's file; negative where there is none.
    private let descriptor: Int32
    private let listener = Mutex<Source?>(nil)

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
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #else
        descriptor = -1
        #endif
        listen()
        watchFolder()
    }

    deinit {
        state.withLock { $0.timer }?.source.cancel()
        listener.withLock { $0 }?.source.cancel()
    }

    /// Watches the folder if it is not watched yet, because it was missing or has been replaced.
    public func watchFolder() {
        guard !state.withLock({ $0.isWatching }), DiskFile.exists(folder) else { return }
        #if os(Linux)
        let what = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, what) >= 0 else { return poll() }
        state.withLock { $0.isWatching = true }
        // What ended before the watch began is not told.
        let names = (try? FolderListing.names(of: FilePath(folder))) ?? []  // it is gone again
        for name in names { awaitEnd(ofFile: name.string) }
        #else
        poll()
        #endif
    }

    // MARK: - inotify

    private func listen() {
        #if os(Linux)
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self, descriptor] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { return }
                self?.take(FolderEvent.read(bytes[..<count]))
            }
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
        let kept = Source(source: source)
        listener.withLock { $0 = kept }
        #endif
    }

    private func take(_ events: [FolderEvent]) {
        #if os(Linux)
        for event in events {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { ended(nil) }
            if event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 { state.withLock { $0.isWatching = false } }
            if event.mask & UInt32(IN_CLOSE_WRITE) != 0 { awaitEnd(ofFile: event.name) }
        }
        #endif
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
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let kept = Source(source: timer)
        let isFirst = state.withLock { state in
            defer { state.timer = state.timer ?? kept }
            return state.timer == nil
        }
        timer.setEventHandler { [weak self] in self?.ended(nil) }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
        timer.resume()
        if !isFirst { timer.cancel() }
    }
}

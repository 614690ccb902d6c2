import Foundation
import Synchronization
import SystemPackage

/// Syncs what a journal has written to the disk, on its own thread.
///
/// After a power cut the journal is at most a second older than the last frame.
final class JournalSync: Sendable {
    private struct State {
        var file: JournalFile?
        var isAsked = false
        /// Whether the file's name has been synced too.
        var hasName = false
        var isEnded = false
    }

    private let state: Mutex<State>
    private let asked = DispatchSemaphore(value: 0)
    private let disk: JournalDisk
    /// Called when the disk reports an error or the file has no name any more, since written data may be lost.
    private let failed: @Sendable (Errno) -> Void

    /// How long writes are gathered before a sync.
    private static let gathering = Duration.milliseconds(300)

    init(_ file: JournalFile, disk: JournalDisk, failed: @escaping @Sendable (Errno) -> Void) {
        state = Mutex(State(file: file))
        self.disk = disk
        self.failed = failed
        let thread = Thread { @Sendable [self] in run() }
        thread.name = "tn.journal"
        thread.start()
    }

    /// Requests a sync soon; costs a lock that no thread holds for long.
    func ask() {
        let isNews = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        if isNews { asked.signal() }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            state.file = nil
        }
        asked.signal()
    }

    private func run() {
        while true {
            asked.wait()
            if state.withLock({ $0.isEnded }) { return }
            disk.pause(Self.gathering)
            let (file, hasName) = state.withLock { state in
                state.isAsked = false
                defer { state.hasName = true }
                return (state.file, state.hasName)
            }
            guard let file else { return }
            if file.isGone { failed(.noSuchFileOrDirectory) }
            do throws(Errno) { try disk.sync(file.descriptor) } catch { failed(error) }
            if !hasName {
                let folder = FilePath(file.path).parent
                DiskFile.syncFolder(folder.string)
                DiskFile.syncFolder(folder.parent.string)
            }
        }
    }
}

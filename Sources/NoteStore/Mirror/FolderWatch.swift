import Dispatch
import Foundation
import Synchronization
import SystemPackage

/// Tells when something changes in a mirrored folder or below it, except what a mirror itself writes.
///
/// On Linux inotify does, at no cost while nothing changes. Elsewhere, and where the system watches no more folders, the
/// sizes and times of all files are compared now and then. Neither sees each change of another machine on a network's
/// disk, so whoever mirrors has to look by itself now and then, too.
public final class FolderWatch: Sendable {
    private struct State {
        /// The watched folders by the numbers that inotify gave them.
        var folders: [Int32: String] = [:]
        var isPolling = false
        var timer: OwnedSource?
        var seen: [ExactText: MirrorFolder.File] = [:]
    }

    private let path: String
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tn.mirror.watch", qos: .utility)
    private let inotify = Inotify()

    /// How often files are compared where the system does not tell.
    private static let interval = DispatchTimeInterval.seconds(5)

    /// Starts to watch a folder that is there.
    ///
    /// - Parameter changed: called on a private queue, perhaps several times for one change.
    public init(_ path: String, changed: @escaping @Sendable () -> Void) {
        (self.path, self.changed) = (path, changed)
        if let inotify {
            inotify.listen(on: queue) { [weak self] events in self?.take(events) }
        } else {
            poll()
        }
        addFolders()
    }

    /// Watches folders that came since.
    ///
    /// - Returns: whether there were any: what was written into them before is not told.
    @discardableResult
    public func addFolders() -> Bool {
        guard let inotify, !state.withLock({ $0.isPolling }) else { return false }
        // The round reports a folder that cannot be listed.
        guard let listing = try? MirrorFolder(path, isMade: false).list(isTidying: false) else { return false }
        var isNew = false
        for folder in [path] + listing.folders.map({ "\(path)/\($0.string)" }) {
            do throws(Errno) {
                let number = try inotify.watch(folder, for: Self.kinds)
                isNew = state.withLock { $0.folders.updateValue(folder, forKey: number) != folder } || isNew
            } catch .noSpace, .noMemory {
                // The system watches no more.
                poll()
                return true
            } catch {
                continue  // A folder that is gone again need not be watched.
            }
        }
        return isNew
    }

    private static let kinds: FolderEvent.Kind = [
        .closedAfterWriting, .movedTo, .movedFrom, .deleted, .created, .selfDeleted, .selfMoved,
        .onlyFolder, .notFollowing,
    ]

    private func take(_ events: [FolderEvent]) {
        state.withLock { state in
            for event in events where event.kind.contains(.ignored) { state.folders[event.folder] = nil }
        }
        if FolderEvent.areForeign(events) { changed() }
    }

    // MARK: - Comparing

    private func poll() {
        let isFirst = state.withLock { state in
            defer { state.isPolling = true }
            return !state.isPolling
        }
        guard isFirst else { return }
        look(isFirst: true)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(500))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.resume()
        let owned = OwnedSource(timer)
        state.withLock { $0.timer = owned }
    }

    private func look(isFirst: Bool = false) {
        // A folder that is gone is a change too.
        let files = (try? MirrorFolder(path, isMade: false).list(isTidying: false).files) ?? [:]
        let isNew = state.withLock { state in
            defer { state.seen = files }
            return state.seen != files
        }
        if isNew, !isFirst { changed() }
    }
}

extension FolderEvent {
    /// Whether the name is one under which a mirror writes a file before it gives it its own.
    private var isTemporary: Bool { name.hasPrefix(MirrorFolder.temporaryPrefix) }

    /// Whether any of the events is somebody else's doing.
    ///
    /// A mirror writes a file under a temporary name and then moves it, or links it to its own name and removes the other.
    static func areForeign(_ events: [FolderEvent]) -> Bool {
        let own = Set(events.filter { $0.isTemporary && $0.cookie != 0 }.map(\.cookie))
        return events.contains { event in
            if event.kind.contains(.ignored) || event.isTemporary || own.contains(event.cookie) { return false }
            // A file that was made is complete when it is closed; a folder is there at once.
            if event.kind.contains(.created) { return event.kind.contains(.isFolder) }
            return true
        }
    }
}

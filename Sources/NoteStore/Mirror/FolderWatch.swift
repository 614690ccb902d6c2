import Dispatch
import Foundation
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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
        var seen: [ExactText: MirrorFolder.File] = [:]
    }

    /// A source of events; Dispatch lets any thread resume and cancel one.
    private struct Source: @unchecked Sendable { let source: any DispatchSourceProtocol }

    private let path: String
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tn.mirror.watch", qos: .utility)
    private let sources = Mutex<[Source]>([])
    /// inotify's, which its source closes; negative where there is none.
    private let descriptor: Int32

    /// How often files are compared where the system does not tell.
    private static let interval = DispatchTimeInterval.seconds(5)

    /// Starts to watch a folder that is there.
    ///
    /// - Parameter changed: called on a private queue, perhaps several times for one change.
    public init(_ path: String, changed: @escaping @Sendable () -> Void) {
        (self.path, self.changed) = (path, changed)
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #else
        descriptor = -1
        #endif
        if descriptor >= 0 { listen() } else { poll() }
        addFolders()
    }

    deinit {
        for source in sources.withLock({ $0 }) { source.source.cancel() }
    }

    /// Watches folders that came since.
    ///
    /// - Returns: whether there were any: what was written into them before is not told.
    @discardableResult
    public func addFolders() -> Bool {
        guard descriptor >= 0, !state.withLock({ $0.isPolling }) else { return false }
        // The round reports a folder that cannot be listed.
        guard let listing = try? MirrorFolder(path, isMade: false).list(isTidying: false) else { return false }
        var isNew = false
        for folder in [path] + listing.folders.map({ "\(path)/\($0.string)" }) {
            guard let added = add(folder) else {
                poll()
                return true
            }
            isNew = isNew || added
        }
        return isNew
    }

    /// Watches one folder; nil if the system watches no more.
    private func add(_ folder: String) -> Bool? {
        #if os(Linux)
        let what =
            UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF)
            | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        let number = inotify_add_watch(descriptor, folder, what)
        // A folder that is gone again need not be watched.
        if number < 0 { return errno == ENOSPC || errno == ENOMEM ? nil : false }
        return state.withLock { $0.folders.updateValue(folder, forKey: number) != folder }
        #else
        return nil
        #endif
    }

    // MARK: - inotify

    private func listen() {
        #if os(Linux)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self, descriptor] in
            var bytes = [UInt8](repeating: 0, count: 16_384)
            var isTold = false
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                let events = FolderEvent.read(bytes[..<count])
                self?.forget(events)
                if FolderEvent.areForeign(events) { isTold = true }
            }
            if isTold { self?.changed() }
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
        let kept = Source(source: source)
        sources.withLock { $0.append(kept) }
        #endif
    }

    private func forget(_ events: [FolderEvent]) {
        #if os(Linux)
        state.withLock { state in
            for event in events where event.mask & UInt32(IN_IGNORED) != 0 { state.folders[event.folder] = nil }
        }
        #endif
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
        let kept = Source(source: timer)
        sources.withLock { $0.append(kept) }
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

/// An event of inotify about a name in a folder.
struct FolderEvent: Equatable {
    /// The folder's number.
    var folder: Int32
    var mask: UInt32
    /// The same for both halves of a move.
    var cookie: UInt32
    var name: String

    /// Whether the name is one under which a mirror writes a file before it gives it its own.
    var isTemporary: Bool { name.hasPrefix(MirrorFolder.temporaryPrefix) }

    /// Reads the events of one answer of the system.
    static func read(_ bytes: ArraySlice<UInt8>) -> [FolderEvent] {
        var events: [FolderEvent] = []
        var rest = bytes
        // Four numbers of four bytes, the last of them the length of the name, which zeros fill up.
        while rest.count >= 16 {
            let number = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let (folder, mask, cookie, length) = (number(0), number(1), number(2), Int(number(3)))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            events.append(
                FolderEvent(
                    folder: Int32(bitPattern: folder), mask: mask, cookie: cookie,
                    name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(16 + length)
        }
        return events
    }

    #if os(Linux)
    /// Whether any of the events is somebody else's doing.
    ///
    /// A mirror writes a file under a temporary name and then moves it, or links it to its own name and removes the other.
    static func areForeign(_ events: [FolderEvent]) -> Bool {
        let own = Set(events.filter { $0.isTemporary && $0.cookie != 0 }.map(\.cookie))
        return events.contains { event in
            if event.mask & UInt32(IN_IGNORED) != 0 || event.isTemporary || own.contains(event.cookie) { return false }
            // A file that was made is complete when it is closed; a folder is there at once.
            if event.mask & UInt32(IN_CREATE) != 0 { return event.mask & UInt32(IN_ISDIR) != 0 }
            return true
        }
    }
    #endif
}

import Dispatch
import Foundation
import Interface
import Synchronization
import SystemPackage

/// Tells when the configuration or a theme was written.
///
/// On Linux the system tells, at no cost while nothing is written: the folder is watched rather than the file, since
/// editors put a new file in the old one's place; a link is followed to the file as well. Where the folder does not
/// exist yet, the nearest folder above it that does is watched. Elsewhere a few file times are looked at every second.
final class ConfigurationWatch {
    private let source: any DispatchSourceProtocol

    /// Begins to watch; nil where the system has no means.
    ///
    /// - Parameter changed: called on a queue of its own, perhaps several times for one change.
    init?(changed: @escaping @Sendable () -> Void) {
        #if os(Linux)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        Self.watch(descriptor)
        let queue = DispatchQueue(label: "tn.configuration", qos: .utility)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &events, events.count) > 0 {}
            // What was missing may be there now.
            Self.watch(descriptor)
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        #else
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tn.configuration", qos: .utility))
        // Seconds; the leeway lets the system wake for other things at the same time.
        timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(500))
        let seen = Mutex(Self.times())
        timer.setEventHandler {
            let times = Self.times()
            let isNew = seen.withLock { seen in
                defer { seen = times }
                return seen != times
            }
            if isNew { changed() }
        }
        let source = timer
        #endif
        self.source = source
        source.resume()
    }

    deinit {
        source.cancel()
    }

    #if os(Linux)
    /// Watches all that exists of folder, themes and file; watching again what is watched changes nothing.
    private static func watch(_ descriptor: Int32) {
        // Closed after writing, not written: a file is read when it is whole.
        let written = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE)
        let folder = Configuration.folder()
        let places = [folder, Configuration.themesFolder(), Configuration.file()]
        for place in places where access(place, F_OK) == 0 { inotify_add_watch(descriptor, place, written) }
        guard access(folder, F_OK) != 0 else { return }
        var parent = FilePath(folder).removingLastComponent()
        while access(parent.string, F_OK) != 0, !parent.components.isEmpty { parent.removeLastComponent() }
        inotify_add_watch(descriptor, parent.string, UInt32(IN_CREATE | IN_MOVED_TO))
    }
    #else
    /// When the configuration and each theme were written last, by their paths.
    private static func times() -> [String: Date] {
        let manager = FileManager.default
        let themes = Configuration.themesFolder()
        let names = (try? manager.contentsOfDirectory(atPath: themes)) ?? []  // no themes of one's own
        let paths = [Configuration.file()] + names.map { themes + "/" + $0 }
        return paths.reduce(into: [:]) { times, path in
            let facts = try? manager.attributesOfItem(atPath: path)  // missing is a state as well
            times[path] = facts?[.modificationDate] as? Date
        }
    }
    #endif
}

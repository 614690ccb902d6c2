import Dispatch
import Foundation
import Interface
import NoteStore
import Synchronization
import SystemPackage

/// Reports that the configuration or a theme was written.
///
/// On Linux, inotify reports changes, at no cost while nothing is written. The folder is watched rather than the file,
/// because editors replace the file by a new one; the file is watched too, so that a symbolic link is followed. If the
/// folder does not exist yet, the nearest existing folder above it is watched. On other systems, the modification times
/// of a few files are compared every second.
final class ConfigurationWatch {
    private let source: any DispatchSourceProtocol

    /// Starts to watch; nil if the system does not support it.
    ///
    /// - Parameter changed: called on a private queue, perhaps several times for one change.
    init?(changed: @escaping @Sendable () -> Void) {
        #if os(Linux)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let wasThere = Mutex(Self.watch(descriptor))
        let queue = DispatchQueue(label: "tn.configuration", qos: .utility)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &events, events.count) > 0 {}
            // A file or folder that was missing may exist now.
            let isThere = Self.watch(descriptor)
            let mayHaveChanged = wasThere.withLock { wasThere in
                defer { wasThere = isThere }
                return wasThere || isThere
            }
            // While there is no folder, the events are of other files beside its place.
            if mayHaveChanged { changed() }
        }
        source.setCancelHandler { close(descriptor) }
        #else
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tn.configuration", qos: .utility))
        // The interval is in seconds; the leeway lets the system combine this timer with other wake-ups.
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
    /// Watches those of the folder, themes and file that exist; watching one again changes nothing.
    ///
    /// - Returns: whether the folder exists.
    private static func watch(_ descriptor: Int32) -> Bool {
        // A file is read once it is complete, so the event is its closing after a write.
        let written = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE)
        let folder = FilePath(Configuration.folder())
        var place = nearestFolder(to: folder)
        while place != folder {
            inotify_add_watch(descriptor, place.string, UInt32(IN_CREATE | IN_MOVED_TO))
            // What was made before the watch began is not reported.
            let next = nearestFolder(to: folder)
            if next == place { return false }
            place = next
        }
        for path in [folder.string, Configuration.themesFolder(), Configuration.file()] where access(path, F_OK) == 0 {
            inotify_add_watch(descriptor, path, written)
        }
        return true
    }

    /// Returns the folder itself if it exists, or else the nearest one above it that does.
    private static func nearestFolder(to folder: FilePath) -> FilePath {
        var place = folder
        while access(place.string, F_OK) != 0, !place.components.isEmpty { place.removeLastComponent() }
        return place
    }
    #else
    /// The modification times of the configuration and of each theme, by their paths.
    private static func times() -> [String: Date] {
        let themes = FilePath(Configuration.themesFolder())
        let names = (try? PrivateFile.names(in: themes)) ?? []  // the user has no themes
        let paths = [FilePath(Configuration.file())] + names.map { themes.appending($0) }
        return paths.reduce(into: [:]) { times, path in times[path.string] = PrivateFile.modified(path) }
    }
    #endif
}

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
/// folder does not exist yet, the nearest existing folder above it is watched. Where there is no inotify, the modification
/// times of a few files are compared every second.
final class ConfigurationWatch {
    private let inotify: Inotify?
    private let timer: OwnedSource?

    /// Starts to watch.
    ///
    /// - Parameter changed: called on a private queue, perhaps several times for one change.
    init(changed: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "tn.configuration", qos: .utility)
        inotify = Inotify()
        timer = inotify == nil ? Self.timer(on: queue, changed: changed) : nil
        guard let inotify else { return }
        let wasThere = Mutex(Self.watch(by: inotify))
        inotify.listen(on: queue) { [weak inotify] _ in
            // A file or folder that was missing may exist now.
            guard let inotify else { return }
            let isThere = Self.watch(by: inotify)
            let mayHaveChanged = wasThere.withLock { wasThere in
                defer { wasThere = isThere }
                return wasThere || isThere
            }
            // While there is no folder, the events are of other files beside its place.
            if mayHaveChanged { changed() }
        }
    }

    // MARK: - By events

    /// Watches those of the folder, themes and file that exist; watching one again changes nothing.
    ///
    /// - Returns: whether the folder exists.
    private static func watch(by inotify: Inotify) -> Bool {
        // A file is read once it is complete, so the event is its closing after a write.
        let written: FolderEvent.Kind = [.closedAfterWriting, .movedTo, .movedFrom, .deleted, .created]
        let folder = FilePath(Configuration.folder())
        var place = nearestFolder(to: folder)
        while place != folder {
            _ = try? inotify.watch(place.string, for: [.created, .movedTo])  // it is gone again
            // What was made before the watch began is not reported.
            let next = nearestFolder(to: folder)
            if next == place { return false }
            place = next
        }
        for path in [folder.string, Configuration.themesFolder(), Configuration.file()] {
            _ = try? inotify.watch(path, for: written)  // the user has none
        }
        return true
    }

    /// Returns the folder itself if it exists, or else the nearest one above it that does.
    private static func nearestFolder(to folder: FilePath) -> FilePath {
        var place = folder
        while access(place.string, F_OK) != 0, !place.components.isEmpty { place.removeLastComponent() }
        return place
    }

    // MARK: - By times

    /// Compares the times of the files every second.
    private static func timer(on queue: DispatchQueue, changed: @escaping @Sendable () -> Void) -> OwnedSource {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        // The interval is in seconds; the leeway lets the system combine this timer with other wake-ups.
        timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(500))
        let seen = Mutex(times())
        timer.setEventHandler {
            let times = times()
            let isNew = seen.withLock { seen in
                defer { seen = times }
                return seen != times
            }
            if isNew { changed() }
        }
        timer.resume()
        return OwnedSource(timer)
    }

    /// The modification times of the configuration and of each theme, by their paths.
    private static func times() -> [String: Date] {
        let themes = FilePath(Configuration.themesFolder())
        let names = (try? PrivateFile.names(in: themes)) ?? []  // the user has no themes
        let paths = [FilePath(Configuration.file())] + names.map { themes.appending($0) }
        return paths.reduce(into: [:]) { times, path in times[path.string] = PrivateFile.modified(path) }
    }
}

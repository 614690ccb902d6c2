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
/// folder does not exist yet, the nearest existing folder above it is watched. Where there is no inotify, or the system
/// watches no more folders for this user, the modification times of a few files are compared every second.
final class ConfigurationWatch: Sendable {
    private struct State {
        /// Whether the folder existed when it was looked for last.
        var isThere = false
        /// The modification times of the files, by their paths, where those are compared.
        var times: [String: Date] = [:]
        var timer: OwnedSource?
    }

    private let changed: @Sendable () -> Void
    private let inotify = Inotify()
    private let queue = DispatchQueue(label: "tn.configuration", qos: .utility)
    private let state = Mutex(State())

    /// Starts to watch.
    ///
    /// - Parameter changed: called on a private queue, perhaps several times for one change.
    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        _ = watch()
        inotify?.listen(on: queue) { [weak self] _ in self?.somethingHappened() }
    }

    private func somethingHappened() {
        // A file or folder that was missing may exist now. While there is no folder, the events are of other files beside
        // its place.
        if watch() { changed() }
    }

    /// Watches what exists now, or begins to compare times if the system cannot watch all of it.
    ///
    /// - Returns: whether the folder exists, or did when it was looked for last.
    private func watch() -> Bool {
        do throws(Errno) {
            guard let inotify else { throw .notSupported }
            let isThere = try Self.watch(by: inotify)
            return state.withLock { state in
                defer { state.isThere = isThere }
                return state.isThere || isThere
            }
        } catch {
            compareTimes()
            return true
        }
    }

    // MARK: - By events

    /// Watches those of the folder, themes and file that exist; watching one again changes nothing.
    ///
    /// - Returns: whether the folder exists.
    /// - Throws: `noSpace` if the system watches no more.
    private static func watch(by inotify: Inotify) throws(Errno) -> Bool {
        // A file is read once it is complete, so the event is its closing after a write.
        let written: FolderEvent.Kind = [.closedAfterWriting, .movedTo, .movedFrom, .deleted, .created]
        let folder = FilePath(Configuration.folder())
        var place = nearestFolder(to: folder)
        while place != folder {
            try watch(place.string, for: [.created, .movedTo], by: inotify)
            // What was made before the watch began is not reported.
            let next = nearestFolder(to: folder)
            if next == place { return false }
            place = next
        }
        for path in [folder.string, Configuration.themesFolder(), Configuration.file()] {
            try watch(path, for: written, by: inotify)
        }
        return true
    }

    /// Watches a place, unless there is none of that name.
    private static func watch(
        _ path: String, for kinds: FolderEvent.Kind, by inotify: Inotify
    ) throws(Errno) {
        do throws(Errno) {
            try inotify.watch(path, for: kinds)
        } catch .noSpace, .noMemory {
            throw .noSpace
        } catch {
            // The user has none, or it is gone again.
        }
    }

    /// Returns the folder itself if it exists, or else the nearest one above it that does.
    private static func nearestFolder(to folder: FilePath) -> FilePath {
        var place = folder
        while access(place.string, F_OK) != 0, !place.components.isEmpty { place.removeLastComponent() }
        return place
    }

    // MARK: - By times

    /// Compares the times of the files every second from now on.
    private func compareTimes() {
        state.withLock { state in
            guard state.timer == nil else { return }
            state.times = Self.times()
            let timer = DispatchSource.makeTimerSource(queue: queue)
            // The interval is in seconds; the leeway lets the system combine this timer with other wake-ups.
            timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(500))
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = OwnedSource(timer)
        }
    }

    private func look() {
        let times = Self.times()
        let isNew = state.withLock { state in
            defer { state.times = times }
            return state.times != times
        }
        if isNew { changed() }
    }

    /// The modification times of the configuration and of each theme, by their paths.
    private static func times() -> [String: Date] {
        let themes = FilePath(Configuration.themesFolder())
        let names = (try? PrivateFile.names(in: themes)) ?? []  // the user has no themes
        let paths = [FilePath(Configuration.file())] + names.map { themes.appending($0) }
        return paths.reduce(into: [:]) { times, path in times[path.string] = PrivateFile.modified(path) }
    }
}

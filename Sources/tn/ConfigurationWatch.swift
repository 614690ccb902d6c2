import Dispatch
import Foundation
import Interface

/// Tells when the configuration or a theme was written, at no cost while nothing is.
///
/// The folder is watched rather than the file, since editors put a new file in the old one's place; a link is followed
/// to the file as well. Where the folder does not exist yet, its parent is watched until it does.
final class ConfigurationWatch {
    private let source: any DispatchSourceRead

    /// Begins to watch; nil where the system has no means.
    ///
    /// - Parameter changed: called on a queue of its own, perhaps several times for one change.
    init?(changed: @escaping @Sendable () -> Void) {
        #if os(Linux)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        Self.watch(descriptor)
        let queue = DispatchQueue(label: "tn.configuration", qos: .utility)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &events, events.count) > 0 {}
            // What was missing may be there now.
            Self.watch(descriptor)
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        #else
        return nil
        #endif
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
        if access(folder, F_OK) != 0 {
            let parent = (folder as NSString).deletingLastPathComponent
            inotify_add_watch(descriptor, parent, UInt32(IN_CREATE | IN_MOVED_TO))
        }
    }
    #endif
}

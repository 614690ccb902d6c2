import Dispatch
import Synchronization
import SystemPackage

/// Tells that a file in a folder was written, at no cost while none is.
final class FolderWrites: Sendable {
    private let folder: String
    private let inotify: Inotify
    /// The number by which the system names the watched folder.
    private let number: Mutex<Int32>

    private static let kinds: FolderEvent.Kind = [
        .modified, .closedAfterWriting, .movedTo, .movedFrom, .created, .deleted, .onlyFolder,
    ]

    /// Nil where the system does not tell.
    ///
    /// - Parameters:
    ///   - prefix: what the names of the files begin with.
    ///   - queue: where `written` is called, once for all that came since the last call.
    init?(_ folder: String, prefix: String, on queue: DispatchQueue, written: @escaping @Sendable () -> Void) {
        guard let inotify = Inotify(), let number = try? inotify.watch(folder, for: Self.kinds)  // as above
        else { return nil }
        (self.folder, self.inotify) = (folder, inotify)
        self.number = Mutex(number)
        inotify.listen(on: queue) { events in
            // An event without a name stands for those that had no room, or says that the folder is gone.
            if events.contains(where: { $0.name.isEmpty || $0.name.hasPrefix(prefix) }) { written() }
        }
    }

    /// Watches the folder that has the name now, and returns whether it is the one that was watched before.
    ///
    /// A folder that was removed or renamed, and made again, is another one: what was written to it before this call was
    /// not told. While there is none, the result is false.
    func stillTells() -> Bool {
        guard let now = try? inotify.watch(folder, for: Self.kinds) else { return false }  // asked again later
        return number.withLock { number in
            defer { number = now }
            return number == now
        }
    }
}

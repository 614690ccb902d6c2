import Dispatch

/// Tells that a file in a folder was written, at no cost while none is.
final class FolderWrites: Sendable {
    private let inotify: Inotify

    /// Nil where the system does not tell.
    ///
    /// - Parameters:
    ///   - prefix: what the names of the files begin with.
    ///   - queue: where `written` is called, once for all that came since the last call.
    init?(_ folder: String, prefix: String, on queue: DispatchQueue, written: @escaping @Sendable () -> Void) {
        let kinds: FolderEvent.Kind = [.modified, .closedAfterWriting, .movedTo, .movedFrom, .created, .deleted]
        guard let inotify = Inotify(), (try? inotify.watch(folder, for: kinds.union(.onlyFolder))) != nil  // as above
        else { return nil }
        self.inotify = inotify
        inotify.listen(on: queue) { events in
            // An event without a name stands for those that had no room, or says that the folder is gone.
            if events.contains(where: { $0.name.isEmpty || $0.name.hasPrefix(prefix) }) { written() }
        }
    }
}

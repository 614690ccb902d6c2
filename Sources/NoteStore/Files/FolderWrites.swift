import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells that a file in a folder was written, at no cost while none is: by inotify, which only Linux has.
final class FolderWrites: Sendable {
    /// A source of events; Dispatch lets any thread cancel it.
    private struct Source: @unchecked Sendable { let source: any DispatchSourceProtocol }

    private let source: Source

    /// Nil where the system does not tell.
    ///
    /// - Parameters:
    ///   - prefix: what the names of the files begin with.
    ///   - queue: where `written` is called, once for all that came since the last call.
    init?(_ folder: String, prefix: String, on queue: DispatchQueue, written: @escaping @Sendable () -> Void) {
        #if os(Linux)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let what = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
        guard inotify_add_watch(descriptor, folder, what | UInt32(IN_ONLYDIR)) >= 0 else {
            close(descriptor)
            return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 16_384)
            var isWritten = false
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                let events = FolderEvent.read(bytes[..<count])
                // An event without a name stands for those that had no room, or says that the folder is gone.
                isWritten = isWritten || events.contains { $0.name.isEmpty || $0.name.hasPrefix(prefix) }
            }
            if isWritten { written() }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = Source(source: source)
        #else
        return nil
        #endif
    }

    deinit { source.source.cancel() }
}

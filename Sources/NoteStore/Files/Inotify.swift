import Dispatch
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The events that the kernel reports of files and folders, at no cost while nothing happens to them.
///
/// Only Linux has them. They do not tell what other machines do on a network's disk.
package final class Inotify: Sendable {
    private let descriptor: Int32
    private let source = Mutex<OwnedSource?>(nil)

    /// The bytes that are read at once: room for some hundred events with names of usual lengths.
    private static let readSize = 16_384

    /// Nil on other systems, and where the user has as many of these as the system allows.
    package init?() {
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        #else
        return nil
        #endif
    }

    deinit {
        // A source closes the descriptor once nothing reads it any more.
        if source.withLock({ $0 == nil }) { close(descriptor) }
    }

    /// Begins to report events; called once.
    ///
    /// - Parameter happened: called on the queue with all events that came since the last call.
    package func listen(on queue: DispatchQueue, happened: @escaping @Sendable ([FolderEvent]) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [descriptor] in
            var (events, bytes) = ([FolderEvent](), [UInt8](repeating: 0, count: Self.readSize))
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                events += FolderEvent.read(bytes[..<count])
            }
            if !events.isEmpty { happened(events) }
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
        let owned = OwnedSource(source)
        self.source.withLock { $0 = owned }
    }

    /// Watches a file or folder, or changes what is watched of one that is watched already.
    ///
    /// - Returns: the number by which events name it.
    @discardableResult
    package func watch(_ path: String, for kinds: FolderEvent.Kind) throws(Errno) -> Int32 {
        #if os(Linux)
        let number = inotify_add_watch(descriptor, path, kinds.rawValue)
        if number < 0 { throw Errno(rawValue: errno) }
        return number
        #else
        throw .notSupported
        #endif
    }
}

import Foundation

/// Runs work that waits for something outside of this program, on a thread of its own.
///
/// A program, a disk or a network may hang. The threads of a concurrent queue are few and shared, so that a handful of
/// such waits would keep all other work from beginning; on a thread of its own a wait occupies nothing else. The thread
/// ends with the work. Work that computes belongs on a queue, which runs no more of it at once than there are processors.
///
/// - Parameter name: The thread's name for debuggers, of at most 15 bytes.
public func onOwnThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    let thread = Thread { @Sendable in work() }
    thread.name = name
    thread.start()
}

import Foundation
import Processes

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The lock that lets only one program at a time synchronise a notebook.
///
/// The system releases it when the program ends.
final class SyncLock {
    private let descriptor: Int32

    /// - Parameters:
    ///   - patience: The time to wait for another program.
    ///   - stop: A handle that ends the wait.
    /// - Throws: `busy` if another program holds it.
    init(_ path: String, patience: Duration = .zero, stop: CommandStop? = nil) throws(SyncError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SyncError.store(.system(path: path, errno: errno)) }
        let end = ContinuousClock.now + max(patience, Self.minimumPatience)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let isStopped = stop?.isRequested == true
            guard ContinuousClock.now < end, !isStopped else {
                close(descriptor)
                throw isStopped ? SyncError.git(.stopped) : .busy
            }
            usleep(Self.pause)
        }
        self.descriptor = descriptor
    }

    /// The least time to wait: a program that was killed leaves the lock to a child process that it was starting, until
    /// that executes its program.
    private static let minimumPatience = Duration.milliseconds(500)
    /// The time between two attempts, in microseconds.
    private static let pause: UInt32 = 50_000

    deinit {
        // A child process that is being started shares the lock, which closing alone would leave to it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

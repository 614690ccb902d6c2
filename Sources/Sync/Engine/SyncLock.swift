import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The lock by which one program at a time synchronises a notebook; the system frees it when the program dies.
final class SyncLock {
    private let descriptor: Int32

    /// - Parameter patience: how long to wait for another program.
    /// - Throws: `busy` if another program holds it.
    init(_ path: String, patience: Duration = .zero) throws(SyncError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SyncError.store(.system(path: path, errno: errno)) }
        let end = ContinuousClock.now + max(patience, Self.leastPatience)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else {
                close(descriptor)
                throw SyncError.busy
            }
            usleep(Self.pause)
        }
        self.descriptor = descriptor
    }

    /// A program that is being started by another thread holds this one's locks until it has begun.
    private static let leastPatience = Duration.milliseconds(500)
    /// Microseconds between two looks at the lock.
    private static let pause: UInt32 = 50_000

    deinit { close(descriptor) }
}

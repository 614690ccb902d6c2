import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The lock by which one program at a time synchronises a notebook; the system frees it when the program dies.
final class SyncLock {
    private let descriptor: Int32

    /// - Throws: `busy` if another program holds it.
    init(_ path: String) throws(SyncError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SyncError.store(.system(path: path, errno: errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw SyncError.busy
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

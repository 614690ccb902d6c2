import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// System calls that swift-system lacks: the lock of an open file, and syncing to the disk.
extension FileDescriptor {
    /// Waits for the lock of the open file (`flock`) and takes it; closing the file's last descriptor releases it.
    ///
    /// - Throws: `interrupted` after a signal.
    func lock() throws(Errno) {
        if flock(rawValue, LOCK_EX) != 0 { throw Errno(rawValue: errno) }
    }

    /// Takes the lock of the open file, alone or shared with others who share it.
    ///
    /// - Returns: false if it is taken already.
    public func lockIfFree(isShared: Bool = false) throws(Errno) -> Bool {
        if flock(rawValue, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
        let error = Errno(rawValue: errno)
        if error == .wouldBlock { return false }
        throw error
    }

    /// Releases the lock, also for a child process that shares it.
    func unlock() { _ = flock(rawValue, LOCK_UN) }

    /// Waits until the bytes written to the file are on the disk.
    func sync() throws(Errno) {
        while fsync(rawValue) != 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }
}

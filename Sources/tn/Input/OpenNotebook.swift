import Foundation
import NoteStore
import SystemPackage

/// Determines whether a notebook is in use.
enum OpenNotebook {
    /// Returns the process that has the notebook open; nil if there is none.
    ///
    /// Every connection in write-ahead mode holds a shared lock as long as it is open, on bytes that SQLite's file
    /// format defines (sqlite3's os_unix.c: 510 bytes after 2^30 + 1).
    static func owner(of path: String) -> pid_t? {
        // If the file cannot be opened, it is unknown which program uses it.
        guard let file = try? FileDescriptor.open(FilePath(path), .readWrite, options: .closeOnExec) else { return nil }
        defer { try? file.close() }  // nothing was written
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = (1 << 30) + 2
        lock.l_len = 510
        guard fcntl(file.rawValue, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }
}

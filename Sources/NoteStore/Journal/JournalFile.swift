import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file operations of a journal; tests replace them by failing ones.
struct JournalDisk: Sendable {
    /// Writes at the end of the file; returns the bytes written, or -1 with `errno` set.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    var truncate: @Sendable (Int32, Int) -> Int32
    var sync: @Sendable (Int32) -> Int32
    /// Waits for the lock of an open file.
    var lock: @Sendable (Int32) -> Int32 = { flock($0, LOCK_EX) }

    static let system = JournalDisk(
        write: { descriptor, bytes in
            #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
        },
        truncate: { ftruncate($0, off_t($1)) },
        sync: { fsync($0) })
}

/// An open journal file, locked for as long as its owner lives.
///
/// The lock (`flock`) ends with the process, however it ends: a program that can take it knows that the owner is gone.
/// It belongs to the open file, so a check from the same process works like one from another process.
final class JournalFile: Sendable {
    static let ending = ".journal"
    /// The ending that is added to the name of a partly unreadable journal.
    static let damagedEnding = ".damaged"

    let path: String
    let descriptor: Int32

    private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    deinit {
        // A child process may share the lock until it has started its program.
        unlock()
        close(descriptor)
    }

    /// Makes a file, accessible only to its owner, and locks it.
    ///
    /// - Throws: `Errno`; no file is left then, because on a file system without locks each try would leave one.
    static func make(_ path: String, disk: JournalDisk = .system) throws(Errno) -> JournalFile {
        for _ in 0..<100 {
            let flags = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC
            let descriptor = systemOpen(path, flags, 0o600)
            guard descriptor >= 0 else { throw Errno(rawValue: errno) }
            let file = JournalFile(path: path, descriptor: descriptor)
            // Another program that checks whether the owner lives may hold the lock for a moment.
            while disk.lock(descriptor) != 0 {
                let error = Errno(rawValue: errno)
                if error == .interrupted { continue }
                DiskFile.remove(path)
                throw error
            }
            // In that moment a program may have taken the file for one of a dead program, and removed it.
            if !file.isGone { return file }
        }
        throw Errno.fileExists
    }

    /// Opens a file whose owner is gone and locks it; `nil` if another program holds it or it no longer exists.
    ///
    /// - Parameter isRead: whether the journal is only read, as on a file system that allows no more.
    static func adopt(_ path: String, isRead: Bool = false) throws -> JournalFile? {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = systemOpen(path, (isRead ? O_RDONLY : O_RDWR) | flags, 0)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Errno(rawValue: errno)
        }
        let file = JournalFile(path: path, descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw Errno(rawValue: errno)
        }
        // Its last holder may have removed it.
        return file.isGone ? nil : file
    }

    /// Whether a program holds the journal; also true if that cannot be determined.
    static func isOwned(_ path: String) -> Bool {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard descriptor >= 0 else { return errno != ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
        _ = flock(descriptor, LOCK_UN)
        return false
    }

    /// Whether the file has lost its name.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// Reads all bytes.
    func read() throws -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno(rawValue: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Errno.invalidArgument }
        return try FileDescriptor(rawValue: descriptor).readToEnd(expecting: Int(status.st_size) + 1, from: 0)
    }

    /// Releases the lock while threads may still use the file.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    private static func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags, mode)
        #else
        Darwin.open(path, flags, mode)
        #endif
    }
}

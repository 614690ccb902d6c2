import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file operations of a journal; tests replace them with failing ones.
struct JournalDisk: Sendable {
    /// Writes at the end of the file, and returns the number of bytes written.
    var write: @Sendable (FileDescriptor, UnsafeRawBufferPointer) throws(Errno) -> Int
    /// Cuts the file to a size in bytes.
    var truncate: @Sendable (FileDescriptor, Int) throws(Errno) -> Void
    var sync: @Sendable (FileDescriptor) throws(Errno) -> Void
    /// Reserves space for so many bytes, if it can; the size of the file stays.
    var reserve: @Sendable (FileDescriptor, Int) -> Void = { _, _ in }
    /// Returns how many bytes the disk has room for beside what is reserved.
    var freeBytes: @Sendable (FileDescriptor) -> Int = { _ in .max }
    /// Lets writes gather before a sync.
    var pause: @Sendable (Duration) -> Void = { Thread.sleep(forTimeInterval: $0 / .seconds(1)) }
    /// Waits for the lock of an open file.
    var lock: @Sendable (FileDescriptor) throws(Errno) -> Void

    static let system = JournalDisk(
        write: { file, bytes throws(Errno) in
            do { return try file.write(bytes, retryOnInterrupt: false) } catch { throw error as? Errno ?? .ioError }
        },
        truncate: { file, size throws(Errno) in
            do { try file.resize(to: Int64(size)) } catch { throw error as? Errno ?? .ioError }
        },
        sync: { file throws(Errno) in try file.sync() },
        reserve: { file, count in
            #if os(Linux)
            let held = (try? FileStatus(file).size) ?? 0  // a new file holds nothing
            // If this fails, the journal can be written only while the disk has room.
            _ = fallocate(file.rawValue, keepingSize, 0, Int64(share(of: count, held: held, free: free(beside: file))))
            #endif
        },
        freeBytes: { free(beside: $0) },
        lock: { file throws(Errno) in try file.lock() })

    private static func free(beside file: FileDescriptor) -> Int {
        var status = statvfs()
        guard fstatvfs(file.rawValue, &status) == 0 else { return .max }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Returns how much of a wanted reserve a file takes: all, or half of what a nearly full disk has, since saving needs
    /// room too.
    ///
    /// All numbers are in bytes; `held` is the size of the file, whose last block may have room for 4 KB more.
    static func share(of count: Int, held: Int, free: Int) -> Int {
        free < count - held - 4_096 ? max(free / 2, 1) : count
    }
}

#if os(Linux)
/// `fallocate(2)`, which reserves space for a file; the Glibc module does not declare it.
@_silgen_name("fallocate")
private func fallocate(_ file: Int32, _ mode: Int32, _ offset: Int64, _ count: Int64) -> Int32

/// `FALLOC_FL_KEEP_SIZE` of linux/falloc.h.
private let keepingSize: Int32 = 1
#endif

/// An open journal file, locked for as long as its owner lives.
///
/// The kernel releases the lock (`flock`) however the process ends, so a program that can take it knows that the owner
/// is gone. The lock belongs to the open file, so a check from the same process works like one from another process.
final class JournalFile: Sendable {
    static let ending = ".journal"
    /// The ending that is added to the name of a partly unreadable journal.
    static let damagedEnding = ".damaged"

    let path: String
    let descriptor: FileDescriptor

    private init(path: String, descriptor: FileDescriptor) { (self.path, self.descriptor) = (path, descriptor) }

    deinit {
        // A child process may share the lock until it has started its program.
        unlock()
        try? descriptor.close()  // an error of writing was reported when the file was synced
    }

    /// Makes a file, accessible only to its owner, and locks it.
    ///
    /// - Throws: `Errno`; the file is removed then, because on a file system without locks each attempt would leave
    ///   one.
    static func make(_ path: String, disk: JournalDisk = .system) throws(Errno) -> JournalFile {
        for _ in 0..<100 {
            let file = try open(
                path, .readWrite, [.create, .exclusiveCreate, .append, .closeOnExec], permissions: .ownerReadWrite)
            do throws(Errno) {
                // Another program that checks whether the owner lives may hold the lock for a moment.
                try file.waitForLock(disk)
            } catch {
                DiskFile.remove(path)
                throw error
            }
            // In that moment the program may have taken this file for one of a dead program, and removed it.
            if !file.isGone { return file }
        }
        throw Errno.fileExists
    }

    /// Opens a file whose owner is gone and locks it; `nil` if another program holds it or it no longer exists.
    ///
    /// - Parameter isRead: whether the journal is only read, which is all that a read-only file system allows.
    static func adopt(_ path: String, isRead: Bool = false) throws(Errno) -> JournalFile? {
        try locked(path, isRead: isRead) { file throws(Errno) in
            for _ in 0..<100 {
                if try file.descriptor.lockIfFree() { return true }
                // Programs that look whether the owner lives share the lock for a moment. Whoever else has it keeps it.
                guard try file.descriptor.lockIfFree(isShared: true) else { return false }
                file.unlock()
                sched_yield()
            }
            return false
        }
    }

    /// Waits until the owner is gone and locks the file; `nil` if it no longer exists then.
    static func awaitEnd(of path: String, disk: JournalDisk = .system) throws(Errno) -> JournalFile? {
        try locked(path) { file throws(Errno) in
            try file.waitForLock(disk)
            return true
        }
    }

    /// Opens a file and locks it; `nil` if `lock` returns false or the file no longer exists.
    ///
    /// It is opened for reading where that suffices, since closing a file that could have been written to looks like the
    /// end of its owner (`SessionWatch`). A file system of a network may want it writable for the lock.
    private static func locked(
        _ path: String, isRead: Bool = false, _ lock: (JournalFile) throws(Errno) -> Bool
    ) throws(Errno) -> JournalFile? {
        var mode = FileDescriptor.AccessMode.readOnly
        while true {
            do throws(Errno) {
                let file = try open(path, mode, found)
                // The last owner, or a program that has replayed it, may have removed or renamed it.
                return try lock(file) && file.hasItsName ? file : nil
            } catch .noSuchFileOrDirectory {
                return nil
            } catch .badFileDescriptor where mode == .readOnly && !isRead {
                mode = .readWrite
            }
        }
    }

    /// Whether a program holds the journal; also true if that cannot be determined.
    static func isOwned(_ path: String) -> Bool {
        do throws(Errno) {
            let file = try open(path, .readOnly, found)
            // Without this it may be closed before its lock is looked at.
            defer { withExtendedLifetime(file) {} }
            return try !file.descriptor.lockIfFree(isShared: true)
        } catch {
            return error != .noSuchFileOrDirectory
        }
    }

    /// Whether the file has no name any more.
    var isGone: Bool {
        do throws(Errno) { return try FileStatus(descriptor).names == 0 } catch { return true }
    }

    /// Whether its path still leads to it.
    private var hasItsName: Bool {
        let now = try? FileStatus(FilePath(path), followsLinks: false).identity  // nil if it has another name, or none
        return now != nil && now == (try? FileStatus(descriptor).identity)  // nil is not that of any path
    }

    /// Reads all bytes.
    func read() throws(Errno) -> [UInt8] {
        let status = try FileStatus(descriptor)
        guard status.kind == .file else { throw .invalidArgument }
        return try descriptor.readToEnd(expecting: status.size + 1, from: 0)
    }

    /// Frees what a dead owner had reserved behind its bytes: a full disk may have no other room to save them in.
    ///
    /// It goes by the path, since the file may be open for reading only.
    func freeReserve() {
        // Another file at the path must not be cut. One without a size cannot be read either.
        guard hasItsName, let size = try? FileStatus(descriptor).size else { return }
        // If this fails, the room is free once the file is removed.
        _ = truncate(path, off_t(size))
    }

    /// Releases the lock while threads may still use the file.
    func unlock() { descriptor.unlock() }

    private func waitForLock(_ disk: JournalDisk) throws(Errno) {
        while true {
            do throws(Errno) {
                return try disk.lock(descriptor)
            } catch .interrupted {
                continue
            }
        }
    }

    /// The options for opening an existing journal: a link must not lead elsewhere, and a pipe must not block.
    private static let found: FileDescriptor.OpenOptions = [.closeOnExec, .noFollow, .nonBlocking]

    private static func open(
        _ path: String, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        permissions: FilePermissions? = nil
    ) throws(Errno) -> JournalFile {
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(path), mode, options: options, permissions: permissions)
            return JournalFile(path: path, descriptor: descriptor)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }
}

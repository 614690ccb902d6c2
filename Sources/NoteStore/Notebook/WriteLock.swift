import Foundation
import GRDB
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A lock that only one program at a time holds, to write to a notebook or to checkpoint its write-ahead log.
///
/// SQLite before 3.51.3 can lose a transaction when one program commits at the start of the log at the same moment as
/// another checkpoints a second time (sqlite.org/wal.html, "The WAL-Reset Bug"). The lock prevents that. It is a kernel
/// lock on a file beside the notebook, so the kernel releases it however the program ends that holds it. If the file
/// cannot be made there is no lock, because nobody can write there.
final class WriteLock: Sendable {
    /// The byte of the file that is locked.
    private enum Byte: off_t {
        case writing = 0, keeping = 1, waiting = 2
    }

    private let path: String
    /// The open file; nil before the first lock, and -1 if it cannot be made.
    ///
    /// It is opened late, so that no file is made beside a file that is not a notebook.
    private let file: Mutex<CInt?>
    /// The number of threads of this program that wait for another program; `queue` counts those that wait for each
    /// other.
    private let waiters = Mutex(0)
    private let queue = Atomic(0)

    init(notebook path: String, readOnly: Bool) {
        self.path = path
        file = Mutex(readOnly ? -1 : nil)
    }

    deinit {
        guard let file = file.withLock({ $0 }), file >= 0 else { return }
        try? FileDescriptor(rawValue: file).close()  // nothing is written to it
    }

    /// Runs `body` as the only writer.
    ///
    /// Only one thread at a time may call it; GRDB's queue of the writing connection ensures that.
    ///
    /// - Throws: `busy` when another program keeps the lock for longer than `patience` lasts.
    func hold<T>(_ patience: Patience, _ body: () throws -> T) throws -> T {
        try take(patience)
        defer { giveBack() }
        return try body()
    }

    /// Runs `body` as the only writer, unless another program has the lock.
    ///
    /// Only one thread at a time may call it, as with `hold`.
    func holdIfFree<T>(_ body: () throws -> T) throws -> T? {
        guard take(.writing) else { return nil }
        defer { giveBack() }
        return try body()
    }

    // MARK: - Waiters

    /// Makes it visible to all programs that a thread waits for the lock, until `endWaiting`.
    func beginWaiting() {
        waiters.withLock { count in
            count += 1
            let file = opened()
            if count == 1, file >= 0 { _ = set(.waiting, Int16(F_RDLCK), file) }
        }
    }

    func endWaiting() {
        waiters.withLock { count in
            count -= 1
            if count == 0 { giveBack(.waiting) }
        }
    }

    /// Runs `body`, in which this thread waits for other threads of this program until it calls `isNext`.
    func queued<T>(_ body: (_ isNext: () -> Void) throws -> T) rethrows -> T {
        queue.add(1, ordering: .relaxed)
        return try body { queue.subtract(1, ordering: .relaxed) }
    }

    /// Whether a thread waits to write, in this program or in another one.
    ///
    /// It asks the kernel, which takes about a microsecond.
    var hasWaiters: Bool {
        if queue.load(ordering: .relaxed) > 0 || waiters.withLock({ $0 > 0 }) { return true }
        guard let file = file.withLock({ $0 }), file >= 0 else { return false }
        var lock = region(.waiting, Int16(F_WRLCK))
        return fcntl(file, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    // MARK: - The lock

    /// Takes the lock; does nothing if it is already held.
    func take(_ patience: Patience) throws(StoreError) {
        var tries = 0
        defer { if tries > 0 { endWaiting() } }
        while !take(.writing) {
            if tries == 0 { beginWaiting() }
            tries += 1
            guard patience.wait(after: tries - 1) else { throw .busy(path: path) }
        }
    }

    /// Takes the lock unless another program has it; returns whether this one has it now.
    func takeIfFree() -> Bool { take(.writing) }

    /// Releases the lock if it is held.
    func giveBack() { giveBack(.writing) }

    /// Makes this program the one that checkpoints the log, if no other is; returns whether it is.
    func becomeCheckpointer() -> Bool { take(.keeping) }

    func endKeeping() { giveBack(.keeping) }

    /// Locks a byte; the lock belongs to this object, so two objects in one program exclude each other too.
    private func take(_ byte: Byte) -> Bool {
        let file = opened()
        if file < 0 { return true }
        while !set(byte, Int16(F_WRLCK), file) {
            if errno == EINTR { continue }
            // The file system has no locks, so SQLite's own must suffice.
            return errno != EAGAIN && errno != EACCES
        }
        return true
    }

    private func giveBack(_ byte: Byte) {
        if let file = file.withLock({ $0 }), file >= 0 { _ = set(byte, Int16(F_UNLCK), file) }
    }

    private func opened() -> CInt {
        file.withLock { file in
            if let file { return file }
            let opened = try? FileDescriptor.open(  // there is no lock where nobody can write
                FilePath(path + "-lock"), .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            let number = opened?.rawValue ?? -1
            file = number
            return number
        }
    }

    private func set(_ byte: Byte, _ kind: Int16, _ file: CInt) -> Bool {
        var lock = region(byte, kind)
        return fcntl(file, Self.setLock, &lock) == 0
    }

    private func region(_ byte: Byte, _ kind: Int16) -> flock {
        var lock = flock()
        lock.l_type = kind
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte.rawValue
        lock.l_len = 1
        return lock
    }

    /// The kernel's `F_OFD_SETLK` and `F_OFD_GETLK`: the lock belongs to the open file, while an `F_SETLK` lock belongs
    /// to the process.
    #if canImport(Darwin)
    private static let setLock: CInt = 90
    private static let getLock: CInt = 92
    #else
    private static let setLock: CInt = 37
    private static let getLock: CInt = 36
    #endif
}

import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file by what the disk calls it, whatever its name.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    /// The file that a name leads to now; `nil` if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}

/// The files that an open notebook's connections have: a tool that mirrors folders, a copy or a removal may have put
/// others in their place, and SQLite writes on into those that have lost their names.
final class OpenFiles: Sendable {
    private struct State {
        var main: FileIdentity?
        var log: FileIdentity?
        /// Where what the lost files hold is kept, once it is.
        var rescue: String?
        var isLost = false
    }

    private let path: String
    private let state = Mutex(State())

    init(_ path: String) { self.path = path }

    private var logPath: String { path + "-wal" }

    /// Remembers the files that are there, when the connections have just opened them.
    func remember() {
        let (main, log) = (FileIdentity(of: path), FileIdentity(of: logPath))
        state.withLock { ($0.main, $0.log) = (main, log) }
    }

    /// Whether the connections' files have lost their names.
    var isLost: Bool { state.withLock { $0.isLost } }

    /// What is wrong with the files: two questions to the kernel.
    func problem() -> StoreError? {
        let (main, log) = (FileIdentity(of: path), FileIdentity(of: logPath))
        return state.withLock { state in
            guard let known = state.main else { return nil }
            if state.log == nil, main == known { state.log = log }
            if main == known, log == state.log, !state.isLost { return nil }
            state.isLost = true
            return main == nil ? .noSuchFile(path: path) : .replaced(path: path, rescue: state.rescue)
        }
    }

    /// Keeps what the lost files hold, once, and puts a log out of the way that does not belong to the file beside it.
    ///
    /// - Parameter copy: copies what the connections see to a path.
    func rescue(_ copy: (String) throws -> Void) {
        let isFirst = state.withLock { state in
            defer { state.rescue = state.rescue ?? "" }
            return state.isLost && state.rescue == nil
        }
        guard isFirst else { return }
        let name = path + ".before-" + UUID().uuidString.prefix(8)
        let made: String?
        do {
            try copy(name)
            made = name
        } catch {
            // What is typed is in the journal all the same.
            made = nil
        }
        let (main, log) = state.withLock { state in
            state.rescue = made
            return (state.main, state.log)
        }
        // The next program would take this log for the new file's, and write its pages into that.
        if FileIdentity(of: path) != main, let log, FileIdentity(of: logPath) == log {
            _ = rename(logPath, name + "-wal")
            DiskFile.remove(path + "-shm")
        }
    }
}

extension Notebook {
    /// Throws when the notebook's file, or its write-ahead log, was removed or replaced by something else.
    ///
    /// Nothing is written then any more; the journals go on, and what they hold is brought into the new file by the next
    /// program that opens it.
    func refuseLostFiles() throws(StoreError) {
        guard let problem = files.problem() else { return }
        files.rescue { path in
            try DiskFile.make(path)
            let copy = try DatabaseQueue(path: path)
            // By the connection that writes: another one would open whatever lies there now.
            try database.writeWithoutTransaction { source in
                try copy.writeWithoutTransaction { copy in
                    try source.backup(to: copy)
                    _ = try String.fetchOne(copy, sql: "PRAGMA journal_mode = DELETE")
                }
            }
            try copy.close()
        }
        throw files.problem() ?? problem
    }
}

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
        var hasBegunRescue = false
        var isLost = false
        /// Whether they are lost because another file was copied over the notebook's: what it held is gone but for the log.
        var isOverwritten = false
        /// Nil before the first look, and where it cannot be compared.
        var content: FileContent?
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

    /// Remembers what the file holds, for `refuseOtherContent`; on the writing connection.
    func rememberContent(_ db: Database) throws {
        let content = try FileContent(db)
        state.withLock { $0.content = content }
    }

    /// Throws `replaced` if another file was copied over the notebook's.
    ///
    /// To be called under the notebook's write lock, on the writing connection and outside of a transaction.
    func refuseOtherContent(_ db: Database, _ patience: Patience) throws {
        guard var content = state.withLock({ $0.content }) else { return }
        let isSame = try content.isSame(db, path: path, patience)
        try state.withLock { [content] state in
            state.content = content
            if isSame, !state.isOverwritten { return }
            (state.isLost, state.isOverwritten) = (true, true)
            throw StoreError.replaced(path: path, rescue: state.rescue)
        }
    }

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
        let (isFirst, isOverwritten) = state.withLock { state in
            // Until it is known, nobody else begins.
            defer { state.hasBegunRescue = state.hasBegunRescue || state.isLost }
            return (state.isLost && !state.hasBegunRescue, state.isOverwritten)
        }
        guard isFirst else { return }
        let name = path + ".before-" + UUID().uuidString.prefix(8)
        if isOverwritten {
            let made = rescueLog(as: name)
            return state.withLock { $0.rescue = made }
        }
        let made: String?
        do {
            try copy(name)
            made = name
        } catch {
            // What is typed is in the journal all the same. The part that was copied is of no use, and may fill the disk.
            for ending in ["", "-wal", "-shm", "-journal"] { DiskFile.remove(name + ending) }
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

    /// Moves the log away from the file that was copied over the notebook, and makes a notebook of the notes in it.
    ///
    /// - Returns: the notebook; nil if the log holds no notes.
    private func rescueLog(as name: String) -> String? {
        guard let log = state.withLock({ $0.log }), FileIdentity(of: logPath) == log else { return nil }
        // First of all: it would be read as the new file's.
        guard rename(logPath, name + "-wal") == 0 else { return nil }
        DiskFile.remove(path + "-shm")
        let saved = name + ".part"
        defer { for ending in ["", "-wal", "-shm", "-lock"] { DiskFile.remove(saved + ending) } }
        do {
            // A notebook of which all is in the log.
            try DiskFile.make(name)
            try Notebook.Care.salvage(name, into: saved, of: path)
            try DiskFile.replace(name, by: saved)
        } catch StoreError.notANotebook {
            DiskFile.remove(name)
        } catch {
            // The log stays beside it, and `tn doctor --repair` reads it there.
            return name
        }
        DiskFile.remove(name + "-wal")
        return DiskFile.exists(name) ? name : nil
    }
}

extension Notebook {
    /// Throws when the notebook's file, or its write-ahead log, was removed or replaced by something else.
    ///
    /// Nothing is written then any more; the journals go on, and what they hold is brought into the new file by the next
    /// program that opens it.
    ///
    /// - Parameter readingContent: also asks whether another file was copied over it, which every write asks by itself.
    func refuseLostFiles(readingContent: Bool = false) throws(StoreError) {
        if readingContent, files.problem() == nil {
            do {
                try whenFree { db in try files.refuseOtherContent(db, patience) }
            } catch {
                let error = StoreError(error, path: path)
                // Else it is told with what was kept.
                if files.problem() == nil { throw error }
            }
        }
        guard let problem = files.problem() else { return }
        files.rescue { path in
            try DiskFile.make(path)
            let copy = try DatabaseQueue(path: path)
            // By the connection that writes: another one would open whatever lies there now.
            try database.writeWithoutTransaction { source in
                // None is left when it is closed a second time.
                guard source.sqliteConnection != nil else { throw StoreError.closed(path: self.path) }
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

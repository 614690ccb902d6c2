import Foundation
import GRDB
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The identity of a file on the disk, whatever its name.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    /// The identity of the file that a path leads to now; `nil` if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}

/// The files that an open notebook's connections use.
///
/// A tool that mirrors folders, a copy or a removal may have replaced them, and SQLite goes on writing into files that
/// have lost their names.
final class OpenFiles: Sendable {
    private struct State {
        var main: FileIdentity?
        var log: FileIdentity?
        /// The shared memory, which tells all programs how far the log is written; nil where there is none.
        var memory: FileIdentity?
        /// The path where the content of the lost files was kept, once it was.
        var rescue: String?
        var hasBegunRescue = false
        var isLost = false
        /// The notebook's file as it was when it was lost; nil if that is not known.
        var stampAtLoss: FileStamp?
        /// The name under which the log was moved away, without its ending; nil if it was not.
        var movedLog: String?
        /// Whether they are lost because another file was copied over the notebook's: its content is gone except for
        /// the log.
        var isOverwritten = false
        /// Nil before the first check, and where the content cannot be compared.
        var content: FileContent?
        /// Whether the file's name has been recorded as its only one.
        var hasRecordedName = false
        /// The number of names when none but this one was last found to have a log; nil if that is not known.
        var harmlessNames: Int?
    }

    private let path: String
    private let isReadOnly: Bool
    private let state = Mutex(State())

    init(_ path: String, readOnly: Bool) { (self.path, isReadOnly) = (path, readOnly) }

    private var logPath: String { path + "-wal" }
    private var memoryPath: String { path + "-shm" }

    /// Remembers the present files; call it when the connections have just opened them.
    func remember() {
        let (main, log, memory) = (FileIdentity(of: path), FileIdentity(of: logPath), FileIdentity(of: memoryPath))
        state.withLock { ($0.main, $0.log, $0.memory) = (main, log, memory) }
    }

    /// Remembers the file's content, for `refuseOtherContent`; call it on the writing connection.
    func rememberContent(_ db: Database) throws {
        let content = try FileContent(db)
        state.withLock { $0.content = content }
    }

    /// Makes sure that notes may be saved under this name; every write begins with it.
    ///
    /// An only name is recorded with the file. If the file has several names, those that an interrupted program left are
    /// removed, and unless this one is recorded and harmless, `linked` is thrown.
    ///
    /// SQLite finds the log and the locks of a file by its name: programs that know the file by different names neither
    /// see each other's notes nor wait for each other, and a checkpoint of one overwrites those of the other. So notes
    /// are saved under the recorded name alone, and only while no other name is known to have a log of its own.
    func claimName() throws(StoreError) {
        let names = DiskFile.names(of: path)
        if names == 1 { return recordName() }
        guard names > 1 else { return }
        let recorded = SavingName(recordedWith: path)
        let isRecorded = recorded != nil && recorded == SavingName(of: path)
        let mayWrite = state.withLock { state in
            state.hasRecordedName = false
            // Reading the folder takes longer than a save, so it is read again only when a name has come or gone.
            if isRecorded, state.harmlessNames != names {
                state.harmlessNames = HardLinkName.hasOtherLog(than: path) ? nil : names
            }
            return isRecorded && state.harmlessNames == names
        }
        if !mayWrite {
            UnfinishedFile.removeNames(of: path)
            if DiskFile.names(of: path) < names { return try claimName() }
            throw .linked(path: path, names: names, recorded: isRecorded ? nil : recorded?.path.string)
        }
    }

    /// Records the file's only name, once, so that notes are still saved under it when other names are added.
    private func recordName() {
        guard !isReadOnly, !state.withLock({ $0.hasRecordedName }) else { return }
        // Without extended attributes nothing is recorded, and a file with several names is read only.
        let isRecorded = SavingName(of: path)?.record() == true
        state.withLock { ($0.hasRecordedName, $0.harmlessNames) = (isRecorded, nil) }
    }

    /// Throws `replaced` if another file was copied over the notebook's.
    ///
    /// Call it under the notebook's write lock, on the writing connection and outside of a transaction.
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

    /// The problem with the files, if there is one; costs three calls to the kernel.
    func problem() -> StoreError? {
        let (main, log, memory) = (FileIdentity(of: path), FileIdentity(of: logPath), FileIdentity(of: memoryPath))
        return state.withLock { state in
            guard let known = state.main else { return nil }
            if state.log == nil, main == known { state.log = log }
            if state.memory == nil, main == known { state.memory = memory }
            // A program that lacks the memory makes its own, and then both write to the same place of the log.
            if main == known, log == state.log, memory == state.memory, !state.isLost { return nil }
            if state.isLost, main == known, comeBack(&state) { return nil }
            if !state.isLost { state.stampAtLoss = FileStamp(ofOpen: known) }
            state.isLost = true
            return main == nil ? .noSuchFile(path: path) : .replaced(path: path, rescue: state.rescue)
        }
    }

    /// Takes the files into use again that have come back to their names, if nothing was written into them meanwhile.
    ///
    /// The connections have stayed open, so that they go on where they were.
    private func comeBack(_ state: inout State) -> Bool {
        guard !state.isOverwritten, let stamp = state.stampAtLoss, stamp == FileStamp(of: path) else { return false }
        if let moved = state.movedLog, FileIdentity(of: logPath) == nil, FileIdentity(of: moved + "-wal") == state.log {
            // The shared memory first: a program that found the log without it would begin another one.
            guard rename(moved + "-shm", memoryPath) == 0, rename(moved + "-wal", logPath) == 0 else {
                return false
            }
            state.movedLog = nil
        }
        guard FileIdentity(of: logPath) == state.log, FileIdentity(of: memoryPath) == state.memory else { return false }
        if let rescue = state.rescue { DiskFile.remove(rescue) }
        (state.isLost, state.hasBegunRescue, state.rescue, state.stampAtLoss) = (false, false, nil, nil)
        return true
    }

    /// Keeps the content of the lost files, once.
    ///
    /// It also moves away a log that does not belong to the file beside it.
    ///
    /// - Parameter copy: copies what the connections see to a path.
    func rescue(_ copy: (String) throws -> Void) {
        let (isFirst, isOverwritten) = state.withLock { state in
            // Set before the result is known, so that no other thread begins.
            defer { state.hasBegunRescue = state.hasBegunRescue || state.isLost }
            return (state.isLost && !state.hasBegunRescue, state.isOverwritten)
        }
        guard isFirst else { return }
        let name = path + ".before-" + UUID.random().uuidString.prefix(8)
        if isOverwritten {
            let made = rescueLog(as: name)
            return state.withLock { $0.rescue = made }
        }
        let made: String?
        do {
            try copy(name)
            made = name
        } catch {
            // Typed text is in the journal anyway. The partial copy is useless, and may fill the disk.
            for ending in ["", "-wal", "-shm", "-journal"] { DiskFile.remove(name + ending) }
            made = nil
        }
        let (main, log) = state.withLock { state in
            state.rescue = made
            return (state.main, state.log)
        }
        // Otherwise the next program takes this log for the new file's, and writes its pages into that file.
        if FileIdentity(of: path) != main, let log, FileIdentity(of: logPath) == log {
            // The copy needs no log. If this one lay beside it, the next program would take it for the copy's.
            let moved = made == nil ? name : name + "-held"
            // A log that cannot be moved stays; nothing else can be done about it.
            guard rename(logPath, moved + "-wal") == 0 else { return }
            // The open connections go on using both, and the file may come back.
            _ = rename(memoryPath, moved + "-shm")
            state.withLock { $0.movedLog = moved }
        }
    }

    /// Removes a log that was moved away, if all that it holds is in the copy; call it when the notebook is closed.
    func removeMovedLog() {
        let moved = state.withLock { state in
            defer { state.movedLog = nil }
            return state.rescue == nil ? nil : state.movedLog
        }
        if let moved { for ending in ["-wal", "-shm"] { DiskFile.remove(moved + ending) } }
    }

    /// Moves the log away from the file that was copied over the notebook, and makes a notebook from the log's notes.
    ///
    /// - Returns: the path of that notebook; nil if the log holds no notes.
    private func rescueLog(as name: String) -> String? {
        guard let log = state.withLock({ $0.log }), FileIdentity(of: logPath) == log else { return nil }
        return Self.makeNotebook(name, ofLog: path)
    }

    /// Moves the log of a file that is not its own any more away, and makes a notebook from the log's notes.
    ///
    /// - Returns: the path of that notebook; nil if the log holds no notes.
    static func makeNotebook(_ name: String, ofLog path: String) -> String? {
        // The log moves first, since it would be read as the new file's.
        guard rename(path + "-wal", name + "-wal") == 0 else { return nil }
        DiskFile.remove(path + "-shm")
        let saved = name + ".part"
        defer { for ending in ["", "-wal", "-shm", "-lock"] { DiskFile.remove(saved + ending) } }
        do {
            // An empty file: the whole notebook is in its log.
            try DiskFile.make(name)
            try Notebook.Care.salvage(name, into: saved, of: path)
            try DiskFile.replace(name, by: saved)
        } catch StoreError.notANotebook {
            DiskFile.remove(name)
        } catch {
            // The log stays beside the file, where `tn doctor --repair` reads it.
            return name
        }
        DiskFile.remove(name + "-wal")
        return DiskFile.exists(name) ? name : nil
    }
}

extension Notebook {
    /// Throws if the notebook's file, or its write-ahead log, was removed or replaced, or if the file has other names.
    ///
    /// From then on nothing is written; the journals continue, and the next program that opens the new file replays
    /// them into it.
    ///
    /// - Parameter readingContent: whether to check also that no other file was copied over it, which every write
    ///   checks itself.
    func refuseLostFiles(readingContent: Bool = false) throws(StoreError) {
        if readingContent, files.problem() == nil {
            do {
                try whenFree { db in try files.refuseOtherContent(db, patience) }
            } catch {
                let error = StoreError(error, path: path)
                // Otherwise the problem is thrown below, with the path of what was kept.
                if files.problem() == nil { throw error }
            }
        }
        guard let problem = files.problem() else { return try files.claimName() }
        files.rescue { path in
            try DiskFile.make(path)
            let copy = try DatabaseQueue(path: path)
            // Uses the writing connection, since another one would open the file that is there now.
            try database.writeWithoutTransaction { source in
                // A notebook that is closed a second time has no connection left.
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

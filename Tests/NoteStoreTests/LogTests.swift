import Foundation
import Testing

@testable import NoteStore

/// Tests when the write-ahead log is checkpointed.
@Suite struct LogTests {
    private let test: TestNotebook

    init() throws {
        test = try TestNotebook()
        test.notebook.logLimit.store(.max, ordering: .relaxed)
    }

    private func isLog(longerThan bytes: Int) -> Bool {
        test.notebook.database.writeWithoutTransaction { test.notebook.isLog(longerThan: bytes, $0) }
    }

    /// The time of the last change of the file without its log, which only a checkpoint changes.
    private var lastCheckpoint: Date? { DiskFile.modified(test.path) }

    /// Writes a log of more than two megabytes, has it checkpointed, and begins it anew.
    private func restartLongLog() throws {
        try test.note((0..<60_000).map { "word\($0) of a long note" }.joined(separator: "\n"))
        #expect(isLog(longerThan: 2_000_000))
        test.notebook.logLimit.store(0, ordering: .relaxed)
        try test.note("moves the log into the file")
        test.notebook.logLimit.store(.max, ordering: .relaxed)
        try test.note("begins the log anew")
    }

    @Test func `a log that began anew is as long as what it holds, whatever its file still holds`() throws {
        try restartLongLog()
        #expect(DiskFile.size(of: test.path + "-wal") > 2_000_000)
        #expect(isLog(longerThan: 0))
        #expect(!isLog(longerThan: 1_000_000))
    }

    @Test func `a command beside a window does not checkpoint because the log was long once`() throws {
        try restartLongLog()
        let before = lastCheckpoint
        let command = try Notebook.open(test.path, mode: .command)
        try command.notes.create(NewNote(text: "from the shell"))
        try command.close()
        #expect(lastCheckpoint == before)
        #expect(try test.titles(.inbox).contains("from the shell"))
    }

    @Test func `a command checkpoints a log that is long`() throws {
        try test.note((0..<60_000).map { "word\($0) of a long note" }.joined(separator: "\n"))
        let before = lastCheckpoint
        let command = try Notebook.open(test.path, mode: .command)
        try command.notes.create(NewNote(text: "from the shell"))
        try command.close()
        #expect(lastCheckpoint != before)
        #expect(try test.notebook.care.check().isEmpty)
    }
}

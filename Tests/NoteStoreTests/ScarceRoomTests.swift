import Foundation
import Testing

@testable import NoteStore

/// Tests the log of a notebook on a disk that has little room.
@Suite struct ScarceRoomTests {
    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `where room is scarce the log is emptied before it grows, and nothing is lost`(mode: Notebook.Mode) throws {
        let test = try TestNotebook(mode: mode)
        // Only the scarce room on the disk may cause the log to be emptied.
        test.notebook.logLimit.store(.max, ordering: .relaxed)
        var row = try test.note("start")
        let text = (0..<20_000).map { "word\($0) of a long note" }.joined(separator: "\n")
        func logAfterSaving(_ number: Int) throws -> Int {
            let outcome = try test.notebook.notes.save(row.id, text: "\(number)\n\(text)", baseRevision: row.revision)
            guard case .saved(let saved) = outcome else { throw StoreError.interrupted }
            row = saved
            return DiskFile.size(of: test.path + "-wal")
        }
        let first = try logAfterSaving(0)
        let second = try logAfterSaving(1)
        #expect(first > 400_000 && second > first + 300_000, "a log with room grows")
        test.notebook.scarceRoom.store(.max, ordering: .relaxed)
        for number in 2..<6 { #expect(try logAfterSaving(number) < second) }
        #expect(try test.notebook.notes.text(row.id)?.hasPrefix("5\nword0 ") == true)
        #expect(try test.notebook.care.check().isEmpty)
    }

    @Test func `the room on the disk is known`() throws {
        let test = try TestNotebook()
        #expect(try #require(DiskFile.freeBytes(beside: test.path)) > 0)
        #expect(DiskFile.freeBytes(beside: test.path + "/nothing") == nil)
    }
}

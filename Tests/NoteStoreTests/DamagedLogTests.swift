import Foundation
import Testing

@testable import NoteStore

/// Tests that what was saved behind a damaged part of the write-ahead log is not lost.
@Suite struct DamagedLogTests {
    private let test: TestNotebook

    init() throws {
        test = try TestNotebook(mode: .command)
        test.notebook.logLimit.store(.max, ordering: .relaxed)
        for number in 0..<12 { try test.note("note \(number)") }
    }

    private static let frame = 24 + 4_096

    /// Copies the notebook with another log, as a killed program or a failing disk leaves it; returns its path.
    private func copy(_ change: (inout Data) -> Void = { _ in }) throws -> String {
        let path = test.folder.appending(path: "copy.sqlite").path
        try FileManager.default.copyItem(atPath: test.path, toPath: path)
        var log = try Data(contentsOf: URL(filePath: test.path + "-wal"))
        change(&log)
        try log.write(to: URL(filePath: path + "-wal"))
        return path
    }

    private func count(_ notebook: Notebook) throws -> Int {
        try notebook.lists.rows(ListQuery(container: .inbox), limit: 99).count
    }

    /// - Parameter place: the damaged byte: in the log's salts, and in the checksum of a frame by its share of the log.
    @Test(arguments: [nil, 0, 0.3, 0.7] as [Double?])
    func `what was saved behind a damaged part of the log is kept, once`(_ place: Double?) throws {
        let path = try copy { log in
            let frames = (log.count - 32) / Self.frame
            let byte = place.map { 32 + Int(Double(frames) * $0) * Self.frame + 16 } ?? 20
            log[byte] ^= 1
        }
        let damaged = try Notebook.open(path, mode: .command)
        let kept = try #require(damaged.recovered.lostLog)
        #expect(try count(damaged) < 12)
        #expect(damaged.care.keptFiles().map(\.kind) == [.behindDamage])
        let whole = try Notebook.open(kept, mode: .command)
        #expect(try count(whole) == 12)
        #expect(try whole.care.check().isEmpty)
        try whole.close(checkpointing: true)
        try damaged.notes.create(NewNote(text: "over the damage"))
        let again = try Notebook.open(path, mode: .command)
        #expect(again.recovered.lostLog == nil)
        try again.close()
        try damaged.close()
        try Notebook.Backups.restore(kept, to: path)
        let restored = try Notebook.open(path, mode: .command)
        #expect(try count(restored) == 12)
        try restored.close()
    }

    @Test func `the log of a file that was emptied is kept as a notebook`() throws {
        let path = try copy()
        try Data().write(to: URL(filePath: path))
        let emptied = try Notebook.open(path, mode: .command)
        let kept = try #require(emptied.recovered.lostLog)
        #expect(try count(emptied) == 0)
        let whole = try Notebook.open(kept, mode: .command)
        #expect(try count(whole) > 0)
        try whole.close()
        try emptied.close()
        #expect(try Notebook.open(path, mode: .command).recovered.isEmpty)
    }

    @Test func `a log that ends in the midst of a transaction hides nothing`() throws {
        let path = try copy { $0.removeLast(Self.frame + 100) }
        let cut = try Notebook.open(path, mode: .command)
        #expect(cut.recovered.isEmpty)
        #expect(try count(cut) == 11)
        #expect(cut.care.keptFiles().isEmpty)
        try cut.close()
    }

    @Test func `what a program had not finished saving when it was killed is not called damage`() throws {
        let path = try copy()
        let open = try Notebook.open(path, mode: .command)
        // It is killed when it has written all of a transaction and told nobody of it.
        let length = try Data(contentsOf: URL(filePath: test.path + "-wal")).count
        try test.note(String(repeating: "a line\n", count: 20_000))
        let unfinished = try Data(contentsOf: URL(filePath: test.path + "-wal")).dropFirst(length)
        let log = try FileHandle(forWritingTo: URL(filePath: path + "-wal"))
        #expect(try log.seekToEnd() == length)
        try log.write(contentsOf: unfinished)
        try log.close()
        #expect(try Notebook.open(path, mode: .command).recovered.lostLog == nil)
        try open.notes.create(NewNote(text: "written over its beginning"))
        #expect(try Notebook.open(path, mode: .command).recovered.lostLog == nil)
        #expect(try count(open) == 13)
        // All programs are killed, so the next one reads the log from its beginning.
        let later = test.folder.appending(path: "later.sqlite").path
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: later + ending) }
        let next = try Notebook.open(later, mode: .command)
        #expect(next.recovered.lostLog == nil)
        #expect(try count(next) == 13)
        try next.close()
        try open.close()
    }

    @Test func `frames behind a damaged one are not removed by a write that does not go over them`() throws {
        let path = try copy()
        let open = try Notebook.open(path, mode: .command)
        let length = try Data(contentsOf: URL(filePath: test.path + "-wal")).count
        for number in 0..<3 { try test.note("unfinished \(number)") }
        var unfinished = try Data(contentsOf: URL(filePath: test.path + "-wal")).dropFirst(length)
        unfinished[unfinished.startIndex + Self.frame + 100] ^= 1
        let log = try FileHandle(forWritingTo: URL(filePath: path + "-wal"))
        #expect(try log.seekToEnd() == length)
        try log.write(contentsOf: unfinished)
        try log.close()
        try open.notes.create(NewNote(text: "written over their beginning"))
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).suffix(Self.frame) == unfinished.suffix(Self.frame))
        try open.close()
    }

    @Test func `a log that begins anew in a longer file hides nothing`() throws {
        test.notebook.logLimit.store(0, ordering: .relaxed)
        try test.note("moves the log into the file")
        test.notebook.logLimit.store(.max, ordering: .relaxed)
        try test.note("begins the log anew")
        let path = try copy()
        let copy = try Notebook.open(path, mode: .command)
        #expect(copy.recovered.isEmpty)
        #expect(try count(copy) == 14)
        try copy.close()
    }
}

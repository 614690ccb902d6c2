import Foundation
import GRDB
import Synchronization
import Testing
import TextEditing

@testable import NoteStore

/// Tests that a clock which goes back ten years, as on a machine without a battery, loses nothing.
@Suite struct ClockTests {
    private static let tenYears: TimeInterval = 10 * 365 * 86_400

    /// A notebook that is closed and opened again by a clock that is wrong.
    private final class Place {
        let folder: URL
        var notebook: Notebook
        private let offset = Offset()

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "tn-clock-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            notebook = try Notebook.open(
                folder.path + "/notes.sqlite", options: Notebook.Options(now: offset.now))
        }

        deinit {
            try? notebook.close()  // the folder is removed in any case
            try? FileManager.default.removeItem(at: folder)  // the system removes leftovers
        }

        func restart(later seconds: TimeInterval) throws {
            try notebook.close()
            offset.seconds.withLock { $0 = seconds }
            notebook = try Notebook.open(
                folder.path + "/notes.sqlite", options: Notebook.Options(now: offset.now))
        }
    }

    private final class Offset: Sendable {
        let seconds = Mutex<TimeInterval>(0)
        private let ticks = Mutex<TimeInterval>(1_790_000_000)

        @Sendable func now() -> Date {
            let time = ticks.withLock { time in
                time += 1
                return time
            }
            return Date(timeIntervalSince1970: time + seconds.withLock { $0 })
        }
    }

    @Test func `texts, versions and undo go on in their order`() throws {
        let place = try Place()
        let row = try place.notebook.notes.create(NewNote(text: "first"))
        _ = try place.notebook.notes.save(row.id, text: "second", baseRevision: row.revision)
        try place.notebook.versions.keep(of: row.id)
        try place.notebook.notes.rename(row.id, to: "Named before")
        let versions = try place.notebook.versions.all(of: row.id).count

        try place.restart(later: -Self.tenYears)
        let present = try #require(try place.notebook.notes.row(row.id))
        _ = try place.notebook.notes.save(row.id, text: "third", baseRevision: present.revision)
        try place.notebook.versions.keep(of: row.id)
        try place.notebook.notes.rename(row.id, to: "Named after")
        _ = try place.notebook.care.maintain()
        try place.notebook.care.keepWithinBounds()
        let all = try place.notebook.versions.all(of: row.id)
        #expect(all.count > versions, "the version of now is kept")
        let texts = try all.map { try place.notebook.versions.text(of: row.id, version: $0.number) }
        #expect(texts.contains("second") && texts.contains("third"))
        // Undo takes back what was done last, not what is dated last.
        _ = try place.notebook.actions.undo()
        #expect(try place.notebook.notes.row(row.id)?.title == "Named before")
        _ = try place.notebook.actions.redo()
        #expect(try place.notebook.notes.row(row.id)?.title == "Named after")
        #expect(try place.notebook.notes.text(row.id) == "third")
        #expect(try place.notebook.search.hits("third").count == 1)

        try place.restart(later: 0)
        #expect(try place.notebook.notes.text(row.id) == "third")
        _ = try place.notebook.actions.undo()
        _ = try place.notebook.actions.undo()
        #expect(try place.notebook.notes.row(row.id)?.title != "Named before")
        let problems = try place.notebook.care.check()
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `the Trash is emptied with a backup, and an image that was just added stays`() throws {
        let place = try Place()
        _ = try place.notebook.images.add(TransferTests.png, name: "before")
        let row = try place.notebook.notes.create(NewNote(text: "thrown away"))
        try place.notebook.trash.add([row.id])
        try place.restart(later: -Self.tenYears)
        let backups = try place.notebook.backups.all().count
        _ = try place.notebook.trash.empty()
        #expect(try place.notebook.backups.all().count == backups + 1)
        #expect(try place.notebook.notes.row(row.id) == nil)
        #expect(try place.notebook.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note_image") } == 1)
        // Two days after it was added it is nobody's.
        try place.restart(later: 2 * 86_400)
        try place.notebook.trash.add([try place.notebook.notes.create(NewNote(text: "another")).id])
        _ = try place.notebook.trash.empty()
        #expect(try place.notebook.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note_image") } == 0)
    }

    @Test func `what a killed program had typed is brought back by a clock of ten years before`() throws {
        let place = try Place()
        let row = try place.notebook.notes.create(NewNote(text: "one\n"))
        let typist = try Typist(place.notebook)
        try typist.type("two\n", into: row.id)
        typist.die()
        try place.restart(later: -Self.tenYears)
        #expect(try place.notebook.notes.text(row.id) == "one\ntwo\n")
        let later = try Typist(place.notebook)
        try later.type("three\n", into: row.id)
        later.die()
        try place.restart(later: 0)
        #expect(try place.notebook.notes.text(row.id) == "one\ntwo\nthree\n")
    }
}

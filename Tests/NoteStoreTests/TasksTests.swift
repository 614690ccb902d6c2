import Foundation
import NoteStore
import Testing

/// Tests the open tasks of all notes, and their days.
struct TasksTests {
    @Test(arguments: [("2026-12-01", 2026, 12, 1), ("2024-02-29", 2024, 2, 29), ("0001-01-01", 1, 1, 1)])
    func `a day is read and written alike`(text: String, year: Int, month: Int, day: Int) throws {
        let read = try #require(Day(text))
        #expect(read == Day(year: year, month: month, day: day))
        #expect(read.description == text)
    }

    @Test(arguments: [
        "", "2026-13-01", "2026-02-29", "2026-00-10", "2026-1-1", "2026-12-32", "2026-12-00", "２０２６-12-01",
        "2026-12-01x",
        "-026-12-01", "2026/12/01",
    ])
    func `what is not a day is none`(text: String) {
        #expect(Day(text) == nil)
    }

    @Test func `open tasks of live notes are found with their lines and days`() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-tasks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        let text = """
            # Plans

            - [ ] Call Ana @2026-12-01 about *that*
            - [x] Done @2026-01-01
              - [ ] Nested 世界
            - [ ] @2026-11-30
            - [ ] Mail a@2026-12-02 or @2026-13-01
            - [ ] Pay 📅 2026-12-03 ⏫
            - [ ] Post 🗓️2026-12-04 📅 soon
            ```
            - [ ] only code
            ```
            [ ] no item
            """
        try notebook.notes.create(NewNote(text: text))
        let trashed = try notebook.notes.create(NewNote(text: "- [ ] gone"))
        try notebook.trash.add([trashed.id])
        let tasks = try notebook.tasks.open()
        #expect(
            tasks.map(\.title) == [
                "Call Ana about that", "Nested 世界", "", "Mail a@2026-12-02 or @2026-13-01", "Pay ⏫",
                "Post 📅 soon",
            ])
        #expect(tasks.map(\.line) == [2, 4, 5, 6, 7, 8])
        #expect(
            tasks.map(\.due) == [
                Day("2026-12-01"), nil, Day("2026-11-30"), nil, Day("2026-12-03"), Day("2026-12-04"),
            ])
        #expect(try notebook.tasks.open(limit: 2).count == 2)
        try notebook.close()
    }
}

import Foundation
import NoteStore
import TestSupport
import Testing

@testable import ViewModel

/// Tests long tasks: export, import, the rebuild of the index.
@MainActor
@Suite(.serialized)
struct TaskTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }

    private func path(_ name: String) -> String { fixture.folder.appending(path: name).path }

    /// Starts a task, waits for its end, and returns its report.
    private func report(_ begin: (@escaping @MainActor (TaskReport) -> Void) -> Void) -> TaskReport? {
        var report: TaskReport?
        begin { report = $0 }
        _ = fixture.scheduler.run { report != nil }
        return report
    }

    private func files(in folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix(".md") }.sorted()
    }

    @Test func `chosen notes, a folder, a tag and everything are exported, with count and place`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        let inner = try fixture.notebook.folders.create("Inner", in: home.id)
        let tag = try fixture.notebook.tags.create("books")
        let list = try fixture.add("# Reading list", folder: home.id)
        try fixture.add("# Deep", folder: inner.id)
        try fixture.notebook.tags.add(tag.id, to: [list.id])
        try fixture.add("# Groceries")
        model.start()
        let one = report { model.export(.notes(model.selectedNotes), to: path("one"), finished: $0) }
        #expect(one?.sentence == "1 note exported to \(path("one"))")
        #expect(files(in: path("one")) == ["Inbox/Groceries.md"])
        let folder = try #require(model.container(home.id))
        _ = report { model.export(.container(folder), to: path("folder"), finished: $0) }
        #expect(files(in: path("folder")) == ["Home/Inner/Deep.md", "Home/Reading list.md"])
        _ = report { model.export(.container(tag), to: path("tag"), finished: $0) }
        #expect(files(in: path("tag")) == ["Home/Reading list.md"])
        #expect(
            report { model.export(.everything, to: path("all"), finished: $0) }?.sentence.hasPrefix("3 notes") == true)
        #expect(model.progress == nil)
        #expect(model.notice?.text == "3 notes exported to \(path("all"))")
    }

    @Test func `an import names what it left out, leaves out what is unchanged, and goes into the selected folder`()
        throws
    {
        defer { fixture.close() }
        try FileManager.default.createDirectory(atPath: path("in/sub"), withIntermediateDirectories: true)
        try "# One".write(toFile: path("in/one.md"), atomically: true, encoding: .utf8)
        try "# Two".write(toFile: path("in/sub/two.txt"), atomically: true, encoding: .utf8)
        try Data([0x61, 0xFF, 0x62]).write(to: URL(filePath: path("in/bad.md")))
        model.start()
        model.addFolder("Home")
        #expect(model.importTarget?.name == "Home")
        let first = report { model.importFiles(at: [path("in")], into: model.importTarget, finished: $0) }
        #expect(first?.sentence == "2 notes imported into Home; 1 problem")
        #expect(first?.problems == ["\(path("in/bad.md")): not UTF-8 at byte 1"])
        #expect(model.notice?.kind == .refused)
        #expect(model.noteList[0]?.title == "one")
        #expect(model.containers.contains { $0.name == "sub" })
        let again = report { model.importFiles(at: [path("in")], into: model.importTarget, finished: $0) }
        #expect(again?.sentence == "0 notes imported into Home, 2 unchanged left out; 1 problem")
        // In a container that cannot hold folders, the target is the Inbox and the root.
        model.selectContainer(.trash)
        #expect(model.importTarget == nil)
    }

    @Test func `one thing runs at a time, tells how far it is, and stops between two steps`() throws {
        defer { fixture.close() }
        model.start()
        var report: TaskReport?
        #expect(model.canStopTask == .unavailable("Nothing is running"))
        model.run("Counting", finished: { report = $0 }) { progress in
            var done = 0
            // Progress is shown only at intervals, so it is reported repeatedly.
            while progress(done, 10) {
                done = 1
                usleep(1000)
            }
            return TaskReport("Stopped")
        }
        #expect(model.canBeginTask == .unavailable("Counting is still running"))
        model.rebuildIndex()
        #expect(model.notice?.text == "Counting is still running")
        #expect(fixture.scheduler.run { model.progress?.done == 1 && model.progress?.all == 10 })
        model.stopTask()
        #expect(fixture.scheduler.run { report?.sentence == "Stopped" })
        #expect(model.progress == nil)
    }

    @Test func `a task that fails says why`() throws {
        defer { fixture.close() }
        model.start()
        let failed = report { finished in
            model.run("Exporting", finished: finished) { _ in throw StoreError.diskFull(path: "/x") }
        }
        #expect(failed?.sentence == "Exporting failed: the disk is full; make room and try again (it holds /x)")
    }

    @Test func `the index is rebuilt`() throws {
        defer { fixture.close() }
        try fixture.add("piranesi")
        model.start()
        #expect(report { model.rebuildIndex(finished: $0) }?.sentence == "The index was rebuilt")
        #expect(try fixture.notebook.search.hits("piranesi").count == 1)
    }

    // MARK: Paths

    @Test func `a path is completed as far as the names agree`() {
        let home = [("notes", true), ("novel", true), ("note.md", false), (".hidden", true), ("pic.PNG", false)]
            .map { PathCompletion.Entry($0, isFolder: $1) }
        func complete(_ text: String, _ kind: PathCompletion.Kind = .folders) -> PathCompletion {
            PathCompletion(text, kind, entries: home)
        }
        #expect(PathCompletion.folder(of: "/home/no") == "/home/" && PathCompletion.folder(of: "no") == "./")
        #expect(complete("/home/").candidates == ["/home/notes/", "/home/novel/"])
        #expect(complete("/home/n").common == "/home/no")
        #expect(complete("/home/not", .files(extensions: ["md"])).candidates == ["/home/note.md", "/home/notes/"])
        #expect(complete("/home/p", .files(extensions: ["png"])).candidates == ["/home/pic.PNG"])
        #expect(complete("/home/.h").candidates == ["/home/.hidden/"])
        #expect(complete("/home/x").common == "/home/x")
        #expect(complete("~").candidates == ["~/"])
    }

    @Test func `what a terminal writes for a dropped file is its path`() throws {
        defer { fixture.close() }
        let file = path("my note.md")
        try "x".write(toFile: file, atomically: true, encoding: .utf8)
        let escaped = file.replacing(" ", with: "\\ ")
        let address = URL(filePath: file).absoluteString
        func find(_ text: String) -> String? {
            var found: String??
            fixture.model.findPath(pasted: text) { found = .some($0) }
            _ = fixture.scheduler.run { found != nil }
            return found ?? nil
        }
        for text in [file, "'\(file)'", "\(file)\n", escaped, address] {
            #expect(find(text) == file)
        }
        #expect(find("buy milk") == nil)
        #expect(find("/no/such/file") == nil)
        #expect(find("\(file)\n\(file)") == nil)
    }
}

import FaultInjection
import Foundation
import Testing
import TextEditing

@testable import NoteStore

/// Makes the file system fail at each of its changes in turn.
///
/// Acknowledged changes are in the notebook afterwards, no change is half done, and writing continues as soon as it is
/// possible.
///
/// Runs if `TN_FAULTS` is set, in a separate run (`TN_FAULTS=some swift test --filter FaultTests`), because it replaces
/// the file system of every SQLite connection in the process; `TN_FAULTS=all` tries every change, any other value only
/// some.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["TN_FAULTS"] != nil)) struct FaultTests {
    /// SQLite's result codes (sqlite.org/rescode.html).
    private static let full: Int32 = 13
    private static let readOnly: Int32 = 8
    private static let writeError: Int32 = 778
    private static let syncError: Int32 = 1034

    @Test(arguments: [(full, true), (writeError, false), (syncError, false), (readOnly, true)])
    func `whatever change of a file fails, nothing acknowledged is lost`(code: Int32, lasting: Bool) throws {
        fault_install()
        let template = try Scenario()
        try template.make()
        try template.leave()
        try failEach(code, lasting, atLeast: 100, .copying(template)) { try $0.run() }
    }

    @Test(arguments: [(full, true), (writeError, false), (syncError, false), (readOnly, true)])
    func `whatever change fails while a notebook is made, it can be made afterwards`(
        code: Int32, lasting: Bool
    ) throws {
        fault_install()
        try failEach(code, lasting, atLeast: 10, .new) { try $0.make() }
    }

    @Test func `a notebook without shared memory can be read, and says why it is not written`() throws {
        fault_install()
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let path = folder.path + "/notes.sqlite"
        let made = try Notebook.open(path, mode: .command)
        try made.notes.create(NewNote(text: "from elsewhere"))
        try made.close(checkpointing: true)
        fault_forbid_sharing(1)
        defer { fault_forbid_sharing(0) }
        do throws(StoreError) {
            _ = try Notebook.open(path, mode: .command)
            Issue.record("it was opened")
        } catch {
            #expect(error.sentence.contains("cannot share memory or locks"), "\(error)")
        }
        var options = Notebook.Options()
        options.readsOnFullDisk = true
        let read = try Notebook.open(path, mode: .command, options: options)
        #expect(try read.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title) == ["from elsewhere"])
        try read.close(checkpointing: true)
    }

    @Test func `a log that another machine may be writing stays, where no memory is shared`() throws {
        fault_install()
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let (path, elsewhere) = (folder.path + "/notes.sqlite", folder.path + "/elsewhere.sqlite")
        let made = try Notebook.open(path, mode: .command)
        try made.notes.create(NewNote(text: "in the log"))
        try made.close(checkpointing: false)
        // The connection stays open until the process ends, so a copy stands for the file of another machine.
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: elsewhere + ending)
        }
        let files = ["", "-wal"].map { URL(filePath: elsewhere + $0) }
        let before = try files.map { try Data(contentsOf: $0) }
        fault_forbid_sharing(1)
        defer { fault_forbid_sharing(0) }
        var options = Notebook.Options()
        options.readsOnFullDisk = true
        let read = try Notebook.open(elsewhere, mode: .command, options: options)
        #expect(try read.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title) == ["in the log"])
        #expect(throws: StoreError.readOnly(path: read.path)) { try read.notes.create(NewNote(text: "unseen")) }
        try read.close(checkpointing: true)
        #expect(try files.map { try Data(contentsOf: $0) } == before)
    }

    @Test func `a quota that is used up is not called a broken disk`() throws {
        fault_install()
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let notebook = try Notebook.open(folder.path + "/notes.sqlite")
        fault_set_reason(EDQUOT)
        fault_arm(0, Self.writeError, 1)
        #expect(throws: StoreError.quotaUsedUp(path: notebook.path)) {
            try notebook.notes.create(NewNote(text: "no room"))
        }
        _ = fault_disarm()
        fault_set_reason(0)
        try notebook.notes.create(NewNote(text: "room again"))
        try notebook.close()
    }

    @Test func `a note that could not be synced is in no log, and a later one is not called damage`() throws {
        fault_install()
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let path = folder.path + "/notes.sqlite"
        let notebook = try Notebook.open(path, mode: .command)
        try notebook.notes.create(NewNote(text: "safe"))
        /// Opens the notebook as the next program does if this one is killed now, and returns the titles.
        func titlesAfterKill() throws -> [String] {
            let copy = "\(folder.path)/\(UUID().uuidString).sqlite"
            for ending in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
            }
            let next = try Notebook.open(copy, mode: .command)
            #expect(next.recovered.lostLog == nil)
            let titles = try next.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.title)
            try next.close()
            return titles
        }
        var failures: Int32 = 0
        while failures < 1000 {
            fault_arm(failures, Self.syncError, 0)
            let made = try? notebook.notes.create(NewNote(text: "late"))  // the armed change fails
            _ = fault_disarm()
            if made != nil { break }
            #expect(try titlesAfterKill() == ["safe"], "change \(failures)")
            failures += 1
        }
        #expect(failures > 3)
        #expect(try titlesAfterKill().count == 2)
        try notebook.close()
    }

    private enum Start { case new, copying(Scenario) }

    /// Makes every change of a scenario fail in turn, or only some.
    private func failEach(
        _ code: Int32, _ lasting: Bool, atLeast expected: Int32, _ start: Start, _ body: (Scenario) throws -> Void
    ) throws {
        func scenario() throws -> Scenario {
            guard case .copying(let template) = start else { return try Scenario() }
            return try Scenario(copying: template)
        }
        let unharmed = try scenario()
        fault_arm(-1, 0, 0)
        try body(unharmed)
        let changes = fault_disarm()
        try unharmed.expectIntact("without a fault")
        #expect(changes > expected)
        let isThorough = ProcessInfo.processInfo.environment["TN_FAULTS"] == "all"
        for point in stride(from: Int32(0), to: changes, by: isThorough ? 1 : max(1, Int(changes) / 12)) {
            let scenario = try scenario()
            fault_arm(point, code, lasting ? 1 : 0)
            try body(scenario)
            _ = fault_disarm()
            try scenario.expectIntact("code \(code) at change \(point) of \(changes)")
        }
    }
}

/// One of each operation of a program on its notebook, and a record of the states that may be found afterwards.
private final class Scenario {
    private let folder: URL
    private var notebook: Notebook?
    /// The texts that a note may have; nil means that the note does not exist.
    private var allowed: [NoteID: Set<String?>] = [:]
    private var (apples, pears, plums) = (NoteID(), NoteID(), NoteID())

    private var path: String { folder.path + "/notes.sqlite" }

    /// A folder in memory if the system has one, so that the test does not wait for a disk.
    private static let room: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return isThere ? memory : FileManager.default.temporaryDirectory
    }()

    /// Continues from the files of another scenario, which has closed its notebook.
    convenience init(copying other: Scenario) throws {
        try self.init()
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: other.path + ending) {
            try FileManager.default.copyItem(atPath: other.path + ending, toPath: path + ending)
        }
        (apples, pears, plums, allowed) = (other.apples, other.pears, other.plums, other.allowed)
    }

    init() throws {
        folder = Self.room.appending(path: "faulty-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "files"), withIntermediateDirectories: true)
        for name in ["a", "b", "c"] {
            try Data("# \(name)\n\n[[b]]".utf8).write(to: folder.appending(path: "files/\(name).md"))
        }
    }

    deinit {
        // The system removes leftovers.
        try? notebook?.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a step; a step that fails may have been done or not.
    private func step(_ note: NoteID? = nil, becomes text: String? = nil, _ body: (Notebook) throws -> Void) throws {
        if let note { allowed[note, default: [nil]].insert(text) }
        do {
            if notebook == nil { notebook = try Notebook.open(path) }
            guard let notebook else { return }
            try body(notebook)
            if let note { allowed[note] = [text] }
        } catch is StoreError {
            // Like the program, which reports the error and continues.
        }
    }

    private func save(_ note: NoteID, _ text: String, _ scope: SaveScope) throws {
        try step(note, becomes: text) { notebook in
            guard let row = try notebook.notes.row(note) else { throw StoreError.noSuchNote(note) }
            _ = try notebook.notes.save(note, text: text, baseRevision: row.revision, scope: scope)
        }
    }

    /// Creates a notebook with a note.
    func make() throws {
        try step(apples, becomes: "apples") { try $0.notes.create(NewNote(text: "apples", id: self.apples)) }
    }

    func leave() throws {
        try notebook?.close()
        notebook = nil
    }

    func run() throws {
        let long = String(repeating: "many words of many kinds ", count: 200)
        try step(pears, becomes: "pears") { try $0.notes.create(NewNote(text: "pears", id: self.pears)) }
        try save(apples, "apples and " + long, .whole)
        try save(apples, "apples in the middle of " + long, .text)
        try step { _ = try $0.search.hits("middle") }
        try save(apples, "apples at the end of " + long, .whole)
        try step { notebook in
            let folder = try notebook.folders.create("Fruit")
            try notebook.notes.move([self.pears], to: folder.id)
            try notebook.tags.add(notebook.tags.create("sweet").id, to: [self.pears])
            try notebook.containers.delete([folder.id])
        }
        try step { _ = try $0.actions.undo() }
        try step { try $0.versions.keep(of: self.apples) }
        try step(plums, becomes: "plums") { try $0.notes.create(NewNote(text: "plums", id: self.plums)) }
        try step { try $0.trash.add([self.plums]) }
        try step(plums, becomes: nil) { try $0.trash.deleteForever([self.plums]) }
        try step { _ = try $0.transfer.importFiles(ImportPlan(paths: [self.folder.path + "/files"])) }
        try step { notebook in
            let journal = try notebook.journal.open()
            let edit = Edit(Edit.Replacement(start: ByteOffset(0), removed: "", inserted: "x"))
            journal.record(edit, of: self.pears, revision: 1, base: TextBuffer("pears"))
            try journal.write { _ in nil }
            if let position = journal.position(of: self.pears) {
                journal.saved(self.pears, through: position, revision: 2)
            }
            journal.close()
        }
    }

    func expectIntact(_ comment: Comment) throws {
        // The same program continues.
        let last = NoteID()
        if let notebook { try notebook.notes.create(NewNote(text: "after", id: last)) }
        try notebook?.close()
        let reopened = try Notebook.open(path)
        notebook = reopened
        if allowed.isEmpty == false, try reopened.notes.row(last) == nil {
            try reopened.notes.create(NewNote(text: "after", id: last))
        }
        #expect(try reopened.notes.text(last) == "after", comment)
        for (note, texts) in allowed {
            let found = try reopened.notes.text(note)
            let isAllowed = texts.contains(found)
            #expect(isAllowed, "\(comment): \(found?.prefix(40) ?? "gone")")
        }
        try reopened.care.maintain()
        #expect(try reopened.care.check() == [], comment)
    }
}

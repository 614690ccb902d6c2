import Foundation
import GRDB
import Load
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

/// A scenario on a recorded disk, with the moments of its promises.
final class PowerScene {
    let disk: RecordedDisk
    private(set) var options = Notebook.Options()
    private let turnstile = Turnstile()
    private let clock = TestClock()
    /// The number of changes at the time of each promise.
    private var promises: [String: Int] = [:]

    var path: String { disk.folder.path + "/notes.sqlite" }

    init(disk: RecordedDisk) {
        self.disk = disk
        options.now = clock.now
        options.journalDisk = turnstile.disk
    }

    deinit { turnstile.open() }

    func open() throws -> Notebook { try Notebook.open(path, options: options) }

    /// Prepares a notebook before the recording.
    func prepare(_ body: (Notebook) throws -> Void) throws {
        let notebook = try open()
        try body(notebook)
        try notebook.close()
    }

    /// Requires that a condition is true after any later power cut.
    func promise(_ what: String) { promises[what] = disk.count }

    func isPromised(_ what: String, at cut: Int) -> Bool { cut >= promises[what] ?? .max }

    /// Lets the thread that syncs the journal do so once, and waits for it.
    ///
    /// The thread does it at no other time, so that the record is the same in each run. The wait is long, since other
    /// tests use the disk too.
    ///
    /// - Parameter isFirst: whether it is the journal's first sync, after which its parent folders are synced.
    func syncJournal(isFirst: Bool = false) throws {
        let start = disk.count
        turnstile.pass()
        let paths = [".journal"] + (isFirst ? ["/sessions", "/disk"] : [])
        try waitUntil { disk.hasSynced(paths, since: start) }
    }
}

/// Holds a journal's syncs back until they are requested.
private final class Turnstile: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Atomic(false)

    func pass() { semaphore.signal() }

    func open() {
        isOpen.store(true, ordering: .relaxed)
        semaphore.signal()
    }

    var disk: JournalDisk {
        var disk = JournalDisk.system
        disk.sync = { [self] file throws(Errno) in
            if !isOpen.load(ordering: .relaxed) { semaphore.wait() }
            // A sync after the end wakes the next one.
            if isOpen.load(ordering: .relaxed) { semaphore.signal() }
            try file.sync()
        }
        return disk
    }
}

/// The disk after a power cut.
struct Aftermath {
    let folder: URL
    let cut: Int
    let scene: PowerScene
    /// A description of the cut.
    let comment: String

    var path: String { folder.path + "/notes.sqlite" }

    func isPromised(_ what: String) -> Bool { scene.isPromised(what, at: cut) }

    func expect(_ condition: Bool, _ rule: String) {
        #expect(condition, "\(rule): \(comment)")
    }

    /// Opens the notebook as the next program does, and expects that all its rules hold.
    func open(_ body: (Notebook) throws -> Void) throws {
        try open(path, body)
    }

    func open(_ path: String, _ body: (Notebook) throws -> Void) throws {
        let notebook = try Notebook.open(path, mode: .command)
        expect(notebook.recovered.problem == nil, "\(String(describing: notebook.recovered.problem))")
        let problems = try notebook.care.check()
        expect(problems.isEmpty, "\(problems)")
        try body(notebook)
        try notebook.close(checkpointing: true)
    }

    /// Returns the texts of all notes in each of the readable backups.
    func backups(in folder: String = "backups") throws -> [Set<String>] {
        let folder = self.folder.appending(path: folder)
        // A missing folder means that there are no backups.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }.compactMap { name in
            try? Self.texts(of: folder.path + "/" + name)  // an unreadable one does not count
        }
    }

    /// Returns the texts of all notes of a file, which is checked first.
    private static func texts(of path: String) throws -> Set<String> {
        try Notebook.Backups.verify(path)
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        return try file.read { try Set(String.fetchAll($0, sql: "SELECT text FROM note_text")) }
    }
}

extension Notebook {
    /// Returns the texts of all notes, in any place.
    func allTexts() throws -> Set<String> {
        try read { try Set(String.fetchAll($0, sql: "SELECT text FROM note_text")) }
    }
}

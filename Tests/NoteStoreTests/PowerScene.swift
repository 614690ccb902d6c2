import Foundation
import GRDB
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

/// A scenario on a recorded disk, with the moments from which on something was promised.
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

    /// A notebook that is made before the recording.
    func prepare(_ body: (Notebook) throws -> Void) throws {
        let notebook = try open()
        try body(notebook)
        try notebook.close()
    }

    /// From now on this must be true after a power cut.
    func promise(_ what: String) { promises[what] = disk.count }

    func isPromised(_ what: String, at cut: Int) -> Bool { cut >= promises[what] ?? .max }

    /// Lets the thread that syncs the journal do it once, and returns when it has done so.
    ///
    /// It never does it at another time, so that the record is the same in each run. It waits up to a minute, since
    /// other tests use the disk too.
    ///
    /// - Parameter isFirst: whether it is the journal's first sync, which the folders that lead to it follow.
    func syncJournal(isFirst: Bool = false) throws {
        let start = disk.count
        turnstile.pass()
        let end = Date().addingTimeInterval(900)
        while !disk.hasSynced([".journal"] + (isFirst ? ["/sessions", "/disk"] : []), since: start) {
            guard Date() < end else { throw Errno.timedOut }
            usleep(2000)
        }
    }
}

/// Holds a journal's syncs back until they are asked for.
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
            // One that comes after the end wakes the next.
            if isOpen.load(ordering: .relaxed) { semaphore.signal() }
            try file.sync()
        }
        return disk
    }
}

/// The disk after a power cut.
struct Aftermath {
    let place: URL
    let cut: Int
    let scene: PowerScene
    /// Which cut it was.
    let comment: String

    var path: String { place.path + "/notes.sqlite" }

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

    /// The texts of all notes in each of the backups that can be read.
    func backups(in folder: String = "backups") throws -> [Set<String>] {
        let folder = place.appending(path: folder)
        // No folder yet: no backup.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }.compactMap { name in
            try? Self.texts(of: folder.path + "/" + name)  // one that cannot be read counts as none
        }
    }

    /// The texts of all notes of a file, which is checked first.
    private static func texts(of path: String) throws -> Set<String> {
        try Notebook.Backups.verify(path)
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        return try file.read { try Set(String.fetchAll($0, sql: "SELECT text FROM note_text")) }
    }
}

extension Notebook {
    /// The texts of all notes, wherever they are.
    func allTexts() throws -> Set<String> {
        try read { try Set(String.fetchAll($0, sql: "SELECT text FROM note_text")) }
    }
}

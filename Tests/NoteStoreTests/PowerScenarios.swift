import Foundation
import GRDB
import Testing

@testable import NoteStore

/// The actions of a program until the power is cut, and the conditions that the disk must meet afterwards.
struct PowerScenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The approximate number of cuts in the usual run, besides those near a change of a name.
    var cuts = 15
    /// The number of states of the disk that are tried for a cut after a change of a name.
    var trials = 2
    /// Whether the disk after a cut is laid out at its recorded path, for state that contains absolute paths.
    var isInPlace = false
    /// Performs the actions, and returns a check of the disk after a cut.
    let play: @Sendable (PowerScene) throws -> (Aftermath) throws -> Void

    static let all =
        [
            making, typing, recovering, importing, emptyingTrash, restoring, restoringMissing, restoringDamaged,
            migrating,
        ] + transfers

    private static let (apples, pears) = (
        NoteID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0))),
        NoteID(UUID(uuid: (2, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)))
    )

    // MARK: - Making

    private static let making = PowerScenario(testDescription: "make a notebook in folders that are missing") { scene in
        try scene.disk.record {
            let path = scene.disk.folder.path + "/some/where/notes.sqlite"
            let notebook = try Notebook.open(path, options: scene.options)
            try notebook.notes.create(NewNote(text: "apples", id: apples))
            scene.promise("made")
            try notebook.close()
        }
        return { found in
            try found.open(found.folder.path + "/some/where/notes.sqlite") { notebook in
                let text = try notebook.notes.text(apples)
                found.expect(text == "apples" || text == nil && !found.isPromised("made"), "the first note is there")
            }
        }
    }

    // MARK: - Typing

    private static let typing = PowerScenario(testDescription: "type, save and leave", cuts: 30) { scene in
        let screen = ScreenHistory()
        try scene.prepare { try $0.notes.create(NewNote(text: "begun\n", id: apples)) }
        try scene.disk.record {
            let notebook = try scene.open()
            let typist = try Typist(notebook)
            screen.show("begun\n", of: apples, at: scene)
            screen.keep(apples, at: scene)
            for word in 0..<12 {
                try typist.type("word\(word) ", into: apples)
                screen.show(typist.screen(apples), of: apples, at: scene)
                switch word % 4 {
                case 1:
                    try typist.save(apples)
                    screen.keep(apples, at: scene)
                    if word > 6 { typist.leave(apples) }
                case 3:
                    try scene.syncJournal(isFirst: word == 3)
                    screen.keep(apples, at: scene)
                default: break
                }
            }
            typist.die()
            try notebook.close()
        }
        return { found in
            try found.open { notebook in
                try screen.expectKept(in: notebook, found)
                try screen.expectOnce(in: notebook, found)
            }
        }
    }

    private static let recovering = PowerScenario(
        testDescription: "empty the journal, die, replay it at the next start and go on", cuts: 30
    ) { scene in
        let screen = ScreenHistory()
        try scene.prepare { notebook in
            try notebook.notes.create(NewNote(text: "apples ", id: apples))
            try notebook.notes.create(NewNote(text: "pears ", id: pears))
        }
        try scene.disk.record {
            let dying = try scene.open()
            var typist = try Typist(dying)
            func type(_ text: String, into note: NoteID) throws {
                try typist.type(text, into: note)
                screen.show(typist.screen(note), of: note, at: scene)
            }
            func save(_ note: NoteID) throws {
                try typist.save(note)
                screen.keep(note, at: scene)
            }
            for (note, text) in [(apples, "apples "), (pears, "pears ")] {
                screen.show(text, of: note, at: scene)
                screen.keep(note, at: scene)
            }
            try type("red ", into: apples)
            try scene.syncJournal(isFirst: true)
            screen.keep(apples, at: scene)
            try save(apples)
            // The journal is emptied, and starts again in the same file.
            typist.leave(apples)
            try type("green ", into: pears)
            try type("sour ", into: apples)
            try scene.syncJournal()
            for note in [apples, pears] { screen.keep(note, at: scene) }
            try type("ripe ", into: pears)
            typist.die()
            try dying.close(checkpointing: false)
            let next = try scene.open()
            // The text on the screen is in the notebook.
            for note in [apples, pears] { screen.keep(note, at: scene) }
            // The following saves are made like commands, which have no journal.
            for (note, text) in [(apples, "apples sour "), (pears, "pears ")] {
                let row = try #require(try next.notes.row(note))
                screen.show(text, of: note, at: scene)
                _ = try next.notes.save(note, text: text, baseRevision: row.revision)
                screen.keep(note, at: scene)
            }
            try next.close()
        }
        return { found in
            try found.open { notebook in
                try screen.expectKept(in: notebook, found)
                try screen.expectOnce(in: notebook, found)
            }
        }
    }

    // MARK: - Importing

    private static let importing = PowerScenario(testDescription: "import a folder of files") { scene in
        let source = FileManager.default.temporaryDirectory.appending(path: "tn-power-import-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: source) }  // the system removes leftovers
        try FileManager.default.createDirectory(
            at: source.appending(path: "Fruit"), withIntermediateDirectories: true)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
        let files: [(String, [UInt8])] = [
            ("Apples.md", Array("apples [[Pears]] ![dot](dot.png)".utf8)),
            ("Fruit/Pears.md", Array("pears #ripe".utf8)),
            ("Fruit/Plums.txt", Array("plums [a](../Apples.md)".utf8)), ("dot.png", png),
        ]
        for (name, bytes) in files { try Data(bytes).write(to: source.appending(path: name)) }
        try scene.prepare { try $0.notes.create(NewNote(text: "was there", id: apples)) }
        try scene.disk.record {
            let notebook = try scene.open()
            let result = try notebook.transfer.importFiles(ImportPlan(paths: [source.path]))
            scene.promise("imported")
            #expect(result.noteImportCount == 3 && result.imageCount == 1, "\(result)")
            try notebook.close()
        }
        return { found in
            try found.open { notebook in
                found.expect(try notebook.notes.text(apples) == "was there", "the rest stays")
                let texts = try notebook.allTexts().subtracting(["was there"])
                let starts = Set(texts.map { $0.prefix(5) })
                found.expect(starts.isEmpty || starts == ["apple", "pears", "plums"], "all files or none: \(texts)")
                let linked = texts.count { $0.contains("takenote://") }
                found.expect(linked == 0 || linked == 2, "all links lead to notes or none does: \(texts)")
                let isWhole = linked == 2 && texts.contains { $0.contains("takenote://image/") }
                found.expect(isWhole || !found.isPromised("imported"), "the import is there: \(texts)")
            }
        }
    }

    // MARK: - Backups

    private static let emptyingTrash = PowerScenario(testDescription: "empty the Trash") { scene in
        let trashed: Set = ["in the Trash", "in the Trash, too"]
        try scene.prepare { notebook in
            try notebook.notes.create(NewNote(text: "stays", id: apples))
            let rows = try trashed.sorted().map { try notebook.notes.create(NewNote(text: $0)) }
            try notebook.trash.add(rows.map(\.id))
        }
        try scene.disk.record {
            let notebook = try scene.open()
            try notebook.trash.empty()
            scene.promise("emptied")
            try notebook.close()
        }
        return { found in
            let isKept = try found.backups().contains { $0.isSuperset(of: trashed) }
            try found.open { notebook in
                let left = try notebook.allTexts().subtracting(["stays"])
                found.expect(try notebook.notes.text(apples) == "stays", "the rest stays")
                found.expect(left.isEmpty || left == trashed, "all is gone or nothing: \(left)")
                found.expect(isKept || left == trashed, "what is gone is in a backup")
                found.expect(!found.isPromised("emptied") || left.isEmpty && isKept, "the Trash is empty")
            }
        }
    }

    private static let restoring = PowerScenario(testDescription: "make a backup and restore it") { scene in
        try scene.prepare { try $0.notes.create(NewNote(text: "first", id: apples)) }
        try scene.disk.record {
            let notebook = try scene.open()
            let backup = try notebook.backups.create(.byHand)
            scene.promise("backup")
            _ = try notebook.notes.save(apples, text: "second", baseRevision: 1)
            scene.promise("saved")
            try notebook.close()
            try Notebook.Backups.restore(backup.path, to: scene.path)
            scene.promise("restored")
            let restored = try scene.open()
            try restored.notes.create(NewNote(text: "third", id: pears))
            scene.promise("gone on")
            try restored.close()
        }
        return { found in
            let backups = try found.backups()
            found.expect(backups.contains(["first"]) || !found.isPromised("backup"), "the backup is there")
            try found.open { notebook in
                let text = try notebook.notes.text(apples)
                let isSaved = backups.contains(["second"])
                found.expect(text == "first" || text == "second" && !found.isPromised("restored"), "it is restored")
                found.expect(
                    text == "second" || isSaved || !found.isPromised("saved"), "what was replaced is in a backup")
                let next = try notebook.notes.text(pears)
                found.expect(next == "third" || next == nil && !found.isPromised("gone on"), "writing goes on")
            }
        }
    }

    /// Leaves a backup of a note `kept`, and a log of another notebook, or of the same with a damaged file.
    private static func backUp(_ scene: PowerScene, damaging damaged: Data? = nil) throws -> String {
        var backup = ""
        try scene.prepare { notebook in
            try notebook.notes.create(NewNote(text: "kept", id: apples))
            backup = try notebook.backups.create(.byHand).path
        }
        // A command that moves its log into the file leaves none.
        try Notebook.open(scene.path, mode: .command).close(checkpointing: true)
        if damaged == nil { try FileManager.default.removeItem(atPath: scene.path) }
        let later = try scene.open()
        // The log contains a whole notebook, or a few pages of one.
        if damaged == nil { try later.notes.create(NewNote(text: "in the log")) }
        try later.settings.set("key", "in the log")
        let log = try Data(contentsOf: URL(filePath: scene.path + "-wal"))
        try later.close()
        try FileManager.default.removeItem(atPath: scene.path)
        try damaged?.write(to: URL(filePath: scene.path))
        try log.write(to: URL(filePath: scene.path + "-wal"))
        return backup
    }

    private static let restoringMissing = PowerScenario(
        testDescription: "restore a backup where only the log of a notebook is left", trials: 10
    ) { scene in
        let backup = try backUp(scene)
        try scene.disk.record {
            try Notebook.Backups.restore(backup, to: scene.path)
            scene.promise("restored")
        }
        return { found in
            found.expect(try found.backups().contains(["kept"]), "the backup stays")
            let isThere = DiskFile.exists(found.path)
            found.expect(isThere || !found.isPromised("restored"), "the notebook is there")
            guard isThere else { return }
            try found.open { found.expect(try $0.allTexts() == ["kept"], "it has the backup's notes") }
        }
    }

    private static let restoringDamaged = PowerScenario(
        testDescription: "restore a backup over a damaged file that has a log", trials: 10
    ) { scene in
        let damaged = Data(repeating: 0xAA, count: 200_000)
        let backup = try backUp(scene, damaging: damaged)
        try scene.disk.record {
            let kept = try Notebook.Backups.restore(backup, to: scene.path)
            scene.promise("restored")
            #expect(kept != nil)
        }
        return { found in
            found.expect(try found.backups().contains(["kept"]), "the backup stays")
            let files = try FileManager.default.contentsOfDirectory(atPath: found.folder.path)
            let isKept = try files.contains { name in
                guard name.hasPrefix("notes.sqlite") else { return false }
                return try Data(contentsOf: found.folder.appending(path: name)) == damaged
            }
            found.expect(isKept, "the damaged file stays under some name")
            found.expect(files.contains { $0.hasSuffix("-wal") }, "its log stays")
            let isDamaged = try Data(contentsOf: URL(filePath: found.path)) == damaged
            found.expect(!isDamaged || !found.isPromised("restored"), "the backup is restored")
            if isDamaged { return }
            try found.open { found.expect(try $0.allTexts() == ["kept"], "it has the backup's notes") }
        }
    }

    // MARK: - Migrating

    private static let migrating = PowerScenario(testDescription: "open a notebook of the first version") { scene in
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sql = try String(contentsOf: tests.appending(path: "Notebooks/schema-1.sql"), encoding: .utf8)
        let file = try DatabaseQueue(path: scene.path)
        try file.writeWithoutTransaction { try $0.execute(sql: sql) }
        let texts = try file.read { try Set(String.fetchAll($0, sql: "SELECT text FROM note_text")) }
        try file.close()
        try scene.disk.record {
            let notebook = try scene.open()
            scene.promise("migrated")
            try notebook.notes.create(NewNote(text: "new", id: apples))
            scene.promise("gone on")
            try notebook.close()
        }
        return { found in
            let file = try DatabaseQueue(path: found.path)
            let version = try file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try file.close()
            found.expect((1...Schema.version).contains(version), "the version is one of ours: \(version)")
            found.expect(version == Schema.version || !found.isPromised("migrated"), "it is migrated")
            found.expect(try version == 1 || found.backups().contains(texts), "a migrated notebook has its backup")
            try found.open { notebook in
                found.expect(try notebook.allTexts().isSuperset(of: texts), "all notes are there")
                let next = try notebook.notes.text(apples)
                found.expect(next == "new" || next == nil && !found.isPromised("gone on"), "writing goes on")
            }
        }
    }
}

/// The texts that were on the screen, with words typed once each, and the moments since which they must survive a power
/// cut.
private final class ScreenHistory: @unchecked Sendable {
    private var texts: [NoteID: [String]] = [:]
    private var floors: [NoteID: [(state: Int, since: Int)]] = [:]

    func show(_ text: String, of note: NoteID, at scene: PowerScene) { texts[note, default: []].append(text) }

    /// Requires from now on that the note has the last shown text, or a later one.
    func keep(_ note: NoteID, at scene: PowerScene) {
        floors[note, default: []].append((state: (texts[note]?.count ?? 0) - 1, since: scene.disk.count))
    }

    func expectKept(in notebook: Notebook, _ found: Aftermath) throws {
        for (note, all) in texts {
            let floor = floors[note]?.last { $0.since <= found.cut }?.state ?? 0
            let text = try notebook.notes.text(note)
            found.expect(all[floor...].contains { $0 == text }, "\(text ?? "gone") is not older than \(all[floor])")
        }
    }

    /// Expects that no word is in the notebook twice, although pieces of texts may have become separate notes.
    func expectOnce(in notebook: Notebook, _ found: Aftermath) throws {
        let words = try notebook.allTexts().flatMap { $0.split(whereSeparator: \.isWhitespace) }
        found.expect(Set(words).count == words.count, "no word is there twice: \(words)")
    }
}

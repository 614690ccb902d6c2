import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Scenarios in which the notebook and files beside it change together.
extension PowerScenario {
    static let transfers = [mirroring, exporting, repairing, repairingDamaged, synchronizing]

    private static func note(_ number: UInt8) -> NoteID {
        NoteID(UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)))
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// The Markdown files below a folder, by their names.
    private static func files(_ folder: String) throws -> [String: String] {
        // A missing folder has no files.
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return Dictionary(
            try paths.filter { $0.hasSuffix(".md") }.map { path in
                let name = path.split(separator: "/").last.map(String.init) ?? path
                return (name, String(decoding: try Data(contentsOf: URL(filePath: folder + "/" + path)), as: UTF8.self))
            }
        ) { first, second in first + second }
    }

    // MARK: - Mirror

    /// Both sides have changed since the last round; after the next one each line is on both sides once.
    private static let mirroring = PowerScenario(
        testDescription: "mirror a notebook in a folder", cuts: 30, isInPlace: true
    ) { scene in
        let out = scene.disk.folder.path + "/out"
        try scene.prepare { notebook in
            let home = try notebook.folders.create("Home")
            for (number, text) in [(1, "apples"), (2, "pears"), (3, "plums"), (4, "quinces")] as [(UInt8, String)] {
                try notebook.notes.create(NewNote(text: text, folder: home.id, id: note(number)))
            }
            _ = try notebook.transfer.mirror(at: out)
            _ = try notebook.notes.save(note(1), text: "apples\nred", baseRevision: 1)
            try notebook.notes.setTitle(note(3), "Damsons")
            try notebook.notes.create(NewNote(text: "cherries", folder: home.id, id: note(5)))
        }
        try write("pears\ngreen", to: out + "/Home/pears.md")
        try write("medlars", to: out + "/Home/medlars.md")
        try scene.disk.record {
            let notebook = try scene.open()
            _ = try notebook.transfer.mirror(at: out)
            scene.promise("mirrored")
            try notebook.close()
        }
        let texts = ["apples\nred", "cherries", "medlars", "pears\ngreen", "plums", "quinces"]
        return { found in
            try found.open { notebook in
                var options = MirrorOptions()
                options.meansIt = true
                let report = try notebook.transfer.mirror(at: out, options)
                found.expect(report.trashed.isEmpty, "no note goes to the Trash: \(report)")
                found.expect(!found.isPromised("mirrored") || report.taken.isEmpty, "nothing is taken twice: \(report)")
                found.expect(try notebook.transfer.mirror(at: out).isIdle, "the next round has nothing to do")
                let live = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 100).map { row in
                    try notebook.notes.text(row.id) ?? ""
                }.sorted()
                found.expect(live == texts, "every line is in the notebook: \(live)")
                found.expect(try files(out).values.sorted() == texts, "and in the folder: \(try files(out))")
            }
        }
    }

    // MARK: - Export

    /// An export is not synced, so a power cut may take its files; those of others stay, and so does the notebook.
    private static let exporting = PowerScenario(
        testDescription: "bring an export up to date", isInPlace: true
    ) { scene in
        let out = scene.disk.folder.path + "/out"
        let old = ["apples", "pears"]
        try scene.prepare { notebook in
            for (number, text) in old.enumerated() {
                try notebook.notes.create(NewNote(text: text, id: note(UInt8(number + 1))))
            }
            _ = try notebook.transfer.export(to: out)
            _ = try notebook.notes.save(note(1), text: "apples\nred", baseRevision: 1)
            try notebook.notes.create(NewNote(text: "plums", id: note(3)))
        }
        try write("mine", to: out + "/own.txt")
        try write("mine", to: out + "/Inbox/own.md")
        try scene.disk.record {
            let notebook = try scene.open()
            _ = try notebook.transfer.export(to: out)
            try notebook.close()
        }
        return { found in
            try found.open { notebook in
                let again = try notebook.transfer.export(to: out)
                let texts = Set(try notebook.allTexts())
                found.expect(texts == ["apples\nred", "pears", "plums"], "the notebook is as it was: \(texts)")
                let there = try files(out)
                found.expect(there["pears.md"] == "pears" && there["own.md"] == "mine", "the rest stays: \(there)")
                let own = FileManager.default.contents(atPath: out + "/own.txt")
                found.expect(own == Data("mine".utf8), "a file of others stays")
                // A file that the power cut left incomplete looks like a file of others: it is reported and not
                // replaced.
                let told = Set(again.problems.map { $0.path.split(separator: "/").last.map(String.init) ?? "" })
                for (name, text) in [("apples.md", "apples\nred"), ("plums.md", "plums")] where !told.contains(name) {
                    found.expect(there[name] == text, "\(name) is whole or told: \(there), \(again)")
                }
            }
        }
    }

    // MARK: - Repair

    private static let repairing = PowerScenario(testDescription: "repair what is derived from the texts") { scene in
        try scene.prepare { notebook in
            try notebook.notes.create(NewNote(text: "apples [[pears]]", id: note(1)))
            try notebook.notes.create(NewNote(text: "pears #ripe", id: note(2)))
        }
        let queue = try DatabaseQueue(path: scene.path)
        try queue.write { db in
            try db.execute(
                sql: "DELETE FROM note_link; DELETE FROM listing; INSERT INTO search (search) VALUES ('delete-all')")
        }
        try queue.close()
        try scene.disk.record {
            let notebook = try scene.open()
            _ = try notebook.care.repair()
            scene.promise("repaired")
            try notebook.close()
        }
        return { found in
            let notebook = try Notebook.open(found.path, mode: .command)
            let problems = try notebook.care.check()
            found.expect(problems.isEmpty || !found.isPromised("repaired"), "it is repaired: \(problems)")
            let report = try notebook.care.repair()
            found.expect(report.left.isEmpty, "it can be repaired: \(report)")
            found.expect(try notebook.allTexts() == ["apples [[pears]]", "pears #ripe"], "the texts are there")
            found.expect(try notebook.search.hits("pears").count == 2, "they are found")
            try notebook.close()
        }
    }

    private static let repairingDamaged = PowerScenario(
        testDescription: "replace a damaged file by what is readable in it", trials: 6
    ) { scene in
        let texts = Set((0..<20).map { "text \($0) " + String(repeating: "word ", count: 400) })
        try scene.prepare { notebook in
            for text in texts.sorted() { try notebook.notes.create(NewNote(text: text)) }
        }
        try Notebook.open(scene.path, mode: .command).close(checkpointing: true)
        var bytes = try Data(contentsOf: URL(filePath: scene.path))
        bytes.replaceSubrange(0..<100, with: Data(count: 100))
        try bytes.write(to: URL(filePath: scene.path))
        try scene.disk.record {
            _ = try Notebook.Care.repairDamaged(scene.path)
            scene.promise("repaired")
        }
        return { found in
            found.expect(DiskFile.exists(found.path), "there is a file")
            do {
                try Notebook.open(found.path, mode: .command).close()
            } catch {
                found.expect(!found.isPromised("repaired"), "it is repaired")
                _ = try Notebook.Care.repairDamaged(found.path)
            }
            try found.open { found.expect(try $0.allTexts() == texts, "all texts are there") }
        }
    }

    // MARK: - Synchronisation

    /// Each difference from the commit that the notebook names is marked, so that the next round comes to the same end.
    private static let synchronizing = PowerScenario(testDescription: "write what another machine has sent") { scene in
        var before = SyncSnapshot()
        try scene.prepare { notebook in
            try notebook.sync.turnOn(url: "/nowhere")
            for (number, text) in [(1, "apples"), (2, "pears")] as [(UInt8, String)] {
                try notebook.notes.create(NewNote(text: text, id: note(number)))
            }
            before = try notebook.sync.snapshot(all: true)
            try notebook.sync.finish(SyncStep(head: "H", seq: before.seq))
            _ = try notebook.notes.save(note(2), text: "pears of mine", baseRevision: 1)
        }
        let apples = try #require(before.notes[note(1)])
        try scene.disk.record {
            let notebook = try scene.open()
            let read = try notebook.sync.snapshot()
            var update = SyncUpdate()
            (update.seq, update.changesContainers) = (read.seq, false)
            var new = apples
            (new.text, new.updated) = ("apples from afar", apples.updated + 1)
            (new.title, new.defaultTitle) = (new.text, new.text)
            update.notes[note(1)] = SyncUpdate.Change(old: apples, new: new)
            let plums = SyncNote(title: "plums", defaultTitle: "plums", text: "plums")
            update.notes[note(3)] = SyncUpdate.Change(old: nil, new: plums)
            let isDone = try notebook.sync.apply(
                update, images: { _ in nil }, files: { _ in nil }, merging: { id, _, _, wanted in [(id, wanted)] })
            #expect(isDone)
            try notebook.sync.finish(SyncStep(head: "R", seq: read.seq))
            scene.promise("synchronised")
            try notebook.close()
        }
        return { found in
            try found.open { notebook in
                let head = try notebook.settings.value(Notebook.Sync.Key.head)
                let marked = try notebook.sync.snapshot().changed
                let (first, third) = (try notebook.notes.text(note(1)), try notebook.notes.text(note(3)))
                found.expect(head == "H" && !found.isPromised("synchronised") || head == "R", "head \(head ?? "")")
                found.expect(try notebook.notes.text(note(2)) == "pears of mine", "what was typed here is there")
                found.expect(["apples", "apples from afar"].contains(first), "a note is old or new")
                if head == "R" {
                    found.expect(first == "apples from afar" && third == "plums", "all was written")
                    found.expect(marked.isEmpty, "nothing is left to send: \(marked)")
                } else {
                    func isMarked(_ id: NoteID) -> Bool { marked.contains(SyncID(.note, id.uuid)) }
                    found.expect(isMarked(note(2)), "what was typed here is marked")
                    found.expect(first == "apples" || isMarked(note(1)), "what came is marked")
                    found.expect(third == nil || isMarked(note(3)), "what came new is marked")
                }
            }
        }
    }
}

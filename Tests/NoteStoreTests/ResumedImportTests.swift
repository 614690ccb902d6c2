import Foundation
import Synchronization
import Testing

@testable import NoteStore

/// Tests that an import which was stopped or killed is finished by the next one of the same files.
@Suite struct ResumedImportTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let folder: String

    init() throws {
        test = try TestNotebook()
        folder = test.folder.path + "/files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try TransferTests.png.write(to: URL(filePath: folder + "/p.png"))
        try Data("[b](b.md) ![p](p.png)".utf8).write(to: URL(filePath: folder + "/a.md"))
        try Data("[a](a.md)".utf8).write(to: URL(filePath: folder + "/b.md"))
    }

    private func text(_ title: String) throws -> String? {
        try notebook.notes.text(notebook.notes.resolve(reference: title).id)
    }

    private func take() throws -> ImportResult {
        let source = try #require(try ImportSource.sources([folder]).first)
        return try notebook.transfer.importFiles(source, ImportOptions(skipsUnchanged: true))
    }

    private func expectWhole() throws {
        let (a, b) = (try notebook.notes.resolve(reference: "a"), try notebook.notes.resolve(reference: "b"))
        let image = try #require(try notebook.images.all(of: a.id).first)
        #expect(try text("a") == "[b](\(b.getURL())) ![p](\(image.getURL()))")
        #expect(try text("b") == "[a](\(a.getURL()))")
        #expect(try notebook.settings.value(ImportRun.unfinishedKey) == nil)
        try test.expectSound()
    }

    /// Makes the notes of the first files, as an import does before it is killed.
    private func begin(_ count: Int) throws -> ImportRun {
        let source = try #require(try ImportSource.sources([folder]).first)
        let run = ImportRun(
            notebook: notebook, source.format, ImportOptions(skipsUnchanged: true), ImportRecord())
        try run.begin()
        var reader = ImportReader(source.format, known: [:], notebook.termCache)
        let batch = reader.next()
        var outcomes = try #require(batch).outcomes.prefix(count)
        while !outcomes.isEmpty { try run.importBatch(of: &outcomes) }
        return run
    }

    @Test(arguments: [1, 2])
    func `the links of notes whose import was killed are made by the next import`(count: Int) throws {
        _ = try begin(count)
        #expect(try text("a")?.contains("(b.md)") == true)
        let result = try take()
        #expect(result.unchangedCount == count && result.noteImportCount == 2 - count, "\(result)")
        try expectWhole()
        #expect(try take().unchangedCount == 2)
        try expectWhole()
    }

    @Test func `a program that imports the same files meanwhile makes no second notes of them`() throws {
        let source = try #require(try ImportSource.sources([folder]).first)
        let options = ImportOptions(skipsUnchanged: true)
        let run = ImportRun(notebook: notebook, source.format, options, ImportRecord())
        try run.begin()
        var reader = ImportReader(source.format, known: [:], notebook.termCache)
        let batch = reader.next()
        let outcomes = try #require(batch).outcomes
        var first = outcomes.prefix(1)
        try run.importBatch(of: &first)
        let other = try Notebook.open(test.path, mode: .command)
        let result = try other.transfer.importFiles(source, options)
        #expect(result.unchangedCount == 1 && result.noteImportCount == 1, "\(result)")
        var rest = outcomes.dropFirst()
        while !rest.isEmpty { try run.importBatch(of: &rest) }
        try run.connect()
        try run.finish()
        #expect(run.result.unchangedCount == 1 && run.result.noteImportCount == 1, "\(run.result)")
        try expectWhole()
    }

    @Test(arguments: [false, true])
    func `a link to a file that comes later does not stay with a note that had its name`(isKilled: Bool) throws {
        try Data("[[b]]".utf8).write(to: URL(filePath: folder + "/a.md"))
        let other = try test.note("b", title: "b")
        try notebook.notes.setTitle(other.id, "other")
        let run = try begin(1)
        if isKilled {
            _ = try take()
        } else {
            let source = try #require(try ImportSource.sources([folder]).first)
            var reader = ImportReader(source.format, known: [:], notebook.termCache)
            let batch = reader.next()
            var rest = try #require(batch).outcomes.dropFirst()
            while !rest.isEmpty { try run.importBatch(of: &rest) }
            try run.connect()
            try run.finish()
        }
        #expect(try text("a") == "[[b]]")
        let (a, b) = (try notebook.notes.resolve(reference: "a"), try notebook.notes.resolve(reference: "b"))
        #expect(try notebook.links.note(titled: "b", from: a.id)?.id == b.id)
        #expect(try notebook.links.backlinks(of: b.id).map(\.source.id) == [a.id])
        try test.expectSound()
    }

    @Test func `links to notes that came after a stop are made by the next import`() throws {
        let run = try begin(1)
        run.result.wasCancelled = true
        try run.connect()
        try run.finish()
        #expect(try notebook.settings.value(ImportRun.unfinishedKey) != nil)
        _ = try take()
        try expectWhole()
    }

    @Test func `an import can be stopped while links are made, and the next one makes them`() throws {
        let source = try #require(try ImportSource.sources([folder]).first)
        var options = ImportOptions(skipsUnchanged: true)
        let told = Mutex<[Int]>([])
        options.linking = { done, all in
            told.withLock { $0 += [done, all] }
            return false
        }
        let stopped = try notebook.transfer.importFiles(source, options)
        #expect(stopped.wasCancelled && stopped.isUnlinked && stopped.noteImportCount == 2)
        #expect(told.withLock { $0 } == [0, 2])
        #expect(try notebook.settings.value(ImportRun.unfinishedKey) != nil)
        #expect(try text("b") == "[a](a.md)")
        let result = try take()
        #expect(result.unchangedCount == 2 && !result.wasCancelled)
        try expectWhole()
    }

    @Test func `an import of another folder leaves the mark of this one`() throws {
        _ = try begin(2)
        let other = test.folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data("[d](d.md)".utf8).write(to: URL(filePath: other + "/c.md"))
        for source in try ImportSource.sources([other]) {
            _ = try notebook.transfer.importFiles(source, ImportOptions(skipsUnchanged: true))
        }
        #expect(try notebook.settings.value(ImportRun.unfinishedKey) != nil)
        _ = try take()
        try expectWhole()
    }
}

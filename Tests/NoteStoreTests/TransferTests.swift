import Foundation
import GRDB
import SeededRandom
import SystemPackage
import Testing

@testable import NoteStore

@Suite struct TransferTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let folder: URL

    /// The signature of a PNG and the start of a JPEG.
    static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0])
    static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0])

    init() throws {
        test = try TestNotebook()
        folder = test.folder.appending(path: "files")
    }

    private func write(_ path: String, _ data: Data) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    private func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }

    private func importAll(_ options: ImportOptions = ImportOptions()) throws -> ImportResult {
        try notebook.transfer.importFiles(ImportPlan(paths: [folder.path]), options)
    }

    @Test func `a folder becomes notes and folders, titled by front matter, else by the file's name`() throws {
        try write("Plain.md", "some text\nmore")
        try write("Same.md", "# Same\ntext")
        try write("Deep/er/Dated.markdown", "---\ntitle: From Matter\ntags: [a, b]\ncreated: 2020-02-03\n---\nbody")
        try write("notes.txt", "text file")
        try write(".hidden/x.md", "no")
        try write("picture.bin", "no")
        let result = try importAll()
        #expect(result.noteImportCount == 4 && !result.errorsEncountered, "\(result.toString())")
        let files = try notebook.containers.resolve(path: "files")
        #expect(try Set(test.titles(files.id)) == ["Plain", "Same", "notes"])
        let deep = try notebook.containers.resolve(path: "files/Deep/er")
        let row = try #require(try notebook.lists.rows(ListQuery(container: deep.id), limit: 5).first)
        #expect(row.title == "From Matter" && row.tagNames == ["a", "b"])
        #expect(row.createdDate == ImportFile.date("2020-02-03"))
        #expect(try notebook.notes.text(row.id)?.hasPrefix("---\ntitle: From") == true)
        #expect(try notebook.notes.resolve(reference: "Same").titleIsDerived)
        try test.expectSound()
    }

    @Test(arguments: ["", "/", "/.", "/Deep/.."])
    func `a given folder becomes a folder of its name, however it is written`(_ ending: String) throws {
        try write("Top.md", "top")
        try write("Deep/Low.md", "low")
        try write("single.md", "single")
        let plan = ImportPlan(paths: [folder.path + ending, folder.path + "/single.md"])
        #expect(try notebook.transfer.importFiles(plan).noteImportCount == 4)
        #expect(try test.titles(.inbox) == ["single"])
        #expect(try test.titles(try notebook.containers.resolve(path: "files").id).sorted() == ["Top", "single"])
        #expect(try test.titles(try notebook.containers.resolve(path: "files/Deep").id) == ["Low"])
    }

    @Test func `into a folder that the user names goes what a given folder holds`() throws {
        try write("Top.md", "top")
        try write("Deep/Low.md", "low")
        let target = try notebook.folders.create("Mine")
        _ = try importAll(ImportOptions(folder: target.id))
        #expect(try test.titles(target.id) == ["Top"])
        #expect(try test.titles(try notebook.containers.resolve(path: "Mine/Deep").id) == ["Low"])
        #expect(try importAll(ImportOptions(folder: target.id, skipsUnchanged: true)).unchangedCount == 2)
    }

    @Test func `an image is found whatever follows its name`() throws {
        try write("A.md", "![](p.png#right) ![[p.png|300]] ![](q%20q.png?raw=1) ![](r#1.png)\n\n![](gone.png#x)")
        for name in ["p.png", "q q.png", "r#1.png"] { try write(name, Self.png + Data(name.utf8)) }
        let result = try importAll()
        #expect(result.imageCount == 3)
        #expect(result.problems.map(\.reason) == [.missingFile(name: "gone.png")])
        #expect(result.problems.allSatisfy { $0.isRemark })
        let a = try notebook.notes.resolve(reference: "A")
        #expect(try notebook.images.all(of: a.id).count == 4)
        #expect(try notebook.notes.text(a.id)?.hasSuffix("\n\n![](gone.png#x)") == true)
    }

    @Test func `what is no UTF-8, too large, missing or of another kind is named, and the rest goes on`() throws {
        try write("good.md", "good")
        try write("bad.md", Data([0x61, 0x62, 0xFF, 0x63]))
        try write("cut.md", Data("ab€".utf8.dropLast()))
        let plan = ImportPlan(paths: [folder.path, folder.path + "/none.md"])
        let result = try notebook.transfer.importFiles(plan)
        #expect(result.noteImportCount == 1)
        #expect(Set(result.problems.map(\.reason)) == [.notFound, .invalidUTF8(offset: 2)])
        #expect(result.uniqueErrorMessages.count == 3)
    }

    @Test func `links between files become note links and local images are taken in`() throws {
        try write("A.md", "see [b](sub/B.md), [[Other Name]], [[B]] and ![pic](img/p.png)\n![gone](no.png)")
        try write("sub/B.md", "---\ntitle: Title of B\n---\nback to [a](../A.md#top) and <https://x.org>")
        try write("img/p.png", Self.png)
        let result = try importAll()
        #expect(result.imageCount == 1)
        #expect(result.problems.map(\.reason) == [.missingFile(name: "no.png")])
        let a = try notebook.notes.resolve(reference: "A")
        let b = try notebook.notes.resolve(reference: "Title of B")
        let image = try #require(try notebook.images.all(of: a.id).first)
        #expect(
            try notebook.notes.text(a.id)
                == "see [b](\(b.getURL())), [[Other Name]], [B](\(b.getURL())) and ![pic](\(image.getURL()))\n![gone](no.png)"
        )
        #expect(try notebook.links.backlinks(of: a.id).map(\.source.id) == [b.id])
        #expect(try notebook.links.backlinks(of: b.id).count == 2)
        #expect(try notebook.links.broken().map(\.target) == ["Other Name"])
        try test.expectSound()
    }

    @Test func `what is typed into a note while its links are rewritten stays`() throws {
        try write("A.md", "to [b](B.md) ![p](p.png)")
        try write("B.md", "b")
        let format = HookedFiles(plan: ImportPlan(paths: [folder.path])) { [notebook] in
            guard let a = try notebook.links.note(titled: "A"), a.revision == 1 else { return }
            _ = try notebook.notes.save(
                a.id, text: "typed to [b](B.md) ![p](p.png)", baseRevision: 1)
        }
        let run = ImportRun(notebook: notebook, format, ImportOptions(), ImportRecord())
        var reader = ImportReader(format, known: [:], notebook.termCache)
        while let batch = reader.next() { try run.take(batch) }
        try run.connect()
        let (a, b) = (try notebook.notes.resolve(reference: "A"), try notebook.notes.resolve(reference: "B"))
        #expect(try notebook.notes.text(a.id) == "typed to [b](\(b.getURL())) ![p](p.png)")
        try test.expectSound()
    }

    @Test func `undo of an import leaves what others have made meanwhile, and knows of an import that failed`() throws {
        for index in 0..<1010 { try write("in/n\(index).md", "---\ntags: [t]\n---\n\(index)") }
        let failsLate = """
            CREATE TRIGGER fails AFTER INSERT ON import_source WHEN (SELECT count(*) FROM import_source) > 1005 BEGIN
                SELECT RAISE(ABORT, 'fails');
            END
            """
        try notebook.database.write { try $0.execute(sql: failsLate) }
        var mine: NoteContainer?
        #expect(throws: StoreError.self) {
            try notebook.actions.recordingImport { made in
                mine = try notebook.folders.create("Mine")
                _ = try notebook.transfer.importFiles(ImportPlan(paths: [folder.path]), made: made)
            }
        }
        try notebook.database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        // The first batch, of 100 files, is there.
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 100)
        _ = try notebook.actions.undo()
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 0)
        let containers = try notebook.containers.all()
        let id = try #require(mine?.id)
        #expect(containers.first { $0.id == id }?.isInTrash == false)
        #expect(!containers.contains { $0.isTag })
        try test.expectSound()
    }

    @Test func `a second import can leave out what has not changed`() throws {
        try write("one.md", "one")
        try write("two.md", "two")
        _ = try importAll()
        try write("two.md", "two changed")
        #expect(try notebook.transfer.unchangedCount(in: ImportPlan(paths: [folder.path])) == 1)
        let result = try importAll(ImportOptions(skipsUnchanged: true))
        #expect(result.unchangedCount == 1 && result.noteImportCount == 0 && result.mergedCount == 1)
    }

    @Test func `an import stops between batches when it is told to`() throws {
        for index in 0..<1200 { try write("n\(index).md", "\(index)") }
        // A first batch of 100 files and one of 1,000.
        let result = try importAll(ImportOptions(progress: { done, _ in done < 1100 }))
        #expect(result.wasCancelled && result.noteImportCount == 1100)
        try test.expectSound()
    }

    @Test func `an import stops in the middle of a batch, and what is done is whole`() throws {
        for index in 0..<900 { try write("n\(index).md", "---\ntags: [t]\n---\n\(index)") }
        let result = try importAll(ImportOptions(progress: { _, _ in false }))
        #expect(result.wasCancelled && result.noteImportCount < 900)
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == result.noteImportCount)
        try test.expectSound()
        // The next import adds the rest.
        let rest = try importAll(ImportOptions(skipsUnchanged: true))
        #expect(rest.noteImportCount + result.noteImportCount == 900)
        try test.expectSound()
    }

    @Test func `an import fills every list that shows a note, and leaves the triggers as they were`() throws {
        func schema() throws -> [String] {
            let sql = "SELECT sql FROM sqlite_master WHERE sql > '' ORDER BY name"
            return try notebook.read { try String.fetchAll($0, sql: sql) }
        }
        let before = try schema()
        let project = try notebook.projects.create("Poems", type: .poetry)
        let draft = try notebook.containers.resolve(path: "Poems/Your Poetry/Draft")
        let all = try notebook.containers.resolve(path: "Poems/Your Poetry/All")
        for index in 0..<60 {
            try write("n\(index).md", "---\ntags: [t]\nstarred: \(index % 3 == 0)\n---\n\(index) [[n1]]")
        }
        _ = try importAll(ImportOptions(folder: draft.id))
        let tag = try #require(try notebook.containers.all().first(where: \.isTag))
        for (list, count) in [
            (draft.id, 60), (all.id, 60), (project.id, 60), (tag.id, 60), (ContainerID.starred, 20), (.allNotes, 60),
        ] {
            #expect(try notebook.lists.count(ListQuery(container: list)) == count)
            #expect(try notebook.lists.rows(ListQuery(container: list), limit: 100).count == count)
        }
        #expect(try schema() == before)
        try test.expectSound()
        // Rows of other tools are listed, counted and indexed as before.
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, folder)
                    VALUES ('00000000-0000-4000-8000-00000000ABCD', 'x', 'x', 'x', 1, 1, 1);
                    INSERT INTO note_text (note, text) VALUES (last_insert_rowid(), 'x')
                    """)
        }
        #expect(try notebook.lists.count(ListQuery(container: .inbox)) == 1)
        #expect(try notebook.care.maintain().refreshedNotes == 1)
        try test.expectSound()
    }

    @Test func `an import that fails leaves neither notes nor missing triggers behind`() throws {
        for index in 0..<50 { try write("n\(index).md", "\(index)") }
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fails AFTER INSERT ON import_source WHEN NEW.path LIKE '%n25.md' BEGIN
                        SELECT RAISE(ABORT, 'fails');
                    END
                    """)
        }
        #expect(throws: StoreError.self) { try importAll() }
        #expect(try notebook.lists.count(ListQuery(container: .inbox)) == 0)
        try notebook.database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        try test.expectSound()
        #expect(try importAll().noteImportCount == 50)
        try test.expectSound()
    }

    @Test func `an export and its import make the same notebook`() throws {
        let home = try notebook.folders.create("Home: a/b")
        let tag = try notebook.tags.create("t")
        let one = try test.note("# One\r\n\nbytes \u{FEFF}stay\n", in: home.id)
        let two = try notebook.notes.create(
            NewNote(text: "to [one](\(one.getURL())) and ", title: "CON", tags: [tag.id], starred: true))
        let image = try notebook.images.add(Self.jpeg, name: "x")
        _ = try notebook.notes.save(two.id, text: "to [one](\(one.getURL())) ![i](\(image.getURL()))", baseRevision: 1)
        for title in ["../evil", "Same", "same", "", ".", String(repeating: "長", count: 100)] {
            try notebook.notes.create(NewNote(text: "text of \(title)", title: title.isEmpty ? nil : title))
        }
        let out = test.folder.appending(path: "out").path
        let result = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        #expect(result.noteCount == 8 && result.imageCount == 1 && result.problems.isEmpty)
        #expect(result.paths.allSatisfy { !$0.contains("..") })
        let other = try TestNotebook()
        let back = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        #expect(back.noteImportCount == 8 && back.problems.isEmpty, "\(back.toString())")
        for row in try notebook.lists.rows(ListQuery(container: .allNotes), limit: 100) {
            let copy = try #require(try other.notebook.notes.row(row.id))
            #expect(copy.title == row.title && copy.tagNames == row.tagNames && copy.starred == row.starred)
            #expect(copy.createdDate == row.createdDate && copy.updatedDate == row.updatedDate)
            if row.id != two.id { #expect(try other.notebook.notes.text(row.id) == notebook.notes.text(row.id)) }
        }
        let text = try #require(try other.notebook.notes.text(two.id))
        #expect(text.hasPrefix("to [one](\(one.getURL())) ![i](takenote://image/"))
        try other.expectSound()
    }

    @Test(arguments: [
        ("2023-12-06 11:11:37 +0200", "2023-12-06T09:11:37Z"), ("2023-12-06 11:11:37 -05:00", "2023-12-06T16:11:37Z"),
        ("2023-12-06  11:11:37 UTC", "2023-12-06T11:11:37Z"), ("2023-12-06 23:30 GMT", "2023-12-06T23:30:00Z"),
        ("2023-12-06T11:11:37 Z", "2023-12-06T11:11:37Z"), ("2023-12-06 11:11", "2023-12-06T11:11:00Z"),
        ("1594912960123", "2020-07-16T15:22:40.123Z"), ("1594912960", "2020-07-16T15:22:40Z"),
        ("2023-12-06 in the morning", "2023-12-06T00:00:00Z"),
    ])
    func `a date is read in the forms in which programs write it`(written: String, meant: String) {
        // A date that was read from a fraction of a second differs by less than a millisecond.
        let date = ImportFile.date(written)?.milliseconds
        #expect(date != nil && date == ImportFile.date(meant)?.milliseconds)
    }

    @Test(arguments: ["date created", "created_at", "createdAt", "creation-date", "Created time"])
    func `front matter gives the date of creation under the keys of other programs too`(key: String) {
        #expect(NoteFrontMatter(of: "---\n\(key): 2020-01-02\nupdated_at: x\n---\n")?.created == "2020-01-02")
        #expect(NoteFrontMatter(of: "---\n\(key): 2020-01-02\ndate: 2021-01-01\n---\n")?.created == "2021-01-01")
    }

    @Test func `front matter keeps dates to the millisecond`() throws {
        var random = SeededGenerator(seed: 7)
        let dates = (0..<200).map { _ in Date(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random)) }
        for (index, date) in dates.enumerated() {
            try notebook.notes.create(
                NewNote(text: "note \(index)", created: date, updated: date.addingTimeInterval(0.001)))
        }
        let out = test.folder.appending(path: "out").path
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        for row in try notebook.lists.rows(ListQuery(container: .inbox), limit: 1000) {
            let copy = try #require(try other.notebook.notes.row(row.id))
            #expect(copy.createdDate == row.createdDate && copy.updatedDate == row.updatedDate)
        }
    }

    @Test(arguments: [ExportOptions.Format.markdown, .vault])
    func `an export without front matter keeps dates and titles of notes too`(format: ExportOptions.Format) throws {
        let (made, changed) = (Date(milliseconds: 1_234_567_890_123), Date(milliseconds: 1_600_000_000_456))
        func add(_ text: String, _ title: String? = nil) throws -> NoteRow {
            try notebook.notes.create(NewNote(text: text, title: title, created: made, updated: changed))
        }
        var notes = [
            try add("plain"), try add("---\ncreated: 2001-02-03\n---\nits own date"), try add("# What? a/b: \"c\""),
            try add("text", "\u{301}x:y % 50"), try add("one", "CON"), try add("two", "con"), try add("three", "."),
        ]
        let edited = try add("edited", "Draft?")
        let out = test.folder.appending(path: "out").path
        _ = try notebook.transfer.export(to: out, ExportOptions(format: format))
        let path = out + "/Inbox/Draft-.md"
        try Data((String(contentsOfFile: path, encoding: .utf8) + " since").utf8).write(to: URL(filePath: path))
        // A copy of the folder may have lost the dates of its files.
        for file in try FileManager.default.subpathsOfDirectory(atPath: out) {
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: out + "/" + file)
        }
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        for note in notes {
            let copy = try #require(try other.notebook.notes.row(note.id), "\(note.title)")
            #expect(copy.title == note.title && copy.titleIsDerived == note.titleIsDerived)
            #expect(copy.createdDate == made && copy.updatedDate == changed, "\(note.title)")
        }
        notes = try other.notebook.lists.rows(ListQuery(container: .inbox), limit: 99)
        let copy = try #require(notes.first { $0.title == edited.title })
        #expect(copy.createdDate == made && copy.updatedDate > changed && notes.count == 8)
    }

    @Test func `a link by a title that several notes have names the file of its note in a plain export`() throws {
        let linked = try test.note("# Same\n\nlinked")
        try test.note("# Same\n\nother")
        // The link leads to the note that was made last, which an import cannot know from the dates of files.
        let source = try test.note("S [[Same]] [[Same|it]] ![[Same]] [[Other]] `[[Same]]`")
        try test.note("Other")
        func target(_ notebook: Notebook, _ source: NoteID) throws -> [String?] {
            try notebook.links.outgoing(of: source).compactMap(\.destination).map { try notebook.notes.text($0.id) }
        }
        #expect(try target(notebook, source.id)[0] == "# Same\n\nother")
        let row = try #require(try notebook.notes.row(linked.id))
        _ = try notebook.notes.save(linked.id, text: "# Same\n\nlinked later", baseRevision: row.revision)
        let out = test.folder.appending(path: "out").path
        _ = try notebook.transfer.export(to: out)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: out).filter { $0.hasPrefix("Inbox/S ") }
        let text = try String(contentsOfFile: out + "/" + #require(paths.first), encoding: .utf8)
        #expect(text == "S [[Same 2|Same]] [[Same 2|it]] ![[Same 2]] [[Other]] `[[Same]]`")
        let copy = try TestNotebook()
        _ = try copy.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        let again = try #require(
            try copy.notebook.lists.rows(ListQuery(container: .allNotes), limit: 10).first { $0.title.hasPrefix("S ") })
        #expect(try target(copy.notebook, again.id).prefix(2).allSatisfy { $0 == "# Same\n\nother" })
        // With front matter the dates tell, and the text stays as it is.
        let front = test.folder.appending(path: "front").path
        _ = try notebook.transfer.export([source.id], to: front, ExportOptions(frontMatter: true))
        let path = try #require(FileManager.default.subpaths(atPath: front)?.first { $0.hasSuffix(".md") })
        #expect(try String(contentsOfFile: front + "/" + path, encoding: .utf8).contains("S [[Same]] [[Same|it]]"))
    }

    @Test func `an exported text without links is the same byte for byte`() throws {
        let text = "---\nx: y\n---\n\u{0}\r\n[[wiki]] é e\u{301}\n\n"
        let row = try test.note(text)
        let out = test.folder.appending(path: "out").path
        let path = try #require(try notebook.transfer.export([row.id], to: out).paths.first)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out + "/" + path)) == Data(text.utf8))
    }
}

/// An import format that runs a closure when an image is looked up.
private struct HookedFiles: ImportFormat {
    let plan: ImportPlan
    let happens: @Sendable () throws -> Void

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile { try ImportFile(reading: file) }

    func media(_ address: String, from folder: FilePath) -> FilePath? {
        #expect(throws: Never.self) { try happens() }
        return nil
    }
}

extension ImportProblem.Reason: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
}

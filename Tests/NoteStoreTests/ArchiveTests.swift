import Foundation
import GRDB
import Testing

@testable import NoteStore

/// The whole notebook as one value, out and in again.
struct ArchiveTests {
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])

    /// A notebook with something in every column.
    private func rich() throws -> TestNotebook {
        let source = try TestNotebook()
        let notebook = source.notebook
        let home = try notebook.addFolder("Home", in: nil)
        let cellar = try notebook.addFolder("Cellar", in: home.id)
        try notebook.setColor(cellar.id, 0x1122_33FF)
        let poems = try notebook.addProject("Poems", type: .poetry, details: "Sea")
        let draft = try #require(try notebook.containers().first { $0.role == .draft })
        try notebook.rename(draft.id, to: "Sketches")
        let old = try notebook.addProject("Old plays", type: .drama, details: "")
        try notebook.create(NewNote(text: "Act", folder: #require(notebook.containers().last { $0.role == .ready }).id))
        let tag = try notebook.addTag("Büro").id
        let image = try notebook.addImage(png, name: "dot.png")
        let picture = try source.note("Picture\r\n\u{0}\t\(image.getMarkdown())", in: cellar.id, title: "By \"hand\"")
        try notebook.setTags(picture.id, [tag, notebook.addTag("x").id])
        try notebook.setStarred([picture.id], true)
        let first = try source.note("First draft", in: draft.id)
        let second = try source.note("First draft", in: draft.id)
        try notebook.keepVersion(of: first.id)
        _ = try notebook.save(first.id, text: "Second draft [[By \"hand\"]] [[Former]]", baseRevision: first.revision)
        let named = try source.note("See \(second.getURL())", title: "Former")
        try notebook.setTitle(named.id, "Latter")
        for (text, folder) in [("Archived", home.id), ("Gone", cellar.id), ("Both", home.id)] {
            let row = try source.note(text, in: folder)
            if text != "Gone" { try notebook.archive([row.id]) }
            if text != "Archived" { try notebook.moveToTrash([row.id]) }
        }
        try source.note("In a trashed folder", in: notebook.addFolder("Attic", in: home.id).id)
        try notebook.delete([#require(notebook.containers().first { $0.name == "Attic" }).id, old.id])
        try notebook.rename(poems.id, to: "Tides")
        try notebook.addSavedSearch("Talks", query: "tag:talk is:starred")
        return source
    }

    private func taken(_ archive: NotebookArchive, into target: TestNotebook) throws -> ImportResult {
        let data = try JSONEncoder().encode(archive)
        return try target.notebook.take(try JSONDecoder().decode(NotebookArchive.self, from: data))
    }

    /// All that the file holds, but for what an archive leaves out, with identities in place of keys.
    private func contents(_ notebook: Notebook) throws -> [String] {
        let tables = [
            """
            SELECT c.uuid, c.kind, c.name, c.nameKey, p.uuid, c.createdDate, c.colorRGBA, c.symbol, c.sortOrder, c.role,
                c.projectType, c.details, c.place, project.uuid, g.uuid, o.uuid, c.originPath, c.trashedDate, c.noteCount
            FROM container AS c LEFT JOIN container AS p ON p.id = c.parent LEFT JOIN container AS o ON o.id = c.origin
                LEFT JOIN container AS g ON g.id = c.gatheredBy
                LEFT JOIN container AS project ON project.id = c.project WHERE c.id > 6
            """,
            """
            SELECT n.uuid, title, titleKey, defaultTitle, n.createdDate, updatedDate, starred, f.uuid, n.place,
                n.sortOrder, aiSummary, contentHash, preview, wordCount, size, features, revision, uniqueTitle, o.uuid,
                n.originPath, originPlace, movedDate, CAST(text AS BLOB), owner FROM note AS n
            JOIN note_text ON note = n.id JOIN container AS f ON f.id = n.folder
            LEFT JOIN container AS o ON o.id = n.origin
            """,
            "SELECT n.uuid, t.uuid FROM note_tag JOIN note AS n ON n.id = note JOIN container AS t ON t.id = tag",
            "SELECT n.uuid, c.uuid, listing.starred FROM listing JOIN note AS n ON n.id = note JOIN container AS c ON c.id = list",
            """
            SELECT s.uuid, ordinal, kind, target, d.uuid, line, context FROM note_link
            JOIN note AS s ON s.id = source LEFT JOIN note AS d ON d.id = destination
            """,
            "SELECT uuid, hash, mimeType, createdDate, data FROM note_image",
            """
            SELECT uuid, number, v.createdDate, reason, v.title, v.wordCount, hash, CAST(text AS BLOB)
            FROM note_version AS v JOIN note ON note.id = v.note
            """,
            "SELECT uuid, name, nameKey, query, createdDate FROM saved_search",
            "SELECT f.titleKey, uuid, date FROM former_title AS f JOIN note ON note.id = f.note",
            "SELECT uuid FROM note WHERE id IN (SELECT rowid FROM search WHERE search MATCH 'draft OR hand OR gone')",
        ]
        return try notebook.read { db in
            try tables.flatMap { try Row.fetchAll(db, sql: $0).map(\.description).sorted() }
        }
    }

    @Test func anArchiveTakenIntoAnEmptyNotebookMakesAnEqualOne() throws {
        let (source, target) = (try rich(), try TestNotebook())
        let archive = try source.notebook.archive()
        let result = try taken(archive, into: target)
        #expect(result.noteImportCount == archive.notes.count)
        #expect(result.imageCount == 1)
        #expect(try contents(source.notebook).count > 40)
        #expect(try contents(target.notebook) == contents(source.notebook))
        #expect(try target.notebook.archive().notes == archive.notes)
        #expect(try target.notebook.check().isEmpty)
    }

    @Test func whatIsHereAlreadyStaysAsItIs() throws {
        let source = try rich()
        let archive = try source.notebook.archive()
        let row = try #require(try source.notebook.note(titled: "Latter"))
        _ = try source.notebook.save(row.id, text: "Newer than the archive", baseRevision: row.revision)
        let before = try contents(source.notebook)
        let result = try taken(archive, into: source)
        #expect(result.noteImportCount == 0)
        #expect(result.unchangedCount == archive.notes.count)
        #expect(try source.notebook.knownCount(of: archive) == archive.notes.count)
        #expect(try contents(source.notebook) == before)
    }

    @Test func anArchiveJoinsWhatIsThereByNameAndKeepsBoth() throws {
        let (source, target) = (try rich(), try TestNotebook())
        let home = try target.notebook.addFolder("home", in: nil)
        let tag = try target.notebook.addTag("BÜRO")
        let mine = try target.note("Mine", in: home.id)
        let image = try target.notebook.addImage(png, name: "other.png")
        try target.notebook.addProject("Tides", type: .poetry, details: "Mine")
        _ = try taken(try source.notebook.archive(), into: target)
        let containers = try target.notebook.containers()
        #expect(containers.filter { $0.name.lowercased() == "home" }.map(\.id) == [home.id])
        #expect(containers.filter { $0.name == "Tides" }.count == 1)
        #expect(try target.notebook.row(mine.id)?.title == "Mine")
        let picture = try #require(try target.notebook.note(titled: "By \"hand\""))
        #expect(picture.tags.contains(tag.id))
        #expect(try target.notebook.images(of: picture.id).map(\.imageUUID) == [image.imageUUID])
        #expect(try target.notebook.check().isEmpty)
    }

    @Test func notesThatAreCutAreArchivedWhereTheyWere() throws {
        let (source, target) = (try TestNotebook(), try TestNotebook())
        let home = try source.notebook.addFolder("Home", in: nil)
        let row = try source.note("Cut", in: home.id)
        try source.notebook.cut([row.id], owner: "somebody")
        _ = try taken(try source.notebook.archive(), into: target)
        #expect(try target.titles(home.id) == ["Cut"])
    }

    @Test func aStoppedArchiveGoesOnTheNextTime() throws {
        let (source, target) = (try TestNotebook(), try TestNotebook())
        try source.notebook.create((0..<250).map { NewNote(text: "Note \($0) [[Note \(249 - $0)]]") })
        let archive = try source.notebook.archive()
        let stopped = try target.notebook.take(archive) { done, _ in done < 200 }
        #expect(stopped.wasCancelled)
        #expect(stopped.noteImportCount == 200)
        let rest = try target.notebook.take(archive)
        #expect(rest.noteImportCount == 50)
        #expect(try contents(target.notebook) == contents(source.notebook))
    }
}

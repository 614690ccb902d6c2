import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests exporting the whole notebook as one value, and importing it again.
struct ArchiveTests {
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])

    /// Returns a notebook with a value in every column.
    private func rich() throws -> TestNotebook {
        let source = try TestNotebook()
        let notebook = source.notebook
        let home = try notebook.folders.create("Home", in: nil)
        let cellar = try notebook.folders.create("Cellar", in: home.id)
        try notebook.containers.setColor(cellar.id, 0x1122_33FF)
        let poems = try notebook.projects.create("Poems", type: .poetry, details: "Sea")
        let draft = try #require(try notebook.containers.all().first { $0.role == .draft })
        try notebook.containers.rename(draft.id, to: "Sketches")
        let old = try notebook.projects.create("Old plays", type: .drama, details: "")
        try notebook.notes.create(
            NewNote(text: "Act", folder: #require(notebook.containers.all().last { $0.role == .ready }).id))
        let tag = try notebook.tags.create("Büro").id
        let image = try notebook.images.add(png, name: "dot.png")
        let picture = try source.note("Picture\r\n\u{0}\t\(image.getMarkdown())", in: cellar.id, title: "By \"hand\"")
        try notebook.tags.set(picture.id, [tag, notebook.tags.create("x").id])
        try notebook.notes.setStarred([picture.id], true)
        let first = try source.note("First draft", in: draft.id)
        let second = try source.note("First draft", in: draft.id)
        try notebook.versions.keep(of: first.id)
        _ = try notebook.notes.save(
            first.id, text: "Second draft [[By \"hand\"]] [[Former]]", baseRevision: first.revision)
        let named = try source.note("See \(second.getURL())", title: "Former")
        try notebook.notes.setTitle(named.id, "Latter")
        for (text, folder) in [("Archived", home.id), ("Gone", cellar.id), ("Both", home.id)] {
            let row = try source.note(text, in: folder)
            if text != "Gone" { try notebook.notes.archive([row.id]) }
            if text != "Archived" { try notebook.trash.add([row.id]) }
        }
        try source.note("In a trashed folder", in: notebook.folders.create("Attic", in: home.id).id)
        try notebook.containers.delete([#require(notebook.containers.all().first { $0.name == "Attic" }).id, old.id])
        try notebook.containers.rename(poems.id, to: "Tides")
        try notebook.savedSearches.create("Talks", query: "tag:talk is:starred")
        return source
    }

    private func taken(_ archive: NotebookArchive, into target: TestNotebook) throws -> ImportResult {
        let data = try JSONEncoder().encode(archive)
        return try target.notebook.transfer.importArchive(try JSONDecoder().decode(NotebookArchive.self, from: data))
    }

    /// Returns the contents of the file except what an archive omits, with UUIDs instead of keys.
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

    @Test func `an archive taken into an empty notebook makes an equal one`() throws {
        let (source, target) = (try rich(), try TestNotebook())
        let archive = try source.notebook.transfer.archive()
        let result = try taken(archive, into: target)
        #expect(result.noteImportCount == archive.notes.count)
        #expect(result.imageCount == 1)
        #expect(try contents(source.notebook).count > 40)
        #expect(try contents(target.notebook) == contents(source.notebook))
        #expect(try target.notebook.transfer.archive().notes == archive.notes)
        #expect(try target.notebook.care.check().isEmpty)
    }

    @Test func `privacy levels come with an archive, and never open what is closed here`() throws {
        let (source, target) = (try TestNotebook(), try TestNotebook())
        let (letter, open) = (try source.note("letter"), try source.note("open"))
        let folder = try source.notebook.folders.create("Clients")
        let tag = try source.notebook.tags.create("private")
        let here = try target.notebook.folders.create("Clients")
        let retrieval = source.notebook.retrieval
        try retrieval.setPrivacy(.never, of: letter.id)
        try retrieval.setPrivacy(.thisMachine, of: folder.id)
        try retrieval.setPrivacy(.never, of: tag.id)
        let archive = try source.notebook.transfer.archive()
        _ = try taken(archive, into: target)
        let came = target.notebook.retrieval
        #expect(try came.privacy(of: letter.id) == .never && came.privacy(of: open.id) == .inherit)
        #expect(try came.privacy(of: here.id) == .thisMachine && came.privacy(of: tag.id) == .never)
        try came.setPrivacy(.never, of: here.id)
        try came.setPrivacy(.inherit, of: letter.id)
        _ = try taken(archive, into: target)
        #expect(try came.privacy(of: here.id) == .never && came.privacy(of: letter.id) == .inherit)
        // A level that a later version knows counts as the strictest.
        var written = String(decoding: try JSONEncoder().encode(archive), as: UTF8.self)
        written = written.replacing("this-machine", with: "this-house")
        let later = try TestNotebook()
        _ = try taken(JSONDecoder().decode(NotebookArchive.self, from: Data(written.utf8)), into: later)
        #expect(try later.notebook.retrieval.privacy(of: folder.id) == .never)
    }

    @Test func `what is here already stays as it is`() throws {
        let source = try rich()
        let archive = try source.notebook.transfer.archive()
        let row = try #require(try source.notebook.links.note(titled: "Latter"))
        _ = try source.notebook.notes.save(row.id, text: "Newer than the archive", baseRevision: row.revision)
        let before = try contents(source.notebook)
        let result = try taken(archive, into: source)
        #expect(result.noteImportCount == 0)
        #expect(result.unchangedCount == archive.notes.count)
        #expect(try source.notebook.transfer.knownCount(of: archive) == archive.notes.count)
        #expect(try contents(source.notebook) == before)
    }

    @Test func `an archive joins what is there by name and keeps both`() throws {
        let (source, target) = (try rich(), try TestNotebook())
        let home = try target.notebook.folders.create("home", in: nil)
        let tag = try target.notebook.tags.create("BÜRO")
        let mine = try target.note("Mine", in: home.id)
        let image = try target.notebook.images.add(png, name: "other.png")
        try target.notebook.projects.create("Tides", type: .poetry, details: "Mine")
        let shown = try #require(try source.notebook.links.note(titled: "By \"hand\""))
        // The archive is one of an earlier version, in which each notebook gave a picture its own identity.
        let former = UUID().uuidString
        try source.notebook.versions.keep(of: shown.id)
        let written = String(decoding: try JSONEncoder().encode(try source.notebook.transfer.archive()), as: UTF8.self)
        let archive = written.replacing(image.imageUUID.uuidString, with: former)
        _ = try taken(try JSONDecoder().decode(NotebookArchive.self, from: Data(archive.utf8)), into: target)
        let containers = try target.notebook.containers.all()
        #expect(containers.filter { $0.name.lowercased() == "home" }.map(\.id) == [home.id])
        #expect(containers.filter { $0.name == "Tides" }.count == 1)
        #expect(try target.notebook.notes.row(mine.id)?.title == "Mine")
        let picture = try #require(try target.notebook.links.note(titled: "By \"hand\""))
        #expect(picture.tags.contains(tag.id))
        #expect(try target.notebook.images.all(of: picture.id).map(\.imageUUID) == [image.imageUUID])
        let earlier = try target.notebook.versions.all(of: picture.id).map {
            try target.notebook.versions.text(of: picture.id, version: $0.number)
        }
        #expect(earlier.contains { $0.contains(image.imageUUID.uuidString) })
        #expect(!earlier.contains { $0.contains(former) })
        #expect(try target.notebook.care.check().isEmpty)
    }

    @Test func `notes that are cut are archived where they were`() throws {
        let (source, target) = (try TestNotebook(), try TestNotebook())
        let home = try source.notebook.folders.create("Home", in: nil)
        let row = try source.note("Cut", in: home.id)
        try source.notebook.buffer.cut([row.id], owner: "somebody")
        _ = try taken(try source.notebook.transfer.archive(), into: target)
        #expect(try target.titles(home.id) == ["Cut"])
    }

    @Test func `a stopped archive goes on the next time`() throws {
        let (source, target) = (try TestNotebook(), try TestNotebook())
        try source.notebook.notes.create((0..<250).map { NewNote(text: "Note \($0) [[Note \(249 - $0)]]") })
        let archive = try source.notebook.transfer.archive()
        let stopped = try target.notebook.transfer.importArchive(archive) { done, _ in done < 200 }
        #expect(stopped.wasCancelled)
        #expect(stopped.noteImportCount == 200)
        let rest = try target.notebook.transfer.importArchive(archive)
        #expect(rest.noteImportCount == 50)
        #expect(try contents(target.notebook) == contents(source.notebook))
    }
}

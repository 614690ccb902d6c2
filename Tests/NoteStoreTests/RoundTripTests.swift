import Foundation
import SeededRandom
import Testing

@testable import NoteStore

/// Tests that an export, imported into an empty notebook, makes an equal one, for random notebooks.
///
/// `TN_ROUND_TRIPS` multiplies the cases.
@Suite struct RoundTripTests {
    private static let cases = ProcessInfo.processInfo.environment["TN_ROUND_TRIPS"].flatMap { Int($0) } ?? 1

    private static let texts = [
        "", "plain", "# Title\n\ntext #tag/nested\n", "---\ntitle: Own\ntags: [x, y]\n---\nbody",
        "---\nkind: a\n---\n\nx",
        "---\n---\nempty block", "\u{0}nul", "a\r\nb\r\n", "- [ ] task\n- [x] done", "```\n[x](takenote://note/x)\n```",
        "![](gone.png) [x](other.md) [[Title]] ![[embed]]", "\n\nlate", "*x*", "Ünïcödé e\u{301} 👩‍👩‍👧",
        "---\nnot: [closed\n---\ny",
        "---\ntitle: \"quo\\\"te\"\ncreated: 2001-02-03\nstarred: true\n---\n", "   ", "trailing  \n\n\n",
    ]
    private static let names = [
        "a", "A b", "x/y", "con", "Title", "ends.", "#hash", "[brackets]", "\u{202E}rtl",
        "very " + String(repeating: "long ", count: 60),
    ]

    /// Returns a notebook of random notes in random folders, with tags, stars, links, pictures and files.
    private func random(_ seed: UInt64) throws -> TestNotebook {
        var random = SeededGenerator(seed: seed)
        let test = try TestNotebook(mode: .command)
        let notebook = test.notebook
        var folders: [ContainerID] = [.inbox]
        for _ in 0..<random.below(4) {
            let parent = random.chance(50) ? nil : folders.dropFirst().randomElement(using: &random)
            if let made = try? notebook.folders.create(random.pick(Self.names), in: parent) { folders.append(made.id) }
        }
        if random.chance(40) {
            try notebook.projects.create("Poems", type: .poetry)
            folders.append(try #require(try notebook.containers.all().first { $0.role == .draft }).id)
        }
        let tags = try ["by hand", "x", "a, b"].map { try notebook.tags.create($0).id }
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        let file = try notebook.attachments.add(Data("pdf".utf8), name: "a b.pdf")
        if random.chance(30) { try notebook.retrieval.setPrivacy(.never, of: random.pick(folders)) }
        var made: [NoteRow] = []
        for _ in 0..<random.number(in: 1...9) {
            var text = random.pick(Self.texts)
            if random.chance(40), let row = made.randomElement(using: &random) {
                text += "\n[x](\(row.getURL())#h) [[\(row.title)]] <a href=\"\(row.getURL())\">"
            }
            if random.chance(30) { text += "\n\(image.getMarkdown()) \(file.markdown())" }
            var title = random.chance(50) ? random.pick(Self.names) : nil
            var folder = random.pick(folders)
            // Two notes in one folder may have one title, by hand or by their headings.
            if random.chance(30), let row = made.randomElement(using: &random) {
                folder = row.folder ?? folder
                title = random.chance(50) ? row.title : nil
                if title == nil { text = try notebook.notes.text(row.id) ?? text }
            }
            guard let row = try? test.note(text, in: folder, title: title) else { continue }
            if random.chance(30) { try notebook.tags.set(row.id, row.tags + [random.pick(tags)]) }
            if random.chance(30) { try notebook.notes.setStarred([row.id], true) }
            if random.chance(20) { try notebook.retrieval.setPrivacy(random.pick([.never, .thisMachine]), of: row.id) }
            made.append(try #require(try notebook.notes.row(row.id)))
        }
        return test
    }

    @Test(arguments: 0..<UInt64(12 * cases))
    func `the whole notebook as JSON is equal after an import`(seed: UInt64) throws {
        let (source, target) = (try random(seed), try TestNotebook(mode: .command))
        let archive = try source.notebook.transfer.archive()
        let data = try JSONEncoder().encode(archive)
        let read = try JSONDecoder().decode(NotebookArchive.self, from: data)
        _ = try target.notebook.transfer.importArchive(read)
        var came = try target.notebook.transfer.archive()
        var sent = archive
        let order: (NotebookArchive.Container, NotebookArchive.Container) -> Bool = {
            $0.uuid.description < $1.uuid.description
        }
        came.containers.sort(by: order)
        sent.containers.sort(by: order)
        #expect(came == sent, "seed \(seed)")
        try target.expectSound()
    }

    /// The properties of a note that Markdown files with front matter contain.
    private struct Carried: Equatable, CustomStringConvertible {
        let id: NoteID
        let title, text: String
        let starred: Bool
        let created, updated: Date
        let folder: String
        let tags, handTags: [String]

        var description: String {
            "\(id) \(title.debugDescription) \(text.debugDescription) \(starred) \(created) \(updated) \(folder) \(tags) \(handTags)"
        }
    }

    private func carried(_ notebook: Notebook) throws -> [Carried] {
        var folders = FolderNames(try notebook.containers.all())
        return try notebook.lists.rows(ListQuery(container: .allNotes), limit: 100).map { row in
            Carried(
                id: row.id, title: row.title, text: try notebook.notes.text(row.id) ?? "", starred: row.starred,
                created: row.createdDate, updated: row.updatedDate,
                folder: row.folder.map { folders.path(of: $0).joined(separator: "/") } ?? "", tags: row.tagNames,
                handTags: row.handTagNames)
        }.sorted { $0.id.description < $1.id.description }
    }

    @Test(arguments: 0..<UInt64(16 * cases))
    func `titles that the text or a property tells come back although their files have numbers`(seed: UInt64) throws {
        let source = try random(seed)
        for format in [ExportOptions.Format.markdown, .vault] {
            let target = try TestNotebook(mode: .command)
            let out = source.folder.path + "/\(format)"
            _ = try source.notebook.transfer.export(to: out, ExportOptions(format: format))
            for from in try ImportSource.sources([out]) { _ = try target.notebook.transfer.importFiles(from) }
            let sent = try source.notebook.lists.rows(ListQuery(container: .allNotes), limit: 100)
            for row in sent where SafeName(row.title).name == row.title {
                let title = try target.notebook.notes.row(row.id)?.title
                let text = try source.notebook.notes.text(row.id) ?? ""
                // A title that was given by hand, or numbered in a project, is not told by the text.
                guard Notebook.Sync.derivedTitle(of: text) == row.title else { continue }
                #expect(title == row.title, "seed \(seed), \(format): \(text)")
            }
        }
    }

    @Test func `two notes with one title in a folder both get it back`() throws {
        let source = try TestNotebook(mode: .command)
        for text in ["# Same\n\none", "# Same\n\ntwo", "# same\n\nthree"] { try source.note(text) }
        try source.note("four", title: "Same")
        try source.note("# Same 2\n\nfive")
        for format in [ExportOptions.Format.markdown, .vault] {
            let target = try TestNotebook(mode: .command)
            let out = source.folder.path + "/\(format)"
            _ = try source.notebook.transfer.export(to: out, ExportOptions(format: format))
            for from in try ImportSource.sources([out]) { _ = try target.notebook.transfer.importFiles(from) }
            let (sent, came) = (try carried(source.notebook), try carried(target.notebook))
            for (one, other) in zip(sent, came) where format == .vault || one.text != "four" {
                #expect(one.title == other.title, "\(format)")
            }
        }
    }

    @Test(arguments: 0..<UInt64(16 * cases), [ExportOptions.Format.markdown, .vault])
    func `notes are equal after they went out as files and came in again`(
        seed: UInt64, format: ExportOptions.Format
    ) throws {
        let (source, target) = (try random(seed), try TestNotebook(mode: .command))
        let out = source.folder.path + "/out"
        _ = try source.notebook.transfer.export(to: out, ExportOptions(format: format, frontMatter: true))
        for from in try ImportSource.sources([out]) { _ = try target.notebook.transfer.importFiles(from) }
        let (sent, came) = (try carried(source.notebook), try carried(target.notebook))
        #expect(came.map(\.id) == sent.map(\.id), "seed \(seed)")
        for (one, other) in zip(sent, came) where format == .markdown { #expect(one == other, "seed \(seed)") }
        for (one, other) in zip(sent, came) where format == .vault {
            #expect(
                one.title == other.title && one.handTags == other.handTags && one.created == other.created,
                "seed \(seed)")
        }
        try target.expectSound()
    }
}

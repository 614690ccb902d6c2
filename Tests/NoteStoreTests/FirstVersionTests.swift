import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests that everything from version 0.1 is read.
///
/// `takenote-0.1.tar.gz` is the folder of a notebook that its program had made, by commands and in a window, which was
/// killed with -9 in the middle of typing.
struct FirstVersionTests {
    private let folder: URL
    private var path: String { folder.path + "/notes.sqlite" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-0.1-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let archive = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Notebooks/takenote-0.1.tar.gz")
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xzf", archive.path, "-C", folder.path]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The texts that version 0.1 had, and the one that was only in its journal.
    private static let texts = [
        "Reading list":
            "# Reading list\n\nStarted with **Piranesi**; see [[Groceries]] and ünïcode 世界 👩‍🚀.",
        "Shopping": "Groceries\nMilk, eggs\ncoffee filters never saved é世",
        "To archive": "To archive\nold", "To trash": "To trash\ngone",
        "Plain": "Plain\n![image](takenote://image/",
        "Line": "Line\r\nends\r\nkept  \t", "Ode": "Ode\nto a socket", "Edited": "Edited\n\nsecond text\n",
        "Made in the window, saved": "Made in the window, saved",
    ]

    @Test func `every note of version 0_1 arrives with its text, place, tags, star and dates`() throws {
        defer { remove() }
        // The dates are read from the file before this version opens it.
        let dates = "SELECT group_concat(uuid || createdDate, ' ') FROM (SELECT * FROM note ORDER BY uuid)"
        let file = try DatabaseQueue(path: path)
        #expect(try file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        let before = try file.read { try String.fetchOne($0, sql: dates) }
        try file.close()

        let notebook = try Notebook.open(path, mode: .interactive)
        defer { try? notebook.close() }
        #expect(try notebook.care.check().isEmpty)
        #expect(try notebook.read { try String.fetchOne($0, sql: dates) } == before)
        let rows = try notebook.read { try String.fetchAll($0, sql: "SELECT title FROM note") }
        #expect(Set(rows) == Set(Self.texts.keys))
        for (title, text) in Self.texts {
            let row = try notebook.notes.resolve(reference: title)
            let found = try #require(try notebook.notes.text(row.id))
            #expect(title == "Plain" ? found.hasPrefix(text) : found == text, "\(title)")
        }
        let reading = try notebook.notes.resolve(reference: "Reading list")
        #expect(reading.starred && reading.tagNames == ["books"] && reading.folderName == "Home")
        let shopping = try notebook.notes.resolve(reference: "Shopping")
        #expect(shopping.tagNames.sorted() == ["deep tag", "food"] && shopping.folderName == "Kitchen")
        #expect(try notebook.notes.resolve(reference: "Ode").folderName == "Draft")
        #expect(try notebook.notes.resolve(reference: "To archive").place == .archive)
        #expect(try notebook.notes.resolve(reference: "To trash").place == .trash)
        // The link was written to the former title.
        #expect(try notebook.links.backlinks(of: shopping.id).map(\.source.title) == ["Reading list"])
        #expect(try notebook.search.hits("piranesi").map(\.row.title) == ["Reading list"])
        #expect(try notebook.search.hits("saved").count == 2)
    }

    @Test func `every folder, project, picture and version of 0_1 arrives, and undo goes on`() throws {
        defer { remove() }
        let notebook = try Notebook.open(path, mode: .interactive)
        defer { try? notebook.close() }
        let containers = try notebook.containers.all()
        for name in ["Home", "Kitchen", "A/B", "Poems", "Your Poetry", "Publications", "books", "food", "deep tag"] {
            #expect(containers.contains { $0.name == name }, "\(name)")
        }
        let poems = try #require(containers.first { $0.name == "Poems" })
        #expect(poems.projectType == .poetry && poems.details == "Since 2019")
        let plain = try notebook.notes.resolve(reference: "Plain")
        let pictures = try notebook.images.all(of: plain.id)
        #expect(pictures.count == 1 && pictures[0].imageData.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let edited = try notebook.notes.resolve(reference: "Edited")
        let versions = try notebook.versions.all(of: edited.id)
        let texts = try versions.map { try notebook.versions.text(of: edited.id, version: $0.number) }
        #expect(texts.contains("Edited\nfirst text"))
        // The journal is replayed once, and there is a backup of the file as it was.
        let sessions = try FileManager.default.contentsOfDirectory(atPath: notebook.journal.folder)
        #expect(!sessions.contains { $0.hasSuffix(LegacyJournal.ending) })
        #expect(try !notebook.backups.all().isEmpty)
        #expect(try notebook.actions.undo() != nil)
        #expect(try notebook.care.check().isEmpty)
    }
}

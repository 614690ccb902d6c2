import Foundation
import NoteStore
import Testing

@testable import Intelligence

/// Tests that what a note was closed to stays closed for the texts that come from it.
struct PrivacyTests {
    private func level(_ id: NoteID, _ test: TestNotes) throws -> PrivacyLevel {
        try test.notebook.retrieval.privacy(of: id)
    }

    @Test func `a copy is as closed as its note`() throws {
        let test = try TestNotes()
        let diary = try test.add("Diary\n\nsecret")
        try test.notebook.retrieval.setPrivacy(.never, of: diary.id)
        let local = try test.add("Local\n\nhere")
        try test.notebook.retrieval.setPrivacy(.thisMachine, of: local.id)
        let open = try test.add("Open\n\nplain")
        let copies = try test.notebook.notes.copy([diary.id, local.id, open.id], to: .inbox)
        #expect(try copies.map { try level($0.id, test) } == [.never, .thisMachine, .inherit])
        #expect(try level(test.notebook.notes.duplicate([diary.id])[0].id, test) == .never)
        #expect(try !test.sendable(SendingRule(.thisMachine)).ids().contains(copies[0].id))
    }

    @Test func `a merged note is as closed as the strictest of its notes was`() throws {
        let test = try TestNotes()
        let diary = try test.add("Diary\n\nsecret")
        try test.notebook.retrieval.setPrivacy(.never, of: diary.id)
        let merged = try test.notebook.notes.merge([try test.add("Open").id, diary.id])
        #expect(try level(merged.id, test) == .never)
        // The level may also be that of a folder which the text leaves.
        let closed = try test.notebook.folders.create("Closed")
        let inner = try test.notebook.folders.create("Inner", in: closed.id)
        try test.notebook.retrieval.setPrivacy(.thisMachine, of: closed.id)
        let inside = try test.add("Inside", folder: inner.id)
        let other = try test.notebook.notes.merge([try test.add("Second").id, inside.id])
        #expect(try level(other.id, test) == .thisMachine)
        let stays = try test.notebook.notes.merge([
            try test.add("One", folder: inner.id).id, try test.add("Two", folder: inner.id).id,
        ])
        #expect(try level(stays.id, test) == .inherit)
    }

    @Test func `the number of notes for a model leaves out those with a closed tag only in their texts`() throws {
        let test = try TestNotes()
        for text in ["Open # 1", "Inner #private/health", "---\ntags: [Private]\n---\ntext", "Other #privateer"] {
            _ = try test.add(text)
        }
        let notes = test.sendable(SendingRule(.elsewhere, neverSend: ["#private"]))
        #expect(try notes.count() == 2)
        #expect(try test.sendable(SendingRule(.elsewhere)).count() == 4)
    }

    @Test func `the copy of a conflict is as closed as its note`() throws {
        let test = try TestNotes()
        let diary = try test.add("Diary\n\nsecret")
        try test.notebook.retrieval.setPrivacy(.never, of: diary.id)
        _ = try test.notebook.notes.save(diary.id, text: "Diary\n\nfirst", baseRevision: diary.revision)
        let outcome = try test.notebook.notes.save(diary.id, text: "Diary\n\nsecond", baseRevision: diary.revision)
        guard case .conflict(_, _, let copy) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try level(copy.id, test) == .never)
    }

    @Test func `a note that is imported beside the one it was exported from is as closed`() throws {
        let test = try TestNotes()
        let diary = try test.add("Diary\n\nsecret")
        try test.notebook.retrieval.setPrivacy(.never, of: diary.id)
        let folder = test.folder.appending(path: "out").path
        _ = try test.notebook.transfer.export(to: folder, ExportOptions(frontMatter: true))
        let name = try #require(
            FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix(".md") })
        let handle = try #require(FileHandle(forWritingAtPath: folder + "/" + name))
        handle.seekToEndOfFile()
        handle.write(Data("\nand more\n".utf8))
        try handle.close()
        var options = ImportOptions()
        options.onChange = { _ in .both }
        let result = try test.notebook.transfer.importFiles(ImportPlan(paths: [folder]), options)
        let made = try #require(result.notes.first { $0 != diary.id })
        #expect(try level(made, test) == .never)
    }

    @Test func `a copy of an exported file without identity is as closed as the note that it came from`() throws {
        let test = try TestNotes()
        let diary = try test.add("Diary\n\nsecret")
        try test.notebook.retrieval.setPrivacy(.never, of: diary.id)
        let folder = test.folder.appending(path: "out").path
        _ = try test.notebook.transfer.export(to: folder)
        var options = ImportOptions()
        options.onChange = { _ in .both }
        let name = try #require(FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix(".md") })
        for word in ["first", "second"] {
            // The second file was imported before, as a note that is closed.
            let file = URL(filePath: folder + "/" + name)
            try (String(contentsOf: file, encoding: .utf8) + "\n\(word)\n").write(
                to: file, atomically: true, encoding: .utf8)
            let made = try test.notebook.transfer.importFiles(ImportPlan(paths: [folder]), options).notes
            #expect(made.count == 1)
            for id in made { #expect(try level(id, test) == .never, "\(word)") }
        }
    }

    // MARK: - Consent

    @Test func `consent holds for one address and model, or for one command`() throws {
        let test = try TestNotes()
        func server(_ url: String, model: String = "m") throws -> Provider {
            var provider = Provider(name: "p", way: .server(try #require(ServerAddress(url))))
            provider.model = model
            return provider
        }
        func program(_ line: String) -> Provider { Provider(name: "p", way: .command(["sh", "-c", line])) }
        let agreed = try server("https://api.example.com/v1")
        try ModelConsent.remember(agreed, in: test.notebook)
        #expect(try ModelConsent.isGiven(to: agreed, in: test.notebook))
        for other in [
            try server("http://api.example.com/v1"), try server("https://api.example.com/v2"),
            try server("https://api.example.com/v1", model: "n"), program("x"),
        ] {
            #expect(try !ModelConsent.isGiven(to: other, in: test.notebook), "\(other)")
        }
        try ModelConsent.remember(program("x"), in: test.notebook)
        #expect(try ModelConsent.isGiven(to: program("x"), in: test.notebook))
        #expect(try !ModelConsent.isGiven(to: program("y"), in: test.notebook))
    }
}

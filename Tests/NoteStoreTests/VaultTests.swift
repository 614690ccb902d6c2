import Foundation
import Markdown
import Testing
import Vaults

@testable import NoteStore

@Suite struct VaultTests {
    private static func vault(_ test: TestNotebook, seed: UInt64) throws -> (VaultGenerator, String) {
        let vault = VaultGenerator(seed: seed, count: 120)
        let folder = test.folder.appending(path: "vault")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try vault.write(to: folder)
        return (vault, folder.path)
    }

    private static func take(_ path: String, into test: TestNotebook) throws -> ImportResult {
        let sources = try ImportSource.sources([path])
        #expect(sources.count == 1)
        return try test.notebook.transfer.importFiles(try #require(sources.first), ImportOptions(skipsUnchanged: true))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a vault comes whole, is rendered, found, exported and taken in again`(_ seed: UInt64) throws {
        let test = try TestNotebook()
        let (vault, path) = try Self.vault(test, seed: seed)
        let result = try Self.take(path + "/", into: test)
        #expect(result.noteImportCount == vault.notes.count, "\(result.toString())")
        #expect(result.problems.allSatisfy { if case .image = $0.reason { true } else { false } })
        try test.expectSound()
        #expect(try Self.take(path, into: test).noteImportCount == 0)
        for id in result.notes {
            let note = try #require(try test.notebook.notes.load(id))
            #expect(!Markdown.html(note.content, for: HTMLPage()).contains("onerror="))
            _ = try test.notebook.links.outgoing(of: id)
        }
        for word in Set(vault.notes.map(\.word)) where !word.contains(" ") {
            let count = vault.notes.count { $0.word == word }
            #expect(try test.notebook.search.hits(word, limit: 500).count >= count, "\(word)")
        }
        let out = test.folder.path + "/out"
        let written = try test.notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        #expect(written.noteCount == vault.notes.count && written.problems.isEmpty)
        #expect(try Self.take(out, into: test).noteImportCount == 0)
        let other = try TestNotebook()
        #expect(try Self.take(out, into: other).noteImportCount == vault.notes.count)
        for id in result.notes {
            let (one, copy) = (
                try #require(try test.notebook.notes.row(id)), try #require(try other.notebook.notes.row(id))
            )
            #expect(one.title == copy.title && Set(one.tagNames) == Set(copy.tagNames))
        }
    }
}

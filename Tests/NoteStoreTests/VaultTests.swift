import Foundation
import GRDB
import Markdown
import Testing
import Vaults

@testable import NoteStore

@Suite struct VaultTests {
    /// The number of notes, and the seeds of the vaults; `TN_VAULT` makes them larger and more.
    private static let told = ProcessInfo.processInfo.environment["TN_VAULT"].flatMap(Int.init)
    private static let count = told ?? 120
    /// The number of links that lead nowhere.
    private static let lost = max(3_000, 2 * count)
    private static let seeds: [UInt64] = told == nil ? [1] : [1, 2, 3]

    private static func vault(_ test: TestNotebook, seed: UInt64) throws -> (VaultGenerator, String) {
        let vault = VaultGenerator(seed: seed, count: count, signposts: max(2, count / 100), lost: lost)
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

    @Test(arguments: seeds)
    func `a vault comes whole, is rendered, found, exported and taken in again`(_ seed: UInt64) throws {
        let test = try TestNotebook()
        let (vault, path) = try Self.vault(test, seed: seed)
        let result = try Self.take(path + "/", into: test)
        #expect(result.noteImportCount == vault.notes.count, "\(result.toString())")
        #expect(result.problems.allSatisfy { $0.isRemark })
        try test.expectSound()
        try Self.expectLinks(of: vault, at: path, in: test.notebook)
        #expect(try Self.take(path, into: test).noteImportCount == 0)
        for id in result.notes {
            let note = try #require(try test.notebook.notes.load(id))
            #expect(!Markdown.html(note.content, for: HTMLPage()).contains("onerror="))
            _ = try test.notebook.links.outgoing(of: id)
        }
        for word in Set(vault.notes.map(\.word)) where !word.contains(" ") && !word.isEmpty {
            let count = vault.notes.count { $0.word == word }
            let hits = try test.notebook.search.hits(word, limit: vault.notes.count).count
            #expect(hits >= count, "\(word)")
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

    @Test func `the vault has names as long as a file system allows, and each word in both forms`() throws {
        let vault = VaultGenerator(seed: 1, count: Self.count)
        let names = vault.notes.map { $0.path.split(separator: "/").last ?? "" }
        #expect(
            names.count { $0.utf8.count == VaultGenerator.maximumNameLength && $0.hasSuffix(".md") } >= Self.count / 12)
        let texts = Data(vault.notes.map(\.bytes).joined(separator: [0]))
        let allNames = Data(names.joined(separator: "\0").utf8)
        for word in VaultGenerator.words {
            for form in [word.precomposedStringWithCanonicalMapping, word.decomposedStringWithCanonicalMapping] {
                let bytes = Data(form.utf8)
                #expect(texts.range(of: bytes) != nil && allNames.range(of: bytes) != nil, "\(word)")
            }
        }
    }

    /// Expects that each link leads where the generator says.
    private static func expectLinks(of vault: VaultGenerator, at path: String, in notebook: Notebook) throws {
        let keys = try notebook.read { db in
            try Dictionary(
                uniqueKeysWithValues: Row.fetchAll(
                    db, sql: "SELECT path, uuid FROM import_source JOIN note ON note.id = import_source.note"
                ).map { (($0[0] as String).precomposedStringWithCanonicalMapping, NoteID(stored: $0[1])) })
        }
        func note(_ file: String) -> NoteID? { keys["\(path)/\(file)".precomposedStringWithCanonicalMapping] }
        for (file, signposts) in Dictionary(grouping: vault.signposts, by: \.source) {
            let source = try #require(note(file), "\(file)")
            let links = try Dictionary(grouping: notebook.links.outgoing(of: source), by: \.line)
            for signpost in signposts {
                let found = links[signpost.line] ?? []
                #expect(found.count == 1, "\(signpost)")
                let destination = signpost.destination.flatMap(note)
                #expect((destination == nil) == (signpost.destination == nil))
                #expect(
                    found.first?.destination?.id == destination,
                    "\(signpost) leads to \(found.first?.destination?.title ?? "nothing")")
                guard let line = signpost.destinationLine, let link = found.first, let destination else { continue }
                let anchor = try notebook.links.target(of: link.target, from: source)?.anchor
                let text = try notebook.notes.text(destination) ?? ""
                #expect(anchor?.line(in: text) == line, "\(signpost)")
            }
        }
        let lost = try notebook.links.broken().count { $0.target.hasPrefix(VaultGenerator.lostName) }
        #expect(lost == Self.lost)
    }
}

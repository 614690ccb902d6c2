import Foundation
import GRDB
import Markdown
import Testing
import Vaults

@testable import NoteStore

/// Tests that a notebook which is exported as a vault and imported again is the same.
@Suite struct VaultRoundTripTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `an exported vault comes in again with the same texts, pictures and files`(_ seed: UInt64) throws {
        let test = try TestNotebook()
        let folder = test.folder.appending(path: "vault")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try VaultGenerator(seed: seed, count: 120, signposts: 4).write(to: folder)
        let first = try Self.take(folder.path + "/", into: test)
        let out = test.folder.path + "/out"
        let sent = try test.notebook.transfer.export(to: out, ExportOptions(format: .vault))
        #expect(sent.noteCount == first.noteImportCount && sent.problems.isEmpty)
        // Equal files under several names are stored once, and written once.
        let stored = try test.notebook.sync.counts().images
        #expect(sent.imageCount == stored && stored <= first.imageCount)
        #expect(try sent.fileCount == test.notebook.attachments.all().count)
        let other = try TestNotebook()
        let second = try Self.take(out, into: other)
        #expect(second.noteImportCount == first.noteImportCount)
        #expect(second.imageCount == sent.imageCount && second.fileCount == sent.fileCount)
        #expect(try other.notebook.sync.counts().images == stored)
        #expect(try other.notebook.attachments.all().count == test.notebook.attachments.all().count)
        let (sentFiles, cameFiles) = (
            try Self.written(test.notebook, sent), try Self.files(of: other.notebook, in: out)
        )
        let came = Dictionary(uniqueKeysWithValues: cameFiles.map { ($1, $0) })
        for (original, file) in sentFiles {
            let note = try #require(try test.notebook.notes.load(original))
            let id = try #require(came[file])
            let copy = try #require(try other.notebook.notes.load(id))
            let name = MirrorPath.stem(MirrorPath.names(file).last ?? "")
            let text = NoteProperties(of: note.row, inVaultAs: name, text: note.content).added(to: note.content)
            #expect(Self.plain(copy.content) == Self.plain(text), "\(file)")
            let (before, after) = (try Self.links(of: note, test.notebook), try Self.links(of: copy, other.notebook))
            #expect(before.count == after.count, "\(file)")
            for (link, again) in zip(before, after) where !link.isPath {
                #expect(again.note.flatMap { cameFiles[$0] } == link.note.flatMap { sentFiles[$0] }, "\(file)")
            }
        }
    }

    /// The links of a note in the order of its text, each with the note to which it leads.
    ///
    /// A path leads to no note of a notebook; in a vault it may be the path of a file.
    private static func links(of note: Note, _ notebook: Notebook) throws -> [(isPath: Bool, note: NoteID?)] {
        var links: [(isPath: Bool, note: NoteID?)] = []
        for link in Markdown.destinations(in: note.content) {
            switch link.kind {
            case .wikilink, .embed:
                links.append((false, try notebook.links.target(of: link.target, from: note.id)?.note.id))
            case .link, .image:
                let address = TakeNoteURL(link.target)
                links.append((address == nil, address?.kind == .note ? address.map { NoteID($0.uuid) } : nil))
            }
        }
        return links
    }

    @Test func `a generated vault's notebook as JSON is equal after an import into an empty one`() throws {
        let (test, other) = (try TestNotebook(), try TestNotebook())
        let folder = test.folder.appending(path: "vault")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try VaultGenerator(seed: 4, count: 24, signposts: 1).write(to: folder)
        _ = try Self.take(folder.path + "/", into: test)
        let sent = try test.notebook.transfer.archive()
        let read = try JSONDecoder().decode(NotebookArchive.self, from: try JSONEncoder().encode(sent))
        _ = try other.notebook.transfer.importArchive(read)
        let came = try other.notebook.transfer.archive()
        #expect(came.sorted == sent.sorted)
    }

    private static func take(_ path: String, into test: TestNotebook) throws -> ImportResult {
        try test.notebook.transfer.importFiles(try #require(try ImportSource.sources([path]).first))
    }

    /// The exported notes with their files.
    private static func written(_ notebook: Notebook, _ result: ExportResult) throws -> [NoteID: String] {
        let rows = try notebook.read { try NoteRow.fetch($0, "WHERE note.place IN (0, 1) ORDER BY note.id") }
        return Dictionary(uniqueKeysWithValues: zip(rows, result.paths).map { ($0.id, $1) })
    }

    /// The notes that were imported from a folder, with their files.
    private static func files(of notebook: Notebook, in folder: String) throws -> [NoteID: String] {
        let rows = try notebook.read {
            try Row.fetchAll($0, sql: "SELECT path, uuid FROM import_source JOIN note ON note.id = import_source.note")
        }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (NoteID(stored: row[1]), String((row[0] as String).dropFirst(folder.count + 1)))
            })
    }

    /// Returns a text with what each link shows in place of the link.
    ///
    /// Addresses differ between notebooks, and a note whose title cannot be a file's name has another name in a vault.
    private static func plain(_ text: String) -> String {
        var links = LinkEdits(Array(text.utf8))
        for link in Markdown.destinations(in: text) {
            switch link.kind {
            case .wikilink: links.replace(link.range, "<\(link.label)>")
            case .embed: links.replace(link.range, "<>")
            case .link, .image:
                if link.kind == .link, let whole = Self.label(before: link.range, in: Array(text.utf8)) {
                    links.replace(whole.range, "<\(whole.label)>")
                } else {
                    links.replace(link.range, "")
                }
            }
        }
        return links.text
    }

    /// Returns the range and the label of `[label](address)` around its address; a label may have brackets in pairs.
    ///
    /// A title with a character that a link by title cannot have comes in as such a link.
    private static func label(before address: Range<Int>, in bytes: [UInt8]) -> (range: Range<Int>, label: String)? {
        let end = address.lowerBound - 2
        guard end > 0, address.upperBound < bytes.count, bytes[end] == UInt8(ascii: "]"),
            bytes[address.upperBound] == UInt8(ascii: ")")
        else { return nil }
        var (open, depth) = (end, 1)
        while depth > 0, open > 0 {
            open -= 1
            if bytes[open] == UInt8(ascii: "]") { depth += 1 }
            if bytes[open] == UInt8(ascii: "[") { depth -= 1 }
        }
        guard depth == 0 else { return nil }
        return (open..<address.upperBound + 1, String(decoding: bytes[open + 1..<end], as: UTF8.self))
    }
}

extension NotebookArchive {
    /// The archive with its containers in the order of their identities.
    fileprivate var sorted: NotebookArchive {
        var copy = self
        copy.containers.sort { $0.uuid.description < $1.uuid.description }
        return copy
    }
}

import Foundation
import SystemPackage
import Testing

@testable import NoteStore

/// A notebook, and a folder in which it is mirrored.
final class MirrorScene {
    let test: TestNotebook
    let out: String

    init() throws {
        test = try TestNotebook()
        out = test.folder.resolvingSymlinksInPath().path + "/mirror"
    }

    @discardableResult
    func round(_ options: MirrorOptions = MirrorOptions()) throws -> MirrorReport {
        try test.notebook.transfer.mirror(at: out, options)
    }

    func text(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: out + "/" + path)), as: UTF8.self)
    }

    func write(_ path: String, _ text: String) throws { try write(path, bytes: Data(text.utf8)) }

    func write(_ path: String, bytes: Data) throws {
        let file = URL(filePath: out + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Foundation lets programs that other tests start meanwhile inherit the open file, which they would be taken to
        // write.
        let open = try FileDescriptor.open(
            file.path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .init(rawValue: 0o644))
        try open.closeAfter { _ = try open.writeAll(bytes) }
    }

    func move(_ path: String, _ other: String) throws {
        let target = URL(filePath: out + "/" + other)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: out + "/" + path, toPath: target.path)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: out + "/" + path) }

    /// Returns the Markdown files in the folder.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: out).filter { $0.hasSuffix(".md") }.sorted()
    }

    /// Returns the beginnings of all live notes' texts, up to a line's end or a link.
    func contents() throws -> [String] {
        try test.notebook.lists.rows(ListQuery(container: .allNotes), limit: 1000).map { row in
            let text = try test.notebook.notes.text(row.id) ?? ""
            return String(text.prefix { $0 != "\n" && $0 != "!" }).trimmingCharacters(in: .whitespaces)
        }.sorted()
    }

    func save(_ id: NoteID, _ text: String) throws {
        let note = try #require(try test.notebook.notes.load(id))
        _ = try test.notebook.notes.save(id, text: text, baseRevision: note.row.revision, base: note.content)
    }
}

/// A random generator with the same numbers for a seed on every machine.
struct MirrorRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Returns true a given number of times.
///
/// It needs no lock: a round asks it on the thread that runs the round, and a test runs one round at a time.
final class Countdown: @unchecked Sendable {
    private var left: Int

    init(_ left: Int) { self.left = left }

    func next() -> Bool {
        left -= 1
        return left >= 0
    }
}

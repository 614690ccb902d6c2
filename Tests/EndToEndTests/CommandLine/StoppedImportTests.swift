import Foundation
import TerminalDriver
import Testing

@testable import NoteStore

/// Tests imports that are stopped by Ctrl-C: what was imported is kept, and nothing lies elsewhere.
struct StoppedImportTests {
    private let workplace: Workplace
    private let temporary: URL
    private static let count = 400

    init() throws {
        workplace = try Workplace()
        temporary = workplace.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    }

    /// A word that all notes have, by which a copy of them is found.
    private static let secret = "periwinkle"

    enum Form: String, CaseIterable {
        case folder, zip, jex
    }

    private func makeExport(_ form: Form, kilobytes: Int) throws -> URL {
        let place = workplace.folder.appending(path: form == .folder ? "in" : "in.\(form.rawValue)")
        let text = String(repeating: "a \(Self.secret) here\n", count: kilobytes * 57)
        func note(_ number: Int) -> [UInt8] { Array("# Paper \(number)\n\n\(text)".utf8) }
        switch form {
        case .folder:
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for number in 1...Self.count { try Data(note(number)).write(to: place.appending(path: "\(number).md")) }
        case .zip:
            var zip = ZipWriter()
            for number in 1...Self.count { try zip.add("in/\(number).md", note(number)) }
            try Data(zip.finished()).write(to: place)
        case .jex:
            var tar: [UInt8] = []
            let book = String(format: "%032x", 0xB00C)
            tar += TarBuilder.file("\(book).md", Array("Shelf\n\nid: \(book)\nparent_id: \ntype_: 2".utf8))
            for number in 1...Self.count {
                let id = String(format: "%032x", number)
                let facts = "\n\nid: \(id)\nparent_id: \(book)\nmarkup_language: 1\ntype_: 1"
                tar += TarBuilder.file("\(id).md", Array("Paper \(number)\n\n\(text)".utf8) + Array(facts.utf8))
            }
            try Data(tar + [UInt8](repeating: 0, count: 1024)).write(to: place)
        }
        return place
    }

    /// The files under a folder that hold a note's word.
    private func copies(in folder: URL) throws -> [String] {
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return paths.filter { path in
            let bytes = FileManager.default.contents(atPath: folder.path + "/" + path)  // nil for a folder
            return bytes?.firstRange(of: Data(Self.secret.utf8)) != nil
        }
    }

    @Test(arguments: Form.allCases)
    func `an import that Ctrl-C stops says what it has done, leaves no copy and goes on when it is said again`(
        form: Form
    ) throws {
        let environment = workplace.environment.merging(["TMPDIR": temporary.path]) { $1 }
        var stopped: String?
        var place = workplace.folder
        // On a busy machine the signal may come after the end; longer files leave more time for it.
        for kilobytes in [2, 20, 100] where stopped == nil {
            place = try makeExport(form, kilobytes: kilobytes)
            for suffix in ["", "-wal", "-shm"] { unlink(workplace.database.path + suffix) }
            let terminal = try PseudoTerminal(
                Workplace.program, ["import", place.path], environment: environment)
            try terminal.wait(for: "some of the notes, or the end") {
                $0.contains("of \(Self.count)") || $0.contains("imported")
            }
            kill(terminal.process, SIGINT)
            let status = terminal.waitForExit()
            #expect(status == 130 || status == 0)
            if status == 130 { stopped = terminal.screen.lines.joined(separator: "\n") }
        }
        let told = try #require(stopped, "the import always ended before the signal")
        let sentence = /tn: stopped; (\d+) of 400 notes are imported and kept/
        let imported = Int(try #require(told.firstMatch(of: sentence), "\(told)").1) ?? 0
        #expect(imported < Self.count)
        #expect(try workplace.query("SELECT count(*) FROM notes") == "\(imported)")
        #expect(try workplace.query("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        let own = "in" + (form == .folder ? "/" : ".")
        let strange = try copies(in: workplace.folder).filter { !$0.hasPrefix(own) && !$0.contains("notes.sqlite") }
        #expect(strange == [])
        let again = try workplace.tn("import", place.path, environment: ["TMPDIR": temporary.path])
        #expect(again.status == 0, "\(again)")
        #expect(try workplace.query("SELECT count(*), count(DISTINCT title) FROM notes") == "400|400")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        #expect(try workplace.tn("doctor").status == 0)
    }

    @Test func `Ctrl-C at the question about changed files stops the import and merges nothing`() throws {
        let folder = workplace.folder.appending(path: "in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "plan.md")
        try Data("# Plan\n\nOld".utf8).write(to: file)
        #expect(try workplace.tn("import", folder.path).status == 0)
        try Data("# Plan\n\nNew text".utf8).write(to: file)
        let terminal = try PseudoTerminal(
            Workplace.program, ["import", folder.path], environment: workplace.environment)
        try terminal.wait(for: "skip? [M/b/s]")
        try terminal.send("\u{3}")
        #expect(terminal.waitForExit() == 130)
        #expect(terminal.screen.lines.contains { $0.contains("tn: stopped; ") })
        #expect(try workplace.tn("show", "Plan").output == "# Plan\n\nOld")
    }
}

/// Writes the entries of a tar (POSIX.1-1988, ustar).
private enum TarBuilder {
    static func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put(String(format: "%011o", content.count), at: 124)
        put("14571252000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put(String(format: "%06o\u{0} ", header.reduce(0) { $0 + Int($1) }), at: 148)
        return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
}

import Foundation
import GRDB
import SystemPackage
import Testing
import TextPrimitives

@testable import NoteStore

@Suite struct HostileImportTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let folder: String

    init() throws {
        test = try TestNotebook()
        folder = test.folder.path + "/files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ path: String, _ text: String) throws {
        let file = folder + "/" + path
        let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try #require(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
    }

    private func importAll(_ path: String? = nil, again: Bool = false) throws -> ImportResult {
        let options = ImportOptions(skipsUnchanged: !again)
        var total = ImportResult()
        for source in try ImportSource.sources([path ?? folder]) {
            let result = try notebook.transfer.importFiles(source, options)
            total.noteImportCount += result.noteImportCount
            total.unchangedCount += result.unchangedCount
            total.imageCount += result.imageCount
            total.problems += result.problems
            total.notes += result.notes
        }
        return total
    }

    @Test func `pipes and devices are named and keep nobody waiting`() throws {
        try write("good.md", "good ![p](pipe.png)")
        for name in ["pipe.md", "pipe.png"] { #expect(mkfifo(folder + "/" + name, 0o600) == 0) }
        #expect(symlink("/dev/zero", folder + "/zero.md") == 0)
        #expect(mkfifo(folder + "/export.json", 0o600) == 0)
        #expect(!ImportSource.isExport(folder + "/export.json"))
        #expect(!NotebookArchive.isArchive(folder + "/export.json"))
        let result = try importAll()
        #expect(result.noteImportCount == 1)
        #expect(Set(result.problems.map(\.reason)) == [.notRegular, .attachment(name: "pipe.png")])
        #expect(result.problems.count == 3)
        let plan = ImportPlan(paths: [folder])
        #expect(try notebook.transfer.importFiles(plan).leftOut.map(\.examples) == [[folder + "/export.json"]])
    }

    @Test func `a text brings in no file from outside of its folder but a picture`() throws {
        let secret = test.folder.path + "/secret.txt"
        let picture = test.folder.path + "/p.png"
        try #require(FileManager.default.createFile(atPath: secret, contents: Data("key".utf8)))
        try #require(FileManager.default.createFile(atPath: picture, contents: TransferTests.png))
        try write("a.md", "![s](\(secret)) ![s](../secret.txt) [s](../secret.txt) ![[../secret.txt]] ![p](../p.png)")
        let result = try importAll()
        #expect(try notebook.attachments.all().isEmpty)
        #expect(result.imageCount == 1)
        #expect(Set(result.problems.map(\.reason)) == [.attachment(name: "secret.txt")], "\(result)")
    }

    @Test func `folders that link to each other in a circle come once, and what is elsewhere is named`() throws {
        try write("a/one.md", "one")
        #expect(symlink("..", folder + "/a/up") == 0)
        #expect(symlink(".", folder + "/self") == 0)
        #expect(symlink("/usr", folder + "/far") == 0)
        #expect(symlink("nothing", folder + "/broken.md") == 0)
        let result = try importAll()
        #expect(result.noteImportCount == 1)
        #expect(Set(result.problems.map(\.reason)) == [.linkToFolder, .unreadable(errno: ENOENT)])
    }

    @Test func `links that lead out of the folder are named and not followed`() throws {
        let outside = test.folder.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(filePath: outside + "/secret.md"))
        try TransferTests.png.write(to: URL(filePath: outside + "/secret.png"))
        try write("a.md", "![](b.png) ![](in.png) [c](c.md)")
        try write("in/real.md", "real")
        try TransferTests.png.write(to: URL(filePath: folder + "/real.png"))
        for (name, target) in [
            ("c.md", outside + "/secret.md"), ("b.png", outside + "/secret.png"), ("in.png", "real.png"),
            ("inner.md", "in/real.md"), ("loop.md", "loop.md"), ("null.md", "/dev/null"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: target)
        }
        let result = try importAll()
        #expect(result.noteImportCount == 3 && result.imageCount == 1)
        let reasons = Dictionary(uniqueKeysWithValues: result.problems.map { ($0.path, $0.reason) })
        #expect(reasons[folder + "/c.md"] == .linkOutside && reasons[folder + "/null.md"] == .notRegular)
        #expect(reasons[folder + "/loop.md"] == .unreadable(errno: ELOOP))
        #expect(reasons[folder + "/a.md"] == .attachment(name: "b.png"))
        #expect(try notebook.search.hits("secret").isEmpty)
        try test.expectSound()
        // A link given by the user is followed.
        #expect(try notebook.transfer.importFiles(ImportPlan(paths: [folder + "/c.md"])).noteImportCount == 1)
    }

    @Test func `what lies deeper than a path can be long is named`() throws {
        try write("near.md", "near")
        // Each folder is made from the one above, since no path reaches it.
        var above = try FileDescriptor.open(FilePath(folder), .readOnly, options: .directory)
        let name = String(repeating: "d", count: 200)
        for _ in 0..<25 {
            try #require(mkdirat(above.rawValue, name, 0o700) == 0)
            let next = FileDescriptor(rawValue: openat(above.rawValue, name, O_RDONLY | O_DIRECTORY))
            try above.close()
            above = next
        }
        let file = FileDescriptor(rawValue: openat(above.rawValue, "far.md", O_WRONLY | O_CREAT, 0o600))
        _ = try file.writeAll(Array("far".utf8))
        for descriptor in [above, file] { try descriptor.close() }
        defer { removeNested(name, in: folder) }
        let result = try importAll()
        #expect(result.noteImportCount == 1)
        #expect(result.problems.map(\.reason) == [.unreadable(errno: ENAMETOOLONG)])
        #expect(result.problems.allSatisfy { $0.path.hasPrefix(folder + "/" + name) && $0.path.count > 3800 })
    }

    /// Removes nested folders of the same name, whose path is longer than the system allows.
    private func removeNested(_ name: String, in folder: String) {
        let (first, second) = (folder + "/" + name, folder + "/next")
        while rename(first + "/" + name, second) == 0 {
            _ = try? FileManager.default.removeItem(atPath: first)  // the system removes leftovers
            if rename(second, first) != 0 { return }
        }
    }

    @Test func `a sparse file of a gigabyte is refused by its size`() throws {
        try write("large.md", "")
        #expect(truncate(folder + "/large.md", 1 << 30) == 0)
        #expect(try importAll().problems.map(\.reason) == [.tooLarge(bytes: 1 << 30, limit: ImportFile.limit)])
    }

    @Test func `names of any bytes are taken in, those that are no UTF-8 too`() throws {
        for name in ["a\nb.md", "tab\t.md", "\u{1B}[31mred.md", String(repeating: "ক্ষি", count: 20) + ".md"] {
            try write(name, "text of \(name.count)")
        }
        try write(String(repeating: "x", count: 252) + ".md", "long")
        for bytes in [[0x62, 0xFF, 0x2E, 0x6D, 0x64], [0x62, 0xFE, 0x2E, 0x6D, 0x64]] as [[UInt8]] {
            let path = Array(folder.utf8) + [0x2F] + bytes + [0]
            let file = path.withUnsafeBytes {
                open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
            }
            #expect(file >= 0)
            close(file)
        }
        let result = try importAll(folder + "/")
        #expect(result.noteImportCount == 7 && result.problems.isEmpty, "\(result.toString())")
        #expect(try importAll().unchangedCount == 7)
        try test.expectSound()
    }

    @Test(arguments: [15_000_000_000, -11_000_000_000.0])
    func `a file whose time nanoseconds cannot count is taken in`(seconds: Double) throws {
        try write("far.md", "text")
        let date = Date(timeIntervalSince1970: seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder + "/far.md")
        let result = try importAll()
        #expect(result.noteImportCount == 1 && result.problems.isEmpty, "\(result)")
        var status = stat()
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec = Int(seconds)
        #else
        status.st_mtim.tv_sec = Int(seconds)
        #endif
        #expect(FileStatus(status).modified == date)
    }

    @Test func `a folder with a slash at its end and Bengali names is taken in`() throws {
        try write("bn/সাহায্য.md", "[[নেই]] আর [[সাহায্য]]")
        let result = try importAll(folder + "/bn/")
        #expect(result.noteImportCount == 1)
        #expect(try test.titles(try notebook.containers.resolve(path: "bn").id) == ["সাহায্য"])
    }

    @Test func `a link that names a file and leads nowhere is given to the file's note`() throws {
        try write("a.md", "to [[b]], [[B#Part|there]] and [[nowhere]]")
        try write("b.md", "---\ntitle: Other\n---\ntext")
        #expect(try importAll().noteImportCount == 2)
        let other = try notebook.notes.resolve(reference: "Other")
        #expect(
            try notebook.notes.text(try notebook.notes.resolve(reference: "a").id)
                == "to [b](\(other.getURL())), [[Other#Part|there]] and [[nowhere]]")
    }

    @Test func `a note may have a # in the name of its file, and a picture of two addresses counts once`() throws {
        try write("x#y.md", "text")
        try write("sub/a.md", "[x](<../x#y.md>) ![](../p.png) ![](p.png)")
        try TransferTests.png.write(to: URL(filePath: folder + "/p.png"))
        let result = try importAll()
        #expect(result.noteImportCount == 2 && result.imageCount == 1)
        let url = try notebook.notes.resolve(reference: "x#y").getURL()
        let text = try notebook.notes.text(try notebook.notes.resolve(reference: "a").id)
        #expect(text?.hasPrefix("[x](<\(url)>) ![](takenote://image/") == true)
    }

    @Test func `what a note says twice comes once, and code stays as it is`() throws {
        try write("a.md", "[b](b.md) `[b](b.md)`\n\n```\n[b](b.md)\n```\n\n[r]\n\n[r]: b.md")
        try write("b.md", "b")
        _ = try importAll()
        let url = try notebook.notes.resolve(reference: "b").getURL()
        #expect(
            try notebook.notes.text(try notebook.notes.resolve(reference: "a").id)
                == "[b](\(url)) `[b](b.md)`\n\n```\n[b](b.md)\n```\n\n[r]\n\n[r]: \(url)")
    }

    @Test func `a title of several lines in front matter is the one that the text gives`() throws {
        try write("x.md", "---\ntitle: |-\n  First\n  Second\n---\nbody")
        #expect(try importAll().noteImportCount == 1)
        #expect(try notebook.notes.resolve(reference: "First Second").titleIsDerived)
    }

    @Test func `a copy of a folder that was imported brings nothing new`() throws {
        try write("one/sub/a.md", "[b](b.md)")
        try write("one/sub/b.md", "---\ntags: [t]\n---\nb")
        try FileManager.default.createDirectory(atPath: folder + "/two", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder + "/one", toPath: folder + "/two/one")
        #expect(try importAll(folder + "/one").noteImportCount == 2)
        let again = try importAll(folder + "/two/one/")
        #expect(again.noteImportCount == 0 && again.unchangedCount == 2)
        #expect(
            try notebook.transfer.preview(
                ImportSource(plain: ImportPlan(paths: [folder + "/two/one"])), ImportOptions(skipsUnchanged: true)
            ).unchangedCount == 2)
    }

    @Test func `an import writes nothing beside the notebook`() throws {
        func names() throws -> Set<String> {
            Set(
                try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).filter {
                    $0.hasPrefix("tn-import")
                })
        }
        let before = try names()
        try write("vault/.obsidian/app.json", "{}")
        try write("vault/a.md", "![[x.png]] #t")
        _ = try importAll(folder + "/vault")
        #expect(try names() == before)
    }
}

@Suite struct NoteFrontMatterTests {
    @Test(arguments: [
        ("tags: [to read, \"a, b\", 2024, yes]", ["to read", "a, b", "2024", "yes"]),
        ("tags: a, b", ["a", "b"]), ("tag: one two", ["one", "two"]), ("tags: \"to read\"", ["to read"]),
        ("tags:\n- \"#x\"\n- 'it''s'\n- 1.0\n-", ["x", "it's", "1.0"]), ("tags:\n", []),
        ("Tags: [[a], b]", ["a", "b"]),
        ("title: One: two\ntags: [a]", ["a"]),
    ]) func `tags are read as YAML has them`(_ matter: String, _ tags: [String]) {
        #expect(NoteFrontMatter(of: "---\n\(matter)\n---\n")?.tags == tags)
        #expect(NoteFrontMatter(of: "---\r\n\(matter.replacing("\n", with: "\r\n"))\r\n---\r\n")?.tags == tags)
    }

    @Test func `titles and aliases are read as YAML has them`() {
        let matter = NoteFrontMatter(of: "---\ntitle: >\n  folded\n  title\naliases: [A, \"B: c\"]\n---\ntext")
        #expect(matter?.title == "folded title\n" && matter?.aliases == ["A", "B: c"])
        #expect(NoteFrontMatter(of: "---\ntitle: One: two\n---\n")?.title == "One: two")
        #expect(TextFacts.derivedTitle(of: "---\ntitle: \"a \\\"b\\\"\"\n---\nc") == "a \"b\"")
        #expect(NoteFrontMatter(of: "text") == nil)
    }

    @Test(arguments: [
        "to read", "- x", "#x", "a: b", "yes", "1.0", "", "\"", "'", "a\nb", "\\", "\t", "\u{0}",
        "\u{85}\u{2028}\u{FEFF}",
        "é 日本 🙂", "*a", "&a", "!a", "{", "[", "%", "@", "`", "null", "~", " x ", "---",
    ]) func `what is written is read as it was`(_ text: String) {
        let matter = "title: \(DoubleQuoted.text(text))\ntags: [\(DoubleQuoted.text("a" + text))]"
        let mapping = YAMLMapping(reading: matter[...].utf8)
        #expect(mapping?.entries.map(\.value.first?.text) == [text, "a" + text])
    }

    @Test func `laughs by the thousand million are not laughed`() {
        var bomb = "a: &a [x, x]\n"
        for (one, next) in zip("abcdefgh", "bcdefghi") {
            bomb += "\(next): &\(next) [\(Array(repeating: "*\(one)", count: 9).joined(separator: ","))]\n"
        }
        #expect(YAMLMapping(reading: (bomb + "tags: *i")[...].utf8) == nil)
        #expect(YAMLMapping(reading: String(repeating: "[", count: 5000)[...].utf8) == nil)
        #expect(YAMLMapping(reading: String(repeating: "- ", count: 5000)[...].utf8) == nil)
        #expect(YAMLMapping(reading: (String(repeating: "x", count: 70_000) + ": y")[...].utf8) == nil)
        #expect(NoteFrontMatter(of: "---\ntitle: Fine\n\(bomb)---\n")?.title == "Fine")
    }
}

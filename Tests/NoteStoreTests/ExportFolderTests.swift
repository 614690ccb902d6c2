import Foundation
import Load
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

@Suite(.underLoad) struct ExportFolderTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let out: String

    init() throws {
        test = try TestNotebook()
        out = test.folder.path + "/out"
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: out + "/" + path)), as: UTF8.self)
    }

    private func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        try #require(FileManager.default.createFile(atPath: out + "/" + path, contents: Data(text.utf8)))
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(out + path, &status) == 0)
        return status.st_mode & 0o777
    }

    @Test func `a folder with a stranger's files is refused, and force leaves them as they are`() throws {
        try test.note("mine", title: "a")
        try write("theirs", to: "other.txt")
        #expect(throws: StoreError.folderInUse(path: out)) { try notebook.transfer.export(to: out) }
        try FileManager.default.createDirectory(atPath: out + "/Inbox", withIntermediateDirectories: true)
        try write("theirs", to: "Inbox/a.md")
        let result = try notebook.transfer.export(to: out, ExportOptions(force: true))
        #expect(result.noteCount == 0 && result.problems.map(\.reason) == [.notOurs])
        #expect(try text("Inbox/a.md") == "theirs" && text("other.txt") == "theirs")
    }

    @Test func `while one export writes, another into the same folder is refused`() throws {
        try test.note("mine", title: "a")
        var other: ExportFolder? = try ExportFolder(out, force: false)
        try other?.write(Array("theirs".utf8), to: ["b.md"], note: nil)
        for force in [false, true] {
            #expect(throws: StoreError.exportRunning(path: out)) {
                try notebook.transfer.export(to: out, ExportOptions(format: .html, force: force))
            }
        }
        try other?.finish()
        other = nil
        #expect(try notebook.transfer.export(to: out).noteCount == 1)
        #expect(try text("Inbox/a.md") == "mine" && text("b.md") == "theirs")
    }

    @Test func `of many exports that begin at once in a new folder, each is whole or says that another runs`() throws {
        for number in 0..<20 { try test.note("text \(number)", title: "note \(number)") }
        let (notebook, out) = (notebook, out)
        let outcomes = Mutex<[StoreError?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let format = index.isMultiple(of: 2) ? ExportOptions.Format.markdown : .html
            do throws(StoreError) {
                let result = try notebook.transfer.export(to: out, ExportOptions(format: format))
                #expect(result.noteCount == 20 && result.problems.isEmpty)
                outcomes.withLock { $0.append(nil) }
            } catch {
                outcomes.withLock { $0.append(error) }
            }
        }
        let found = outcomes.withLock { $0 }
        #expect(found.contains(nil))
        #expect(found.allSatisfy { $0 == nil || $0 == .exportRunning(path: out) }, "\(found)")
        let mark = try #require(ExportMark(in: FilePath(out)))
        for name in try FileManager.default.contentsOfDirectory(atPath: out + "/Inbox") {
            #expect(mark["Inbox/" + name] != nil, "\(name)")
        }
    }

    @Test func `a second export brings its own files up to date and leaves those that were changed`() throws {
        let a = try test.note("first", title: "a")
        let b = try test.note("second", title: "b")
        _ = try notebook.transfer.export(to: out)
        try write("edited", to: "Inbox/b.md")
        _ = try notebook.notes.save(a.id, text: "third", baseRevision: a.revision)
        _ = try notebook.notes.save(b.id, text: "fourth", baseRevision: b.revision)
        let result = try notebook.transfer.export(to: out)
        #expect(result.noteCount == 1 && result.problems.map(\.reason) == [.notOurs])
        #expect(try text("Inbox/a.md") == "third" && text("Inbox/b.md") == "edited")
        #expect(try notebook.transfer.export(to: out, ExportOptions(format: .html)).noteCount == 2)
        #expect(try text("Inbox/b.md") == "edited" && text("Inbox/b.html").contains("fourth"))
    }

    @Test func `what a killed export left is removed, and an export that was killed as it began goes on`() throws {
        let test = try TestNotebook()
        try test.note("one")
        let out = test.folder.path + "/out"
        try FileManager.default.createDirectory(atPath: out + "/Inbox", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: out + "/.tn-export"))
        // Processes have numbers below four million; this one runs, and so does the first of all.
        let (dead, other) = (out + "/Inbox/.tn-export-4194399.part", out + "/Inbox/.tn-export-mine.part")
        let alive = out + "/Inbox/.tn-export-1.part"
        // The mark's own unfinished file, in a folder into which the next export writes nothing else.
        let mark = out + "/.tn-export-4194398.part"
        for path in [dead, other, alive, mark] { try Data("half".utf8).write(to: URL(filePath: path)) }
        for _ in 0..<2 {
            let result = try test.notebook.transfer.export(to: out)
            #expect(result.noteCount == 1 && result.problems.isEmpty)
            #expect(![dead, mark].contains { FileManager.default.fileExists(atPath: $0) })
            #expect([other, alive].allSatisfy { FileManager.default.fileExists(atPath: $0) })
        }
        #expect(try String(contentsOfFile: out + "/.tn-export", encoding: .utf8).hasPrefix("tn export 1\n"))
    }

    @Test func `a renamed note leaves no file behind`() throws {
        let a = try test.note("first", title: "a")
        _ = try notebook.transfer.export(to: out)
        try notebook.notes.setTitle(a.id, "b")
        _ = try notebook.transfer.export(to: out)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/Inbox") == ["b.md"])
    }

    @Test func `a note that is in Trash since leaves no file behind, unless somebody has changed the file`() throws {
        let notes = try (["a", "b", "c"] as [String]).map { try test.note("text of \($0)", title: $0) }
        _ = try notebook.transfer.export(to: out)
        try write("edited", to: "Inbox/c.md")
        try notebook.trash.add([notes[1].id, notes[2].id])
        #expect(try notebook.transfer.export(to: out).noteCount == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: out + "/Inbox").sorted()
        #expect(try left == ["a.md", "c.md"] && text("Inbox/c.md") == "edited")
        try notebook.trash.restore([notes[1].id])
        let again = try notebook.transfer.export(to: out)
        #expect(again.noteCount == 2 && again.problems.isEmpty)
        #expect(try text("Inbox/b.md") == "text of b")
    }

    @Test func `files are the owner's alone, and no link leads out of the folder`() throws {
        try test.note("mine", title: "a")
        _ = try notebook.transfer.export(to: out)
        #expect(try mode("") == 0o700 && mode("/Inbox") == 0o700 && mode("/Inbox/a.md") == 0o600)
        let elsewhere = test.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: out + "/Inbox")
        #expect(symlink(elsewhere, out + "/Inbox") == 0)
        #expect(try notebook.transfer.export(to: out).problems.map(\.reason) == [.notOurs])
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test(arguments: [true, false]) func `an export imported again changes nothing`(_ frontMatter: Bool) throws {
        let one = try test.note("# One\n\nto read", title: "One: a/b")
        let tag = try notebook.tags.create("to read")
        try notebook.notes.create(
            NewNote(text: "[x](\(one.getURL())) `\(one.getURL())` [[One: a/b]]", title: "- \"x\"", tags: [tag.id]))
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: frontMatter))
        let options = ImportOptions(skipsUnchanged: true)
        let back = try notebook.transfer.importFiles(ImportPlan(paths: [out]), options)
        #expect(back.noteImportCount == 0 && back.unchangedCount == 2)
        // Without the mark, files are recognised by their texts alone.
        if frontMatter {
            try FileManager.default.removeItem(atPath: out + "/" + ExportMark.name)
            #expect(try notebook.transfer.importFiles(ImportPlan(paths: [out]), options).noteImportCount == 0)
        }
        let other = try TestNotebook()
        #expect(try other.notebook.transfer.importFiles(ImportPlan(paths: [out]), options).noteImportCount == 2)
        let copy = try other.notebook.lists.rows(ListQuery(container: .allNotes), limit: 5)
        #expect(
            Set(copy.map(\.id)) == Set(try notebook.lists.rows(ListQuery(container: .allNotes), limit: 5).map(\.id)))
        if frontMatter { #expect(Set(copy.flatMap(\.tagNames)) == ["to read"]) }
    }

    @Test func `what leads nowhere leads nowhere after an export and an import`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        // The files of note and picture get the names that the links have.
        try test.note("\(image.getMarkdown())", title: "utf/8")
        let text = "[[utf-8]] ![[utf-8]] [a]([[utf-8]]) [b](/utf-8/) ![c](x/p.png)"
        let note = try test.note(text, title: "links")
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        let other = try TestNotebook()
        #expect(try other.notebook.transfer.importFiles(ImportPlan(paths: [out])).noteImportCount == 2)
        #expect(try other.notebook.notes.text(note.id) == text)
    }

    @Test(arguments: [true, false])
    func `links by a former title find the note after an export and an import`(_ frontMatter: Bool) throws {
        let note = try test.note("text", title: "Old: a=b")
        let linking = try test.note("[[Old: a=b]]", title: "links")
        try notebook.notes.setTitle(note.id, "New")
        let before = try notebook.links.outgoing(of: linking.id).map(\.destination?.id)
        #expect(before == [note.id])
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: frontMatter))
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        #expect(try other.notebook.links.outgoing(of: linking.id).map(\.destination?.id) == before)
    }

    @Test func `addresses in code stay, those of links lead to files`() throws {
        let one = try test.note("one", title: "one")
        let url = one.getURL()
        try test.note("[a](\(url)) `\(url)`\n\n```\n\(url)\n```\n\n[r]\n\n[r]: <\(url)>", title: "two")
        _ = try notebook.transfer.export(to: out)
        #expect(
            try text("Inbox/two.md")
                == "[a](../Inbox/one.md) `\(url)`\n\n```\n\(url)\n```\n\n[r]\n\n[r]: <../Inbox/one.md>")
    }

    @Test func `an image that only a tag shows goes out and comes back`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "x")
        try test.note("<img src=\"\(image.getURL())\" width=9>", title: "a")
        #expect(try notebook.transfer.export(to: out).imageCount == 1)
        #expect(try text("Inbox/a.md") == "<img src=\"../images/\(image.imageUUID.uuidString).png\" width=9>")
        let other = try TestNotebook()
        #expect(try other.notebook.transfer.importFiles(ImportPlan(paths: [out])).imageCount == 1)
    }

    @Test func `pages run nothing, and each has its own title and links`() throws {
        let one = try test.note(
            "[[javascript:alert(1)]] <img src=x onerror=alert(1)> [b](javascript:alert) <script>x</script>",
            title: "<one>")
        try test.note("[[<one>]] [a](\(one.getURL()))", title: "two")
        let result = try notebook.transfer.export(to: out, ExportOptions(format: .html))
        #expect(result.noteCount == 2)
        let page = try text("Inbox/-one-.html")
        #expect(!page.contains("javascript:alert\"") && !page.contains("onerror") && !page.contains("<script>"))
        #expect(page.contains("<title>&lt;one&gt;</title>"))
        #expect(try text("Inbox/two.html").contains("href=\"../Inbox/-one-.html\""))
    }

    /// A title of printable ASCII takes a shorter way; an accented letter beside it must not change the rest.
    @Test(arguments: [
        ("plain title", "plain title"), ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"), (" .hidden. ", "hidden"),
        ("con", "_con"), ("COM1.txt", "_COM1.txt"), ("console", "console"), ("aux b", "aux b"),
    ])
    func `a name of ASCII is as safe as one of other letters`(_ title: String, _ name: String) {
        #expect(SafeName(title).name == name)
        #expect(SafeName("é" + title.drop { " .".contains($0) }).name.dropFirst() == name.drop { $0 == "_" })
        #expect(SafeName(title, maximumLength: 3).name.utf8.count <= 4)
    }

    @Test func `notes of one title by the thousand get names in no time, and names fit in bytes`() throws {
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        for _ in 0..<20_000 { _ = SafeName.unique("Same", ending: ".md", in: [], &taken, &numbers) }
        #expect(taken.count == 20_000 && taken.contains("/same 20000.md"))
        #expect(SafeName(String(repeating: "क्षि", count: 200)).name.utf8.count <= SafeName.maximumLength)
        #expect(SafeName("e" + String(repeating: "\u{301}", count: 100_000)).name.utf8.count <= SafeName.maximumLength)
    }
}

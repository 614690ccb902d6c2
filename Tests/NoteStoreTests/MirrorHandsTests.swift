import Foundation
import GRDB
import Synchronization
import Testing

@testable import NoteStore

/// Tests what people and their programs do with the files of a mirrored folder by hand.
@Suite struct MirrorHandsTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    private func title(_ id: NoteID) throws -> String? { try notebook.notes.row(id)?.title }

    // MARK: - Emptied files

    @Test(arguments: ["", "\n  \n"])
    func `a note keeps its title while its file is empty`(_ blank: String) throws {
        let note = try scene.test.note("# Novel\n\nchapter one")
        let other = try scene.test.note("see [[Novel]]", title: "Other")
        try scene.round()
        try scene.write("Inbox/Novel.md", blank)
        try scene.round()
        #expect(try title(note.id) == "Novel" && scene.files() == ["Inbox/Novel.md", "Inbox/Other.md"])
        #expect(try scene.round().isIdle)
        // What the program writes then is the text of the same note, under the name of the file.
        try scene.write("Inbox/Novel.md", "chapter two")
        try scene.round()
        #expect(try title(note.id) == "Novel" && notebook.notes.text(note.id) == "chapter two")
        #expect(try notebook.links.target(of: "Novel", from: other.id)?.note.id == note.id)
        #expect(try scene.text("Inbox/Other.md") == "see [[Novel]]")
        #expect(try scene.round().isIdle)
    }

    @Test func `a title that followed the text follows it again once the file has a text of that title`() throws {
        let note = try scene.test.note("# Novel\n\nchapter one")
        try scene.round()
        try scene.write("Inbox/Novel.md", "")
        try scene.round()
        try scene.write("Inbox/Novel.md", "# Novel\n\nchapter one")
        try scene.round()
        #expect(try title(note.id) == "Novel")
        try scene.save(note.id, "# Saga\n\nchapter one")
        #expect(try title(note.id) == "Saga")
        #expect(try scene.round().moved == ["Inbox/Saga.md"])
    }

    @Test func `a title that somebody has chosen stays chosen after the file was empty`() throws {
        let note = try scene.test.note("# Novel\n\nchapter one", title: "Mine")
        try scene.round()
        try scene.write("Inbox/Mine.md", "")
        try scene.round()
        try scene.write("Inbox/Mine.md", "# Novel\n\nchapter two")
        try scene.round()
        #expect(try title(note.id) == "Mine")
    }

    // MARK: - Files that change places

    @Test func `files that are swapped by renaming stay the files of their notes`() throws {
        let texts = ["# Alpha\n\nfirst", "# Beta\n\nsecond", "plain third", "fourth"]
        let notes = try texts.map { try scene.test.note($0) }
        try scene.round()
        let names = ["Alpha", "Beta", "plain third", "fourth"]
        // Each gets the name of the next one.
        try scene.move("Inbox/Alpha.md", "Inbox/away")
        try scene.move("Inbox/Beta.md", "Inbox/Alpha.md")
        try scene.move("Inbox/plain third.md", "Inbox/Beta.md")
        try scene.move("Inbox/fourth.md", "Inbox/plain third.md")
        try scene.move("Inbox/away", "Inbox/fourth.md")
        let report = try scene.round()
        #expect(report.taken.count == 4 && report.trashed.isEmpty && report.moved.isEmpty && report.written.isEmpty)
        #expect(try notes.map { try notebook.notes.text($0.id) } == texts)
        #expect(try notes.map { try title($0.id) } == ["fourth", "Alpha", "Beta", "plain third"])
        #expect(try scene.files() == names.map { "Inbox/\($0).md" }.sorted())
        #expect(try notes.allSatisfy { try notebook.versions.all(of: $0.id).isEmpty })
        #expect(try scene.round().isIdle)
    }

    @Test func `in a project, where titles are unique, swapped files are followed too`() throws {
        try notebook.projects.create("Book", type: .prose)
        let draft = try #require(
            try notebook.containers.all().first { $0.name == "Draft" && $0.kind == .folder })
        let notes = try ["one", "two"].map { (name: String) in
            try scene.test.note("text \(name)", in: draft.id, title: name)
        }
        try scene.round()
        let folder = try #require(try scene.files().first).split(separator: "/").dropLast().joined(separator: "/")
        try scene.move("\(folder)/one.md", "\(folder)/away")
        try scene.move("\(folder)/two.md", "\(folder)/one.md")
        try scene.move("\(folder)/away", "\(folder)/two.md")
        let report = try scene.round()
        #expect(report.leftAlone.isEmpty && report.trashed.isEmpty, "\(report)")
        #expect(try notes.map { try title($0.id) } == ["two", "one"])
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["text one", "text two"])
        #expect(try scene.files() == ["\(folder)/one.md", "\(folder)/two.md"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a file that is renamed over another one keeps its note, and the other note goes to Trash`() throws {
        let (kept, gone) = (try scene.test.note("kept", title: "A"), try scene.test.note("replaced", title: "B"))
        try scene.round()
        // The system call replaces the other file, as mv does.
        #expect(rename(scene.out + "/Inbox/A.md", scene.out + "/Inbox/B.md") == 0)
        try scene.round()
        #expect(try notebook.notes.text(kept.id) == "kept" && title(kept.id) == "B")
        #expect(try notebook.notes.row(gone.id)?.place == .trash && notebook.notes.text(gone.id) == "replaced")
        #expect(try scene.files() == ["Inbox/B.md"])
        #expect(try scene.round().isIdle)
    }

    #if os(Linux)
    @Test func `a file whose new name differs in case replaces nothing that has this name`() throws {
        let (linked, free) = (try scene.test.note("one", title: "plan"), try scene.test.note("two", title: "list"))
        try scene.round()
        try FileManager.default.createSymbolicLink(
            atPath: scene.out + "/Inbox/Plan.md", withDestinationPath: "elsewhere")
        try notebook.notes.setTitle(linked.id, "Plan")
        try notebook.notes.setTitle(free.id, "List")
        #expect(try scene.round().moved.sorted() == ["Inbox/List.md", "Inbox/Plan 2.md"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scene.out + "/Inbox/Plan.md") == "elsewhere")
        #expect(try scene.round().moved.isEmpty)
        // A file of this name that another program made after the folder was listed.
        try scene.write("Inbox/LIST.md", "three")
        let folder = try MirrorFolder(scene.out, isMade: false)
        let (list, other) = (ExactText("Inbox/List.md"), ExactText("Inbox/LIST.md"))
        #expect(throws: MirrorFolder.Refusal.changed) {
            try folder.move(list, to: other, expecting: GitObject.name(ofBlob: Array("two".utf8)))
        }
        #expect(try scene.text("Inbox/LIST.md") == "three" && scene.text("Inbox/List.md") == "two")
    }
    #endif

    /// Git writes both files anew when it checks out a commit in which they have each other's names.
    @Test(arguments: [true, false])
    func `files that exchange their whole texts exchange their names`(areWrittenInPlace: Bool) throws {
        let notes = try ["one", "two", "three"].map { (name: String) in
            try scene.test.note("text \(name)", title: name)
        }
        try scene.round()
        for (name, text) in [("one", "text two"), ("two", "text three"), ("three", "text one")] {
            if !areWrittenInPlace { try scene.remove("Inbox/\(name).md") }
            try overwrite("Inbox/\(name).md", text)
        }
        let report = try scene.round()
        #expect(report.trashed.isEmpty && report.moved.isEmpty && report.written.isEmpty)
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["text one", "text two", "text three"])
        #expect(try notes.map { try title($0.id) } == ["three", "one", "two"])
        #expect(try notes.allSatisfy { try notebook.versions.all(of: $0.id).isEmpty })
        #expect(try scene.round().isIdle)
    }

    /// Only texts that occur once tell whose they are.
    @Test func `files whose texts are not all exchanged are edited notes, and lose nothing`() throws {
        let notes = try ["one", "two", "three"].map { (name: String) in
            try scene.test.note("text \(name)", title: name)
        }
        try scene.round()
        for (name, text) in [("one", "text two"), ("two", "text three"), ("three", "text four")] {
            try overwrite("Inbox/\(name).md", text)
        }
        try scene.round()
        #expect(try notes.map { try title($0.id) } == ["one", "two", "three"])
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["text two", "text three", "text four"])
        // Two notes of one text, and one that gets it.
        try overwrite("Inbox/one.md", "same")
        try overwrite("Inbox/two.md", "same")
        try scene.round()
        try overwrite("Inbox/one.md", "text four")
        try overwrite("Inbox/three.md", "same")
        try scene.round()
        #expect(try notes.map { try title($0.id) } == ["one", "two", "three"])
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["text four", "same", "same"])
        #expect(try scene.round().isIdle)
    }

    /// Writes a file in its place, so that it keeps its inode; a missing one is made.
    private func overwrite(_ path: String, _ text: String) throws {
        if !FileManager.default.fileExists(atPath: scene.out + "/" + path) { return try scene.write(path, text) }
        let file = try FileHandle(forWritingTo: URL(filePath: scene.out + "/" + path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    // MARK: - Files that are written slowly

    /// A program opens a file, appends and closes it, with pauses in which rounds run, while somebody edits the note.
    @Test(arguments: [1, 2] as [UInt64])
    func `a file that is appended to with pauses is whole in the end, and no copy is made`(seed: UInt64) throws {
        var random = MirrorRandom(seed: seed)
        let other = try scene.test.note("other", title: "Other")
        let lines = (0..<20).map { "line \($0) – [[Other]] and [it](Other.md) ✓\n" }
        let whole = Array(("# Log\n\n" + lines.joined()).utf8)
        let path = scene.out + "/Log.md"
        try scene.round()
        var (written, log, head) = (0, NoteID?.none, 0)
        while written < whole.count {
            let end = min(whole.count, written + Int.random(in: 1...300, using: &random))
            if !FileManager.default.fileExists(atPath: path) { try scene.write("Log.md", "") }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(whole[written..<end]))
            try file.close()
            written = end
            let report = try scene.round()
            #expect(report.conflicts.isEmpty)
            log = try log ?? notebook.lists.rows(ListQuery(container: .inbox), limit: 9).first { $0.id != other.id }?.id
            // Somebody writes at the top of the note between two rounds.
            if let log, Bool.random(using: &random), let text = try notebook.notes.text(log), text.utf8.count > 200 {
                head += 1
                try scene.save(log, "# Log\n\nmine \(head)\n" + text.dropFirst("# Log\n".count))
            }
        }
        for _ in 0..<3 { #expect(try scene.round().conflicts.isEmpty) }
        #expect(try scene.round().isIdle)
        let text = try scene.text("Log.md")
        for line in lines { #expect(text.contains(line)) }
        for number in 1..<(head + 1) { #expect(text.contains("mine \(number)\n")) }
        let id = try #require(log)
        #expect(try notebook.notes.text(id)?.split(separator: "\n").count == text.split(separator: "\n").count)
        #expect(try scene.files() == ["Inbox/Other.md", "Log.md"])
    }

    #if os(Linux)
    @Test func `the folder is free after a round though a child process that is starting shares its lock`() throws {
        try scene.test.note("text", title: "A")
        // Another thread's child has all descriptors until it runs its program.
        let copies = SharedDescriptors()
        var options = MirrorOptions()
        options.goesOn = { [out = scene.out] in
            copies.take(of: out)
            return true
        }
        try scene.round(options)
        #expect(copies.count > 0)
        #expect(try scene.round().isIdle)
    }
    #endif

    // MARK: - Equal pictures

    @Test func `of two equal pictures each is followed when it changes, and both are shown`() throws {
        let (first, second) = (TransferTests.png, TransferTests.png + Data("more".utf8))
        try scene.write("A.md", "![[a.png]]\n\n![[b.png]]\nend")
        for name in ["a.png", "b.png"] { try scene.write(name, bytes: first) }
        #expect(try scene.round().leftAlone.isEmpty)
        #expect(try scene.round().isIdle)
        let note = try notebook.notes.resolve(reference: "A")
        func shown() throws -> [Data?] {
            let text = try notebook.notes.text(note.id) ?? ""
            return try text.matches(of: /takenote:\/\/image\/([-0-9A-F]{36})/).map { match in
                try UUID(uuidString: String(match.1)).flatMap { try notebook.images.load($0)?.imageData }
            }
        }
        #expect(try shown() == [first, first])
        for (name, expected) in [("a.png", [second, first]), ("b.png", [second, second])] {
            try scene.write(name, bytes: second)
            #expect(try scene.round().taken.contains(name))
            #expect(try shown() == expected)
            #expect(try scene.text("A.md") == "![[a.png]]\n\n![[b.png]]\nend")
            #expect(try scene.round().isIdle)
        }
        // Each is written again if it is deleted.
        for name in ["a.png", "b.png"] {
            try scene.remove(name)
            try scene.round()
            #expect(FileManager.default.contents(atPath: scene.out + "/" + name) == second, "\(name)")
            #expect(try scene.round().isIdle)
        }
    }
}

#if os(Linux)
/// Copies of this process's descriptors of a file, as a child process has them before it executes its program.
private final class SharedDescriptors: Sendable {
    private let all = Mutex<[Int32]>([])

    var count: Int { all.withLock(\.count) }

    /// Copies the descriptors of a file or folder, once.
    func take(of path: String) {
        all.withLock { all in
            guard all.isEmpty else { return }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            for name in names.compactMap(Int32.init) {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                if target == path { all.append(dup(name)) }
            }
        }
    }

    deinit { for copy in all.withLock({ $0 }) { close(copy) } }
}
#endif

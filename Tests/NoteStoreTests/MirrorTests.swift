import Foundation
import Testing

@testable import NoteStore

/// Tests mirroring a notebook in a folder of Markdown.
@Suite struct MirrorTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    @Test func `the first round writes all notes, with links and pictures, and the second nothing`() throws {
        let home = try notebook.folders.create("Home")
        let plan = try scene.test.note("# Plan: A\nfirst", in: home.id)
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        let start = "see [the plan](\(plan.getURL())) and [[Plan: A]] ![](\(image.getURL()))\r\nend"
        let note = try scene.test.note(start, title: "Start")
        let report = try scene.round()
        #expect(report.written.sorted() == ["Home/Plan- A.md", "Inbox/Start.md"] && report.leftAlone.isEmpty)
        #expect(try scene.text("Home/Plan- A.md") == "# Plan: A\nfirst")
        let text = try scene.text("Inbox/Start.md")
        let picture = "../attachments/\(image.imageUUID.uuidString).png"
        #expect(text == "see [[Plan- A|the plan]] and [[Plan- A|Plan: A]] ![](\(picture))\r\nend")
        #expect(try scene.round().isIdle)
        // An edit of another line does not change the form of the links in the note.
        try scene.write("Inbox/Start.md", text + "\nmore")
        #expect(try scene.round().taken == ["Inbox/Start.md"])
        #expect(try notebook.notes.text(note.id) == start + "\nmore")
        #expect(try scene.text("Inbox/Start.md") == text + "\nmore")
        #expect(try scene.round().isIdle)
        // A renamed note gets its new name in the files that link to it.
        try notebook.notes.setTitle(plan.id, "Design")
        let renamed = try scene.round()
        #expect(renamed.moved == ["Home/Design.md"])
        #expect(try scene.text("Inbox/Start.md").hasPrefix("see [[Design|the plan]]"))
        #expect(try scene.round().isIdle)
    }

    @Test(arguments: ["", "garbage"])
    func `the text of a file that somebody empties or overwrites stays as a version`(_ text: String) throws {
        let note = try scene.test.note("# Novel\n\nchapter one", title: "Novel")
        try scene.round()
        try scene.write("Inbox/Novel.md", text)
        try scene.round()
        #expect(try notebook.notes.text(note.id) == text)
        let version = try #require(try notebook.versions.all(of: note.id).first)
        #expect(version.reason == .outside)
        #expect(try notebook.versions.text(of: note.id, version: version.number) == "# Novel\n\nchapter one")
    }

    @Test func `a folder keeps a long name, and all its files come in`() throws {
        let name = String(repeating: "ж", count: 121)
        for number in 1...3 { try scene.write("\(name)/\(number).md", "# \(number)\n") }
        let report = try scene.round()
        #expect(report.taken.count == 3 && report.leftAlone.isEmpty)
        #expect(try scene.round().isIdle)
        #expect(try notebook.containers.all().filter { $0.name == name }.count == 1)
    }

    @Test func `a file has the whole title of its note in most scripts, and keeps a name that was cut sooner`() throws {
        let title = String(repeating: "слово ", count: 18) + "конец"
        let note = try scene.test.note("# \(title)\n")
        try scene.round()
        #expect(try scene.files() == ["Inbox/\(title).md"])
        let short = SafeName(title, maximumLength: SafeName.shortLength).name
        #expect(short != title)
        // As an earlier version has named it.
        try scene.write("Other/\(short).md", "# \(title)\n\nanother\n")
        try scene.round()
        #expect(try notebook.notes.row(note.id)?.title == title)
        #expect(try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).map(\.title) == [title, title])
        #expect(try scene.files() == ["Inbox/\(title).md", "Other/\(short).md"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a link by path stays one when its note is renamed`() throws {
        try scene.write("A.md", "see [b](B.md), [*b*](./B.md#part) and [[B]]\nlast")
        try scene.write("B.md", "# Part")
        try scene.round()
        let note = try notebook.notes.resolve(reference: "B")
        try notebook.notes.setTitle(note.id, "C")
        #expect(try scene.round().moved == ["C.md"])
        #expect(try scene.text("A.md") == "see [b](C.md), [*b*](C.md#part) and [[C|B]]\nlast")
        #expect(try scene.round().isIdle)
        // An edit in the notebook beside the link keeps its form, too.
        let source = try notebook.notes.resolve(reference: "A")
        let text = try #require(try notebook.notes.text(source.id))
        _ = try notebook.notes.save(source.id, text: "now " + text, baseRevision: source.revision)
        try scene.round()
        #expect(try scene.text("A.md").hasPrefix("now see [b](C.md), [*b*](C.md#part) and"))
        #expect(try scene.round().isIdle)
    }

    @Test func `an edit in the notebook leaves every other line of the file as somebody wrote it`() throws {
        let links = """
            ![[pic.png|300]] ![[pic.png]] ![alt](pic.png) [pic](<pic.png>)
            [[paper.pdf#page=3]] [[paper.pdf#page=3|see p3]] ![[paper.pdf#page=2]] [[paper.pdf]] [[paper.pdf|it]]
            ![[view.base#Genre]] [[B#Heading|there]] [[B]] [b](B.md) ![[B]]

            """
        try scene.write("A.md", links)
        try scene.write("B.md", "# B\n\n## Heading")
        for name in ["pic.png", "paper.pdf", "view.base"] { try scene.write(name, bytes: TransferTests.png) }
        try scene.round()
        #expect(try scene.round().isIdle)
        let note = try notebook.notes.resolve(reference: "A")
        try scene.save(note.id, try #require(try notebook.notes.text(note.id)) + "more\n")
        #expect(try scene.round().written == ["A.md"])
        #expect(try scene.text("A.md") == links + "more\n")
        #expect(try scene.round().isIdle)
        // Links that cannot be expressed otherwise stay in a line that is rewritten.
        let text = try #require(try notebook.notes.text(note.id))
        try scene.save(note.id, text.split(separator: "\n").map { "x \($0)" }.joined(separator: "\n"))
        try scene.round()
        let all = try scene.text("A.md")
        let parts = ["|300]]", "[[paper.pdf#page=3]]", "#page=3|see p3]]", "![[paper.pdf#page=2]]", "view.base#Genre"]
        for part in parts { #expect(all.contains(part), "\(part) in \(all)") }
        #expect(try scene.round().isIdle)
    }

    @Test func `a folder in or around a mirrored one is refused, and so is the whole disk`() throws {
        try scene.test.note("text", title: "A")
        try scene.round()
        for path in [scene.out + "/in", scene.out + "/in/deep", scene.test.folder.path, "/", "//", ""] {
            #expect(throws: MirrorError.self, "\(path)") { try notebook.transfer.mirror(at: path) }
        }
        #expect(try scene.round().isIdle)
        #expect(try notebook.transfer.mirror(at: scene.out + "side").written == ["Inbox/A.md"])
        #expect(try scene.round().isIdle)
        // Failed attempts, and folders that no longer exist, do not prevent a new mirror.
        let side = scene.out + "side"
        #expect(throws: MirrorError.self) { try notebook.transfer.mirror(at: side + "/Inbox/A.md/in") }
        #expect(throws: MirrorError.self) { try notebook.transfer.mirror(at: scene.test.folder.path) }
        try FileManager.default.removeItem(atPath: side)
        #expect(try notebook.transfer.mirror(at: side + "/in").written == ["Inbox/A.md"])
    }

    @Test func `the first round joins both sides, and equal texts are one note`() throws {
        try scene.test.note("same text", title: "Same")
        try scene.test.note("of the notebook", title: "Plan")
        try scene.write("Same.md", "same text")
        try scene.write("Inbox/Plan.md", "of the folder")
        try scene.write("New/Deep/Idea.md", "an idea ![[pic.png]] [[Same]] [x](../../Same.md)")
        try scene.write("New/pic.png", bytes: TransferTests.png)
        let report = try scene.round()
        #expect(report.trashed.isEmpty && report.removed.isEmpty && report.leftAlone.isEmpty)
        #expect(try scene.contents() == ["an idea", "of the folder", "of the notebook", "same text"])
        let idea = try notebook.notes.resolve(reference: "Idea")
        #expect(try notebook.containers.resolve(path: "New/Deep").id == idea.folder)
        let same = try notebook.notes.resolve(reference: "Same")
        let text = try #require(try notebook.notes.text(idea.id))
        #expect(text.hasPrefix("an idea ![pic.png](takenote://image/"))
        #expect(text.hasSuffix("[[Same]] [x](\(same.getURL()))"))
        #expect(try scene.text("New/Deep/Idea.md") == "an idea ![[pic.png]] [[Same]] [x](../../Same.md)")
        #expect(try scene.text("Inbox/Plan 2.md") == "of the notebook")
        #expect(try scene.round().isIdle)
    }

    @Test func `edits of both sides are merged, and what cannot be merged is kept twice`() throws {
        let note = try scene.test.note("one\ntwo\nthree\nfour\nfive", title: "Both")
        try scene.round()
        try scene.save(note.id, "ONE\ntwo\nthree\nfour\nfive")
        try scene.write("Inbox/Both.md", "one\ntwo\nthree\nfour\nFIVE")
        #expect(try scene.round().conflicts.isEmpty)
        #expect(try notebook.notes.text(note.id) == "ONE\ntwo\nthree\nfour\nFIVE")
        #expect(try scene.text("Inbox/Both.md") == "ONE\ntwo\nthree\nfour\nFIVE")
        try scene.save(note.id, "mine\ntwo\nthree\nfour\nFIVE")
        try scene.write("Inbox/Both.md", "theirs\ntwo\nthree\nfour\nFIVE")
        #expect(try scene.round().conflicts == ["Inbox/Both.md"])
        #expect(try scene.text("Inbox/Both.md").hasPrefix("mine\n"))
        #expect(try scene.text("Inbox/Both (conflict).md").hasPrefix("theirs\n"))
        #expect(try scene.round().isIdle)
    }

    @Test func `renaming and moving on either side is followed`() throws {
        let home = try notebook.folders.create("Home")
        let note = try scene.test.note("the text", in: home.id, title: "Old")
        let other = try scene.test.note("another", in: home.id, title: "Other")
        try scene.round()
        try scene.move("Home/Old.md", "Work/New.md")
        try scene.round()
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.title == "New" && row.folderName == "Work" && row.place == .live)
        try notebook.notes.move([note.id], to: home.id)
        try notebook.notes.setTitle(note.id, "Newer")
        #expect(try scene.round().moved == ["Home/Newer.md"])
        #expect(try scene.files() == ["Home/Newer.md", "Home/Other.md"])
        // A whole folder is renamed in the directory, and later in the notebook.
        try scene.move("Home", "House")
        #expect(try scene.round().moved.isEmpty)
        #expect(try notebook.containers.load(home.id)?.name == "House")
        #expect(try notebook.notes.row(other.id)?.folder == home.id)
        try notebook.containers.rename(home.id, to: "Castle")
        try scene.round()
        #expect(try scene.files() == ["Castle/Newer.md", "Castle/Other.md"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a name in other letters and a number that somebody added are followed`() throws {
        let home = try notebook.folders.create("home")
        let note = try scene.test.note("the text", in: home.id, title: "plan")
        try scene.round()
        try notebook.notes.setTitle(note.id, "PLAN")
        #expect(try scene.round().moved == ["home/PLAN.md"])
        try notebook.containers.rename(home.id, to: "Home")
        #expect(try scene.round().moved == ["Home/PLAN.md"])
        #expect(try scene.files() == ["Home/PLAN.md"])
        #expect(try scene.round().isIdle)
        try scene.move("Home/PLAN.md", "Home/Plan.md")
        try scene.round()
        #expect(try notebook.notes.row(note.id)?.title == "Plan")
        try scene.move("Home/Plan.md", "Home/Plan 2.md")
        try scene.round()
        #expect(try notebook.notes.row(note.id)?.title == "Plan 2")
        #expect(try scene.files() == ["Home/Plan 2.md"])
        #expect(try scene.round().isIdle)
    }

    @Test(arguments: ["Trash", "starred", "All Notes"])
    func `a folder called as one of the program's own is named once and never counted as taken`(name: String) throws {
        try scene.test.note("x", title: "X")
        try scene.write("\(name)/A.md", "a")
        try scene.write("\(name)/B.md", "b")
        try scene.write("Work/\(name)/C.md", "c")
        for _ in 0..<2 {
            let report = try scene.round()
            #expect(report.leftAlone.map(\.path) == [name] && report.leftAlone.allSatisfy(\.reason.isFailure))
            #expect(report.leftAlone.first?.sentence.hasSuffix("of its own; rename the folder") == true)
        }
        #expect(try scene.round().isIdle)
        #expect(try scene.contents() == ["c", "x"])
        try scene.move(name, "Mine")
        #expect(try scene.round().taken.count == 2)
    }

    @Test(arguments: ["/proc/notes", "/sys", "/dev/notes"])
    func `a folder of the system is refused`(path: String) throws {
        #expect(throws: MirrorError.system(path: path)) { try notebook.transfer.mirror(at: path) }
    }

    @Test func `what is deleted on one side goes only if the other is unchanged`() throws {
        let notes = try ["a", "b", "c", "d"].map { (name: String) in try scene.test.note("text \(name)", title: name) }
        try scene.round()
        try scene.remove("Inbox/a.md")
        try scene.remove("Inbox/b.md")
        try scene.save(notes[1].id, "text b, edited")
        try notebook.trash.add([notes[2].id, notes[3].id])
        try scene.write("Inbox/d.md", "text d, edited")
        let report = try scene.round()
        #expect(report.trashed == ["Inbox/a.md"] && report.removed == ["Inbox/c.md"])
        #expect(try scene.files() == ["Inbox/b.md", "Inbox/d.md"])
        #expect(try scene.text("Inbox/b.md") == "text b, edited")
        #expect(try notebook.notes.row(notes[0].id)?.place == .trash)
        #expect(try notebook.notes.row(notes[3].id)?.place == .live)
        #expect(try notebook.notes.text(notes[3].id) == "text d, edited")
        #expect(try scene.round().isIdle)
    }

    @Test func `a folder that is gone or empty deletes nothing`() throws {
        for index in 1...12 { try scene.test.note("text \(index)", title: "Note \(index)") }
        try scene.round()
        for index in 1...7 { try scene.remove("Inbox/Note \(index).md") }
        #expect(throws: MirrorError.removesMany(path: scene.out, count: 7, all: 12)) { try scene.round() }
        for index in 8...12 { try scene.remove("Inbox/Note \(index).md") }
        #expect(throws: MirrorError.emptied(path: scene.out, count: 12)) { try scene.round() }
        try scene.remove("")
        #expect(throws: MirrorError.gone(path: scene.out)) { try scene.round() }
        #expect(try scene.contents().count == 12 && !FileManager.default.fileExists(atPath: scene.out))
        var options = MirrorOptions()
        options.meansIt = true
        #expect(try scene.round(options).trashed.count == 12)
        #expect(try scene.contents().isEmpty)
    }

    @Test(arguments: [(2, 2), (6, 5)]) func `few notes are trashed no sooner than many`(all: Int, gone: Int) throws {
        for index in 1...all { try scene.test.note("text \(index)", title: "Note \(index)") }
        try scene.round()
        for index in 1...gone { try scene.remove("Inbox/Note \(index).md") }
        try scene.write("mine.md", "another file\n")
        #expect(throws: MirrorError.removesMany(path: scene.out, count: gone, all: all)) { try scene.round() }
        #expect(try scene.contents().count == all)
    }

    @Test func `a backup in the notebook's place takes nothing back from the folder`() throws {
        try scene.test.note("early", title: "Early")
        try scene.round()
        try notebook.backups.write(to: scene.test.folder.path + "/backup.sqlite")
        try scene.test.note("late", title: "Late")
        try scene.write("Inbox/Early.md", "early\nedited")
        try scene.round()
        try scene.test.notebook.close()
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: scene.test.path + ending)  // some do not exist
        }
        try FileManager.default.copyItem(atPath: scene.test.folder.path + "/backup.sqlite", toPath: scene.test.path)
        scene.test.notebook = try Notebook.open(scene.test.path)
        try scene.round()
        #expect(try scene.contents() == ["early", "late"])
        #expect(try scene.files() == ["Inbox/Early.md", "Inbox/Late.md"])
        #expect(try scene.text("Inbox/Early.md") == "early\nedited")
    }

    @Test func `what takes no part is left alone and told`() throws {
        try scene.test.note("x", title: "X")
        try scene.write(".git/config", "x")
        try scene.write("paper.pdf", "pdf")
        try scene.write("bad.md", bytes: Data([0xFF, 0xFE, 0x41]))
        try FileManager.default.createSymbolicLink(atPath: scene.out + "/link.md", withDestinationPath: "/etc/hostname")
        let report = try scene.round()
        let expected: [(String, MirrorReason)] = [
            (".git", .hidden), ("bad.md", .notText), ("link.md", .link), ("paper.pdf", .notMarkdown),
        ]
        #expect(report.leftAlone == expected.map { .init(path: $0.0, reason: $0.1) })
        #expect(try scene.contents() == ["x"])
        // A mirrored file that becomes a link or unreadable does not count as deleted.
        try scene.remove("Inbox/X.md")
        try FileManager.default.createSymbolicLink(
            atPath: scene.out + "/Inbox/X.md", withDestinationPath: "/etc/hostname")
        try scene.write("Inbox/Y.md", "y")
        #expect(try scene.round().trashed.isEmpty)
        #expect(try scene.contents() == ["x", "y"])
    }

    @Test func `a file whose folder cannot be opened does not count as missing`() throws {
        let folder = try MirrorFolder(scene.out, isMade: true)
        #expect(try folder.read(ExactText("Gone/note.md"))?.bytes == nil)
        #expect(try folder.modified(ExactText("Gone/note.md")) == nil)
        // The root user may open any folder, so the error is that of a name of which no file system has folders.
        let path = ExactText(String(repeating: "x", count: 300) + "/note.md")
        #expect(throws: MirrorFolder.Refusal.system(ENAMETOOLONG)) { try folder.read(path) }
        #expect(throws: MirrorFolder.Refusal.system(ENAMETOOLONG)) { try folder.modified(path) }
    }

    @Test func `a dry round changes nothing, and a second mirror of the folder waits for none`() throws {
        let note = try scene.test.note("x", title: "X")
        var dry = MirrorOptions()
        dry.isDry = true
        #expect(try scene.round(dry).written == ["Inbox/X.md"])
        #expect(!FileManager.default.fileExists(atPath: scene.out))
        try scene.round()
        try scene.write("New.md", "new")
        try scene.write("Inbox/X.md", "x changed")
        #expect(try scene.round(dry).taken.sorted() == ["Inbox/X.md", "New.md"])
        #expect(try notebook.notes.text(note.id) == "x")
        #expect(try scene.contents() == ["x"])
        let held = try MirrorFolder(scene.out, isMade: false)
        #expect(held.lock())
        #expect(throws: MirrorError.busy(path: scene.out)) { try scene.round() }
    }
}

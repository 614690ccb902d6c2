import Foundation
import Testing

@testable import NoteStore

/// Tests how the files of a mirrored folder are matched with notes.
@Suite struct MirrorMatchingTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    @Test(arguments: [true, false])
    func `a file that is renamed and edited between two rounds stays its note`(isSameFile: Bool) throws {
        let lines = (0..<6).map { "line \($0) of the text" }
        let note = try scene.test.note(lines.joined(separator: "\n"), title: "Old")
        let other = try scene.test.note("nothing\nalike", title: "Other")
        try scene.round()
        let old = scene.out + "/Inbox/Old.md"
        // A file that is still the same one keeps only a single line; another file keeps more than half of the lines.
        let kept = isSameFile ? [lines[0], "all", "else", "is", "new", "in it"] : lines.dropLast() + ["more"]
        let new = kept.joined(separator: "\n")
        let file = try FileHandle(forWritingTo: URL(filePath: old))
        if isSameFile {
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(new.utf8))
            try file.close()
            try scene.move("Inbox/Old.md", "Inbox/New.md")
        } else {
            // The open file keeps its inode, which the new one therefore cannot have.
            try scene.write("Inbox/New.md", new)
            try scene.remove("Inbox/Old.md")
            try file.close()
        }
        try scene.remove("Inbox/Other.md")
        try scene.write("Inbox/Strange.md", "a stranger's text")
        let report = try scene.round()
        #expect(report.taken.sorted() == ["Inbox/New.md", "Inbox/Strange.md"] && report.trashed == ["Inbox/Other.md"])
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.title == "New" && row.place == .live)
        #expect(try notebook.notes.text(note.id) == new)
        #expect(try notebook.notes.row(other.id)?.place == .trash)
        #expect(try scene.round().isIdle)
    }

    @Test(arguments: [false, true], [false, true])
    func `a new file that is renamed after a round has stopped is one note`(
        isFileEdited: Bool, isNoteEdited: Bool
    ) throws {
        for steps in 0..<12 {
            let scene = try MirrorScene()
            try scene.test.note("Other")
            try scene.round()
            let (file, notebook) = ("Plans/Newer.md", scene.test.notebook)
            try scene.write("Inbox/New.md", "New\n\none\n\nmiddle\n\nend\n")
            var options = MirrorOptions()
            let left = Countdown(steps)
            options.goesOn = { left.next() }
            try scene.round(options)
            let made = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).first { $0.title != "Other" }
            if isNoteEdited, let made {
                try scene.save(made.id, try #require(try notebook.notes.text(made.id)) + "\nlast\n")
            }
            try scene.move("Inbox/New.md", file)
            if isFileEdited { try scene.write(file, try scene.text(file).replacing("one", with: "one two")) }
            try scene.round()
            let text = "New\n\none\(isFileEdited ? " two" : "")\n\nmiddle\n\nend\n"
            let expected = text + (isNoteEdited && made != nil ? "\nlast\n" : "")
            #expect(try scene.files() == ["Inbox/Other.md", file], "stopped after \(steps)")
            let note = try notebook.notes.resolve(reference: "Newer")
            #expect(try notebook.notes.text(note.id) == expected && made.map { $0.id == note.id } ?? true)
            #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 2)
            #expect(try scene.text(file) == expected)
            #expect(try scene.round().isIdle)
        }
    }

    @Test func `a second name that somebody gives a file stays when its note is edited or renamed`() throws {
        let note = try scene.test.note("text", title: "One")
        try scene.round()
        try FileManager.default.linkItem(atPath: scene.out + "/Inbox/One.md", toPath: scene.out + "/Inbox/Mine.md")
        try scene.save(note.id, "text and more")
        try scene.round()
        #expect(try scene.text("Inbox/Mine.md") == "text")
        try FileManager.default.linkItem(atPath: scene.out + "/Inbox/One.md", toPath: scene.out + "/Inbox/Ours.md")
        try notebook.notes.setTitle(note.id, "Two")
        try scene.round()
        #expect(try scene.text("Inbox/Ours.md") == "text and more")
        #expect(try scene.text("Inbox/Two.md") == "text and more")
    }

    @Test func `of two equal files that are renamed each stays its own note`() throws {
        let notes = try ["A", "B"].map { try scene.test.note("the same text", title: $0) }
        try scene.round()
        try scene.move("Inbox/A.md", "Inbox/Y.md")
        try scene.move("Inbox/B.md", "Inbox/X.md")
        try scene.round()
        #expect(try notes.map { try notebook.notes.row($0.id)?.title } == ["Y", "X"])
        try scene.write("Inbox/Y.md", "changed")
        #expect(try scene.round().taken == ["Inbox/Y.md"])
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["changed", "the same text"])
    }

    @Test func `a new file that has only lines of many others is no other note's`() throws {
        let note = try scene.test.note("***\nab\n", title: "Gone")
        for index in 0..<30 { try scene.write("More/\(index).md", "***\ntext \(index)\n") }
        try scene.round()
        try scene.remove("Inbox/Gone.md")
        for index in 30..<60 { try scene.write("More/\(index).md", "***\n") }
        #expect(try scene.round().trashed == ["Inbox/Gone.md"])
        #expect(try notebook.notes.row(note.id)?.place == .trash)
    }

    @Test func `a file that a rule keeps out is not counted as taken`() throws {
        try notebook.projects.create("P", type: .poetry)
        try scene.test.note("x", title: "X")
        try scene.round()
        // A project holds folders only.
        try scene.write("P/Loose.md", "text")
        let report = try scene.round()
        #expect(report.taken.isEmpty && report.leftAlone.map(\.path) == ["P/Loose.md"])
    }

    /// Writes files that certainly have other inodes than those that are removed before.
    private func replace(_ texts: KeyValuePairs<String, String>, removing old: [String]) throws {
        let kept = try old.map { try #require(FileHandle(forReadingAtPath: scene.out + "/" + $0)) }
        for path in old { try scene.remove(path) }
        for (path, text) in texts { try scene.write(path, text) }
        for file in kept { try file.close() }
    }

    private static func template(_ words: String) -> String {
        "---\ntags: note\n---\n# \(words)\n\n\(words) and more\n\n## References\n"
    }

    @Test func `files from a template that are moved and edited stay their notes, whatever inodes they get`() throws {
        let texts = ["one of the first", "two and the second"].map(Self.template)
        let notes = try zip(texts, ["A", "B"]).map { try scene.test.note($0, title: $1) }
        try scene.round()
        // Each file's inode goes to the other's, as when git removes both and writes them anew.
        try scene.move("Inbox/A.md", "away")
        try scene.move("Inbox/B.md", "New/A2.md")
        try scene.move("away", "New/B2.md")
        for (path, text) in zip(["New/A2.md", "New/B2.md"], texts) {
            try overwrite(path, text + "a line that is new\n")
        }
        try scene.round()
        #expect(try notes.map { try notebook.notes.row($0.id)?.title } == ["A2", "B2"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a new file from a template is no other note's, though it has the inode of a removed one`() throws {
        let note = try scene.test.note(Self.template("one of the first"), title: "A")
        for name in ["B", "C"] { try scene.test.note(Self.template("the text of \(name)"), title: name) }
        try scene.round()
        try scene.move("Inbox/A.md", "Inbox/New.md")
        try overwrite("Inbox/New.md", Self.template("nothing in it is the same, as it was written by somebody else"))
        #expect(try scene.round().trashed == ["Inbox/A.md"])
        #expect(try notebook.notes.row(note.id)?.place == .trash)
    }

    @Test func `a file with another's former bytes and inode is an edited one if it was written since`() throws {
        let notes = try zip(["", "text"], ["A", "B"]).map { try scene.test.note($0, title: $1) }
        try scene.round()
        // B is emptied and gets the inode that A had, as when git writes both anew.
        try scene.move("Inbox/B.md", "away")
        try scene.move("Inbox/A.md", "Inbox/B.md")
        try scene.move("away", "Inbox/A.md")
        try overwrite("Inbox/A.md", "text of A")
        try overwrite("Inbox/B.md", "")
        let later = Date(timeIntervalSinceNow: 5)
        try FileManager.default.setAttributes(
            [.modificationDate: later], ofItemAtPath: scene.out + "/Inbox/B.md")
        try scene.round()
        #expect(try notes.map { try notebook.notes.text($0.id) } == ["text of A", ""])
    }

    @Test func `beside other programs a file like a missing one is nobody's until that stays missing`() throws {
        let text = (0..<6).map { "line \($0) of the text" }.joined(separator: "\n")
        let note = try scene.test.note(text, title: "A")
        try scene.round()
        var options = MirrorOptions()
        options.missed = []
        // Git has removed one file, which it will write again, and has written another one.
        try scene.write("Inbox/Like.md", text + "\nmore")
        try scene.write("Inbox/Equal.md", text)
        try scene.remove("Inbox/A.md")
        #expect(try scene.round(options).missing == ["Inbox/A.md"])
        #expect(try notebook.notes.row(note.id)?.title == "A")
        try scene.write("Inbox/A.md", text + "\nedited")
        try scene.round(options)
        #expect(try notebook.notes.row(note.id)?.title == "A")
        #expect(try notebook.notes.text(note.id) == text + "\nedited")
        #expect(try scene.files() == ["Inbox/A.md", "Inbox/Equal.md", "Inbox/Like.md"])
        #expect(try scene.round().isIdle)
        // What stays missing was renamed.
        try replace(["Inbox/Z.md": text + "\nedited\nand renamed"], removing: ["Inbox/A.md"])
        #expect(try scene.round(options).missing == ["Inbox/A.md"])
        options.missed = ["Inbox/A.md"]
        try scene.round(options)
        #expect(try notebook.notes.row(note.id)?.title == "Z")
        // A file that is renamed and not touched is followed at once.
        options.missed = []
        try scene.move("Inbox/Z.md", "Inbox/Y.md")
        #expect(try scene.round(options).taken == ["Inbox/Y.md"])
    }

    @Test(arguments: [true, false])
    func `a program that mirrors by itself waits while git is at work`(hasOwnFolder: Bool) throws {
        try scene.test.note("text", title: "A")
        try scene.round()
        if hasOwnFolder {
            try scene.write(".git", "gitdir: ../repository\n")
            try scene.write("../repository/index.lock", "")
        } else {
            try scene.write(".git/index.lock", "")
        }
        var options = MirrorOptions()
        options.occasion = .continued
        #expect(throws: MirrorError.gitIsAtWork(path: scene.out)) { try scene.round(options) }
        try scene.round()
        let lock = hasOwnFolder ? "../repository/index.lock" : ".git/index.lock"
        // A git that was killed leaves its lock.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: scene.out + "/" + lock)
        try scene.round(options)
        try scene.remove(lock)
        try scene.round(options)
    }

    /// Writes a file in its place, so that it keeps its inode.
    private func overwrite(_ path: String, _ text: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: scene.out + "/" + path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}

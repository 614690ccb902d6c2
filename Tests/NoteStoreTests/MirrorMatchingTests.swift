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
}

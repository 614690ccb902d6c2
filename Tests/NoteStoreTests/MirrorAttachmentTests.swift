import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests what becomes of pictures, files and folders of a mirrored folder that other programs change.
@Suite struct MirrorAttachmentTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    private static let first = TransferTests.png
    /// Another picture of the same pixels.
    private static let second = TransferTests.png + Data("more".utf8)

    private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: scene.out + "/" + path) }

    /// Returns the bytes of the image that a note shows, and its text.
    private func shown(_ title: String) throws -> (data: Data, text: String) {
        let text = try #require(try notebook.notes.text(notebook.notes.resolve(reference: title).id))
        let match = try #require(text.firstMatch(of: /takenote:\/\/(image|file)\/([-0-9A-F]{36})/))
        let id = try #require(UUID(uuidString: String(match.2)))
        let data = try notebook.images.load(id)?.imageData ?? notebook.attachments.data(of: id)
        return (try #require(data), text)
    }

    private func imageCount() throws -> Int {
        try notebook.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note_image") ?? 0 }
    }

    private static func dry() -> MirrorOptions {
        var options = MirrorOptions()
        options.isDry = true
        return options
    }

    @Test func `a picture and a file that are changed in the folder are changed in the notes that show them`() throws {
        try scene.write("A.md", "one ![[pic.png]]\nplain")
        try scene.write("B.md", "two ![x](pic.png) [[paper.pdf]]")
        try scene.write("C.md", "![[paper.pdf|it]] [[paper.pdf]]")
        try scene.write("pic.png", bytes: Self.first)
        try scene.write("paper.pdf", "old")
        try scene.round()
        let old = try shown("A")
        #expect(try old.data == Self.first && shown("C").data == Data("old".utf8))
        #expect(try scene.round().isIdle)
        try scene.write("pic.png", bytes: Self.second)
        try scene.write("paper.pdf", "newer")
        // A note that is edited at the same time keeps its edit.
        let note = try notebook.notes.resolve(reference: "A")
        try scene.save(note.id, old.text + "\nedited")
        #expect(try scene.round(Self.dry()).taken == ["paper.pdf", "pic.png"])
        #expect(try shown("B").data == Self.first)
        #expect(try scene.round().taken == ["paper.pdf", "pic.png"])
        #expect(try shown("A").data == Self.second && shown("B").data == Self.second)
        #expect(try shown("C").data == Data("newer".utf8))
        #expect(try scene.text("A.md") == "one ![[pic.png]]\nplain\nedited")
        #expect(try scene.text("B.md") == "two ![x](pic.png) [[paper.pdf]]")
        #expect(bytes("pic.png") == Self.second)
        #expect(try scene.round().isIdle)
        // The former text shows the former picture still.
        let versions = try notebook.versions.all(of: note.id)
        #expect(!versions.isEmpty)
        #expect(try imageCount() == 2)
    }

    @Test(arguments: [true, false])
    func `a folder that was mirrored before finds its notes, in whatever form their links are written`(
        isEnded: Bool
    ) throws {
        try scene.write("A.md", "one ![[pic.png]] ![x](pic.png)\n[b](Sub/B.md)")
        try scene.write("Sub/B.md", "two [[A]] [[paper.pdf]] ![y](../pic.png)")
        try scene.write("pic.png", bytes: Self.first)
        try scene.write("paper.pdf", "bytes")
        let image = try notebook.images.add(Self.second, name: "p.png")
        for _ in 1...2 { try scene.test.note("# Same\n\n\(image.getMarkdown())") }
        try scene.round()
        #expect(try scene.round().isIdle)
        let names = try FileManager.default.subpathsOfDirectory(atPath: scene.out).sorted()
        let texts = try scene.files().map(scene.text)
        if isEnded { #expect(try notebook.transfer.endMirror(at: scene.out)) }
        var (options, dry) = (MirrorOptions(), Self.dry())
        (options.isAnew, dry.isAnew) = (!isEnded, !isEnded)
        #expect(try scene.round(dry).isIdle)
        #expect(try scene.round(options).isIdle)
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 4)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scene.out).sorted() == names)
        #expect(try scene.files().map(scene.text) == texts)
        #expect(try scene.round().isIdle)
        // One that says something else is a note of its own, as in any first round.
        try scene.write("A.md", "other ![[pic.png]]")
        options.isAnew = true
        #expect(try scene.round(options).taken == ["A.md"])
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 5)
    }

    @Test(arguments: [true, false])
    func `a picture that is renamed or moved is followed, and links to it`(areLinksWritten: Bool) throws {
        try scene.write("A.md", "one ![[pic.png]]\nplain")
        try scene.write("pic.png", bytes: Self.first)
        try scene.write("other.png", bytes: Self.second)
        try scene.round()
        try scene.move("pic.png", "Media/new name.png")
        if areLinksWritten { try scene.write("A.md", "one ![[new name.png]]\nplain") }
        #expect(try scene.round(Self.dry()).taken.contains("Media/new name.png"))
        let report = try scene.round()
        #expect(report.taken.contains("Media/new name.png"))
        #expect(!FileManager.default.fileExists(atPath: scene.out + "/pic.png"))
        #expect(!FileManager.default.fileExists(atPath: scene.out + "/attachments"))
        #expect(try shown("A").data == Self.first && imageCount() == 1)
        let text = try scene.text("A.md")
        #expect(text.contains(areLinksWritten ? "![[new name.png]]" : "Media/new%20name.png"), "\(text)")
        #expect(try scene.round().isIdle)
    }

    @Test func `a picture that is deleted is written again while a note shows it, else forgotten`() throws {
        let image = try notebook.images.add(Self.first, name: "p.png")
        let note = try scene.test.note("![](\(image.getURL()))", title: "A")
        try scene.round()
        let path = "attachments/\(image.imageUUID.uuidString).png"
        try scene.remove(path)
        #expect(try scene.round(Self.dry()).written == [path])
        #expect(bytes(path) == nil)
        #expect(try scene.round().written == [path])
        #expect(bytes(path) == Self.first)
        #expect(try scene.round().isIdle)
        try scene.remove(path)
        try scene.save(note.id, "nothing")
        #expect(try scene.round().written == ["Inbox/A.md"])
        #expect(bytes(path) == nil)
        #expect(try scene.round().isIdle)
    }

    // MARK: - Folders and kills

    @Test func `a folder that a mirror made goes when its files were moved elsewhere, and no other does`() throws {
        let own = try notebook.folders.create("Own")
        try scene.test.note("own", in: own.id, title: "O")
        try scene.write("Work/Deep/A.md", "a")
        try scene.write("Work/Deep/B.md", "b")
        try scene.write("Home/C.md", "c")
        try scene.round()
        try scene.move("Work/Deep/A.md", "Home/A.md")
        try scene.move("Work/Deep/B.md", "Home/B.md")
        try scene.move("Own/O.md", "Home/O.md")
        for folder in ["Work/Deep", "Work", "Own"] { try scene.remove(folder) }
        try scene.round()
        let names = try notebook.containers.all().filter { $0.kind == .folder && !$0.isInTrash }.map(\.name)
        #expect(names.sorted() == ["Home", "Own"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a file that a killed round has rewritten is no edit, though its note has gone on since`() throws {
        let note = try scene.test.note("Plan\n\none\n")
        try scene.round()
        let place = MirrorFolder.resolved(scene.out)
        let before = try #require(MirrorState(notebook, path: place).notes[note.id])
        try scene.save(note.id, "Plan\n\none two three\n")
        try scene.round()
        // As if the round had been killed before it recorded the file that it wrote.
        let state = try MirrorState(notebook, path: place)
        let written = try #require(state.notes[note.id])
        try state.set(note.id, before)
        try state.announce([note.id: written])
        try scene.save(note.id, "Plan\n\none two three four five\n")
        let report = try scene.round()
        #expect(report.taken.isEmpty && report.written == ["Inbox/Plan.md"])
        #expect(try notebook.notes.text(note.id) == "Plan\n\none two three four five\n")
        #expect(try scene.text("Inbox/Plan.md") == "Plan\n\none two three four five\n")
        #expect(try scene.round().isIdle)
    }

    /// Writes a note's change to its file, as a round does that is killed before it records the file.
    private func writeUnrecorded(_ text: String, of note: NoteID) throws {
        let place = MirrorFolder.resolved(scene.out)
        let before = try #require(MirrorState(notebook, path: place).notes[note])
        try scene.save(note, text)
        try scene.round()
        let state = try MirrorState(notebook, path: place)
        let written = try #require(state.notes[note])
        try state.set(note, before)
        try state.announce([note: written])
    }

    @Test func `an edit of a file that a killed round has rewritten is merged once`() throws {
        let note = try scene.test.note("Plan\n\none\n\nend\n").id
        try scene.round()
        try writeUnrecorded("Plan\n\none two three\n\nend\n", of: note)
        try scene.write("Inbox/Plan.md", "Plan\n\none two three four\n\nend\n")
        try scene.save(note, "Plan\n\none two three\n\nend\n\nlast\n")
        #expect(try scene.round().conflicts.isEmpty)
        #expect(try notebook.notes.text(note) == "Plan\n\none two three four\n\nend\n\nlast\n")
        #expect(try scene.round().isIdle)
    }

    @Test func `an edit of a file that a killed round has not rewritten yet takes nothing from the note`() throws {
        let note = try scene.test.note("Plan\n\none\n\ntwo\n").id
        try scene.round()
        try writeUnrecorded("Plan\n\none and more\n\ntwo\n", of: note)
        try scene.write("Inbox/Plan.md", "Plan\n\none\n\ntwo and others\n")
        #expect(try scene.round().conflicts.isEmpty)
        #expect(try notebook.notes.text(note) == "Plan\n\none and more\n\ntwo and others\n")
        #expect(try scene.round().isIdle)
    }

    /// A first round has written the file if it was killed before it recorded it, and the note has no state then.
    @Test(arguments: [false, true])
    func `what a killed round has written is known though somebody is just editing it`(_ isNew: Bool) throws {
        let note = try scene.test.note("Plan\n\none\n").id
        try scene.round()
        try writeUnrecorded("Plan\n\none two\n", of: note)
        if isNew {
            let state = try MirrorState(notebook, path: MirrorFolder.resolved(scene.out))
            let announced = state.announced
            try state.forgetNotes()
            try state.announce(announced)
        }
        try scene.write("Inbox/Plan.md", "Plan\n\none two three\n")
        var options = MirrorOptions()
        options.isSettled = { _ in false }
        let other = try scene.test.note("Other").id
        #expect(try scene.round(options).written == ["Inbox/Other.md"])
        #expect(try scene.round().taken == ["Inbox/Plan.md"])
        #expect(try notebook.notes.text(note) == "Plan\n\none two three\n")
        #expect(try scene.files() == ["Inbox/Other.md", "Inbox/Plan.md"])
        #expect(try notebook.notes.row(other)?.place == .live)
        #expect(try scene.round().isIdle)
    }

    @Test func `a round announces a changed file before it writes it`() throws {
        let note = try scene.test.note("Plan\n\none\n")
        try scene.round()
        let place = MirrorFolder.resolved(scene.out)
        let before = try #require(MirrorState(notebook, path: place).notes[note.id])
        try scene.save(note.id, "Plan\n\none two\n")
        let folder = try MirrorFolder(place, isMade: false)
        let round = try MirrorRound(notebook, folder, place, MirrorOptions())
        var seen: [String] = []
        let sync = round.state.beforeWriting
        round.state.beforeWriting = {
            // It is called before each record, whose file is on the disk then.
            seen.append((try? scene.text("Inbox/Plan.md")) ?? "")
            sync()
        }
        try round.run()
        #expect(seen.first == before.text && seen.last == "Plan\n\none two\n")
    }

    @Test func `files that a killed first round has written are known though somebody edited them`() throws {
        var ids: [NoteID] = []
        for index in 0..<5 {
            ids.append(try scene.test.note("line \(index)\nend of \(index) [[N0]]", title: "N\(index)").id)
        }
        try scene.round()
        // As if the round had been killed before it recorded the files that it wrote.
        let place = MirrorFolder.resolved(scene.out)
        let state = try MirrorState(notebook, path: place)
        let bases = state.notes
        try state.forgetNotes()
        try MirrorState(notebook, path: place).announce(bases)
        try scene.write("Inbox/N1.md", "line 1, edited\nend of 1 [[N0]]")
        try scene.save(ids[1], "line 1\nend of 1 [[N0]]\nmore")
        try scene.remove("Inbox/N2.md")
        try scene.write("Inbox/N3.md", "of somebody else")
        try scene.round()
        #expect(try notebook.notes.text(ids[1]) == "line 1, edited\nend of 1 [[N0]]\nmore")
        #expect(try scene.contents().count == 6)
        #expect(try scene.files().count == 6)
        #expect(try notebook.notes.row(ids[2])?.place == .live)
        #expect(try notebook.notes.text(ids[3]) == "line 3\nend of 3 [[N0]]")
        #expect(try scene.round().isIdle)
    }
}

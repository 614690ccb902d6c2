import Foundation
import NoteStore
import TestSupport
import Testing
import TextEditing
import ViewModel

/// Tests the day's note, templates, the previous note, images, replacing in notes, versions.
@MainActor
@Suite(.serialized)
struct DailyLifeTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }

    @Test func `a note that was renamed is not the day's note any more`() throws {
        defer { fixture.close() }
        let settings = DailySettings()
        let date = Date(timeIntervalSince1970: 1_772_000_000)
        let first = try settings.note(in: fixture.notebook, on: date)
        try fixture.notebook.notes.setTitle(first.id, "Kept")
        #expect(try settings.note(in: fixture.notebook, on: date).id != first.id)
    }

    @Test func `today's note is made once and found again`() throws {
        defer { fixture.close() }
        model.start()
        model.showDailyNote(on: TemporaryNotebook.now)
        let title = TemporaryNotebook.now.formatted(
            Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
        #expect(model.openNote?.title == title)
        #expect(model.session?.text == "# \(title)\n\n")
        let id = model.openNote?.id
        model.addNote()
        model.session?.type("Another")
        model.showDailyNote(on: TemporaryNotebook.now)
        #expect(model.openNote?.id == id)
        #expect(model.inboxFolder?.noteCount == 2)
    }

    @Test func `a clock that goes back ten years makes a note of that day, and finds today's again`() throws {
        defer { fixture.close() }
        let settings = DailySettings()
        let today = Date(timeIntervalSince1970: 1_772_000_000)
        let past = today.addingTimeInterval(-10 * 365 * 86_400)
        let first = try settings.note(in: fixture.notebook, on: today)
        let old = try settings.note(in: fixture.notebook, on: past)
        #expect(old.id != first.id && old.title != first.title)
        #expect(try settings.note(in: fixture.notebook, on: past).id == old.id)
        #expect(try settings.note(in: fixture.notebook, on: today).id == first.id)
    }

    @Test func `a template fills in title and date and puts the caret in its place`() throws {
        let template = NoteTemplate("# {{title}}\n\n{{date}} {{time}}: {{cursor}} end")
        #expect(template.needsTitle)
        let (text, caret) = template.filled(
            title: "Ständ-up", date: Date(timeIntervalSince1970: 1_790_000_000), zone: .utc)
        #expect(text == "# Ständ-up\n\n2026-09-21 14:13:  end")
        #expect(caret == "# Ständ-up\n\n2026-09-21 14:13: ".utf8.count)
        #expect(NoteTemplate("plain").filled(title: "", date: Date()).caret == 5)
    }

    @Test func `notes in folders called Templates are templates`() throws {
        defer { fixture.close() }
        model.start()
        #expect(model.templates.isEmpty)
        let folder = try fixture.notebook.folders.create("templates")
        let note = try fixture.add("## {{title}}\n\n- {{cursor}}", folder: folder.id)
        model.readOutsideChanges()
        #expect(model.templates.map(\.id) == [note.id])
        let template = try #require(model.template(note))
        model.addNote(from: template, title: "Monday")
        #expect(model.session?.text == "## Monday\n\n- ")
        #expect(model.session?.caretLabel == "3:3")
        #expect(model.selectedContainer?.id == .inbox)
    }

    @Test func `the note before is shown, to and fro`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        let far = try fixture.add("Far", folder: home.id)
        try fixture.add("Near")
        model.start()
        #expect(!model.canShowNoteBefore.isAvailable)
        model.show(far)
        model.showNoteBefore()
        #expect(model.openNote?.title == "Near")
        #expect(model.selectedContainer?.id == .inbox)
        model.showNoteBefore()
        #expect(model.openNote?.title == "Far")
    }

    @Test func `an image is taken in; another file is refused by name`() throws {
        defer { fixture.close() }
        let picture = fixture.folder.appending(path: "cat.png").path
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]).write(to: URL(filePath: picture))
        let other = fixture.folder.appending(path: "cat.jpg").path
        try "no image".write(toFile: other, atomically: true, encoding: .utf8)
        model.start()
        func read(_ path: String) -> Result<(markdown: String, name: String), TakeNoteVM.Refusal>? {
            var result: Result<(markdown: String, name: String), TakeNoteVM.Refusal>??
            model.readImage(at: [path]) { result = .some($0) }
            _ = fixture.scheduler.run { result != nil }
            return result ?? nil
        }
        let image = try #require(try read(picture)?.get())
        #expect(image.markdown.hasPrefix("![cat](takenote://image/") && image.name == "cat.png")
        guard case .failure(let refusal) = read(other) else {
            Issue.record("taken in")
            return
        }
        #expect(refusal.reason == "cat.jpg is neither a JPEG nor a PNG image")
        #expect(read(fixture.folder.appending(path: "none.png").path) == nil)
        #expect(TakeNoteVM.imagePaths(pasted: " '\(picture)'\n") == [picture])
        #expect(TakeNoteVM.imagePaths(pasted: fixture.folder.path).isEmpty)
    }

    // MARK: Replacing in notes

    private func find(_ query: FindQuery, _ replacement: String) -> NotesSearch.State {
        var state = NotesSearch.State()
        let search = model.searchInNotes()
        search.search(NotesQuery(query, replacement: replacement)) { state = $0 }
        _ = fixture.scheduler.run { state.isDone }
        return state
    }

    @Test func `hits are listed by note and line, and what is ticked is replaced and undone as one`() throws {
        defer { fixture.close() }
        let colours = try fixture.add("colour one\nplain\ncolour two colour", age: 1)
        let other = try fixture.add("Colour three", age: 2)
        let trashed = try fixture.add("colour four")
        try fixture.notebook.trash.add([trashed.id])
        model.start()
        let found = find(FindQuery("colour"), "color")
        #expect(found.notes.map(\.id) == [colours.id, other.id])
        #expect(found.notes[0].lines.map(\.number) == [0, 2])
        #expect(found.notes[0].lines.map(\.count) == [1, 2])
        #expect(found.notes[0].lines[1].matches == [0..<6, 11..<17])
        #expect(found.count == 4)

        var report: TaskReport?
        model.replace(in: [(found.notes[0], [1]), (found.notes[1], [0])]) { report = $0 }
        #expect(fixture.scheduler.run { report != nil })
        #expect(report?.sentence == "3 matches in 2 notes replaced")
        #expect(try fixture.notebook.notes.text(colours.id) == "colour one\nplain\ncolor two color")
        #expect(model.session?.text == "colour one\nplain\ncolor two color")
        #expect(try fixture.notebook.notes.text(other.id) == "color three")
        #expect(try fixture.notebook.notes.text(trashed.id) == "colour four")
        model.undoAction()
        #expect(try fixture.notebook.notes.text(colours.id) == "colour one\nplain\ncolour two colour")
        #expect(try fixture.notebook.notes.text(other.id) == "Colour three")
        #expect(model.notice?.text == "Undone: replace text in 2 notes")
        model.redoAction()
        #expect(try fixture.notebook.notes.text(other.id) == "color three")
    }

    @Test func `case, whole words and expressions count as in a note, and groups come along`() throws {
        defer { fixture.close() }
        try fixture.add("Cat cats cat-1")
        model.start()
        #expect(find(FindQuery("cat", isCaseSensitive: true), "").count == 2)
        #expect(find(FindQuery("cat", isWholeWord: true), "").count == 2)
        #expect(find(FindQuery("(", isRegularExpression: true), "").problem == "invalid regex")
        #expect(find(FindQuery(""), "").notes.isEmpty)
        let found = find(FindQuery("cat-([0-9])", isRegularExpression: true), "$1 cat")
        model.replace(in: [(found.notes[0], [0])])
        #expect(fixture.scheduler.run { model.session?.text == "Cat cats 1 cat" })
        model.replace(in: [])
        #expect(model.notice?.text == "No line is selected")
    }

    @Test func `a note that was changed meanwhile stays, and that is said`() throws {
        defer { fixture.close() }
        let note = try fixture.add("colour")
        model.start()
        let found = find(FindQuery("colour"), "color")
        _ = try fixture.notebook.notes.save(note.id, text: "a colour", baseRevision: 1)
        model.replace(in: [(found.notes[0], [0])])
        #expect(fixture.scheduler.run { model.notice?.text.contains("1 note changed meanwhile and stayed") == true })
        #expect(try fixture.notebook.notes.text(note.id) == "a colour")
    }

    // MARK: Versions

    @Test func `an earlier version is compared with the text as it is now`() throws {
        defer { fixture.close() }
        let note = try fixture.add("one\ntwo")
        try fixture.notebook.versions.keep(of: note.id)
        model.start()
        model.session?.move(.documentEnd)
        model.session?.type(" and more")
        let version = try #require(model.versions().first)
        var compared: TextDiff?
        model.changes(since: version) { compared = $0 }
        let diff = try #require(compared)
        #expect(diff.lines.map(\.kind) == [.same, .removed, .added])
        #expect(diff.lines.last?.text == "two and more")
        model.restoreVersion(version.number)
        #expect(model.session?.text == "one\ntwo")
        model.undoAction()
        #expect(model.session?.text == "one\ntwo and more")
    }

    @Test func `undo takes back the day's note, not what was done before it`() throws {
        defer { fixture.close() }
        model.start()
        model.addNote()
        model.session?.type("Kept")
        model.showDailyNote(on: TemporaryNotebook.now)
        let day = try #require(model.openNote)
        model.undoAction()
        #expect(try fixture.notebook.notes.row(day.id)?.place == .trash)
        #expect(try fixture.notebook.lists.count(ListQuery(container: .allNotes)) == 1)
    }

    @Test func `an address of a heading in the same note goes there`() throws {
        defer { fixture.close() }
        model.start()
        model.addNote()
        let session = try #require(model.session)
        session.type("[a](#two-words)\n[b](#Zwei%20W%C3%B6rter)\n\n## Two words\n\n## Zwei Wörter\n")
        for (first, line) in [(0, 3), (1, 5)] {
            session.move(.documentStart)
            for _ in 0..<first { session.move(.down) }
            #expect(model.followLink() == .note)
            #expect(session.buffer.lineNumber(at: session.selection.head).rawValue == line)
        }
    }

    @Test func `a tag that texts have is not offered for deletion`() throws {
        defer { fixture.close() }
        _ = try fixture.notebook.notes.create(NewNote(text: "Text #inside"))
        let hand = try fixture.notebook.tags.create("hand")
        model.start()
        let inside = try #require(model.tags.first { $0.name == "inside" })
        #expect(model.canDelete(inside).reason?.contains("#inside is in the text of 1 note") == true)
        #expect(model.canDelete(hand).reason == nil)
    }
}

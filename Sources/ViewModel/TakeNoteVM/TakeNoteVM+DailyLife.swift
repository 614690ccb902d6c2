import Foundation
import NoteStore
import SystemPackage
import TextEditing

/// The day's note, templates, the note before, images.
extension TakeNoteVM {
    /// Shows the day's note, made if there is none.
    public func showTodaysNote() {
        attempt(Texts.Attempt.openToday) {
            let note = try dailySettings.note(in: notebook, on: now())
            try reloadContainers()
            show(note)
            session?.move(.documentEnd)
        }
    }

    /// Whether the first steps are shown in the place of a note: until the notebook holds its first one.
    public var showsFirstSteps: Bool { !hasHeldNotes && session == nil }

    /// Whether there is nothing in the notebook yet.
    public var isNew: Bool {
        allNotesFolder?.noteCount == 0 && archiveFolder?.noteCount == 0 && trashFolder?.noteCount == 0
            && containers.allSatisfy(\.isSystemFolder)
    }

    /// Shows the welcome note, made in the Inbox if there is none.
    public func showWelcome() {
        attempt(Texts.Attempt.openWelcome) {
            let found = try notebook.links.note(havingTitle: WelcomeNote.title)
            let note =
                try found.flatMap { $0.place == .live ? $0 : nil }
                ?? notebook.notes.create(NewNote(text: WelcomeNote.text))
            try reloadContainers()
            show(note)
            session?.goToFirstTask()
        }
    }

    /// Shows the note that was open before this one; once more comes back.
    public func showNoteBefore() {
        guard let noteBefore = open.before else { return say(Texts.noNoteBefore, kind: .refused) }
        attempt(Texts.Attempt.openNoteBefore) {
            guard let note = try notebook.notes.row(noteBefore) else { return say(Texts.noteIsGone, kind: .refused) }
            // Where the list has it the list stays as it is.
            guard noteList.index(of: note.id) == nil else { return onNoteSelect(note) }
            show(note)
        }
    }

    /// Whether there is a note before.
    public var canShowNoteBefore: Availability { .when(open.before != nil, else: Texts.noNoteBefore) }

    // MARK: Templates

    /// The name of the folders whose notes are templates.
    public static let templateFolder = "Templates"

    /// The notes that new ones can be made from: those in folders called Templates.
    public var templates: [NoteRow] {
        let key = Folding.key(Self.templateFolder)
        let folders = containers.filter { $0.isFolder && !$0.isInTrash && Folding.key($0.name) == key }
        var notes: [NoteRow] = []
        attempt(Texts.Attempt.readTemplates) {
            for folder in folders {
                let query = ListQuery(
                    container: folder.id, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
                notes += try notebook.lists.rows(query, limit: Self.mostTemplates)
            }
        }
        return notes
    }

    /// Templates offered at most of one folder.
    private static let mostTemplates = 200

    /// The template that a note is; nil where it cannot be read, which is said.
    public func template(_ note: NoteRow) -> NoteTemplate? {
        var template: NoteTemplate?
        attempt(Texts.Attempt.readTemplate) {
            saver.saveNow()
            template = NoteTemplate(try notebook.notes.text(note.id) ?? "")
        }
        return template
    }

    /// Makes a note of a template where a new note goes, and puts the caret where the template says.
    public func addNote(from template: NoteTemplate, title: String = "") {
        guard addNote() != nil, let session else { return }
        let (text, caret) = template.filled(title: title, date: now())
        session.paste(text)
        session.change { editor in
            editor.select(Selection(ByteOffset(caret)))
            return nil
        }
    }

    // MARK: Images

    /// Images taken in at most, in bytes: beyond it a notebook in one file is no place for them.
    private static let largestImage = 20_000_000

    /// Takes in a JPEG or PNG file and shows it in the open text, at the caret.
    ///
    /// - Returns: why it was refused, or nil.
    @discardableResult
    public func insertImage(at path: String) -> String? {
        guard let session else { return Texts.noNoteOpen }
        return refusal {
            let file = PathCompletion.expanded(path)
            let path = FilePath(file)
            let name = path.lastComponent?.string ?? file
            let data = try NoteImage.data(ofFile: file, limit: Self.largestImage)
            let image = try notebook.images.add(data, name: name)
            session.paste(image.getMarkdown(alt: path.stem ?? name))
            say(Texts.imageAdded(name))
        }
    }

    /// Endings of files that can be images of a note.
    public static let imageEndings: Set<String> = ["jpg", "jpeg", "png"]

    /// Whether a pasted text is the path of an image.
    public static func imagePath(pasted text: String) -> String? {
        PathCompletion.pasted(text).flatMap { path in
            imageEndings.contains(FilePath(path).extension?.lowercased() ?? "") ? path : nil
        }
    }
}

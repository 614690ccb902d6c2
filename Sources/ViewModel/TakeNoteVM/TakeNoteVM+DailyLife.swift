import Foundation
import NoteStore
import SystemPackage
import TextEditing

/// The day's note, templates, the previous note, images.
extension TakeNoteVM {
    /// Opens the note of a day, and creates it if there is none.
    public func showDailyNote(on date: Date) {
        attempt(Texts.Attempt.openToday) {
            let note = try dailySettings.note(in: notebook, on: date, undoably: true)
            try reloadContainers()
            show(note)
            session?.move(.documentEnd)
        }
    }

    /// Whether there is a note for a day.
    public func hasDailyNote(on date: Date) -> Bool {
        // A day whose note cannot be read now is shown as one without a note.
        ((try? notebook.links.note(havingTitle: dailySettings.title(on: date))) ?? nil) != nil
    }

    /// The day of the open note if it is a daily note, else today.
    public var openDay: Date {
        guard let note = openNote else { return now() }
        return dailySettings.date(ofTitle: note.title, near: now())
            ?? dailySettings.date(ofTitle: note.title, near: note.createdDate) ?? now()
    }

    /// Opens the nearest daily note before or after the open one.
    ///
    /// - Returns: whether there is one within a year.
    public func showDailyNote(_ direction: Int) -> Bool {
        let start = Day(openDay)
        for distance in 1...Self.daysToLook {
            let date = Zone.system.noon(of: start.adding(direction * distance))
            if hasDailyNote(on: date) {
                showDailyNote(on: date)
                return true
            }
        }
        return false
    }

    /// The number of days to search for the next daily note.
    private static let daysToLook = 366

    /// Whether the first steps are shown instead of a note: until the notebook holds its first note.
    public var showsFirstSteps: Bool { !hasHeldNotes && session == nil }

    /// Whether the notebook is empty.
    public var isNew: Bool {
        allNotesFolder?.noteCount == 0 && archiveFolder?.noteCount == 0 && trashFolder?.noteCount == 0
            && containers.allSatisfy(\.isSystemFolder)
    }

    /// The question before the welcome note is created in a notebook that has notes; nil if it exists or the notebook
    /// is new.
    public var welcomeQuestion: Question? {
        guard !isNew, (try? standingWelcome()) == nil else { return nil }  // opening it reports an error
        return Question(
            title: Texts.addWelcomeQuestion, text: Texts.addWelcomeDetails, accept: Texts.addWelcome)
    }

    private func standingWelcome() throws -> NoteRow? {
        try notebook.links.note(havingTitle: WelcomeNote.title).flatMap { $0.place == .live ? $0 : nil }
    }

    /// Opens the welcome note, and creates it in the Inbox if there is none.
    public func showWelcome() {
        attempt(Texts.Attempt.openWelcome) {
            let note =
                try standingWelcome()
                ?? notebook.notes.create(
                    NewNote(text: WelcomeNote.text), as: NoteID(ofKind: "welcome", named: WelcomeNote.text),
                    undoably: true)
            try reloadContainers()
            show(note)
            session?.goToFirstTask()
        }
    }

    /// Opens the note that was open before this one; calling it again goes back.
    public func showNoteBefore() {
        guard let noteBefore = open.before else { return say(Texts.noNoteBefore, kind: .refused) }
        attempt(Texts.Attempt.openNoteBefore) {
            guard let note = try notebook.notes.row(noteBefore) else { return say(Texts.noteIsGone, kind: .refused) }
            // If the list contains the note, the list stays as it is.
            guard noteList.index(of: note.id) == nil else { return onNoteSelect(note) }
            show(note)
        }
    }

    /// Whether there is a previously open note.
    public var canShowNoteBefore: Availability { .when(open.before != nil, else: Texts.noNoteBefore) }

    // MARK: Templates

    /// The name of the folders whose notes are templates.
    public static let templateFolder = "Templates"

    /// The notes that serve as templates: those in folders called Templates.
    public var templates: [NoteRow] {
        let key = Folding.key(Self.templateFolder)
        let folders = containers.filter { $0.isFolder && !$0.isInTrash && Folding.key($0.name) == key }
        var notes: [NoteRow] = []
        attempt(Texts.Attempt.readTemplates) {
            for folder in folders {
                let query = ListQuery(
                    container: folder.id, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
                notes += try notebook.lists.rows(query, limit: Self.maximumTemplates)
            }
        }
        return notes
    }

    /// The largest number of templates offered from one folder.
    private static let maximumTemplates = 200

    /// Reads a note as a template; nil if it cannot be read, which a notice says.
    public func template(_ note: NoteRow) -> NoteTemplate? {
        var template: NoteTemplate?
        attempt(Texts.Attempt.readTemplate) {
            saver.saveNow()
            template = NoteTemplate(try notebook.notes.text(note.id) ?? "")
        }
        return template
    }

    /// Creates a note from a template, in the folder for new notes, and puts the caret where the template says.
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

    /// The largest image, in bytes; a larger one does not belong in a notebook of one file.
    private nonisolated static let maximumImageSize = 20_000_000

    /// Adds the first JPEG or PNG file that exists at one of the paths to the notebook.
    ///
    /// It works in the background, since a mount may hang, and since a large picture takes a while to be reduced.
    ///
    /// - Parameter completion: receives the Markdown to paste and the name, or the reason for refusal; nil if there is no
    ///   such file.
    public func readImage(
        at paths: [String],
        completion: @escaping @MainActor @Sendable (Result<(markdown: String, name: String), Refusal>?) -> Void
    ) {
        let (notebook, disk) = (notebook, disk)
        askDisk { () -> Result<(markdown: String, name: String), Refusal>? in
            guard
                let path = paths.lazy.map({ FilePath(PathCompletion.expanded($0)) }).first(where: {
                    disk.kind($0) != nil
                })
            else { return nil }
            let name = path.lastComponent?.string ?? path.string
            do {
                let data = try NoteImage.data(ofFile: path.string, limit: Self.maximumImageSize)
                let image = try notebook.images.add(data, name: name)
                return .success((image.getMarkdown(alt: path.stem ?? name), name))
            } catch {
                return .failure(Refusal(reason: Sentence.of(error)))
            }
        } then: {
            completion($0)
        }
    }

    /// The reason why a file was refused, as a sentence.
    public struct Refusal: Error, Sendable {
        public let reason: String
    }

    /// Shows that an image was added.
    public func sayAdded(image name: String) { say(Texts.imageAdded(name)) }

    /// The file name extensions of images that a note can contain.
    public static let imageExtensions: Set<String> = ["jpg", "jpeg", "png"]

    /// Returns the paths of images that a pasted text may mean, whether they exist or not.
    public static func imagePaths(pasted text: String) -> [String] {
        PathCompletion.readings(ofPasted: text).filter { path in
            imageExtensions.contains(FilePath(path).extension?.lowercased() ?? "")
        }
    }
}

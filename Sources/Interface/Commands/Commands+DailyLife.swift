import Foundation
import NoteStore
import ViewModel

/// Commands for the day's note, templates, images, replacing in notes, and the welcome note.
@MainActor
let dailyCommands: [Command] = [
    Command("note.today", "Today's note", .notes, keys: [.browsing: "D"]) { $0.showDailyNote(on: $0.now()) },
    Command("app.welcome", "Read the welcome note", .application, keys: [.list: "w"]) { $0.showWelcome() },
    Command("note.fromTemplate", "New note from template…", .notes) { $0.chooseTemplate() },
    Command(
        "note.before", "Go to the previously open note", .panes, keys: [.everywhere: "F5"],
        when: { $0.model.canShowNoteBefore }
    ) { $0.model.showNoteBefore() },
    Command(
        "note.insertImage", "Insert an image…", .editing,
        when: { $0.canEdit }
    ) { $0.askForImage() },
    Command("notes.replace", "Replace in notes…", .search, when: { $0.model.canBeginTask }) { $0.replaceInNotes() },
]

extension NotebookInterface {
    /// Opens the welcome note; asks first if it would be new among other notes, since its key is easily hit by mistake.
    fileprivate func showWelcome() {
        guard let question = model.welcomeQuestion else { return model.showWelcome() }
        show(ConfirmOverlay(question) { [weak self] in self?.model.showWelcome() })
    }

    /// Opens the note of a day, and creates it if there is none.
    func showDailyNote(on date: Date) {
        let isNew = !model.hasDailyNote(on: date)
        model.showDailyNote(on: date)
        if isNew { focusNewNote() } else { focus(.editor) }
    }

    // MARK: Templates

    /// Lets the user choose a template, asks for a title if the template needs one, and creates a note.
    fileprivate func chooseTemplate() {
        let templates = model.templates
        guard !templates.isEmpty else {
            return model.say(
                Texts.noTemplates(folder: TakeNoteVM.templateFolder), kind: .refused)
        }
        let items = templates.map { note in
            PickerOverlay.Item(title: note.title, detail: note.preview) { [weak self] in self?.useTemplate(note) }
        }
        show(PickerOverlay(title: Texts.newNoteFrom, from: items))
    }

    private func useTemplate(_ note: NoteRow) {
        guard let template = model.template(note) else { return }
        guard template.needsTitle else { return addNote(from: template, title: "") }
        show(
            LinePrompt(title: Texts.titleOfNewNote) { [weak self] title in
                self?.addNote(from: template, title: title)
                return nil
            })
    }

    private func addNote(from template: NoteTemplate, title: String) {
        state.headingUnderCursor = nil
        model.addNote(from: template, title: title)
        focusNewNote()
    }

    // MARK: Images

    fileprivate func askForImage() {
        let kind = PathCompletion.Kind.files(extensions: TakeNoteVM.imageExtensions)
        show(
            PathPrompt(
                title: Texts.insertImage, text: lastFolder, kind: kind, disk: pathDisk
            ) { [weak self] path, answer in
                self?.model.readImage(at: [path]) { [weak self] result in
                    switch result {
                    case nil: answer(.refused(Texts.noSuchFile))
                    case .failure(let refusal): answer(.refused(refusal.reason))
                    case .success(let image): answer(.accepted { [weak self] in self?.insert(image) })
                    }
                }
            })
    }

    private func insert(_ image: (markdown: String, name: String)) {
        guard let session = model.session else { return model.say(Texts.noNoteOpen, kind: .refused) }
        session.paste(image.markdown)
        model.sayAdded(image: image.name)
    }

    // MARK: Replacing in notes

    /// Opens the overlay that finds and replaces in all notes.
    ///
    /// It starts with the selection, or with the last pattern, and replaces the ticked matches.
    func replaceInNotes() {
        let selected = model.session?.selectedText ?? ""
        let pattern = selected.isEmpty || selected.contains("\n") ? lastFind.pattern.text : selected
        let search = model.searchInNotes()
        let overlay = ReplaceOverlay(search, pattern: pattern, in: self) { [weak self] notes in
            guard let self else { return }
            let progress = ProgressOverlay(model, showsBar: !state.reducesMotion)
            show(progress)
            model.replace(in: notes) { [weak self] report in
                self?.dismiss(progress)
                self?.taskEnded(report)
            }
            // Without a running task there is no progress to show.
            if model.progress == nil { dismiss(progress) }
        }
        show(overlay)
    }
}

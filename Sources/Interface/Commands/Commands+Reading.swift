import Markdown
import NoteStore
import Terminal
import TextEditing
import ViewModel

/// Commands for reading a note, and for moving through its links and headings.
@MainActor
let readingCommands: [Command] = [
    Command(
        "note.preview", "Read or edit the note", .editing,
        keys: [.editor: "Ctrl-E", .preview: "Ctrl-E p q", .list: "p Ctrl-E"], when: needsNote
    ) { $0.togglePreview() },
    Command("preview.down", "Scroll down", .preview, keys: [.preview: "Down j"], when: needsPreview) {
        $0.note.changePreview { $0.scroll(by: 1) }
    },
    Command("preview.up", "Scroll up", .preview, keys: [.preview: "Up k"], when: needsPreview) {
        $0.note.changePreview { $0.scroll(by: -1) }
    },
    Command(
        "preview.pageDown", "Scroll a page down", .preview, keys: [.preview: "PgDn Space Ctrl-D"], when: needsPreview
    ) {
        $0.note.changePreview { $0.scroll(pages: 1) }
    },
    Command("preview.pageUp", "Scroll a page up", .preview, keys: [.preview: "PgUp b Ctrl-U"], when: needsPreview) {
        $0.note.changePreview { $0.scroll(pages: -1) }
    },
    Command("preview.start", "To the start", .preview, keys: [.preview: "Home g Ctrl-Home"], when: needsPreview) {
        $0.note.changePreview { $0.scroll(by: -.max / 2) }
    },
    Command("preview.end", "To the end", .preview, keys: [.preview: "End G Ctrl-End"], when: needsPreview) {
        $0.note.changePreview { $0.scroll(by: .max / 2) }
    },
    Command(
        "preview.right", "Scroll wide tables and code to the right", .preview, keys: [.preview: "Right l"],
        when: needsPreview
    ) { $0.note.changePreview { $0.scroll(columns: 8) } },
    Command(
        "preview.left", "Scroll wide tables and code to the left", .preview, keys: [.preview: "Left h"],
        when: needsPreview
    ) { $0.note.changePreview { $0.scroll(columns: -8) } },
    Command("preview.nextLink", "Next link", .preview, keys: [.preview: "Tab"], when: needsPreview) {
        $0.note.changePreview { $0.selectLink(after: 1) }
    },
    Command("preview.previousLink", "Previous link", .preview, keys: [.preview: "Shift-Tab"], when: needsPreview) {
        $0.note.changePreview { $0.selectLink(after: -1) }
    },
    Command(
        "link.follow", "Follow the link", .editing, keys: [.editor: "Ctrl-] Alt-Enter", .preview: "Enter"],
        when: needsNote
    ) { $0.followLink() },
    Command(
        "link.insert", "Link to a note…", .editing, when: { $0.when(needsNote($0), $0.model.canChangeText) }
    ) { $0.insertLink() },
    Command(
        "note.outline", "Go to a heading or line", .editing, keys: [.editor: "Ctrl-G", .preview: "Ctrl-G"],
        when: needsNote
    ) { $0.showOutline() },
    Command("note.backlinks", "Go to a note that links here", .panes, keys: [.list: "b"], when: needsNote) {
        $0.showBacklinks()
    },
    Command(
        "note.linkTree", "Notes around this one, by links…", .panes, keys: [.list: "B", .preview: "B"], when: needsNote
    ) { $0.showLinkTree() },
    Command("note.editOutside", "Edit in $EDITOR", .notes, keys: [.list: "e"], when: needsNote) { $0.editOutside() },
    Command("note.history", "Earlier versions", .notes, keys: [.list: "H"], when: needsNote) { $0.showHistory() },
    Command("pane.backlinks", "Show or hide backlinks", .panes, keys: [.everywhere: "F9"]) { window in
        window.state.showsBacklinks.toggle()
        // The note that is open may have none.
        window.model.say(window.state.showsBacklinks ? Texts.backlinksShown : Texts.backlinksHidden)
    },
]

@MainActor
private func needsNote(_ window: NotebookInterface) -> Availability {
    .when(window.model.session != nil, else: Texts.noNoteOpen)
}

@MainActor
private func needsPreview(_ window: NotebookInterface) -> Availability {
    .when(window.state.isPreviewing, else: Texts.needsPreview)
}

extension NotebookInterface {
    /// Switches between the editor and the preview, at the same position in the text.
    ///
    /// The caret moves to the line that was read, unless the preview was left as it opened; then the caret stays. Where
    /// another pane fills the screen, the note is shown for reading instead, since nobody would see what has changed.
    func togglePreview() {
        openForReading()
        if isNoteCovered {
            defer { focus(.editor) }
            if state.isPreviewing { return }
        }
        if state.findBar != nil { closeFind() }
        if note.preview.layout != nil { note.layOutUnseen() }
        if state.isPreviewing, !note.preview.isWhereTheEditorWas {
            model.session?.go(toByte: note.preview.position.byte)
        }
        note.preview.reset()
        state.isPreviewing.toggle()
    }

    /// Whether another pane has the whole screen; a screen reader always reads one pane, and its user knows.
    private var isNoteCovered: Bool {
        !state.theme.glyphs.isWords && nextLayout(size: screenSize).panes[.editor] == nil
    }

    /// Follows the link at the caret, or the link selected in the preview.
    func followLink() {
        let destination: LinkDestination?
        if state.isPreviewing {
            note.layOutUnseen()
            guard let link = note.preview.selectedLink else {
                let key = keyLabel(for: "preview.nextLink", in: .preview)
                return model.say(Texts.chooseLink(with: key), kind: .refused)
            }
            destination = model.follow(link)
        } else {
            destination = model.followLink()
        }
        arrive(at: destination)
    }

    /// Handles a followed link that leads to no existing note; the preview follows one that leads to a heading.
    func arrive(at destination: LinkDestination?) {
        switch destination {
        case .outside(let address): askToOpen(address)
        case .file(let file): askToOpen(model.description(of: file)) { $0.copyForOpening(file) }
        case .image(let image): askToOpen(model.description(of: image)) { $0.copyForOpening(image) }
        case .missing(let title): offerNote(titled: title)
        case .note: if state.isPreviewing { invalidate(.editor) }
        case .tag: focus(.list)
        case nil: break
        }
    }

    /// Offers to create the note that a link names.
    private func offerNote(titled title: String) {
        let item = PickerOverlay.Item(title: newNoteTitle(title), detail: Texts.create) { [weak self] in
            self?.model.addNote(titled: title)
            self?.focusNewNote()
        }
        show(PickerOverlay(title: Texts.noSuchTitle, from: [item]))
    }

    /// Shows the address of a link, and asks before anything is opened.
    func askToOpen(_ address: String) {
        let items = [
            PickerOverlay.Item(title: Texts.copyAddress) { [weak self] in
                self?.keep(Clipping(text: address), called: Texts.address)
            },
            PickerOverlay.Item(title: Texts.openIt, detail: Texts.outside) { [weak self] in
                guard let self, let host else { return }
                model.say(host.open(address))
            },
        ]
        show(PickerOverlay(title: address, from: items))
    }

    /// Shows a file's name and size, and asks before the system's program opens a copy of it.
    private func askToOpen(_ file: String, copy: @escaping @MainActor (TakeNoteVM) -> String?) {
        let open = PickerOverlay.Item(title: Texts.openIt, detail: Texts.outside) { [weak self] in
            guard let self, let host, let path = copy(model) else { return }
            model.say(host.open(file: path))
        }
        show(PickerOverlay(title: file, from: [open]))
    }

    /// Opens a picker of the note's headings; a typed number goes to that line, or to a heading that has it.
    fileprivate func showOutline() {
        guard let session = model.session else { return }
        let outline = session.outline
        let all = outline.map { heading in
            PickerOverlay.Item(
                title: String(repeating: "  ", count: heading.level - 1) + heading.title,
                detail: "\(heading.line + 1)"
            ) { session.go(toLine: heading.line) }
        }
        let folded = outline.map(\.title.foldedCharacters)
        let picker = PickerOverlay(title: Texts.goToHeading) { typed in
            let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
            guard !pattern.isEmpty else { return all }
            let fitting = all.indices.compactMap { index in
                FuzzyMatch(pattern, in: folded[index]).map { (index, $0.score) }
            }
            let headings = fitting.sorted { $0.1 > $1.1 }.map { all[$0.0] }
            guard let number = Int(typed) else { return headings }
            let line = min(max(number, 1), session.lineCount)
            return [PickerOverlay.Item(title: Texts.line(line)) { session.go(toLine: line - 1) }] + headings
        }
        show(picker)
    }

    /// Opens the note under the list's cursor if the list has the focus, since the command is about that note.
    private func openForReading() {
        if state.focus == .list { model.openUnderCursor() }
    }

    /// Opens a picker of the notes that link to the open one.
    fileprivate func showBacklinks() {
        openForReading()
        guard !model.backlinks.isEmpty else { return model.say(Texts.noBacklinks, kind: .refused) }
        let items = model.backlinks.map { link in
            PickerOverlay.Item(title: link.source.title, detail: link.context) { [weak self] in
                self?.model.show(link.source)
                self?.model.session?.go(toLine: link.line)
                self?.focus(.editor)
            }
        }
        show(PickerOverlay(title: Texts.backlinks, from: items))
    }

    /// Runs the user's own editor on the note under the cursor.
    func editOutside() {
        openForReading()
        guard let host, let note = model.openNote else { return }
        if let reason = model.canChangeText.reason { return model.say(reason, kind: .refused) }
        let outcome = host.editOutside(note)
        model.readOutsideChanges()
        redraw()
        model.say(outcome)
    }

    /// Opens the earlier versions of the note, each with the changes since.
    ///
    /// Restoring one can be undone like any action.
    fileprivate func showHistory() {
        openForReading()
        let versions = model.versions()
        guard !versions.isEmpty else { return model.say(Texts.noVersions, kind: .refused) }
        let ages = versions.map { Age(state.dates).text(of: $0.date, at: now()) }
        let overlay = HistoryOverlay(versions, ages: ages) { [weak self] version, deliver in
            self?.model.changes(since: version) { [weak self] diff in
                deliver(diff)
                // A long text is compared in the background.
                self?.needsFrame = true
            }
        } restore: { [weak self] number in
            self?.model.restoreVersion(number)
        }
        show(overlay)
    }

    /// Offers notes to link to at the caret; the selection is replaced by the link.
    ///
    /// The text changes only when a note is chosen.
    fileprivate func insertLink() {
        focus(.editor)
        if state.isPreviewing { togglePreview() }
        guard let session = model.session else { return }
        let picker = linkPicker { [model] note in
            if model.isLinkedByTitle(note) {
                session.insertWikilink(title: note.title)
            } else {
                session.insertLink(title: note.title, uuid: note.id.description)
            }
        }
        picker.whenAbandoned = { [model] typed, isAccepted in
            guard isAccepted else { return }
            let isClosed = typed.hasSuffix("]]")
            session.insertWikilink(title: isClosed ? String(typed.dropLast(2)) : typed)
            if !isClosed { model.makeNote(linkedAs: typed) }
        }
        show(picker)
    }

    /// Offers notes to link to after `[[` was typed.
    func offerLinks() {
        guard let session = model.session, model.canChangeText.isAvailable,
            let completion = session.linkCompletion, completion.query.isEmpty
        else { return }
        let picker = linkPicker(heading: { session.completeLink(title: $0) }) { [model] note in
            if model.isLinkedByTitle(note) {
                session.completeLink(title: note.title)
            } else {
                session.completeLink(title: note.title, uuid: note.id.description)
            }
        }
        // Text typed for a note that does not exist belongs to the open text; Enter creates the note.
        picker.whenAbandoned = { [model] typed, isAccepted in
            guard isAccepted, !typed.isEmpty, !typed.hasSuffix("]]") else {
                return session.typeKeys(of: typed)
            }
            session.completeLink(title: typed)
            model.makeNote(linkedAs: typed)
        }
        show(picker)
    }

    /// - Parameter heading: links to a heading, `Title#Heading`; nil if headings are not offered.
    private func linkPicker(
        heading: (@MainActor (String) -> Void)? = nil, choose: @escaping @MainActor (NoteRow) -> Void
    ) -> PickerOverlay {
        let picker = PickerOverlay(title: Texts.linkToNote, prompt: "[[") { [weak self] typed in
            guard let self else { return [] }
            let headings = heading == nil ? [] : model.headingsToLink(typed)
            if let heading, !headings.isEmpty {
                return headings.map { link in PickerOverlay.Item(title: link) { heading(link) } }
            }
            let notes = model.notesToLink(typed).filter { $0.id != self.model.session?.noteID }
            return notes.map { note in
                PickerOverlay.Item(title: note.title, detail: note.folderName) { choose(note) }
            }
        }
        picker.caret = { [weak self] in self?.caretPosition }
        picker.closing = "]]"
        picker.acceptHint = Texts.createsNote
        return picker
    }
}

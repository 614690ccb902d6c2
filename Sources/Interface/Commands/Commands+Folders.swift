import NoteStore
import ViewModel

/// Commands for folders, projects and tags.
@MainActor
let folderCommands: [Command] = [
    Command("folder.new", "New folder", .folders, keys: [.sidebar: "n"]) { $0.addFolder() },
    Command("project.new", "New project", .folders, keys: [.sidebar: "N"]) { $0.addProject() },
    Command("tag.new", "New tag", .folders, keys: [.sidebar: "T"]) { $0.addTag() },
    Command(
        "folder.rename", "Rename the folder, project, tag or search", .folders, keys: [.sidebar: "r"],
        when: { $0.savedSearchUnderCursor != nil ? .available : $0.model.canChange($0.containerUnderCursor) }
    ) { $0.renameContainer() },
    Command(
        "folder.color", "Colour of the folder, project or tag", .folders, keys: [.sidebar: "c"],
        when: { $0.model.canChange($0.containerUnderCursor) }
    ) { $0.chooseColor() },
    Command(
        "folder.symbol", "Symbol of the folder, project or tag", .folders,
        when: { $0.model.canChange($0.containerUnderCursor) }
    ) { $0.chooseSymbol() },
    Command(
        "folder.move", "Move the folder", .folders, keys: [.sidebar: "m"],
        when: { $0.model.canMove($0.containerUnderCursor) }
    ) { $0.moveContainer() },
    Command(
        "folder.delete", "Delete the folder, project, tag or search", .folders, keys: [.sidebar: "d Delete"],
        when: { window in
            let container = window.containerUnderCursor
            if window.savedSearchUnderCursor != nil { return .available }
            let isTrashed = window.model.canRestore(container).isAvailable
            return isTrashed ? .available : window.model.canChange(container)
        }
    ) { $0.deleteContainer() },
    Command(
        "folder.restore", "Restore the folder from the Trash", .folders, keys: [.sidebar: "R"],
        when: { $0.model.canRestore($0.containerUnderCursor) }
    ) { window in window.containerUnderCursor.map { window.model.restore($0) } },
    Command(
        "project.details", "Details of the project", .folders, when: { $0.needsProject }
    ) { $0.editDetails() },
    Command(
        "project.repair", "Repair the project's template", .folders,
        when: { $0.model.canRepairTemplate(of: $0.containerUnderCursor) }
    ) { window in window.containerUnderCursor.map { window.model.repairTemplate(of: $0) } },
    Command(
        "trash.empty", "Empty the Trash", .folders, keys: [.sidebar: "X"], when: { $0.model.canEmptyTrashNow }
    ) { $0.emptyTrash() },
]

extension NotebookInterface {
    /// The container that a command on folders acts on: the one on the line under the sidebar's cursor.
    ///
    /// It differs from the selected container if that one is in a folded folder, and it is nil on a heading and on a
    /// saved search. While the sidebar does not have the focus, it is the selected container.
    var containerUnderCursor: NoteContainer? {
        guard state.focus == .sidebar else { return model.selectedContainer }
        return sidebar.cursorIndex.flatMap { model.sidebarRows[$0].container }
    }

    fileprivate var needsProject: Availability {
        guard let container = containerUnderCursor, model.canChange(container).isAvailable else {
            return model.canChange(containerUnderCursor)
        }
        return .when(container.isProject, else: Texts.onlyProjects)
    }

    // MARK: Creating

    func addFolder() {
        let parent = containerUnderCursor.flatMap { model.parentOfNewFolder(at: $0) }
        let title = parent.map { Texts.newFolder(in: pathText(of: $0.id)) } ?? Texts.newFolder
        prompt(title, kind: .folder, in: parent?.id) { $0.addFolder($1, in: parent?.id) }
    }

    func addTag() {
        prompt(Texts.newTag, kind: .tag, in: nil) { $0.addTag($1) }
    }

    func addProject() {
        show(
            ProjectDialog { [weak self] in
                self?.model.nameProblem($0, kind: .project, in: nil)
            } accept: { [weak self] name, type, details in
                self?.state.headingUnderCursor = nil
                return self?.model.addProject(name, type: type, details: details)
            })
    }

    /// Asks for a valid name; if `accept` returns a reason, the box stays open.
    private func prompt(
        _ title: String, kind: NoteContainer.Kind, in parent: ContainerID?, renaming container: NoteContainer? = nil,
        accept: @escaping @MainActor (TakeNoteVM, String) -> String?
    ) {
        let prompt = LinePrompt(title: title, text: container?.name ?? "") { [weak self] in
            self?.model.nameProblem($0, kind: kind, in: parent, except: container?.id)
        } accept: { [weak self] name in
            guard let self else { return nil }
            let reason = accept(model, name)
            if reason == nil, kind != .tag { state.headingUnderCursor = nil }
            return reason
        }
        prompt.anchor = { [weak self] in container.flatMap { self?.sidebar.rect(of: .container($0.id)) } }
        show(prompt)
    }

    // MARK: Changing

    fileprivate func renameContainer() {
        if let search = savedSearchUnderCursor { return rename(search) }
        guard let container = containerUnderCursor else { return }
        let title = Texts.name(of: container.kindName)
        prompt(title, kind: container.kind, in: container.parent, renaming: container) { [weak self] model, name in
            guard let question = model.renamingQuestion(container, to: name) else {
                return model.rename(container, to: name)
            }
            self?.show(ConfirmOverlay(question) { model.renameInTexts(container, to: name) })
            return nil
        }
    }

    fileprivate func editDetails() {
        guard let project = containerUnderCursor else { return }
        show(
            LinePrompt(title: Texts.details(of: project.name), text: project.details) { [weak self] details in
                self?.model.setDetails(project, details)
                return nil
            })
    }

    fileprivate func chooseColor() {
        guard let container = containerUnderCursor else { return }
        let swatch = String(state.theme.glyphs.marked)
        show(
            ColorPicker.picker(for: container, swatch: swatch) { [weak self] in
                self?.model.setColor(container, $0)
            })
    }

    fileprivate func chooseSymbol() {
        guard let container = containerUnderCursor else { return }
        let usual = container.kind.symbol
        let plain = PickerOverlay.Item(title: Texts.none, detail: container.symbol == usual ? Texts.now : "") {
            [weak self] in
            self?.model.setSymbol(container, usual)
        }
        let items = Glyphs.symbolNames.map { symbol in
            PickerOverlay.Item(
                title: symbol.name, detail: container.symbol == symbol.symbol ? Texts.now : "",
                style: state.theme.style(of: container),
                mark: state.theme.glyphs.picture(of: symbol.symbol).map { "\($0)" } ?? ""
            ) { [weak self] in self?.model.setSymbol(container, symbol.symbol) }
        }
        show(PickerOverlay(title: Texts.symbol(of: container.name), from: [plain] + items))
    }

    fileprivate func moveContainer() {
        guard let folder = containerUnderCursor else { return }
        var items = model.destinations(of: folder).map { target in
            PickerOverlay.Item(title: pathText(of: target.id)) { [weak self] in
                self?.model.move(folder, to: target.id)
            }
        }
        if folder.parent != nil {
            let top = PickerOverlay.Item(title: Texts.topLevel) { [weak self] in
                self?.model.move(folder, to: nil)
            }
            items.insert(top, at: 0)
        }
        guard !items.isEmpty else { return model.say(Texts.nowhereToMove, kind: .refused) }
        pickFolder(Texts.move("“\(folder.name)”"), from: items) { [weak self] in
            self?.model.move(folder, toNewFolder: $0)
        }
    }

    /// Lets the user choose a folder, also by its path: `A/B` finds `A › B`, or creates it if it does not exist.
    func pickFolder(
        _ title: String, from items: [PickerOverlay.Item], create: @escaping @MainActor (_ path: String) -> Void
    ) {
        let folded = items.map(\.title.foldedCharacters)
        let overlay = PickerOverlay(title: title) { [weak self] typed in
            let pattern = typed.filter { !$0.isWhitespace && $0 != "/" }.foldedCharacters
            guard !pattern.isEmpty else { return items }
            let matches = items.indices.compactMap { index in
                // Disabled items come last.
                FuzzyMatch(pattern, in: folded[index]).map { (index, $0.score, items[index].isDisabled) }
            }
            let ranked = matches.sorted { ($0.2 ? 1 : 0, -$0.1, $0.0) < ($1.2 ? 1 : 0, -$1.1, $1.0) }
            let canCreate = self?.model.nameProblem(typed, kind: .folder, in: nil) == nil
            guard typed.contains("/") || ranked.isEmpty, canCreate else { return ranked.map { items[$0.0] } }
            return ranked.map { items[$0.0] }
                + [PickerOverlay.Item(title: typed, detail: Texts.createFolder) { create(typed) }]
        }
        overlay.minimumRows = min(overlay.minimumRows, max(items.count, 1))
        show(overlay)
    }

    // MARK: Deleting

    /// Deletes after a question that names the contents.
    ///
    /// Folders and projects go to the Trash; those in the Trash are deleted for ever. Tags are deleted. A saved search
    /// is deleted without a question.
    fileprivate func deleteContainer() {
        if let search = savedSearchUnderCursor { return model.delete(search) }
        guard let container = containerUnderCursor else { return }
        if container.isInTrash, !container.isTag {
            if let deletion = model.deletionForever(of: container) { ask(about: deletion) }
            return
        }
        if container.isTag, let reason = model.canDelete(container).reason {
            return model.say(reason, kind: .refused)
        }
        let overlay = ConfirmOverlay(model.deletionQuestion(container)) { [weak self] in
            if container.isTag {
                self?.model.onTagDelete(container.id)
            } else {
                self?.model.folderDelete(container)
            }
        }
        show(overlay)
    }

    /// Asks whether to delete for ever what has been counted.
    func ask(about deletion: DeletionForever) {
        show(ConfirmOverlay(deletion.question) { [weak self] in self?.model.perform(deletion) })
    }

    func emptyTrash() {
        model.showEmptyTrashAlert()
        guard model.emptyTrashAlertIsPresented, let question = model.emptyTrashQuestion else { return }
        let overlay = ConfirmOverlay(question) { [weak self] in
            self?.model.emptyTrashAlertIsPresented = false
        } accept: { [weak self] in
            self?.model.emptyTrash()
        }
        show(overlay)
    }
}

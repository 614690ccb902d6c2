import NoteStore
import ViewModel

/// Commands that import and export notes, and maintain the notebook.
@MainActor
let transferCommands: [Command] = [
    Command(
        "note.export", "Export the notes", .notes, keys: [.list: "E"],
        when: { $0.when($0.model.canActOnNotes, $0.model.canBeginTask) }
    ) { $0.askToExport(.notes($0.model.selectedNotes), named: $0.notesText($0.model.selectedNotes)) },
    Command(
        "folder.export", "Export the folder, project or tag", .folders, keys: [.sidebar: "E"],
        when: { $0.when($0.needsContainer, $0.model.canBeginTask) }
    ) { window in
        window.containerUnderCursor.map { window.askToExport(.container($0), named: "“\($0.name)”") }
    },
    Command("app.export", "Export everything", .application, when: { $0.model.canBeginTask }) {
        $0.askToExport(.everything, named: Texts.everything)
    },
    Command(
        "folder.import", "Import files and folders", .folders, keys: [.sidebar: "i"], when: { $0.model.canBeginTask }
    ) { $0.askToImport() },
    Command("app.rebuild", "Check the notebook and rebuild its index", .application, when: { $0.model.canBeginTask }) {
        $0.rebuildIndex()
    },
    Command(
        "task.stop", "Stop what is running", .application, keys: [.browsing: "Ctrl-C", .dialog: "Ctrl-C"],
        when: { $0.model.isModelRunning ? .available : $0.model.canStopTask }
    ) { window in
        if let progress = window.overlays.last as? ProgressOverlay { return progress.stop() }
        if window.model.isModelRunning { window.model.stopModel() } else { window.model.stopTask() }
    },
    Command(
        "task.report", "Show what the last import or export left out", .application,
        when: { .when($0.lastReport != nil, else: Texts.nothingLeftOut) }
    ) { window in window.lastReport.map { window.show(ReportOverlay($0)) } },
]

extension NotebookInterface {
    /// Returns the first reason among these why something is unavailable; available if there is none.
    func when(_ availabilities: Availability...) -> Availability {
        availabilities.first { !$0.isAvailable } ?? .available
    }

    fileprivate var needsContainer: Availability {
        .when(containerUnderCursor != nil, else: Texts.chooseContainer)
    }

    // MARK: Export

    /// Asks for a folder, and exports the notes there in the background.
    fileprivate func askToExport(_ scope: ExportScope, named name: String) {
        show(
            PathPrompt(
                title: Texts.export(name), text: lastFolder, kind: .folders, disk: pathDisk
            ) { [weak self] path, answer in
                self?.model.findKind(of: path) { [weak self] kind in
                    if kind == .file || kind == .other { return answer(.refused(Texts.fileExists)) }
                    answer(
                        .accepted { [weak self] in
                            self?.lastFolder = path.hasSuffix("/") ? path : path + "/"
                            self?.model.export(scope, to: path) { self?.taskEnded($0) }
                        })
                }
            })
    }

    // MARK: Import

    private static let importKind = PathCompletion.Kind.files(extensions: TakeNoteVM.importExtensions)

    fileprivate func askToImport() {
        let target = state.focus == .sidebar && containerUnderCursor == nil ? nil : model.importTarget
        let title = Texts.importTitle(target.map { pathText(of: $0.id) })
        show(
            PathPrompt(
                title: title, text: lastFolder, kind: Self.importKind, disk: pathDisk
            ) { [weak self] path, answer in
                self?.model.findKind(of: path) { [weak self] kind in
                    if kind == nil { return answer(.refused(Texts.noSuchFile)) }
                    answer(.accepted { [weak self] in self?.importFiles(at: path, into: target) })
                }
            })
    }

    private func importFiles(at path: String, into target: NoteContainer?) {
        model.importFiles(at: [path], into: target) { [weak self] in self?.taskEnded($0) }
    }

    /// Offers to import the file or folder at a pasted path, or to make a note of the path's text.
    func offerImport(of path: String, pasted text: String) {
        let target = model.importTarget
        let items = [
            PickerOverlay.Item(title: Texts.importIt, detail: Texts.into(target?.name)) { [weak self] in
                self?.importFiles(at: path, into: target)
            },
            PickerOverlay.Item(title: Texts.notePath) { [weak self] in self?.addNote(pasted: text) },
        ]
        show(PickerOverlay(title: path, from: items))
    }

    // MARK: Notebook

    func rebuildIndex() {
        let overlay = ProgressOverlay(model, showsBar: !state.reducesMotion)
        show(overlay)
        model.rebuildIndex { [weak self] report in
            self?.dismiss(overlay)
            self?.taskEnded(report)
        }
    }

    /// Shows the failures of a task, unless the user is typing.
    ///
    /// If the user is typing, the notice tells of them, and a command shows the report.
    func taskEnded(_ report: TaskReport) {
        guard !report.problems.isEmpty else { return }
        lastReport = report
        if overlays.isEmpty, !context.isTyping { show(ReportOverlay(report)) }
    }
}

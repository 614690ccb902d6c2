import NoteStore
import Terminal
import ViewModel

/// The text of an empty list.
extension NoteListPane {
    func drawEmptyList(into screen: inout Screen) {
        let row = NoteListPane.headerRows(in: screen.size)
        if state.searchField == nil {
            screen.cursor = .hidden(at: Position(column: 2, row: min(row, screen.size.rows - 1)))
        }
        let columns = screen.size.columns - 3
        let lines = emptyListLines.flatMap { $0.isEmpty ? [""] : $0.lines(fitting: columns) }
        for (offset, line) in lines.enumerated() where row + offset < screen.size.rows {
            screen.write(
                line, at: Position(column: 2, row: row + offset), style: state.theme.dim, fitting: columns,
                glyphs: state.theme.glyphs)
        }
    }

    private var emptyListLines: [String] {
        if !model.noteSearchText.isEmpty { return [Texts.List.nothingFound] }
        if let tag = model.tagFilterContainer {
            return [Texts.List.noNote(with: tag.name)] + hint("cursor.leave", Texts.List.toSeeAll)
        }
        guard let container = model.selectedContainer else { return [] }
        switch container.kind {
        case .starred: return [Texts.List.noStarred] + hint("note.star", in: .list, Texts.List.toStar)
        case .trash: return emptyTrashLines
        case .archive: return [Texts.List.noArchived] + hint("note.archive", in: .list, Texts.List.toArchive)
        case .tag: return [Texts.List.noTagged] + hint("note.tag", in: .list, Texts.List.toTag)
        case .project: return [Texts.List.emptyProject] + hint("note.new", Texts.List.toWrite)
        case .folder where container.isInTrash:
            return [Texts.List.noDirectNotes] + hint("folder.restore", in: .sidebar, Texts.List.toRestore)
        case .folder where container.role == .all:
            return [Texts.List.emptyAll] + hint("note.new", Texts.List.toWrite)
        case .folder where !container.holdsNotes: return [Texts.List.foldersOnly]
        default:
            let lines = [Texts.List.noNotes] + hint("note.new", Texts.List.toWrite)
            guard model.isNew, !isBesideFirstSteps else { return lines }
            let tour = hint("app.welcome", Texts.List.forATour).map(Texts.List.newHere)
            return tour.isEmpty ? lines : lines + [""] + tour
        }
    }

    /// Whether the first steps are shown beside the list.
    private var isBesideFirstSteps: Bool { model.showsFirstSteps && window.layout.panes[.editor] != nil }

    /// Returns `Press n to write one.`, with the key that works in the focused pane or in `pane`; empty without a key.
    private func hint(_ command: CommandName, in pane: PaneID? = nil, _ purpose: String) -> [String] {
        let key = window.keyLabel(for: command, in: pane?.context ?? window.paneContext)
        return key.map { [Texts.press($0, purpose)] } ?? []
    }

    /// The lines for a Trash without notes, which may still contain folders and projects.
    private var emptyTrashLines: [String] {
        let trashed = model.containers.filter { $0.isInTrash && !$0.isTrash }
        let projects = trashed.count(where: \.isProject)
        let folders = trashed.count - projects
        if trashed.isEmpty { return [Texts.List.emptyTrash] }
        let counts = [(folders, "folder"), (projects, "project")].filter { $0.0 > 0 }
            .map { Question.count($0, $1) }
        return [Texts.List.noNotesBut(counts)] + hint("folder.restore", in: .sidebar, Texts.List.toRestoreOne)
    }
}

/// Moving in the sidebar and the list.
@MainActor
let movingCommands: [Command] = [
    Command("cursor.down", "Down", .moving, keys: [.browsing: "Down j", .search: "Down Ctrl-N"]) {
        $0.moveCursor(by: 1)
    },
    Command("cursor.up", "Up", .moving, keys: [.browsing: "Up k", .search: "Up Ctrl-P"]) { $0.moveCursor(by: -1) },
    Command("cursor.pageDown", "A page down", .moving, keys: [.browsing: "PgDn", .search: "PgDn"]) {
        $0.moveCursor(by: $0.pageLength)
    },
    Command("cursor.pageUp", "A page up", .moving, keys: [.browsing: "PgUp", .search: "PgUp"]) {
        $0.moveCursor(by: -$0.pageLength)
    },
    Command("cursor.first", "To the first", .moving, keys: [.browsing: "g Home"]) { $0.moveCursor(by: -.max / 2) },
    Command("cursor.last", "To the last", .moving, keys: [.browsing: "G End"]) { $0.moveCursor(by: .max / 2) },
    Command("cursor.open", "Open", .moving, keys: [.browsing: "Enter"]) { $0.openUnderCursor() },
    Command("cursor.leave", "Clear the search, marks or filter", .moving, keys: [.browsing: "Esc"]) {
        $0.leave()
    },
    Command("sidebar.fold", "Fold", .moving, keys: [.sidebar: "Left"]) { $0.setExpanded(false) },
    Command("sidebar.unfold", "Unfold", .moving, keys: [.sidebar: "Right"]) { $0.setExpanded(true) },
]

extension NotebookInterface {
    /// Moves the cursor of the sidebar or the list by lines or notes, stopping at the ends.
    func moveCursor(by step: Int) {
        switch state.focus {
        case .sidebar: moveSidebarCursor(by: step)
        case .editor where model.showsFirstSteps: scrollFirstSteps(by: step)
        case .list, .editor: model.moveListCursor(to: model.listCursor + step)
        }
    }

    /// How far a page moves the cursor: what is seen, less one that stays in sight.
    var pageLength: Int {
        let rows = layout.panes[state.focus]?.rows ?? 1
        return max(1, state.focus == .list ? rows / NoteListPane.rowsPerNote - 1 : rows - 3)
    }

    func openUnderCursor() {
        switch state.focus {
        case .sidebar:
            if let section = state.headingUnderCursor {
                let isExpanded = !model.folding.closedSections.contains(section)
                model.setExpanded(.section(section), !isExpanded)
            } else {
                focus(.list)
            }
        case .list, .editor:
            guard model.noteUnderCursor != nil else { return }
            model.openUnderCursor()
            focus(.editor)
        }
    }

    func leave() {
        if !model.markedNotes.isEmpty {
            model.clearMarks()
        } else if model.tagFilter != nil {
            model.filterByTag(nil)
        } else if !model.noteSearchText.isEmpty {
            model.cancelSearch()
        } else if state.focus == .editor {
            focus(.list)
        }
    }

    func scrollFirstSteps(by rows: Int) {
        firstSteps.scroll(by: rows)
        invalidateEditor()
    }

    func setExpanded(_ expanded: Bool) {
        let sidebar = SidebarPane(model: model, state: state)
        guard let index = sidebar.cursorIndex else { return }
        let row = model.sidebarRows[index]
        if row.isExpanded == !expanded {
            model.setExpanded(row.item, expanded)
        } else if !expanded, let parent = model.sidebarRows[..<index].lastIndex(where: { $0.depth < row.depth }) {
            moveSidebarCursor(to: parent, toggling: false)
        }
    }
}

/// Commands that move in the sidebar and the list.
@MainActor
let movingCommands: [Command] = [
    Command("cursor.down", "Down", .moving, keys: [.browsing: "Down j", .search: "Down Ctrl-N"]) {
        $0.moveCursor(by: 1)
    },
    Command("cursor.up", "Up", .moving, keys: [.browsing: "Up k", .search: "Up Ctrl-P"]) { $0.moveCursor(by: -1) },
    Command("cursor.pageDown", "A page down", .moving, keys: [.browsing: "PgDn Ctrl-D", .search: "PgDn"]) {
        $0.moveCursor(pages: 1)
    },
    Command("cursor.pageUp", "A page up", .moving, keys: [.browsing: "PgUp Ctrl-U", .search: "PgUp"]) {
        $0.moveCursor(pages: -1)
    },
    Command("cursor.first", "To the first", .moving, keys: [.browsing: "g Home"]) { $0.moveCursor(by: -.max / 2) },
    Command("cursor.last", "To the last", .moving, keys: [.browsing: "G End"]) { $0.moveCursor(by: .max / 2) },
    Command("cursor.open", "Open", .moving, keys: [.browsing: "Enter"]) { window in
        // Until there is a first note, the first steps stand where it would be, and say that Enter writes in them. A
        // small screen shows the list alone, which says nothing of the kind.
        let showsFirstSteps = window.model.showsFirstSteps && window.layout.panes[.editor] != nil
        if showsFirstSteps, window.state.focus != .sidebar {
            window.perform("app.welcome")
            if window.model.session != nil { window.focus(.editor) }
            return
        }
        window.pane(in: window.state.focus).openUnderCursor()
    },
    Command("cursor.leave", "Clear the search, marks or filter; put cut notes back", .moving, keys: [.browsing: "Esc"])
    {
        $0.leave()
    },
    Command("sidebar.fold", "Fold", .moving, keys: [.sidebar: "Left"]) { $0.sidebar.setExpanded(false) },
    Command("sidebar.unfold", "Unfold", .moving, keys: [.sidebar: "Right"]) { $0.sidebar.setExpanded(true) },
]

extension NotebookInterface {
    /// Moves the cursor of the focused pane, stopping at the ends.
    func moveCursor(by step: Int) { pane(in: state.focus).moveCursor(by: step) }

    /// Moves the cursor of the focused pane by pages.
    func moveCursor(pages: Int) {
        let pane = pane(in: state.focus)
        moveCursor(by: pages * (layout.panes[state.focus].map { pane.pageLength(in: $0.size) } ?? 1))
    }

    /// Undoes one thing that narrows the list or holds the focus: marks, a filter, a search, then the pane.
    func leave() {
        if !model.markedNotes.isEmpty {
            model.clearMarks()
        } else if model.tagFilter != nil {
            model.filterByTag(nil)
        } else if !model.noteSearchText.isEmpty {
            model.cancelSearch()
        } else if state.focus == .editor {
            focus(.list)
        } else if model.cutNotesCount > 0 {
            model.putBackCutNotes()
        } else if state.focus == .sidebar {
            // On a narrow screen the sidebar lies over the list.
            focus(.list)
        }
    }
}

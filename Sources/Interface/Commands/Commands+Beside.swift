import Terminal
import ViewModel

/// Commands for a second note, which is shown beside the open one for reading.
@MainActor
let besideCommands: [Command] = [
    Command("beside.go", "Go to the note beside", .panes, keys: [.everywhere: "Alt-4"], when: needsNoteBeside) {
        $0.goBeside()
    },
    Command("beside.show", "Show the note beside the open one, or close it", .panes, keys: [.everywhere: "Alt-5"]) {
        $0.toggleBeside()
    },
    Command(
        "beside.pageDown", "Scroll the note beside a page down", .panes, keys: [.everywhere: "Alt-PgDn"],
        when: needsNoteBeside
    ) { $0.beside.change { $0.scroll(pages: 1) } },
    Command(
        "beside.pageUp", "Scroll the note beside a page up", .panes, keys: [.everywhere: "Alt-PgUp"],
        when: needsNoteBeside
    ) { $0.beside.change { $0.scroll(pages: -1) } },
]

@MainActor
private func needsNoteBeside(_ window: NotebookInterface) -> Availability {
    .when(
        window.model.noteBeside != nil,
        else: Texts.noNoteBeside(show: window.keyLabel(for: "beside.show", in: window.paneContext)))
}

extension NotebookInterface {
    /// Shows the note under the list's cursor, or the open one, beside the open note; or closes the note shown there.
    fileprivate func toggleBeside() {
        if model.noteBeside != nil {
            model.closeBeside()
            model.say(Texts.besideClosed)
        } else {
            guard let row = state.focus == .list ? model.noteUnderCursor : model.openNote else {
                return model.say(Texts.noNoteOpen, kind: .refused)
            }
            // A list that fills the screen now leaves room for two notes once the editor has the focus.
            let notes = Layout(
                size: screenSize, focus: .editor, widths: state.widths, isZoomed: state.isZoomed,
                hidesSidebar: state.hidesSidebar, notes: state.notes)
            // In the mode for screen readers, each row of the screen must belong to one pane.
            guard notes.split != nil, !state.theme.glyphs.isWords else {
                return model.say(Texts.noRoomBeside, kind: .refused)
            }
            state.notes.isFirst = false
            model.showBeside(row)
            guard model.noteBeside != nil else { return }
            let keys = ["beside.go", "beside.show"].map { keyLabel(for: $0, in: paneContext) }
            model.say(Texts.besideShown(go: keys[0], close: keys[1]))
        }
        needsFrame = true
    }

    /// Focuses the note beside: it becomes the open one without moving, and the other note is shown for reading.
    ///
    /// - Parameter cell: a cell of the note beside at which the caret is put; nil keeps the caret where it was.
    func goBeside(to cell: Position? = nil) {
        // Leaving the editor first closes the find bar, and ends a vim command in progress.
        focus(.list)
        let reading = beside.preview.isWhereTheEditorWas ? nil : beside.preview.position
        let byte = cell.flatMap { cell in
            model.sessionBeside.flatMap { beside.preview.byte(column: cell.column, row: cell.row, in: $0.buffer) }
        }
        if model.exchangeWithNoteBeside() {
            state.notes.isFirst.toggle()
            if let byte, let cell {
                model.session?.go(toByte: byte, atRow: cell.row)
            } else if let reading {
                model.session?.go(toByte: reading.byte)
            } else if let session = model.session, !session.selection.isEmpty {
                // An earlier selection would be replaced by the first typed character.
                session.select(session.selection.head..<session.selection.head)
            }
        }
        beside.preview.reset()
        focus(.editor)
        needsFrame = true
    }
}

import Terminal
import ViewModel

/// Commands for a second note, which is read beside the open one.
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
        else: Texts.noNoteBeside(show: window.key(for: "beside.show", in: window.paneContext)?.label))
}

extension NotebookInterface {
    /// Shows the note of the list's cursor, or the open one, beside; or closes the one that is shown.
    fileprivate func toggleBeside() {
        if model.noteBeside != nil {
            model.closeBeside()
            model.say(Texts.besideClosed)
        } else {
            guard let row = state.focus == .list ? model.noteUnderCursor : model.openNote else {
                return model.say(Texts.noNoteOpen, kind: .refused)
            }
            // In a list that fills the screen there is room, once the text has the keys.
            let notes = Layout(
                size: screenSize, focus: .editor, widths: state.widths, isZoomed: state.isZoomed,
                hidesSidebar: state.hidesSidebar, notes: state.notes)
            // In the mode for screen readers each line of the screen is of one pane.
            guard notes.split != nil, !state.theme.glyphs.isWords else {
                return model.say(Texts.noRoomBeside, kind: .refused)
            }
            state.notes.isFirst = false
            model.showBeside(row)
            guard model.noteBeside != nil else { return }
            let keys = ["beside.go", "beside.show"].map { key(for: $0, in: paneContext)?.label }
            model.say(Texts.besideShown(go: keys[0], close: keys[1]))
        }
        needsFrame = true
    }

    /// Gives the keys to the note beside: it becomes the open one, where it stands, and the other is read beside it.
    ///
    /// - Parameter place: a cell of the note beside where the caret is to be; nil for where it was.
    func goBeside(to place: Position? = nil) {
        // As if the text were left for another note: the find bar closes, and vim's keys end what they were doing.
        focus(.list)
        let reading = beside.preview.isWhereTheEditorWas ? nil : beside.preview.position
        let byte = place.flatMap { place in
            model.sessionBeside.flatMap { beside.preview.byte(column: place.column, row: place.row, in: $0.buffer) }
        }
        if model.exchangeWithNoteBeside() {
            state.notes.isFirst.toggle()
            if let byte, let place {
                model.session?.go(toByte: byte, atRow: place.row)
            } else if let reading {
                model.session?.go(toByte: reading.byte)
            } else if let session = model.session, !session.selection.isEmpty {
                // A selection of before would be replaced by the first character.
                session.select(session.selection.head..<session.selection.head)
            }
        }
        beside.preview.reset()
        focus(.editor)
        needsFrame = true
    }
}

import NoteStore
import Terminal
import ViewModel

/// The editor pane's content while several notes are marked: their number, their titles, and the possible actions.
@MainActor
final class MultiNotePane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.editor

    init(_ window: NotebookInterface) {
        self.window = window
    }

    var isShown: Bool { window.model.showMultiNoteView }
    private var theme: Theme { window.state.theme }

    func draw(into screen: inout Screen) {
        let notes = window.model.markedNotes
        let size = screen.size
        let columns = max(0, size.columns - 2)
        write(Texts.notesMarked(notes.count), at: 0, style: theme.title, columns: columns, into: &screen)
        write(summary(of: notes), at: 1, style: theme.dim, columns: columns, into: &screen)
        let actionRows = actionLines(fitting: columns)
        // The titles leave rows for the actions, but keep at least three.
        let room = max(min(3, size.rows - 3), size.rows - 4 - actionRows.count)
        let hidden = notes.count > room ? notes.count - max(0, room - 1) : 0
        let shown = notes.prefix(notes.count - hidden)
        for (offset, note) in shown.enumerated() {
            let mark = Position(column: 1, row: 3 + offset)
            screen.write(String(theme.glyphs.marked), at: mark, style: theme.selectionMark)
            write(note.title, at: 3 + offset, column: 3, style: theme.text, columns: columns - 2, into: &screen)
        }
        var row = 3 + shown.count
        if hidden > 0 {
            write(Texts.andMore(hidden), at: row, column: 3, style: theme.dim, columns: columns - 2, into: &screen)
            row += 1
        }
        for line in actionRows {
            row += 1
            draw(line, row: row, into: &screen)
        }
    }

    /// The summary of the notes: `240 words, 2 starred`.
    private func summary(of notes: [NoteRow]) -> String {
        let words = notes.reduce(0) { $0 + $1.wordCount }
        let starred = notes.count(where: \.starred)
        return Texts.summary(words: words, starred: starred)
    }

    /// Arranges the actions in rows, each with as many as fit.
    private func actionLines(fitting columns: Int) -> [[(key: String, title: String)]] {
        var lines: [[(key: String, title: String)]] = []
        var used = 0
        for action in actions {
            let width = TextWidth.shared.width(of: action.key) + TextWidth.shared.width(of: action.title) + 3
            if lines.isEmpty || used + width > columns {
                lines.append([])
                used = 0
            }
            lines[lines.count - 1].append(action)
            used += width
        }
        return lines
    }

    private func draw(_ line: [(key: String, title: String)], row: Int, into screen: inout Screen) {
        var column = 1
        for action in line where row < screen.size.rows {
            column += screen.write(action.key, at: Position(column: column, row: row), style: theme.key) + 1
            column += screen.write(action.title, at: Position(column: column, row: row), style: theme.dim) + 2
        }
    }

    private func write(
        _ text: String, at row: Int, column: Int = 1, style: Style, columns: Int, into screen: inout Screen
    ) {
        guard row < screen.size.rows else { return }
        screen.write(
            text, at: Position(column: column, row: row), style: style, fitting: columns, glyphs: theme.glyphs)
    }

    /// The actions available for all marked notes, with the keys of the list.
    private var actions: [(key: String, title: String)] {
        Texts.markedActions.compactMap { hint in
            guard let command = window.registry[hint.command], command.availability(window).isAvailable,
                let key = window.keyLabel(for: hint.command, in: .list)
            else { return nil }
            return (key, hint.title)
        }
    }
}

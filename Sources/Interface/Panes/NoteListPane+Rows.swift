import NoteStore
import Terminal
import ViewModel

/// Drawing of the notes, each in one row or two.
extension NoteListPane {
    /// Draws a note at a row of the pane.
    func draw(_ note: NoteRow, at index: Int, row: Int, into screen: inout Screen) {
        let theme = state.theme
        let isUnderCursor = index == model.listCursor
        if isRead { return drawWords(of: note, at: index, isUnderCursor: isUnderCursor, row: row, into: &screen) }
        let hasKeys = state.focus == .list
        let ground = isUnderCursor ? (hasKeys ? theme.selection : theme.quietSelection) : theme.text
        let columns = screen.size.columns
        screen.fill(Rect(column: 0, row: row, columns: columns, rows: rowsPerNote), style: ground)
        drawMark(of: note, isUnderCursor: isUnderCursor, row: row, ground: ground, into: &screen)
        let end = drawFacts(of: note, row: row, ground: ground, into: &screen)
        if isUnderCursor, hasTerminalCursor {
            screen.cursor = .hidden(at: Position(column: min(2, columns - 1), row: row))
        }
        let (title, below) = texts(of: note, fitting: end - 3)
        screen.write(
            title, at: Position(column: 2, row: row), style: theme.title.on(ground), fitting: end - 3,
            glyphs: theme.glyphs)
        guard rowsPerNote > 1, row + 1 < screen.size.rows else { return }
        let start = Position(column: 2, row: row + 1)
        if let hit = model.searchHits[note.id] {
            draw(hit, at: start, columns: columns - 3, ground: ground, into: &screen)
        } else {
            screen.write(
                below, at: start, style: theme.dim.on(ground), fitting: columns - 3, glyphs: theme.glyphs)
        }
    }

    /// A note's title, and the text below it in a list that shows no hits: the line under the title or, where the note
    /// has none, the rest of a title that is too long for its row.
    private func texts(of note: NoteRow, fitting columns: Int) -> (title: String, below: String) {
        guard rowsPerNote > 1, model.searchHits[note.id] == nil else { return (note.title, "") }
        let below = model.lineUnderTitle(of: note)
        guard below.isEmpty, TextWidth.shared.width(of: note.title) > columns else { return (note.title, below) }
        let lines = note.title.lines(fitting: columns)
        if let first = lines.first, TextWidth.shared.width(of: first) <= columns {
            return (first, lines.dropFirst().joined(separator: " "))
        }
        // The first word has no room, as in languages that have no spaces.
        let rows = note.title.rows(of: columns)
        return (rows[0], rows.dropFirst().joined())
    }

    /// Whether the terminal's cursor is on the row under the list's cursor, rather than in the search field.
    private var hasTerminalCursor: Bool { state.searchField == nil || state.isMovingInHits }

    /// Draws a note as words: `Groceries, starred, 2 of 4`.
    private func drawWords(
        of note: NoteRow, at index: Int, isUnderCursor: Bool, row: Int, into screen: inout Screen
    ) {
        var words: [String] = []
        if model.isMarked(note.id) { words.append(Texts.Words.marked) }
        if note.starred { words.append(Texts.Words.starred) }
        words.append(Texts.count(index + 1, of: model.noteList.count))
        screen.write(row: row, note.title, words: words, theme: state.theme)
        if isUnderCursor, hasTerminalCursor { screen.cursor = .hidden(at: Position(column: 0, row: row)) }
    }

    private func drawMark(of note: NoteRow, isUnderCursor: Bool, row: Int, ground: Style, into screen: inout Screen) {
        let glyphs = state.theme.glyphs
        let style = state.theme.selectionMark.on(ground)
        if model.isMarked(note.id) {
            screen.write(String(glyphs.marked), at: Position(column: 1, row: row), style: style)
        } else if isUnderCursor {
            for line in row..<row + rowsPerNote {
                screen.write(String(glyphs.selected), at: Position(column: 1, row: line), style: style)
            }
        }
    }

    /// The number of columns from which half of a row tells most titles apart; chosen by eye.
    private static let wide = 60

    /// Writes age, star, and folder or tags at the right, and returns the column where the title must end.
    private func drawFacts(of note: NoteRow, row: Int, ground: Style, into screen: inout Screen) -> Int {
        let theme = state.theme
        var end = screen.size.columns - 1
        let date = model.listSortBy == .created ? note.createdDate : note.updatedDate
        let age = Age(state.dates).text(of: date, at: window.now())
        end = screen.write(age, endingAt: end, row: row, style: theme.dim.on(ground))
        if note.starred, model.selectedContainer?.isStarred != true || !model.noteSearchText.isEmpty {
            end = screen.write("\(theme.glyphs.star) ", endingAt: end, row: row, style: theme.star.on(ground))
        }
        // The end of a title tells notes apart, so the facts get what it leaves, and at most half of the row. A title
        // that is cut anyway shares a wide row with them.
        let (columns, title) = (screen.size.columns, TextWidth.shared.width(of: theme.glyphs.plain(note.title)))
        let isShared = columns >= Self.wide && title > end - 3
        let room = end - max(columns / 2, isShared ? 0 : 3 + title)
        let some = folderOrTags(of: note)
        let fewer = some.indices.dropFirst().reversed().map { Array(some[..<$0]) }
        let choices = [folderAndTags(of: note), some] + fewer
        let fitting = choices.first { facts in
            !facts.isEmpty && facts.reduce(2) { $0 + TextWidth.shared.width(of: $1.text) } <= room
        }
        guard let facts = fitting else { return end }
        end -= 2
        for (text, style) in facts.reversed() {
            end = screen.write(text, endingAt: end, row: row, style: style.on(ground))
        }
        return end
    }

    /// The folder and the tags of a tagged note, if the list spans folders; empty if one of them says enough.
    private func folderAndTags(of note: NoteRow) -> [(text: String, style: Style)] {
        let facts = folderOrTags(of: note)
        let spansFolders = !model.noteSearchText.isEmpty || model.selectedContainer?.holdsNotes != true
        guard spansFolders, !note.tagNames.isEmpty, !note.folderName.isEmpty, facts.first?.text != note.folderName
        else {
            return []
        }
        return [("\(note.folderName)  ", state.theme.dim)] + facts
    }

    /// The note's tags, each in its colour, or its folder; which of them depends on the list.
    private func folderOrTags(of note: NoteRow) -> [(text: String, style: Style)] {
        let theme = state.theme
        let container = model.selectedContainer
        let isSearch = !model.noteSearchText.isEmpty
        let spansProject = container?.isProject == true || container?.role == .all
        if !note.tagNames.isEmpty, !spansProject || isSearch {
            return zip(note.tags, note.tagNames).enumerated().map { index, tag in
                let style = model.container(tag.0).map(theme.style(of:)) ?? theme.tag
                return ("\(index == 0 ? "" : " ")#\(tag.1)", style)
            }
        }
        let spansFolders = isSearch || container?.holdsNotes != true
        // A note in a folder of the Trash shows the name of that folder.
        let isDeeper = container?.isTrash == true && note.folder != container?.id
        return (spansFolders || isDeeper) && !note.folderName.isEmpty ? [(note.folderName, theme.dim)] : []
    }

    /// Draws a snippet with its matches marked.
    private func draw(_ hit: SearchHit, at start: Position, columns: Int, ground: Style, into screen: inout Screen) {
        let theme = state.theme
        let dim = theme.dim.on(ground)
        let parts = hit.snippet.parts(marking: hit.matches, fitting: columns, ellipsis: theme.glyphs.ellipsis)
        let pieces = parts.enumerated().map { index, part in
            // The store marks with “…” where a snippet was cut.
            let isCut = index == 0 && part.text.hasPrefix("…")
            let text = isCut ? "\(theme.glyphs.ellipsis)\(part.text.dropFirst())" : part.text
            return (text: text, style: part.isMarked ? theme.match : dim)
        }
        screen.write(pieces, at: start, style: dim, fitting: columns, glyphs: theme.glyphs)
    }
}

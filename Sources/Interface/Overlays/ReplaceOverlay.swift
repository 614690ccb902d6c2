import Terminal
import TextEditing
import ViewModel

/// Finding and replacing in all notes: what is found is listed first, and each line can be left out.
@MainActor
final class ReplaceOverlay: Overlay {
    private enum Part: Int, CaseIterable { case find, replacement, list }

    /// A row of the list: a note, or one of its lines.
    private enum Row {
        case note(Int)
        case line(note: Int, line: Int)
    }

    private let search: NotesSearch
    private weak var interface: NotebookInterface?
    private var bar = FindBar()
    private var part = Part.find
    private var found = NotesSearch.State(isDone: true)
    private var isSearching = false
    /// The lines that are left out, by note and place.
    private var unticked: [Int: Set<Int>] = [:]
    private var rows: [Row] = []
    private var cursor = 0
    private var top = 0
    private var visibleRows = 1
    private var listRow = 0
    /// Does it: each note with the lines that are ticked.
    private let accept: @MainActor ([(matches: NoteMatches, lines: Set<Int>)]) -> Void

    init(
        _ search: NotesSearch, pattern: String, in interface: NotebookInterface,
        accept: @escaping @MainActor ([(matches: NoteMatches, lines: Set<Int>)]) -> Void
    ) {
        self.search = search
        self.interface = interface
        self.accept = accept
        bar.pattern = LineField(pattern)
        look()
    }

    // MARK: Searching

    private func look() {
        isSearching = true
        search.search(NotesQuery(bar.query, replacement: bar.replacement.text)) { [weak self] state in
            self?.take(state)
        }
    }

    private func take(_ state: NotesSearch.State) {
        isSearching = !state.isDone
        // A new replacement finds the same lines: what was left out stays so.
        if state.notes.map(\.id) != found.notes.map(\.id) || state.count != found.count { unticked = [:] }
        found = state
        rows = state.notes.indices.flatMap { note in
            [Row.note(note)] + state.notes[note].lines.indices.map { Row.line(note: note, line: $0) }
        }
        cursor = min(cursor, max(0, rows.count - 1))
        interface?.needsFrame = true
    }

    private func ticked(_ note: Int) -> Set<Int> {
        Set(found.notes[note].lines.indices).subtracting(unticked[note] ?? [])
    }

    private var tickedCount: Int {
        found.notes.indices.reduce(0) { sum, note in
            sum + ticked(note).reduce(0) { $0 + found.notes[note].lines[$1].count }
        }
    }

    // MARK: Keys

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press): handle(press, in: interface)
        case .paste(let text):
            guard part != .list else { return }
            edit { $0.insert(text) }
        case .mouse(let mouse): handle(mouse)
        default: break
        }
    }

    private func handle(_ press: KeyPress, in interface: NotebookInterface) {
        switch press.fixedChord?.description {
        case "Esc", "Ctrl-Q":
            search.cancel()
            interface.dismiss(self)
        case "Tab": part = Part(rawValue: (part.rawValue + 1) % Part.allCases.count) ?? .find
        case "Shift-Tab":
            part = Part(rawValue: (part.rawValue + Part.allCases.count - 1) % Part.allCases.count) ?? .find
        case "Alt-C": change { $0.isCaseSensitive.toggle() }
        case "Alt-W": change { $0.isWholeWord.toggle() }
        case "Alt-R": change { $0.isRegularExpression.toggle() }
        // Not on Alt with a letter: a terminal may make that of Esc and a letter that follows it.
        case "Ctrl-Enter": replace(in: interface)
        case "Enter": if part == .list { replace(in: interface) } else { part = part == .find ? .replacement : .list }
        default: if part == .list { handleInList(press) } else { handleInField(press) }
        }
    }

    private func handleInField(_ press: KeyPress) {
        switch press.fixedChord?.description {
        case "Down": part = part == .find ? .replacement : .list
        case "Up": part = .find
        default: edit { _ = $0.edit(press) }
        }
    }

    private func handleInList(_ press: KeyPress) {
        switch press.fixedChord?.description {
        case "Down", "j": cursor = min(cursor + 1, max(0, rows.count - 1))
        case "Up" where cursor == 0: part = .replacement
        case "Up", "k": cursor = max(0, cursor - 1)
        case "PgDn": cursor = min(cursor + visibleRows, max(0, rows.count - 1))
        case "PgUp": cursor = max(0, cursor - visibleRows)
        case "Home", "g": cursor = 0
        case "End", "G": cursor = max(0, rows.count - 1)
        case "Space": toggle()
        case "*": toggleAll()
        default: break
        }
    }

    private func handle(_ mouse: MouseEvent) {
        switch mouse.kind {
        case .wheel(columns: _, let step): cursor = min(max(cursor + step * 3, 0), max(0, rows.count - 1))
        case .press where mouse.button == .left:
            let index = top + mouse.position.row - listRow
            guard mouse.position.row >= listRow, rows.indices.contains(index) else { return }
            part = .list
            cursor = index
            toggle()
        default: break
        }
    }

    private func change(_ body: (inout FindBar) -> Void) {
        body(&bar)
        look()
    }

    private func edit(_ body: (inout LineField) -> Void) {
        let before = (bar.pattern.text, bar.replacement.text)
        if part == .find { body(&bar.pattern) } else { body(&bar.replacement) }
        if before != (bar.pattern.text, bar.replacement.text) { look() }
    }

    /// Leaves out the line under the cursor, or all of the note, or takes them in again.
    private func toggle() {
        guard rows.indices.contains(cursor) else { return }
        switch rows[cursor] {
        case .note(let note):
            unticked[note] = ticked(note).isEmpty ? [] : Set(found.notes[note].lines.indices)
        case .line(let note, let line):
            unticked[note, default: []].formSymmetricDifference([line])
        }
    }

    private func toggleAll() {
        let isNone = tickedCount == 0
        for note in found.notes.indices { unticked[note] = isNone ? [] : Set(found.notes[note].lines.indices) }
    }

    private func replace(in interface: NotebookInterface) {
        guard !isSearching, tickedCount > 0 else { return }
        interface.dismiss(self)
        accept(found.notes.indices.map { (found.notes[$0], ticked($0)) })
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, theme: Theme) {
        // A low screen has no row to spare around the box.
        let margin = screen.size.rows < 16 ? 2 : 4
        let content = Size(columns: min(100, screen.size.columns - 4), rows: screen.size.rows - margin)
        let inside = screen.drawBox(
            content: content, title: "Replace in notes", hint: "Space excludes, Enter replaces, Esc cancel",
            theme: theme)
        guard inside.rows > 2 else { return }
        drawFields(in: inside, into: &screen, theme: theme)
        listRow = inside.row + (inside.rows > 6 ? 3 : 2)
        visibleRows = max(1, inside.row + inside.rows - listRow)
        top = min(max(top, cursor - visibleRows + 1), cursor)
        for (offset, row) in rows.dropFirst(top).prefix(visibleRows).enumerated() {
            let place = Rect(column: inside.column, row: listRow + offset, columns: inside.columns, rows: 1)
            draw(row, isUnderCursor: part == .list && top + offset == cursor, in: place, into: &screen, theme: theme)
        }
    }

    private func drawFields(in inside: Rect, into screen: inout Screen, theme: Theme) {
        let ground = theme.overlay
        let corner = Position(column: inside.maxColumn, row: inside.row)
        let end = bar.drawOptions(endingAt: corner, columns: inside.columns, into: &screen, theme: theme)
        let labels = FindBar.labels(fitting: inside.columns)
        let summary = TextWidth.shared.width(of: self.summary) > inside.columns / 2 ? shortSummary : self.summary
        let summaryStart = screen.write(
            summary, endingAt: inside.maxColumn, row: inside.row + 1, style: theme.dim.on(ground))
        let fields = [
            (labels.find, bar.pattern, end, Part.find),
            (labels.replace, bar.replacement, summaryStart - 1, .replacement),
        ]
        for (offset, (label, field, end, part)) in fields.enumerated() {
            let start = Position(column: inside.column, row: inside.row + offset)
            let style = part == self.part ? theme.accent : theme.dim
            let used = screen.write(label, at: start, style: style.on(ground))
            let caret = field.draw(
                at: Position(column: start.column + used, row: start.row), columns: end - start.column - used - 1,
                style: theme.text.on(ground), into: &screen)
            if part == self.part { screen.cursor = Cursor(caret, shape: .bar) }
        }
    }

    /// `12/14`.
    private var shortSummary: String {
        if found.problem != nil { return "?" }
        return bar.pattern.text.isEmpty || isSearching ? "" : "\(tickedCount)/\(found.count)"
    }

    /// `12 of 14 in 3 notes`.
    private var summary: String {
        if let problem = found.problem { return problem }
        if bar.pattern.text.isEmpty { return "" }
        if isSearching { return "searching" }
        let count = found.count
        if count == 0 { return "no match" }
        let ticked = tickedCount == count ? "\(count)" : "\(tickedCount) of \(count)"
        return "\(ticked) in \(Question.count(found.notes.count, "note"))\(found.isCut ? ", the first" : "")"
    }

    private func draw(_ row: Row, isUnderCursor: Bool, in place: Rect, into screen: inout Screen, theme: Theme) {
        let ground = isUnderCursor ? theme.selection : theme.overlay
        screen.fill(place, style: ground)
        switch row {
        case .note(let index):
            let note = found.notes[index]
            let ticked = ticked(index).count
            let box = ticked == 0 ? "[ ]" : ticked == note.lines.count ? "[x]" : "[-]"
            let end = screen.write(
                "\(note.count)", endingAt: place.maxColumn, row: place.row, style: theme.dim.on(ground))
            let used = screen.write("\(box) ", at: place.origin, style: theme.key.on(ground))
            screen.write(
                note.note.title, at: Position(column: place.column + used, row: place.row),
                style: theme.title.on(ground), fitting: end - place.column - used - 1, glyphs: theme.glyphs)
        case .line(let index, let line):
            draw(
                found.notes[index].lines[line], isTicked: unticked[index]?.contains(line) != true, ground: ground,
                in: place, into: &screen, theme: theme)
        }
    }

    private func draw(
        _ line: NoteMatches.Line, isTicked: Bool, ground: Style, in place: Rect, into screen: inout Screen, theme: Theme
    ) {
        let head = "  \(isTicked ? "[x]" : "[ ]") \(line.number + 1)  "
        let column = place.column + screen.write(head, at: place.origin, style: theme.dim.on(ground))
        let text = theme.text.on(ground)
        let pieces = line.text.parts(marking: line.matches).map { part in
            (text: part.text, style: part.isMarked && isTicked ? theme.match : text)
        }
        screen.write(
            pieces, at: Position(column: column, row: place.row), style: theme.dim.on(ground),
            fitting: place.maxColumn - column, glyphs: theme.glyphs)
    }
}

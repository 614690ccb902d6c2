import Terminal
import TextEditing
import ViewModel

/// Finds and replaces in all notes: lists the matches first, and lets the user exclude each line.
@MainActor
final class ReplaceOverlay: Overlay {
    private enum Part: Int, CaseIterable { case find, replacement, list }

    /// A row of the list: a note, or one of its lines.
    private enum Row {
        case note(Int)
        case line(note: Int, line: Int)
    }

    private let search: NotesSearch
    private weak var window: NotebookInterface?
    private var bar = FindBar()
    private var part = Part.find
    private var found = NotesSearch.State(isDone: true)
    /// The query that `found` answers.
    private var answered: FindQuery?
    private var isSearching = false
    /// The excluded lines: by index of the note, the indices of its lines.
    private var unticked: [Int: Set<Int>] = [:]
    private var rows: [Row] = []
    private var cursor = ListCursor()
    private var box = OverlayBox()
    /// The row of the box in which the list begins.
    private var listOffset = 2
    /// Replaces the ticked lines of each note.
    private let accept: @MainActor ([(matches: NoteMatches, lines: Set<Int>)]) -> Void

    init(
        _ search: NotesSearch, pattern: String, in window: NotebookInterface,
        accept: @escaping @MainActor ([(matches: NoteMatches, lines: Set<Int>)]) -> Void
    ) {
        self.search = search
        self.window = window
        self.accept = accept
        bar.pattern = LineField(pattern)
        // The first key typed replaces the suggested text.
        bar.pattern.selectAll()
        look()
    }

    // MARK: Searching

    private func look() {
        isSearching = true
        let query = bar.query
        search.search(NotesQuery(query, replacement: bar.replacement.text)) { [weak self] state in
            self?.show(state, for: query)
        }
    }

    private func show(_ state: NotesSearch.State, for query: FindQuery) {
        isSearching = !state.isDone
        // A new replacement finds the same lines, so excluded lines stay excluded.
        let isSame = query == answered && state.notes.map(\.id) == found.notes.map(\.id) && state.count == found.count
        if !isSame { unticked = [:] }
        (found, answered) = (state, query)
        rows = state.notes.indices.flatMap { note in
            [Row.note(note)] + state.notes[note].lines.indices.map { Row.line(note: note, line: $0) }
        }
        cursor.move(to: cursor.row, of: rows.count)
        window?.needsFrame = true
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

    /// The list takes no typed text, so its keys may be letters.
    var context: KeyContext { part == .list ? .dialog : .prompt }

    var hints: [KeyHint] { part == .list ? Texts.Hints.replaceList : Texts.Hints.replaceFields }

    var field: LineField? {
        get {
            switch part {
            case .find: bar.pattern
            case .replacement: bar.replacement
            case .list: nil
            }
        }
        set {
            guard let newValue else { return }
            if part == .find { bar.pattern = newValue } else { bar.replacement = newValue }
        }
    }

    func fieldChanged(in window: NotebookInterface) { look() }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel:
            search.cancel()
            window.dismiss(self)
        case .nextPart: part = Part(rawValue: (part.rawValue + 1) % Part.allCases.count) ?? .find
        case .previousPart:
            part = Part(rawValue: (part.rawValue + Part.allCases.count - 1) % Part.allCases.count) ?? .find
        case .matchCase: change { $0.isCaseSensitive.toggle() }
        case .matchWords: change { $0.isWholeWord.toggle() }
        case .matchExpression: change { $0.isRegularExpression.toggle() }
        case .replaceAll: replace(in: window)
        default: if part == .list { performInList(action, in: window) } else { performInField(action) }
        }
    }

    private func performInField(_ action: OverlayAction) {
        switch action {
        case .accept, .down: part = part == .find ? .replacement : .list
        case .up: part = .find
        default: break
        }
    }

    private func performInList(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .accept: replace(in: window)
        case .up where cursor.row == 0: part = .replacement
        case .toggle: toggle()
        case .toggleAll: toggleAll()
        default: _ = cursor.perform(action, of: rows.count)
        }
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return perform(.cancel, in: window) }
        switch position.row - box.inside.row {
        case 0: pressPattern(column: position.column, isRead: window.state.theme.glyphs.isWords)
        case 1: part = .replacement
        case let row: pressList(atOffset: row - listOffset)
        }
    }

    /// Toggles the switch at a column of the first row, or focuses its field.
    private func pressPattern(column: Int, isRead: Bool) {
        let inside = box.inside
        let option = bar.option(at: column, endingAt: inside.maxColumn, columns: inside.columns, isRead: isRead)
        if let option { change { $0[keyPath: option].toggle() } } else { part = .find }
    }

    private func pressList(atOffset offset: Int) {
        guard let index = cursor.index(atOffset: offset, of: rows.count) else { return }
        part = .list
        cursor.move(to: index, of: rows.count)
        toggle()
    }

    func wheel(at position: Position, rows step: Int, in window: NotebookInterface) {
        cursor.turnWheel(by: step, of: rows.count)
    }

    private func change(_ body: (inout FindBar) -> Void) {
        body(&bar)
        look()
    }

    /// Excludes or includes the line under the cursor, or all lines of the note.
    private func toggle() {
        switch rows[safe: cursor.row] {
        case nil: break
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

    private func replace(in window: NotebookInterface) {
        if let reason = refusal { return window.model.say(Texts.notReplaced(reason), kind: .refused) }
        window.dismiss(self)
        accept(found.notes.indices.map { (found.notes[$0], ticked($0)) })
    }

    /// Why nothing can be replaced now; nil if something can.
    private var refusal: String? {
        if bar.pattern.text.isEmpty { return Texts.noPattern }
        if isSearching { return Texts.stillSearching }
        if found.count == 0 { return found.problem ?? Texts.noMatch }
        return tickedCount == 0 ? Texts.allExcluded : nil
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        let rows = area.size.rows - area.margin
        box = OverlayBox(content: Size(columns: area.columns(upTo: 100), rows: rows), on: area)
        listOffset = box.inside.rows > 6 ? 3 : 2
        cursor.arrange(count: self.rows.count, room: box.inside.rows - listOffset, isRead: area.isRead)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        let needsTitle = theme.glyphs.isWords && listOffset == 2 && !bar.hasRoomForWords(in: box.inside.columns)
        let title = needsTitle ? bar.shortSwitches : Texts.replaceInNotes
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 2 else { return }
        drawFields(in: box.inside, into: &screen, theme: theme)
        box.draw(cursor.mark, fromRow: listOffset, into: &screen, theme: theme)
        for (offset, row) in rows.dropFirst(cursor.top).prefix(cursor.room).enumerated() {
            let isUnderCursor = part == .list && cursor.top + offset == cursor.row
            draw(row, isUnderCursor: isUnderCursor, in: box.row(listOffset + offset), into: &screen, theme: theme)
        }
    }

    /// Draws the two fields with the switches and the summary beside them.
    private func drawFields(in inside: Rect, into screen: inout Screen, theme: Theme) {
        let ground = theme.overlay
        let corner = Position(column: inside.maxColumn, row: inside.row)
        let end = bar.drawOptions(endingAt: corner, columns: inside.columns, into: &screen, theme: theme)
        if theme.glyphs.isWords, !bar.hasRoomForWords(in: inside.columns), listOffset > 2 {
            let start = Position(column: inside.column, row: inside.row + 2)
            bar.drawWords(at: start, columns: inside.columns, into: &screen, theme: theme)
        }
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
            let text = part == self.part && field.isSelected ? theme.selectedText : theme.text
            let caret = field.draw(
                at: Position(column: start.column + used, row: start.row), columns: end - start.column - used - 1,
                style: text.on(ground), into: &screen)
            if part == self.part { screen.cursor = Cursor(caret, shape: .bar) }
        }
    }

    /// The summary for a narrow row: `12/14`.
    private var shortSummary: String {
        if found.problem != nil { return "?" }
        return bar.pattern.text.isEmpty || isSearching ? "" : "\(tickedCount)/\(found.count)"
    }

    /// The summary of the search: `12 of 14 in 3 notes`.
    private var summary: String {
        if let problem = found.problem { return problem }
        if bar.pattern.text.isEmpty { return "" }
        if isSearching { return Texts.searching }
        if found.count == 0 { return Texts.noMatch }
        return Texts.replacing(tickedCount, of: found.count, notes: found.notes.count, isCut: found.isCut)
    }

    private func draw(_ row: Row, isUnderCursor: Bool, in rect: Rect, into screen: inout Screen, theme: Theme) {
        let ground = isUnderCursor ? theme.selection : theme.overlay
        screen.fill(rect, style: ground)
        if isUnderCursor { screen.cursor = .hidden(at: rect.origin) }
        switch row {
        case .note(let index):
            let note = found.notes[index]
            let ticked = ticked(index).count
            let box = theme.glyphs.tick(ticked == 0 ? .none : ticked == note.lines.count ? .all : .some)
            let end = screen.write(
                "\(note.count)", endingAt: rect.maxColumn, row: rect.row, style: theme.dim.on(ground))
            let used = screen.write("\(box) ", at: rect.origin, style: theme.key.on(ground))
            screen.write(
                note.note.title, at: Position(column: rect.column + used, row: rect.row),
                style: theme.title.on(ground), fitting: end - rect.column - used - 1, glyphs: theme.glyphs)
        case .line(let index, let line):
            draw(
                found.notes[index].lines[line], isTicked: unticked[index]?.contains(line) != true, ground: ground,
                in: rect, into: &screen, theme: theme)
        }
    }

    private func draw(
        _ line: NoteMatches.Line, isTicked: Bool, ground: Style, in rect: Rect, into screen: inout Screen, theme: Theme
    ) {
        let head = "  \(theme.glyphs.tick(isTicked ? .all : .none)) \(line.number + 1)  "
        let column = rect.column + screen.write(head, at: rect.origin, style: theme.dim.on(ground))
        let text = theme.text.on(ground)
        let columns = rect.maxColumn - column
        let parts = line.text.parts(marking: line.matches, fitting: columns, ellipsis: theme.glyphs.ellipsis)
        let pieces = parts.map { (text: $0.text, style: $0.isMarked && isTicked ? theme.match : text) }
        screen.write(
            pieces, at: Position(column: column, row: rect.row), style: theme.dim.on(ground), fitting: columns,
            glyphs: theme.glyphs)
    }
}

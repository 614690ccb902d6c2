import Terminal

/// A list that is filtered by typing, from which one thing is chosen: the palette, go to note, move to folder.
@MainActor
final class PickerOverlay: Overlay {
    /// One thing to choose.
    struct Item {
        var title: String
        /// What stands at the right: a key, a place, a count.
        var detail = ""
        /// Shown dimmed, with the reason as its detail; choosing it says why it cannot be.
        var isDisabled = false
        /// Colour of the title; nil is that of plain text.
        var style: Style?
        /// Stands before the title: a box that is checked or not, a swatch.
        var mark = ""
        /// Whether the picker stays after a choice, so that several things can be chosen.
        var keepsOpen = false
        var choose: @MainActor () -> Void
        /// Shows what choosing it would do, while it is under the cursor.
        var tryOn: (@MainActor () -> Void)?
    }

    /// Runs when the picker is left without a choice.
    var left: (@MainActor () -> Void)?
    /// Takes what was typed when nothing is chosen for it: what belongs to a text is not lost with the picker.
    ///
    /// It is accepted with Enter where nothing fits, or by typing what ends the picker.
    var passOn: (@MainActor (_ typed: String, _ isAccepted: Bool) -> Void)?
    /// What ends the picker, and is passed on with what was typed before it.
    var closing: String?

    private let title: String
    private let prompt: String
    private let hint: String
    /// Gives the items for what is typed, best first, and is asked again with every key.
    private let items: @MainActor (String) -> [Item]
    private var field = LineField()
    private var shown: [Item]
    private var cursor = 0
    private var top = 0
    private var visibleRows = 1
    private var listRow = 0
    /// Rows of the list, however few fit what is typed.
    private var leastRows = 8

    /// A picker over what `items` gives for a typed text.
    init(
        title: String, prompt: String = "", hint: String = "Enter select, Esc cancel",
        items: @escaping @MainActor (String) -> [Item]
    ) {
        self.title = title
        self.prompt = prompt
        self.hint = hint
        self.items = items
        shown = items("")
    }

    /// A picker over fixed items, ranked by how well their titles fit what is typed.
    convenience init(title: String, prompt: String = "", from all: [Item]) {
        let folded = all.map(\.title.foldedCharacters)
        self.init(title: title, prompt: prompt, from: all) { index, typed in
            FuzzyMatch(typed.filter { !$0.isWhitespace }.foldedCharacters, in: folded[index]).map {
                $0.score - (all[index].isDisabled ? Self.disabledPenalty : 0)
            }
        }
    }

    /// A picker over fixed items, ranked by the score of an item, given by its index, for what is typed.
    ///
    /// - Parameter score: higher is better, nil leaves the item out; equal ones keep their order.
    convenience init(
        title: String, prompt: String = "", from all: [Item], score: @escaping @MainActor (Int, String) -> Int?
    ) {
        self.init(title: title, prompt: prompt) { typed in
            guard typed.contains(where: { !$0.isWhitespace }) else { return all }
            let matches = all.indices.compactMap { index in
                score(index, typed).map { (index, $0) }
            }
            return matches.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }.map { all[$0.0] }
        }
        leastRows = min(leastRows, max(all.count, 1))
    }

    // MARK: Keys

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press): handle(press, in: interface)
        case .paste(let text):
            field.insert(text)
            refilter(in: interface)
        case .mouse(let mouse): handle(mouse, in: interface)
        default: break
        }
    }

    private func handle(_ press: KeyPress, in interface: NotebookInterface) {
        switch press.fixedChord?.description {
        case "Esc", "Ctrl-Q": leave(interface)
        case "Enter": choose(in: interface)
        case "Down", "Ctrl-N", "Tab": move(by: 1)
        case "Up", "Ctrl-P", "Shift-Tab": move(by: -1)
        case "PgDn": move(by: visibleRows)
        case "PgUp": move(by: -visibleRows)
        default:
            let before = field.text
            if field.edit(press), field.text != before { refilter(in: interface) }
        }
    }

    private func handle(_ mouse: MouseEvent, in interface: NotebookInterface) {
        switch mouse.kind {
        case .wheel(columns: _, let rows): move(by: rows)
        case .press where mouse.button == .left:
            let index = top + mouse.position.row - listRow
            guard mouse.position.row >= listRow, mouse.position.row < listRow + visibleRows, index < shown.count else {
                return leave(interface)
            }
            cursor = index
            choose(in: interface)
        default: break
        }
    }

    private func leave(_ interface: NotebookInterface, isAccepted: Bool = false) {
        interface.dismissOverlay()
        left?()
        passOn?(field.text, isAccepted)
    }

    private func refilter(in interface: NotebookInterface) {
        if let closing, field.text.hasSuffix(closing) { return leave(interface, isAccepted: true) }
        shown = items(field.text)
        cursor = 0
        top = 0
        shown[safe: cursor]?.tryOn?()
    }

    private func move(by step: Int) {
        cursor = min(max(cursor + step, 0), max(shown.count - 1, 0))
        shown[safe: cursor]?.tryOn?()
    }

    /// Begins with the item of this title under the cursor.
    func putCursor(on title: String) {
        cursor = shown.firstIndex { $0.title == title } ?? 0
    }

    private func choose(in interface: NotebookInterface) {
        guard cursor < shown.count else {
            if passOn != nil { leave(interface, isAccepted: true) }
            return
        }
        let item = shown[cursor]
        guard !item.keepsOpen else { return chooseAndStay(item) }
        interface.dismissOverlay()
        if item.isDisabled { interface.model.say(item.detail, kind: .refused) } else { item.choose() }
    }

    /// Chooses, and reads the items anew; what was typed to find the item has done its work.
    private func chooseAndStay(_ item: Item) {
        item.choose()
        let isFiltered = !field.text.isEmpty
        field = LineField()
        shown = items("")
        let chosen = shown.firstIndex { $0.title == item.title }
        cursor = isFiltered ? chosen ?? 0 : min(cursor, max(shown.count - 1, 0))
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, theme: Theme) {
        let rows = min(max(shown.count, leastRows), 18, screen.size.rows - 4)
        let content = Size(columns: min(72, screen.size.columns - 4), rows: max(rows, 1) + 1)
        let inside = screen.drawBox(content: content, title: title, hint: hint, theme: theme)
        listRow = inside.row + 1
        visibleRows = max(1, inside.rows - 1)
        top = min(max(top, cursor - visibleRows + 1), cursor)
        drawField(at: inside.origin, columns: inside.columns, into: &screen, theme: theme)
        if shown.isEmpty {
            screen.write(
                "No matches", at: Position(column: inside.column, row: listRow), style: theme.dim.on(theme.overlay))
        }
        for (offset, item) in shown[top...].prefix(visibleRows).enumerated() {
            let place = Rect(column: inside.column, row: listRow + offset, columns: inside.columns, rows: 1)
            draw(item, isUnderCursor: top + offset == cursor, in: place, into: &screen, theme: theme)
        }
    }

    private func drawField(at start: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        let ground = theme.overlay
        let used = screen.write(prompt.isEmpty ? "> " : prompt + " ", at: start, style: theme.accent.on(ground))
        let place = Position(column: start.column + used, row: start.row)
        let caret = field.draw(at: place, columns: columns - used, style: theme.text.on(ground), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// What cannot be chosen now comes after what fits nearly as well: by no more than a word's start, so that a name
    /// that is typed in full is still found first.
    private static let disabledPenalty = 6

    /// Columns under which a title needs the whole row: chosen by eye on the smallest screen.
    private static let narrow = 30

    private func draw(_ item: Item, isUnderCursor: Bool, in place: Rect, into screen: inout Screen, theme: Theme) {
        let ground = isUnderCursor ? theme.selection : theme.overlay
        screen.fill(place, style: ground)
        var end = place.maxColumn - 1
        // The detail has half of the row, or what the title leaves; where that is next to nothing it stays away.
        let left = end - place.column - 4 - TextWidth.shared.width(of: item.mark + item.title)
        let width = min(TextWidth.shared.width(of: item.detail), max(place.columns / 2, left))
        if width > 0, place.columns >= Self.narrow || width <= left {
            end -= width
            let detail = Position(column: end, row: place.row)
            screen.write(
                item.detail, at: detail, style: theme.dim.on(ground), fitting: width, glyphs: theme.glyphs)
            end -= 2
        }
        let style = item.isDisabled ? theme.dim : item.style ?? theme.text
        var start = Position(column: place.column + 1, row: place.row)
        if !item.mark.isEmpty {
            start.column +=
                1 + screen.write(item.mark, at: start, style: style.on(ground), maxColumns: end - start.column)
        }
        screen.write(item.title, at: start, style: style.on(ground), fitting: end - start.column, glyphs: theme.glyphs)
    }
}

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

    let context = KeyContext.picker

    /// Runs when the picker is left without a choice.
    var left: (@MainActor () -> Void)?
    /// Takes what was typed when nothing is chosen for it: what belongs to a text is not lost with the picker.
    ///
    /// It is accepted with Enter where nothing fits, or by typing what ends the picker.
    var passOn: (@MainActor (_ typed: String, _ isAccepted: Bool) -> Void)?
    /// What ends the picker, and is passed on with what was typed before it.
    var closing: String?
    /// What accepting does with a typed text that nothing fits: `creates “Plans”`; nil where it does nothing.
    var acceptHint: (@MainActor (_ typed: String) -> String)?

    private let title: String
    private let prompt: String
    private let usualHints: [KeyHint]
    /// Gives the items for what is typed, best first, and is asked again with every key.
    private let items: @MainActor (String) -> [Item]
    private var typed = LineField()
    private var shown: [Item]
    private var cursor = ListCursor()
    private var box = OverlayBox()
    /// Rows of the list, however few fit what is typed.
    var leastRows = 8

    /// A picker over what `items` gives for a typed text.
    init(
        title: String, prompt: String = "", hints: [KeyHint] = Texts.Hints.picker,
        items: @escaping @MainActor (String) -> [Item]
    ) {
        self.title = title
        self.prompt = prompt
        usualHints = hints
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

    var hints: [KeyHint] {
        guard shown.isEmpty, !typed.text.isEmpty, let acceptHint else { return usualHints }
        return [KeyHint("overlay.accept", acceptHint(typed.text))] + Texts.Hints.cancel
    }

    var field: LineField? {
        get { typed }
        set { typed = newValue ?? LineField() }
    }

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        switch action {
        case .cancel: leave(interface)
        case .accept: choose(in: interface)
        default: if cursor.perform(action, of: shown.count) { tryOn() }
        }
    }

    func press(at position: Position, in interface: NotebookInterface) {
        guard let index = cursor.index(atOffset: position.row - box.inside.row - 1, of: shown.count) else {
            return leave(interface)
        }
        cursor.move(to: index, of: shown.count)
        choose(in: interface)
    }

    func wheel(at position: Position, rows: Int, in interface: NotebookInterface) {
        cursor.move(to: cursor.row + rows, of: shown.count)
        tryOn()
    }

    func fieldChanged(in interface: NotebookInterface) {
        if let closing, typed.text.hasSuffix(closing) { return leave(interface, isAccepted: true) }
        shown = items(typed.text)
        cursor.reset()
        tryOn()
    }

    private func tryOn() { shown[safe: cursor.row]?.tryOn?() }

    private func leave(_ interface: NotebookInterface, isAccepted: Bool = false) {
        interface.dismiss(self)
        left?()
        passOn?(typed.text, isAccepted)
    }

    /// Begins with the item of this title under the cursor.
    func putCursor(on title: String) {
        cursor.move(to: shown.firstIndex { $0.title == title } ?? 0, of: shown.count)
    }

    private func choose(in interface: NotebookInterface) {
        guard let item = shown[safe: cursor.row] else {
            if passOn != nil { leave(interface, isAccepted: true) }
            return
        }
        guard !item.keepsOpen else { return chooseAndStay(item) }
        interface.dismiss(self)
        if item.isDisabled { interface.model.say(item.detail, kind: .refused) } else { item.choose() }
    }

    /// Chooses, and reads the items anew; what was typed to find the item has done its work.
    private func chooseAndStay(_ item: Item) {
        item.choose()
        let isFiltered = !typed.text.isEmpty
        typed = LineField()
        shown = items("")
        let chosen = shown.firstIndex { $0.title == item.title }
        cursor.move(to: isFiltered ? chosen ?? 0 : cursor.row, of: shown.count)
    }

    // MARK: Drawing

    func arrange(in size: Size) {
        let rows = min(max(shown.count, leastRows), 18, size.rows - 4)
        box = OverlayBox(content: Size(columns: min(72, size.columns - 4), rows: max(rows, 1) + 1), on: size)
        cursor.arrange(count: shown.count, room: box.inside.rows - 1)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        drawField(at: box.inside.origin, columns: box.inside.columns, into: &screen, theme: theme)
        if shown.isEmpty {
            screen.write(Texts.noMatches, at: box.row(1).origin, style: theme.dim.on(theme.overlay))
        }
        for (offset, item) in shown[cursor.top...].prefix(cursor.room).enumerated() {
            let isUnderCursor = cursor.top + offset == cursor.row
            draw(item, isUnderCursor: isUnderCursor, in: box.row(1 + offset), into: &screen, theme: theme)
        }
    }

    private func drawField(at start: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        let ground = theme.overlay
        let used = screen.write(prompt.isEmpty ? "> " : prompt + " ", at: start, style: theme.accent.on(ground))
        let place = Position(column: start.column + used, row: start.row)
        let caret = typed.draw(at: place, columns: columns - used, style: theme.text.on(ground), into: &screen)
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

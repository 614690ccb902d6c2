import Terminal

/// A list that is filtered by typing, from which one item is chosen: a command, a note to go to, a folder.
@MainActor
final class PickerOverlay: Overlay {
    /// An item to choose.
    struct Item {
        var title: String
        /// The text at the right: a key, a folder, a count.
        var detail = ""
        /// Shorter forms of the detail, the longest first, for rows on which it would cut the title.
        var shortDetails: [String] = []
        /// Whether the item is dimmed; choosing it shows the reason instead.
        var isDisabled = false
        /// The reason why it is dimmed, as a sentence, if the picker's remark gives it for all such items or the detail
        /// is a word or two; nil if the detail gives it.
        var reason: String?
        /// The colour of the title; nil for that of plain text.
        var style: Style?
        /// The text before the title: a check box, a swatch.
        var mark = ""
        /// The colour of the mark; nil for that of the title.
        var markStyle: Style?
        /// The sign before the title where there is no room for the detail, besides the colour.
        var sign = ""
        /// The state that a screen reader speaks after the title: `late`, `done`.
        var state = ""
        /// Whether the picker stays open after a choice, so that several items can be chosen.
        var keepsOpen = false
        var choose: @MainActor () -> Void
        /// Ticks or unticks the item, which stays in the list; nil if it has nothing to tick.
        var toggle: (@MainActor () -> Void)?
        /// Previews the choice while the item is under the cursor.
        var preview: (@MainActor () -> Void)?
    }

    let context = KeyContext.picker

    /// Called when the picker is left without a choice.
    var left: (@MainActor () -> Void)?
    /// Receives the typed text when the picker is left without a choice, so that text meant for a note is not lost.
    ///
    /// `isAccepted` is true if the user pressed Enter where nothing matches, or typed the text of `closing`.
    var whenAbandoned: (@MainActor (_ typed: String, _ isAccepted: Bool) -> Void)?
    /// The text that closes the picker when typed; it is passed on with what was typed before it.
    var closing: String?
    /// Returns whether a typed text closes the picker, as `closing` does.
    var closes: (@MainActor (_ typed: String) -> Bool)?
    /// Describes what Enter does with a typed text that nothing matches: `creates “Plans”`; nil if it does nothing.
    var acceptHint: (@MainActor (_ typed: String) -> String)?

    /// Changes the order of the items; nil if they have one only.
    var changeOrder: (@MainActor () -> Void)?

    /// The title, which may tell the order of the items.
    var title: String
    private let prompt: String
    private let usualHints: [KeyHint]
    /// Returns the items for a typed text, best first; called again after every key.
    private let items: @MainActor (String) -> [Item]
    private var typed = LineField()
    private var shown: [Item]
    /// The text for which `shown` was matched last.
    private var asked = ""
    private var cursor = ListCursor()
    /// Whether the last key moved the cursor; the terminal's cursor is then on its row, else in the field.
    private var isMoving = false
    private var box = OverlayBox()
    /// Returns the text to show if no items are shown; nil for the usual text.
    var emptyText: (@MainActor () -> String?)?
    /// The smallest number of rows in the list, however few items match.
    var minimumRows = 8
    /// The most items shown so far; the box keeps the rows for them, so that the field stays in its place while one types.
    private var mostShown = 0
    /// Returns the caret at which the picker completes a text; nil for the middle of the screen.
    var caret: (@MainActor () -> CaretPosition?)?
    /// A remark below the list about all its dimmed items; empty for none.
    var remark = ""
    /// The rows of the remark, with a blank one above them; empty if the list needs all rows.
    private var remarkLines: [String] = []

    /// Creates a picker over the items that `items` returns for a typed text.
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

    /// Creates a picker over fixed items, ranked by how well their titles match the typed text.
    convenience init(title: String, prompt: String = "", from all: [Item]) {
        let folded = all.map(\.title.foldedCharacters)
        self.init(title: title, prompt: prompt, from: all) { typed in
            let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
            return { index in
                FuzzyMatch(pattern, in: folded[index]).map {
                    $0.score - (all[index].isDisabled ? Self.disabledPenalty : 0)
                }
            }
        }
    }

    /// Creates a picker over fixed items, ranked by the score of each item for the typed text.
    ///
    /// - Parameter scores: returns, for a typed text, the function from an item's index to its score; higher is better,
    ///   and nil omits the item. Items with equal scores keep their order.
    convenience init(
        title: String, prompt: String = "", from all: [Item],
        scores: @escaping @MainActor (String) -> @MainActor (Int) -> Int?
    ) {
        self.init(title: title, prompt: prompt) { typed in
            guard typed.contains(where: { !$0.isWhitespace }) else { return all }
            let score = scores(typed)
            let matches = all.indices.compactMap { index in score(index).map { (index, $0) } }
            return matches.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }.map { all[$0.0] }
        }
        minimumRows = min(minimumRows, max(all.count, 1))
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

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel: leave(window)
        case .accept: choose(in: window)
        case .toggle:
            shown[safe: cursor.row]?.toggle?()
            reload()
        case .nextOrder where changeOrder != nil:
            changeOrder?()
            reload()
            cursor.reset()
        default:
            if cursor.perform(action, of: shown.count) {
                isMoving = true
                preview()
            }
        }
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return leave(window) }
        let (column, offset) = (position.column - box.inside.column, position.row - box.inside.row - 1)
        if offset == -1 { return moveCaret(toColumn: column) }
        guard let index = cursor.index(atOffset: offset, of: shown.count) else { return }
        cursor.move(to: index, of: shown.count)
        // The tick box is after the column for the sign of the cursor.
        let item = shown[index]
        if item.toggle != nil, (1..<1 + TextWidth.shared.width(of: item.mark)).contains(column) {
            perform(.toggle, in: window)
        } else {
            choose(in: window)
        }
    }

    private func moveCaret(toColumn column: Int) {
        isMoving = false
        let label = TextWidth.shared.width(of: fieldLabel)
        typed.moveCaret(toColumn: column - label, columns: box.inside.columns - label)
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) {
        cursor.turnWheel(by: rows, of: shown.count)
        preview()
    }

    func fieldChanged(in window: NotebookInterface) {
        if closes?(typed.text) == true { return leave(window, isAccepted: true) }
        if let closing, typed.text.hasSuffix(closing) { return leave(window, isAccepted: true) }
        isMoving = false
        // Keys and pastes without end must not be matched again and again.
        guard query != asked else { return }
        asked = query
        shown = items(asked)
        cursor.reset()
        preview()
    }

    /// Reads the items again, after the data behind them has changed.
    func reload() { shown = items(query) }

    /// The typed text as far as items are matched with it.
    private var query: String { String(typed.text.prefix(Self.maximumQueryLength)) }

    /// The number of characters of a typed text that are matched: five times the longest title.
    static let maximumQueryLength = 1_000

    private func preview() { shown[safe: cursor.row]?.preview?() }

    private func leave(_ window: NotebookInterface, isAccepted: Bool = false) {
        window.dismiss(self)
        left?()
        whenAbandoned?(typed.text, isAccepted)
    }

    /// Puts the cursor on the item with this title.
    func putCursor(on title: String) {
        cursor.move(to: shown.firstIndex { $0.title == title } ?? 0, of: shown.count)
    }

    private func choose(in window: NotebookInterface) {
        guard let item = shown[safe: cursor.row] else {
            if whenAbandoned != nil { leave(window, isAccepted: true) }
            return
        }
        guard !item.keepsOpen else { return chooseAndStay(item) }
        window.dismiss(self)
        if item.isDisabled { window.model.say(item.reason ?? item.detail, kind: .refused) } else { item.choose() }
    }

    /// Chooses an item, reads the items again, and clears the typed text, which has served its purpose.
    private func chooseAndStay(_ item: Item) {
        item.choose()
        let isFiltered = !typed.text.isEmpty
        typed = LineField()
        asked = ""
        shown = items(asked)
        let chosen = shown.firstIndex { $0.title == item.title }
        cursor.move(to: isFiltered ? chosen ?? 0 : cursor.row, of: shown.count)
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        if !area.isRead, let caret = caret?() { return arrange(at: caret, in: area) }
        let columns = area.columns(upTo: 72)
        mostShown = max(mostShown, shown.count)
        // On the lowest screens the list needs the row of the status line, whose keys stand in the frame too.
        let isLow = area.size.rows < Self.lowScreen && !area.isRead
        let rows = max(min(max(mostShown, minimumRows), 18, area.size.rows - (isLow ? 3 : 4)), 1)
        remarkLines = remark.isEmpty ? [] : [""] + remark.lines(fitting: columns - 1)
        let room = area.size.rows - 3
        if room - remarkLines.count < min(rows, Self.rowsBeforeRemark) { remarkLines = [] }
        let listed = min(rows, max(room - remarkLines.count, 1))
        box = OverlayBox(content: Size(columns: columns, rows: listed + 1 + remarkLines.count), on: area)
        cursor.arrange(count: shown.count, room: box.inside.rows - 1 - remarkLines.count, isRead: area.isRead)
    }

    /// Places the box at the caret, with fewer rows and columns, so that most of the text around it stays in sight.
    private func arrange(at caret: CaretPosition, in area: OverlayArea) {
        mostShown = max(mostShown, shown.count)
        remarkLines = []
        let size = Size(
            columns: area.columns(upTo: Self.columnsAtCaret), rows: 1 + max(1, min(mostShown, Self.rowsAtCaret)))
        box = OverlayBox(content: size, at: caret, on: area)
        cursor.arrange(count: shown.count, room: box.inside.rows - 1)
    }

    /// The largest size of the list at the caret; chosen by eye.
    private static let columnsAtCaret = 48
    static let rowsAtCaret = 8

    /// The number of rows below which a screen is so low that a list would have one or two; chosen by eye.
    private static let lowScreen = 7

    /// The number of rows that the list must have before the remark gets any; chosen by eye.
    private static let rowsBeforeRemark = 6

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: cutReason(theme) == nil ? keys.line(hints) : "", into: &screen, theme: theme)
        drawCutReason(into: &screen, theme: theme)
        drawField(at: box.inside.origin, columns: box.inside.columns, into: &screen, theme: theme)
        if shown.isEmpty {
            screen.write(emptyText?() ?? Texts.noMatches, at: box.row(1).origin, style: theme.dim.on(theme.overlay))
        }
        for (offset, line) in remarkLines.enumerated() {
            let start = box.row(box.inside.rows - remarkLines.count + offset).origin
            screen.write(
                line, at: Position(column: start.column + 1, row: start.row), style: theme.dim.on(theme.overlay),
                fitting: box.inside.columns - 1, glyphs: theme.glyphs)
        }
        box.draw(cursor.mark, fromRow: 1, into: &screen, theme: theme)
        for (offset, item) in shown[cursor.top...].prefix(cursor.room).enumerated() {
            let isUnderCursor = cursor.top + offset == cursor.row
            if isUnderCursor, isMoving { screen.cursor = .hidden(at: box.row(1 + offset).origin) }
            guard !theme.glyphs.isWords else {
                drawWords(of: item, at: cursor.top + offset, in: box.row(1 + offset), into: &screen, theme: theme)
                continue
            }
            draw(item, isUnderCursor: isUnderCursor, in: box.row(1 + offset), into: &screen, theme: theme)
        }
    }

    /// Draws an item for a screen reader; it reads the row of the cursor, so that row needs no mark.
    private func drawWords(
        of item: Item, at index: Int, in rect: Rect, into screen: inout Screen, theme: Theme
    ) {
        let state = item.mark == "[x]" ? Texts.Words.chosen : item.mark == "[-]" ? Texts.Words.partlyChosen : ""
        let states = [state, item.state, item.isDisabled ? Texts.Words.notAvailable : ""]
        let position = Texts.count(index + 1, of: shown.count)
        func words(_ detail: String) -> [String] { (states + [detail, position]).filter { !$0.isEmpty } }
        // Words that do not fit are left out; a short detail says more than none.
        let said = item.detail(fitting: rect.columns) { detail in
            ([item.title] + words(detail)).reduce(-2) { $0 + 2 + TextWidth.shared.width(of: $1) }
        }
        screen.write(
            row: rect.row, item.title, words: words(said), theme: theme,
            style: theme.text.on(theme.overlay), column: rect.column, columns: rect.columns)
    }

    /// The reason why the item under the cursor is dimmed, if its row has no room for all of it.
    private func cutReason(_ theme: Theme) -> String? {
        guard !theme.glyphs.isWords, let item = shown[safe: cursor.row], item.isDisabled,
            item.reason == nil || remark.isEmpty
        else { return nil }
        let rest = box.inside.columns - 6 - TextWidth.shared.width(of: item.mark + item.title)
        let room = max(box.inside.columns / 2, rest)
        let isShown = box.inside.columns >= Self.narrow && TextWidth.shared.width(of: item.detail) <= room
        return isShown ? nil : item.detail
    }

    /// Writes `cutReason` in place of the hints.
    private func drawCutReason(into screen: inout Screen, theme: Theme) {
        guard let reason = cutReason(theme) else { return }
        screen.write(
            " \(reason) ", at: box.foot.origin, style: theme.text.on(theme.overlay), fitting: box.foot.columns,
            glyphs: theme.glyphs)
    }

    private var fieldLabel: String { prompt.isEmpty ? "> " : prompt + " " }

    private func drawField(at start: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        let ground = theme.overlay
        let used = screen.write(fieldLabel, at: start, style: theme.accent.on(ground))
        let position = Position(column: start.column + used, row: start.row)
        let caret = typed.draw(at: position, columns: columns - used, style: theme.text.on(ground), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// The score that a disabled item loses, so that it ranks after items that match nearly as well.
    ///
    /// It is no more than the bonus of a word's start, so that a name typed in full is still found first.
    private static let disabledPenalty = 6

    /// The number of columns below which a title needs the whole row; chosen by eye on the smallest screen.
    private static let narrow = 30

    /// The number of columns below which the start of a reason says nothing.
    private static let minimumReasonWidth = 12

    private func draw(_ item: Item, isUnderCursor: Bool, in rect: Rect, into screen: inout Screen, theme: Theme) {
        let ground = isUnderCursor ? theme.selection : theme.overlay
        screen.fill(rect, style: ground)
        var end = rect.maxColumn - 1
        // The detail gets half of the row, or what the title leaves free; a narrow row shows it only if it fits uncut.
        // The reason why a command is dimmed never takes cells of its name; Enter gives the reason in full.
        let left = end - rect.column - 4 - TextWidth.shared.width(of: item.mark + item.title)
        let text = item.detail(fitting: left) { TextWidth.shared.width(of: $0) }
        let whole = TextWidth.shared.width(of: text)
        let width = min(whole, max(item.isDisabled ? 0 : rect.columns / 2, left))
        let says = width == whole || !item.isDisabled || width >= Self.minimumReasonWidth
        let showsDetail = width > 0 && says && (rect.columns >= Self.narrow || width <= left)
        if showsDetail {
            end -= width
            let detail = Position(column: end, row: rect.row)
            screen.write(
                text, at: detail, style: theme.dim.on(ground), fitting: width, glyphs: theme.glyphs)
            end -= 2
        }
        let style = item.isDisabled ? theme.dim : item.style ?? theme.text
        var start = Position(column: rect.column + 1, row: rect.row)
        if !item.mark.isEmpty {
            start.column +=
                1
                + screen.write(
                    item.mark, at: start, style: (item.markStyle ?? style).on(ground), maxColumns: end - start.column)
        }
        if !showsDetail, !item.sign.isEmpty {
            start.column += 1 + screen.write(item.sign, at: start, style: style.on(ground))
        }
        screen.write(item.title, at: start, style: style.on(ground), fitting: end - start.column, glyphs: theme.glyphs)
    }
}

extension PickerOverlay.Item {
    /// Returns the longest form of the detail whose width fits, or else the shortest one.
    fileprivate func detail(fitting columns: Int, width: (String) -> Int) -> String {
        let forms = [detail] + shortDetails
        return forms.first { width($0) <= columns } ?? forms[forms.count - 1]
    }
}

import Terminal
import TextEditing

/// A view drawn over the panes that has the keyboard focus while it is open; most are boxes.
///
/// Only the topmost one receives events: its keys are looked up in its own context of the keymap, and a key without a
/// command there does nothing.
@MainActor
protocol Overlay: AnyObject {
    /// The context in which its keys are looked up; an overlay with several parts returns that of the focused part.
    var context: KeyContext { get }
    /// The commands whose keys are shown in its frame and in the status line; the one that closes it comes last.
    var hints: [KeyHint] { get }
    /// The focused field; nil if there is none.
    var field: LineField? { get set }

    /// Lays out its parts on a screen, and adjusts the scroll offsets to the layout.
    func arrange(in area: OverlayArea)
    /// Draws the overlay as `arrange` has laid it out.
    ///
    /// - Parameter keys: the labels of the commands' keys in this context.
    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels)

    /// Performs the action of a key; ignores an action that has no meaning in this overlay.
    func perform(_ action: OverlayAction, in window: NotebookInterface)
    /// Edits the focused field.
    func edit(_ action: EditingAction, in window: NotebookInterface)
    func type(_ text: String, in window: NotebookInterface)
    func paste(_ text: String, in window: NotebookInterface)
    /// Called when a key or a paste has changed the text of the field.
    func fieldChanged(in window: NotebookInterface)
    /// Handles a press of the left button at a cell of the screen.
    func press(at position: Position, in window: NotebookInterface)
    func wheel(at position: Position, rows: Int, in window: NotebookInterface)
    /// Takes a typed text whose key has no command here, where nothing is typed otherwise.
    func typeWithoutCommand(_ text: String, in window: NotebookInterface)
}

extension Overlay {
    var field: LineField? {
        get { nil }
        set {}
    }

    func edit(_ action: EditingAction, in window: NotebookInterface) { editField(action, in: window) }
    func type(_ text: String, in window: NotebookInterface) { typeIntoField(text, in: window) }
    func paste(_ text: String, in window: NotebookInterface) { typeIntoField(text, in: window) }

    /// Edits the focused field, if there is one.
    func editField(_ action: EditingAction, in window: NotebookInterface) {
        changeField(in: window) { $0.perform(action) }
    }

    /// Types into the focused field, if there is one.
    func typeIntoField(_ text: String, in window: NotebookInterface) {
        changeField(in: window) { $0.insert(text) }
    }

    func fieldChanged(in window: NotebookInterface) {}
    func press(at position: Position, in window: NotebookInterface) {}
    func wheel(at position: Position, rows: Int, in window: NotebookInterface) {}
    func typeWithoutCommand(_ text: String, in window: NotebookInterface) {}

    private func changeField(in window: NotebookInterface, _ change: (inout LineField) -> Void) {
        guard var field else { return }
        let before = field.text
        change(&field)
        self.field = field
        if field.text != before { fieldChanged(in: window) }
    }
}

/// A command whose key is shown as a hint, with a short title.
struct KeyHint: Equatable {
    let command: CommandName
    let title: String
    /// The rank of the hint: if there is no room for all hints, the one with the highest rank is dropped first.
    let rank: Int
    /// The context whose key is shown; nil for the current one.
    let context: KeyContext?

    init(_ command: CommandName, _ title: String, rank: Int = 3, in context: KeyContext? = nil) {
        self.command = command
        self.title = title
        self.rank = rank
        self.context = context
    }
}

/// The labels of the commands' keys in one context of the keymap.
@MainActor
struct KeyLabels {
    let label: @MainActor (CommandName) -> String?

    subscript(command: CommandName) -> String? { label(command) }

    /// The hints whose commands have a key, as one line: `Enter select, Esc cancel`.
    func line(_ hints: [KeyHint]) -> String {
        hints.compactMap { hint in label(hint.command).map { "\($0) \(hint.title)" } }.joined(separator: ", ")
    }
}

/// The actions of an overlay's keys; each has a command in `overlayCommands`.
enum OverlayAction: Sendable {
    case accept, cancel
    case up, down, left, right, pageUp, pageDown, first, last
    /// Moves to the next or previous part, such as a field or an answer; completes a path.
    case nextPart, previousPart
    case yes, no
    /// Shows what would be sent.
    case showSent
    /// Stops what runs in the overlay.
    case stop
    case toggle, toggleAll
    /// Changes the order of the list.
    case nextOrder
    case matchCase, matchWords, matchExpression
    case replaceAll
    case keepThis, keepThat, keepBoth
    /// Searches the text of a pager, and goes to another match.
    case find, nextMatch, previousMatch
    /// Inserts the result below the text instead of replacing the text.
    case insertBelow
}

/// The screen on which overlays are laid out.
struct OverlayArea {
    var size: Size
    /// Whether a screen reader reads it; it speaks whole rows, so each row of an overlay has the whole width.
    var isRead: Bool

    /// Returns the number of columns for the content of a box that needs no more than `most`.
    func columns(upTo most: Int) -> Int { isRead ? size.columns : min(most, size.columns - 4) }

    /// The number of rows that the tallest box leaves free around its content; a low screen has few to spare.
    var margin: Int { size.rows < 16 ? 2 : 4 }
}

/// The position of the editor's caret on the screen.
struct CaretPosition {
    let cell: Position
    /// The pane with the text.
    let pane: Rect
}

/// The frame and the background of an overlay in the middle of the screen, or at the caret.
struct OverlayBox {
    private(set) var frame: Rect
    /// The area inside the frame, with an empty column at either side; for a screen reader the whole width.
    private(set) var inside: Rect
    /// Whether the box has a frame; at the caret there may be no room for one.
    private(set) var isFramed = true

    /// An empty box, for the time before the first frame.
    init() {
        frame = Rect(column: 0, row: 0, columns: 0, rows: 0)
        inside = frame
    }

    /// A box with room for `content` inside its frame, limited by the screen.
    init(content: Size, on area: OverlayArea) {
        let (screen, edge) = (area.size, area.isRead ? 0 : 2)
        let columns = area.isRead ? screen.columns : min(content.columns + 2 * edge, screen.columns)
        let rows = min(content.rows + 2, screen.rows)
        frame = Rect(
            column: (screen.columns - columns) / 2, row: (screen.rows - rows) / 2, columns: columns, rows: rows)
        inside = Rect(
            column: frame.column + edge, row: frame.row + 1, columns: max(0, columns - 2 * edge),
            rows: max(0, rows - 2))
    }

    /// A box at the caret: below its row if there is room, else above it, where there is more; it never covers that row.
    ///
    /// The last row of the screen, with the status line, stays free as well, and so does the list beside a pane that is
    /// wide enough. Where the box would have no room for two rows inside its frame, it has none.
    ///
    /// - Parameter content: the wanted size; the rows are limited by the room.
    init(content: Size, at position: CaretPosition, on area: OverlayArea) {
        let (screen, caret) = (area.size, position.cell)
        let isWide = position.pane.columns >= Self.minimumPaneColumns
        let (left, right) = isWide ? (position.pane.column, position.pane.maxColumn) : (0, screen.columns)
        let below = screen.rows - 2 - caret.row
        let isBelow = content.rows + 2 <= below || below >= caret.row
        let room = max(isBelow ? below : caret.row, 1)
        isFramed = room >= Self.minimumFramedRows
        let edge = isFramed ? 1 : 0
        let columns = min(content.columns + 4, right - left)
        let rows = min(content.rows + 2 * edge, room)
        frame = Rect(
            column: max(left, min(caret.column, right - columns)),
            row: isBelow ? caret.row + 1 : caret.row - rows, columns: columns, rows: rows)
        inside = Rect(
            column: frame.column + 2, row: frame.row + edge, columns: max(0, columns - 4), rows: rows - 2 * edge)
    }

    /// The fewest rows of a box at the caret for which a frame is drawn: its own two, a field and a line below it.
    private static let minimumFramedRows = 4
    /// The fewest columns of a pane in which the whole box has to be; chosen by eye.
    private static let minimumPaneColumns = 36

    /// Returns the box moved right and down by so many cells, as far as the screen allows.
    func moved(columns: Int, rows: Int, within screen: Size) -> OverlayBox {
        let column = min(frame.column + columns, max(0, screen.columns - frame.columns))
        let row = max(0, min(frame.row + rows, max(0, screen.rows - 1 - frame.rows)))
        var box = self
        box.inside.column += column - frame.column
        box.inside.row += row - frame.row
        (box.frame.column, box.frame.row) = (column, row)
        return box
    }

    /// Returns one row of the inside.
    func row(_ offset: Int) -> Rect {
        Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1)
    }

    /// The part of the frame's last row between its corners, for hints or for what stands in their place.
    var foot: Rect {
        Rect(column: inside.column, row: frame.row + frame.rows - 1, columns: inside.columns, rows: 1)
    }

    /// Draws the box, whose rows a screen reader gets at the left edge and without a frame.
    @MainActor
    func draw(title: String, hint: String = "", into screen: inout Screen, theme: Theme) {
        if theme.glyphs.isWords { return drawWords(title: title, into: &screen, theme: theme) }
        let glyphs = theme.glyphs
        screen.fill(frame, style: theme.overlay)
        // The default for overlays that have no better position for the cursor.
        screen.cursor = .hidden(at: inside.origin)
        guard isFramed else { return }
        let edge = String(repeating: glyphs.horizontal, count: max(0, frame.columns - 2))
        let bottom = foot.row
        let ends = [(frame.row, glyphs.topLeft, glyphs.topRight), (bottom, glyphs.bottomLeft, glyphs.bottomRight)]
        for (row, left, right) in ends {
            screen.write(
                "\(left)\(edge)\(right)", at: Position(column: frame.column, row: row), style: theme.overlayFrame)
        }
        for row in frame.row + 1..<max(bottom, frame.row + 1) {
            for column in [frame.column, frame.column + frame.columns - 1] {
                screen.write(
                    String(glyphs.vertical), at: Position(column: column, row: row), style: theme.overlayFrame)
            }
        }
        screen.write(
            " \(glyphs.plain(title)) ", at: Position(column: frame.column + 2, row: frame.row),
            style: theme.overlayFrame.on(theme.title), fitting: frame.columns - 4, glyphs: glyphs)
        if let hint = hint.hint(fitting: frame.columns - 6) {
            screen.write(
                " \(glyphs.plain(hint)) ", endingAt: frame.column + frame.columns - 2, row: bottom,
                style: theme.dim.on(theme.overlay))
        }
    }

    @MainActor
    private func drawWords(title: String, into screen: inout Screen, theme: Theme) {
        // A screen reader speaks whole rows, so no cells of the panes may remain beside the box.
        let ground = Rect(column: 0, row: 0, columns: screen.size.columns, rows: max(0, screen.size.rows - 1))
        screen.fill(ground, style: theme.overlay)
        screen.write(
            theme.glyphs.plain(title), at: frame.origin, style: theme.overlayFrame.on(theme.title),
            fitting: screen.size.columns, glyphs: theme.glyphs)
        screen.cursor = .hidden(at: inside.origin)
    }
}

extension String {
    /// Returns as much of a hint as fits; the key that closes the overlay comes last, so it is dropped last.
    ///
    ///     "Tab complete, Enter OK, Esc cancel"  ->  "Enter OK, Esc cancel"
    func hint(fitting columns: Int) -> String? {
        var parts = split(separator: ", ")[...]
        while !parts.isEmpty {
            let text = parts.joined(separator: ", ")
            if TextWidth.shared.width(of: text) <= columns { return text }
            parts.removeFirst()
        }
        return nil
    }
}

import Terminal
import TextEditing

/// Something that lies over the panes and has the keys while it does.
///
/// An event goes to the topmost one alone: its keys are looked up in its own place of the keymap, and a key that has no
/// command there does nothing.
@MainActor
protocol Overlay: AnyObject {
    /// Where its keys are looked up; a box with several parts has the place of the part that has the keys.
    var context: KeyContext { get }
    /// The commands whose keys are shown in its frame and in the status line, the way out last.
    var hints: [KeyHint] { get }
    /// The field that has the keys; nil where nothing is typed.
    var field: LineField? { get set }

    /// Finds the places of all its parts on a screen, and brings what is scrolled in line with them.
    func arrange(in size: Size)
    /// Draws it where `arrange` has put it.
    ///
    /// - Parameter keys: how the keys of commands are shown in this place.
    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels)

    /// Does what a key of its place means; nothing for an action that means nothing here.
    func perform(_ action: OverlayAction, in interface: NotebookInterface)
    /// Edits the field that has the keys.
    func edit(_ action: EditingAction, in interface: NotebookInterface)
    func type(_ text: String, in interface: NotebookInterface)
    func paste(_ text: String, in interface: NotebookInterface)
    /// The text of the field has changed, by a key or a paste.
    func fieldChanged(in interface: NotebookInterface)
    /// The left button was pressed at a cell of the screen.
    func press(at position: Position, in interface: NotebookInterface)
    func wheel(at position: Position, rows: Int, in interface: NotebookInterface)
}

extension Overlay {
    var field: LineField? {
        get { nil }
        set {}
    }

    func edit(_ action: EditingAction, in interface: NotebookInterface) { editField(action, in: interface) }
    func type(_ text: String, in interface: NotebookInterface) { typeIntoField(text, in: interface) }
    func paste(_ text: String, in interface: NotebookInterface) { typeIntoField(text, in: interface) }

    /// Edits the field that has the keys, if one has.
    func editField(_ action: EditingAction, in interface: NotebookInterface) {
        changeField(in: interface) { $0.perform(action) }
    }

    /// Types into the field that has the keys, if one has.
    func typeIntoField(_ text: String, in interface: NotebookInterface) {
        changeField(in: interface) { $0.insert(text) }
    }

    func fieldChanged(in interface: NotebookInterface) {}
    func press(at position: Position, in interface: NotebookInterface) {}
    func wheel(at position: Position, rows: Int, in interface: NotebookInterface) {}

    private func changeField(in interface: NotebookInterface, _ change: (inout LineField) -> Void) {
        guard var field else { return }
        let before = field.text
        change(&field)
        self.field = field
        if field.text != before { fieldChanged(in: interface) }
    }
}

/// A command whose key is shown where it helps, with a word or two for it.
struct KeyHint: Equatable {
    let command: CommandName
    let title: String
    /// Where there is no room for all hints, the one of the highest rank goes first.
    let rank: Int
    /// The place whose key is shown; nil for the place where the keys go.
    let context: KeyContext?

    init(_ command: CommandName, _ title: String, rank: Int = 3, in context: KeyContext? = nil) {
        self.command = command
        self.title = title
        self.rank = rank
        self.context = context
    }
}

/// How the keys of commands are shown in one place of the keymap.
@MainActor
struct KeyLabels {
    let label: @MainActor (CommandName) -> String?

    subscript(command: CommandName) -> String? { label(command) }

    /// The hints that have a key, as one line: `Enter select, Esc cancel`.
    func line(_ hints: [KeyHint]) -> String {
        hints.compactMap { hint in label(hint.command).map { "\($0) \(hint.title)" } }.joined(separator: ", ")
    }
}

/// What the keys of an overlay can mean; each action has a command in `overlayCommands`.
enum OverlayAction: Sendable {
    case accept, cancel
    case up, down, left, right, pageUp, pageDown, first, last
    /// To the next or previous part: a field, an answer; a path is completed.
    case nextPart, previousPart
    case yes, no
    case toggle, toggleAll
    case matchCase, matchWords, matchExpression
    case replaceAll
}

/// The frame and the ground of an overlay in the middle of the screen.
struct OverlayBox {
    /// The frame itself.
    let frame: Rect
    /// The place inside the frame, with a column of air at either side.
    let inside: Rect

    /// Nothing, as before the first frame.
    init() {
        frame = Rect(column: 0, row: 0, columns: 0, rows: 0)
        inside = frame
    }

    /// A box that has room for `content` inside its frame, as far as the screen has.
    init(content: Size, on screen: Size) {
        let columns = min(content.columns + 4, screen.columns)
        let rows = min(content.rows + 2, screen.rows)
        frame = Rect(
            column: (screen.columns - columns) / 2, row: (screen.rows - rows) / 2, columns: columns, rows: rows)
        inside = Rect(
            column: frame.column + 2, row: frame.row + 1, columns: max(0, columns - 4), rows: max(0, rows - 2))
    }

    /// Rows that a box as high as the screen leaves around its content: a low screen has none to spare.
    static func margin(on screen: Size) -> Int { screen.rows < 16 ? 2 : 4 }

    /// One row of the place inside.
    func row(_ offset: Int) -> Rect {
        Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1)
    }

    @MainActor
    func draw(title: String, hint: String = "", into screen: inout Screen, theme: Theme) {
        let glyphs = theme.glyphs
        screen.fill(frame, style: theme.overlay)
        let edge = String(repeating: glyphs.horizontal, count: max(0, frame.columns - 2))
        let bottom = frame.row + frame.rows - 1
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
        screen.cursor = nil
    }
}

extension String {
    /// As much of a hint as fits: how to leave stands last in all of them, and is the last to go.
    ///
    ///     "Tab complete, Enter OK, Esc cancel"  ->  "Enter OK, Esc cancel"
    fileprivate func hint(fitting columns: Int) -> String? {
        var parts = split(separator: ", ")[...]
        while !parts.isEmpty {
            let text = parts.joined(separator: ", ")
            if TextWidth.shared.width(of: text) <= columns { return text }
            parts.removeFirst()
        }
        return nil
    }
}

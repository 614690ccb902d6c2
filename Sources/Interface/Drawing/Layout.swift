import Terminal

/// The panes of the window.
public enum PaneID: String, CaseIterable, Sendable, Codable {
    case sidebar, list, editor
    /// The note that is shown for reading beside the one in the editor.
    case beside

    /// The panes that can have the keyboard focus, from left to right.
    static let focusable: [PaneID] = [.sidebar, .list, .editor]

    /// The position among all cases.
    fileprivate var index: Int {
        switch self {
        case .sidebar: 0
        case .list: 1
        case .editor: 2
        case .beside: 3
        }
    }
}

/// A value for each of some panes, without the hashing of a dictionary: every frame looks up many.
struct PaneMap<Value>: Sequence, ExpressibleByDictionaryLiteral {
    /// A value for each case of `PaneID`, in their order.
    private var slots: [Value?] = Array(repeating: nil, count: PaneID.allCases.count)

    init(dictionaryLiteral elements: (PaneID, Value)...) {
        for (pane, value) in elements { self[pane] = value }
    }

    subscript(pane: PaneID) -> Value? {
        get { slots[pane.index] }
        set { slots[pane.index] = newValue }
    }

    /// The panes that have a value, in the order of `PaneID`.
    var keys: [PaneID] { map(\.key) }
    /// The values, in the same order.
    var values: [Value] { map(\.value) }
    var count: Int { values.count }

    func makeIterator() -> some IteratorProtocol<(key: PaneID, value: Value)> {
        zip(PaneID.allCases, slots).lazy.compactMap { pane, value in value.map { (key: pane, value: $0) } }
            .makeIterator()
    }
}

extension PaneMap: Equatable where Value: Equatable {}
extension PaneMap: Sendable where Value: Sendable {}

/// The division of the editor's rectangle between two notes.
struct NoteSplit: Equatable, Sendable {
    /// Whether the second note comes before the editor: to its left, or above it.
    var isFirst: Bool
    /// The share of the rectangle that the first of the two has, in hundredths.
    var share: Int

    init(isFirst: Bool = false, share: Int = 50) { (self.isFirst, self.share) = (isFirst, share) }
}

/// The widths that the user can change, in cells.
public struct PaneWidths: Equatable, Sendable, Codable {
    public var sidebar: Int
    public var list: Int

    /// Sets the widths; the defaults, those of a first start, were chosen by eye at 120 columns.
    public init(sidebar: Int = 21, list: Int = 43) {
        self.sidebar = sidebar
        self.list = list
    }
}

/// The positions of panes and lines on a screen: a pure function of the size, the focus, the widths and the zoom.
struct Layout: Equatable, Sendable {
    /// The number of panes shown side by side.
    enum Form: Sendable {
        /// Three panes: 100 columns and more.
        case wide
        /// List and editor; the sidebar slides over the list: 60 to 99 columns, or more if the sidebar is hidden.
        case medium
        /// One pane at a time: under 60 columns.
        case narrow
    }

    /// The smallest usable screen; a smaller one shows only a line that says so.
    static let smallest = Size(columns: 20, rows: 5)

    let form: Form
    /// The rectangle of each visible pane.
    private(set) var panes: PaneMap<Rect> = [:]
    /// The columns between two panes.
    private(set) var dividers: [Int] = []
    /// The status line, at the bottom.
    let status: Rect
    /// The column or row between the two notes; nil if there is one note, or no room for a second.
    private(set) var split: Rect?
    /// The row between the panes and the status line; nil if the screen is too low to spare one.
    let rule: Int?

    /// The fewest columns of each of two notes side by side, and the fewest rows of each of two notes one above the
    /// other: chosen by eye.
    private static let minimumColumns = 28
    private static let minimumRows = 5

    /// - Parameter notes: the division between two notes; nil if there is no second note.
    init(
        size: Size, focus: PaneID, widths: PaneWidths, isZoomed: Bool, hidesSidebar: Bool = false,
        notes: NoteSplit? = nil
    ) {
        // If two notes side by side need the sidebar's columns, the sidebar slides over the list.
        let left = size.columns - min(max(widths.sidebar, 12), size.columns / 3) - max(widths.list, 20) - 2
        let isWide = size.columns >= 100 && !hidesSidebar && (notes == nil || left > 2 * Self.minimumColumns)
        form = isZoomed ? .narrow : isWide ? .wide : size.columns >= 60 ? .medium : .narrow
        status = Rect(column: 0, row: size.rows - 1, columns: size.columns, rows: 1)
        // Twelve rows: below that, a row of text is worth more than a rule. Chosen by eye.
        rule = size.rows >= 12 ? size.rows - 2 : nil
        arrangePanes(in: Size(columns: size.columns, rows: rule ?? size.rows - 1), focus: focus, widths: widths)
        if let notes { divide(as: notes) }
    }

    /// Divides the editor's rectangle between two notes: side by side, or one above the other, or not at all.
    private mutating func divide(as notes: NoteSplit) {
        guard let whole = panes[.editor] else { return }
        func length(_ all: Int, least: Int) -> Int? {
            guard all > 2 * least else { return nil }
            return min(max((all - 1) * notes.share / 100, least), all - 1 - least)
        }
        var (first, second, line) = (whole, whole, whole)
        if let columns = length(whole.columns, least: Self.minimumColumns) {
            line = Rect(column: whole.column + columns, row: whole.row, columns: 1, rows: whole.rows)
            first = Rect(column: whole.column, row: whole.row, columns: columns, rows: whole.rows)
            second = Rect(
                column: line.column + 1, row: whole.row, columns: whole.columns - columns - 1, rows: whole.rows)
        } else if let rows = length(whole.rows, least: Self.minimumRows) {
            line = Rect(column: whole.column, row: whole.row + rows, columns: whole.columns, rows: 1)
            first = Rect(column: whole.column, row: whole.row, columns: whole.columns, rows: rows)
            second = Rect(column: whole.column, row: line.row + 1, columns: whole.columns, rows: whole.rows - rows - 1)
        } else {
            return
        }
        split = line
        (panes[.editor], panes[.beside]) = notes.isFirst ? (second, first) : (first, second)
    }

    private mutating func arrangePanes(in size: Size, focus: PaneID, widths: PaneWidths) {
        func column(_ start: Int, _ end: Int) -> Rect {
            Rect(column: start, row: 0, columns: max(0, end - start), rows: size.rows)
        }
        switch form {
        case .wide:
            let sidebar = min(max(widths.sidebar, 12), size.columns / 3)
            let list = min(max(widths.list, 20), size.columns - sidebar - 34)
            dividers = [sidebar, sidebar + 1 + list]
            panes = [
                .sidebar: column(0, sidebar),
                .list: column(sidebar + 1, sidebar + 1 + list),
                .editor: column(sidebar + list + 2, size.columns),
            ]
        case .medium:
            // The list shrinks before the text does: 30 columns leave the editor half of the smallest such screen.
            let list = min(max(widths.list, 20), max(26, size.columns * 2 / 5))
            dividers = [list]
            panes = [focus == .sidebar ? .sidebar : .list: column(0, list), .editor: column(list + 1, size.columns)]
        case .narrow:
            panes = [focus: column(0, size.columns)]
        }
    }

    /// The pane at a position, or nil on a divider or the status line.
    func pane(at position: Position) -> PaneID? {
        panes.first { $0.value.contains(position) }?.key
    }
}

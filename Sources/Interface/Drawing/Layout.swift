import Terminal

/// The panes of the window.
public enum PaneID: String, CaseIterable, Sendable, Codable {
    case sidebar, list, editor
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
public struct Layout: Equatable, Sendable {
    /// How many panes are shown side by side.
    public enum Form: Sendable {
        /// Three panes: 100 columns and more.
        case wide
        /// List and editor; the sidebar slides over the list: 60 to 99 columns, or more where the sidebar is hidden.
        case medium
        /// One pane at a time: under 60 columns.
        case narrow
    }

    /// The smallest usable screen; a smaller one shows a line that says so.
    public static let smallest = Size(columns: 20, rows: 5)

    public let form: Form
    /// The rectangle of each visible pane.
    public private(set) var panes: [PaneID: Rect] = [:]
    /// The columns between two panes.
    public private(set) var dividers: [Int] = []
    /// The status line, at the bottom.
    public let status: Rect
    /// The row between the panes and the status line; nil if the screen is too low to spare one.
    public let rule: Int?

    public init(size: Size, focus: PaneID, widths: PaneWidths, isZoomed: Bool, hidesSidebar: Bool = false) {
        let isWide = size.columns >= 100 && !hidesSidebar
        form = isZoomed ? .narrow : isWide ? .wide : size.columns >= 60 ? .medium : .narrow
        status = Rect(column: 0, row: size.rows - 1, columns: size.columns, rows: 1)
        // Twelve rows: below that, a row of text is worth more than a rule. Chosen by eye.
        rule = size.rows >= 12 ? size.rows - 2 : nil
        place(in: Size(columns: size.columns, rows: rule ?? size.rows - 1), focus: focus, widths: widths)
    }

    private mutating func place(in size: Size, focus: PaneID, widths: PaneWidths) {
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
    public func pane(at position: Position) -> PaneID? {
        panes.first { $0.value.contains(position) }?.key
    }
}

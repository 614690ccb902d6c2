import TextPrimitives

/// How lines are laid out in rows.
public struct LayoutConfiguration: Sendable {
    /// Cells a row may fill.
    ///
    /// A caret behind a full row needs one cell more.
    public var columns: Int
    /// Cells between tab stops.
    public var tabWidth: Int
    /// Whether long lines are wrapped; otherwise each line is one row.
    public var wraps: Bool
    /// The width of characters.
    public var cellWidth: CellWidth
    /// How many cells the rows after a line's first are indented, told by the line's first bytes (at most 256 of them).
    public var hangingIndent: @Sendable (UnsafeBufferPointer<UInt8>) -> Int

    /// A layout of `columns` cells, wrapped, tabs every 4, no hanging indent, unless told otherwise.
    public init(
        columns: Int, tabWidth: Int = 4, wraps: Bool = true, cellWidth: CellWidth = .unicode,
        hangingIndent: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Int = { _ in 0 }
    ) {
        self.columns = max(columns, 1)
        self.tabWidth = max(tabWidth, 1)
        self.wraps = wraps
        self.cellWidth = cellWidth
        self.hangingIndent = hangingIndent
    }
}

/// One row of a line on the screen.
public struct VisualRow: Hashable, Sendable {
    /// The bytes of the row, counted from the start of its line.
    public var range: Range<Int>
    /// Empty cells before the row's text.
    public var indent: Int
    /// Cells that indent and text fill; a space at the end of a full row may hang over by one.
    public var width: Int

    /// A row of bytes of its line.
    public init(range: Range<Int>, indent: Int, width: Int) {
        self.range = range
        self.indent = indent
        self.width = width
    }
}

/// Where a position of the text stands on the unrolled screen.
public struct VisualLocation: Hashable, Sendable {
    /// The line.
    public var line: LineNumber
    /// The row within the line, from 0.
    public var row: Int
    /// The cell within the row, indent included.
    public var column: CellColumn

    /// A place in a row of a line.
    public init(line: LineNumber, row: Int, column: CellColumn) {
        self.line = line
        self.row = row
        self.column = column
    }
}

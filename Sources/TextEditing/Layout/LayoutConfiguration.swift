import TextPrimitives

/// The settings by which lines are laid out in rows.
public struct LayoutConfiguration: Sendable {
    /// The number of cells that a row may fill.
    ///
    /// A caret after a full row needs one more cell.
    public var columns: Int
    /// The number of cells between tab stops.
    public var tabWidth: Int
    /// Whether long lines are wrapped; otherwise each line is one row.
    public var wraps: Bool
    /// The width of characters.
    public var cellWidth: CellWidth
    /// Returns the indent in cells of a line's later rows, from the line's first bytes (at most 256 of them).
    public var hangingIndent: @Sendable (UnsafeBufferPointer<UInt8>) -> Int

    /// Creates a layout of `columns` cells; by default wrapped, with tabs every 4 cells and no hanging indent.
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
    /// The number of empty cells before the row's text.
    public var indent: Int
    /// The number of cells of the indent and the text; a space at the end of a full row may exceed it by one.
    public var width: Int

    /// Creates a row from a range of its line.
    public init(range: Range<Int>, indent: Int, width: Int) {
        self.range = range
        self.indent = indent
        self.width = width
    }
}

/// The row and column of a text position, as if all rows were shown.
public struct VisualLocation: Hashable, Sendable {
    public var line: LineNumber
    /// The row within the line, from 0.
    public var row: Int
    /// The cell within the row, including the indent.
    public var column: CellColumn

    /// Creates a location in a row of a line.
    public init(line: LineNumber, row: Int, column: CellColumn) {
        self.line = line
        self.row = row
        self.column = column
    }
}

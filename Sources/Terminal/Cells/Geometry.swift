/// A number of columns and rows, in cells.
public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The usual size since the VT100, assumed if the real one is not known.
    public static let fallback = Size(columns: 80, rows: 24)

    /// The largest screen that is drawn.
    ///
    /// No display shows more readable cells. A terminal may report 65,535 by 65,535 cells, which would need more memory
    /// than there is.
    public static let maximum = Size(columns: 1000, rows: 1000)

    /// This size, limited to the largest.
    var drawable: Size {
        Size(columns: min(columns, Size.maximum.columns), rows: min(rows, Size.maximum.rows))
    }
}

/// The position of a cell: column and row, counted from 0 at the top left.
public struct Position: Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells; the ends (`maxColumn`, `maxRow`) are exclusive.
public struct Rect: Hashable, Sendable {
    public var column: Int
    public var row: Int
    public var columns: Int
    public var rows: Int

    /// Makes a rectangle; negative extents become 0.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    public init(origin: Position = Position(column: 0, row: 0), size: Size) {
        self.init(column: origin.column, row: origin.row, columns: size.columns, rows: size.rows)
    }

    public var origin: Position { Position(column: column, row: row) }
    public var size: Size { Size(columns: columns, rows: rows) }
    /// The first column right of the rectangle.
    public var maxColumn: Int { column + columns }
    /// The first row below the rectangle.
    public var maxRow: Int { row + rows }
    public var isEmpty: Bool { columns == 0 || rows == 0 }

    public func contains(_ position: Position) -> Bool {
        position.column >= column && position.column < maxColumn && position.row >= row && position.row < maxRow
    }

    /// The cells that are in both rectangles; empty, at the greater column and row, if there are none.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(maxColumn, other.maxColumn) - left, rows: min(maxRow, other.maxRow) - top)
    }
}

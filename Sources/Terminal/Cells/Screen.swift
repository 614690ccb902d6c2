import Synchronization

/// The position and shape of the terminal's own cursor.
public struct Cursor: Hashable, Sendable {
    public enum Shape: UInt8, Hashable, Sendable {
        case block, underline, bar
    }

    public var position: Position
    public var shape: Shape
    /// Whether the cursor is visible; a hidden one still tells screen readers, which follow it, where the user is.
    public var isVisible: Bool

    public init(_ position: Position, shape: Shape = .bar, isVisible: Bool = true) {
        self.position = position
        self.shape = shape
        self.isVisible = isVisible
    }

    /// A hidden cursor at the position that the next key acts on.
    public static func hidden(at position: Position) -> Cursor { Cursor(position, isVisible: false) }
}

/// A grid of cells: the whole frame, or one pane of it.
///
/// Two invariants hold. Every left cell of a wide cluster is followed by a continuation, and every continuation follows
/// such a cell, so code that overwrites one half blanks the other. A row gets a new stamp after every change, so equal
/// stamps mean equal rows, also in copies.
public struct Screen: Sendable {
    public let size: Size

    /// The terminal's cursor; nil hides it.
    public var cursor: Cursor?

    /// The width model for this screen instead of the current one, for tests of several terminals at once.
    var fixedModel: WidthModel?

    /// The cells, row by row.
    var cells: [Cell]
    /// For each row, a number that no row with other content has ever had.
    var stamps: [UInt64]

    /// Creates a screen of blanks; negative sizes become 0.
    public init(size: Size, style: Style = .default) {
        let size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        self.size = size
        cells = [Cell](repeating: .blank(style), count: size.columns * size.rows)
        stamps = [UInt64](repeating: Screen.newStamp(), count: size.rows)
    }

    /// The cell at a position, which must be on the screen.
    public subscript(column: Int, row: Int) -> Cell {
        precondition(
            column >= 0 && column < size.columns && row >= 0 && row < size.rows, "a cell outside of the screen")
        return cells[row * size.columns + column]
    }

    public var bounds: Rect { Rect(size: size) }

    /// Registers a link target for styles; `.none` if the scheme is not http, https, mailto or takenote.
    public mutating func link(_ uri: String) -> LinkID {
        LinkTable.shared.withLock { $0.id(of: uri) }
    }

    /// The text of a row, each cluster once, with the blanks at its end.
    public func text(row: Int) -> String {
        var bytes: [UInt8] = []
        for cell in cells[row * size.columns..<(row + 1) * size.columns] where cell.columns > 0 {
            cell.glyph.append(to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Stamps

    /// The state of a screen's rows at some time, which tells later which of them have changed.
    public struct RowStamps: Sendable {
        fileprivate let stamps: [UInt64]
    }

    public var rowStamps: RowStamps { RowStamps(stamps: stamps) }

    /// Whether a row has changed since the stamps were taken.
    func hasChanged(row: Int, since earlier: RowStamps?) -> Bool {
        guard let earlier, row < earlier.stamps.count else { return true }
        return stamps[row] != earlier.stamps[row]
    }

    private static let stampSource = Atomic<UInt64>(1)

    static func newStamp() -> UInt64 {
        stampSource.wrappingAdd(1, ordering: .relaxed).newValue
    }

    mutating func touch(row: Int) {
        stamps[row] = Screen.newStamp()
    }

    // MARK: - Wide clusters

    /// Blanks the halves of wide clusters that a change of `columns` in `row` would cut off; both ends must be on the
    /// screen.
    mutating func splitWide(row: Int, columns: Range<Int>) {
        let start = row * size.columns
        if columns.lowerBound > 0, cells[start + columns.lowerBound].columns == 0 {
            blank(start + columns.lowerBound - 1)
        }
        if columns.upperBound < size.columns, cells[start + columns.upperBound].columns == 0 {
            blank(start + columns.upperBound)
        }
    }

    private mutating func blank(_ index: Int) {
        cells[index] = .blank(cells[index].style)
    }
}

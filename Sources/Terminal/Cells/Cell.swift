/// One cell of a screen: a grapheme cluster, its width, its style.
///
/// It takes 24 bytes: a cluster of up to 8 bytes is stored inline, a longer one by its number in `GlyphTable`.
public struct Cell: Equatable, Sendable {
    var glyph: Glyph
    var colors: UInt64
    /// A style's `details`, with the width in bits 43-44 and `isDoubtful` in bit 45.
    var details: UInt64

    static let widthShift: UInt64 = 43
    static let doubtfulBit: UInt64 = 1 << 45
    static let styleMask: UInt64 = ~(7 << 43)

    init(glyph: Glyph, columns: Int, style: Style, isDoubtful: Bool = false) {
        self.glyph = glyph
        colors = style.colors
        details = style.details | UInt64(columns) << Cell.widthShift | (isDoubtful ? Cell.doubtfulBit : 0)
    }

    /// Creates the cell for a piece cut out of `bytes`.
    init(_ piece: Piece, of bytes: UnsafeBufferPointer<UInt8>, style: Style) {
        let glyph =
            piece.substitute != 0
            ? Glyph(packed: piece.substitute) : Glyph(UnsafeBufferPointer(rebasing: bytes[piece.start..<piece.end]))
        self.init(glyph: glyph, columns: piece.columns, style: style, isDoubtful: piece.isDoubtful)
    }

    static func blank(_ style: Style) -> Cell { Cell(glyph: .space, columns: 1, style: style) }
    /// Returns the right half of a wide cluster.
    static func continuation(_ style: Style) -> Cell { Cell(glyph: .none, columns: 0, style: style) }

    /// The number of columns that the cluster takes: 1, 2, or 0 for the right half of a wide one.
    public var columns: Int { Int(details >> Cell.widthShift & 3) }

    /// Whether terminals disagree about the width of the cluster.
    var isDoubtful: Bool { details & Cell.doubtfulBit != 0 }

    /// The drawn text; empty for the right half of a wide cluster.
    public var text: String { glyph.text }

    public var style: Style {
        get { Style(colors: colors, details: details & Cell.styleMask) }
        set {
            colors = newValue.colors
            details = newValue.details | details & ~Cell.styleMask
        }
    }
}

// MARK: - Rows of cells

extension Cell {
    /// The number of cells that are compared as bytes before they are compared one by one; measured.
    private static let block = 8

    /// The columns from the first to the last in which two rows differ; nil if they are equal.
    static func difference(
        _ old: UnsafePointer<Cell>, _ new: UnsafePointer<Cell>, columns: Int
    ) -> Range<Int>? {
        // A cell is three integers without padding, so equal bytes are equal cells.
        func isSameBlock(_ start: Int) -> Bool {
            UnsafeRawPointer(old + start)
                .hasSameBytes(as: new + start, count: block * MemoryLayout<Cell>.stride)
        }
        var first = 0
        while first + block <= columns, isSameBlock(first) { first += block }
        while first < columns, old[first] == new[first] { first += 1 }
        guard first < columns else { return nil }
        var end = columns
        while end - block > first, isSameBlock(end - block) { end -= block }
        while old[end - 1] == new[end - 1] { end -= 1 }
        return first..<end
    }
}

/// A picture that the terminal itself draws in the cells that hold kitty's placeholder.
///
/// The placeholder is U+10EEEE. A mark after it encodes the row of the picture, a second mark the column, and the
/// foreground colour the picture's number (kitty's graphics protocol, "Unicode placeholders").
public struct PicturePlaceholder: Hashable, Sendable {
    /// The number by which the terminal knows the picture: 1 to 2^24 - 1.
    public let number: UInt32
    public let columns: Int
    public let rows: Int

    /// The most rows and columns: the marks up to here take two bytes each, so that a cell's text fits into its number.
    static let maximumCells = 108

    public init(number: UInt32, columns: Int, rows: Int) {
        self.number = number & 0xFF_FFFF
        self.columns = min(columns, Self.maximumCells)
        self.rows = min(rows, Self.maximumCells)
    }

    func glyph(_ column: Int, _ row: Int) -> Glyph {
        // U+10EEEE is F4 8E BB AE in UTF-8; the first byte is the lowest.
        Glyph(packed: 0xAEBB_8EF4 | UInt64(Self.mark(row)) << 32 | UInt64(Self.mark(column)) << 48)
    }

    var style: Style { Style(foreground: .rgb(number)) }

    /// The two bytes of the mark for a row or column, first byte lowest.
    private static func mark(_ index: Int) -> UInt16 {
        let value = marks[index]
        return UInt16(0xC0 | value >> 6) | UInt16(0x80 | value & 0x3F) << 8
    }

    /// The marks for 0 and up: combining characters of class 230 without decomposition, from kitty's list.
    static let marks: [UInt16] = [
        0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D, 0x33E, 0x33F, 0x346, 0x34A, 0x34B, 0x34C,
        0x350, 0x351, 0x352, 0x357, 0x35B, 0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369,
        0x36A, 0x36B, 0x36C, 0x36D, 0x36E, 0x36F, 0x483, 0x484, 0x485, 0x486, 0x487, 0x592,
        0x593, 0x594, 0x595, 0x597, 0x598, 0x599, 0x59C, 0x59D, 0x59E, 0x59F, 0x5A0, 0x5A1,
        0x5A8, 0x5A9, 0x5AB, 0x5AC, 0x5AF, 0x5C4, 0x610, 0x611, 0x612, 0x613, 0x614, 0x615,
        0x616, 0x617, 0x657, 0x658, 0x659, 0x65A, 0x65B, 0x65D, 0x65E, 0x6D6, 0x6D7, 0x6D8,
        0x6D9, 0x6DA, 0x6DB, 0x6DC, 0x6DF, 0x6E0, 0x6E1, 0x6E2, 0x6E4, 0x6E7, 0x6E8, 0x6EB,
        0x6EC, 0x730, 0x732, 0x733, 0x735, 0x736, 0x73A, 0x73D, 0x73F, 0x740, 0x741, 0x743,
        0x745, 0x747, 0x749, 0x74A, 0x7EB, 0x7EC, 0x7ED, 0x7EE, 0x7EF, 0x7F0, 0x7F1, 0x7F3,
    ]
}

extension Screen {
    /// Draws a picture's placeholders, its top left at a position; cells outside of `clip` are left out.
    public mutating func draw(_ picture: PicturePlaceholder, at position: Position, clip: Rect? = nil) {
        let area = Rect(
            origin: position, size: Size(columns: picture.columns, rows: picture.rows)
        ).intersection(clip.map { $0.intersection(bounds) } ?? bounds)
        guard !area.isEmpty else { return }
        for row in area.row..<area.maxRow {
            splitWide(row: row, columns: area.column..<area.maxColumn)
            for column in area.column..<area.maxColumn {
                let glyph = picture.glyph(column - position.column, row - position.row)
                cells[row * size.columns + column] = Cell(glyph: glyph, columns: 1, style: picture.style)
            }
            touch(row: row)
        }
    }
}

/// Turns frames into as few bytes as possible that make the terminal show them.
///
/// The renderer keeps the terminal's content, cell by cell, and writes the differences. It compares rows whose stamps
/// are new and sends the spans that changed, with the cheapest cursor motion, style change and erasure for each. An
/// unchanged frame sends no byte. After anything that makes the terminal's content uncertain (a resize, a return from
/// another program), call `invalidate()`, so that everything is sent.
public struct Renderer: Sendable {
    /// Ways to save bytes; switching one off costs bytes but changes no cell.
    public struct Optimizations: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Motions other than to an absolute position.
        public static let motion = Optimizations(rawValue: 1)
        /// Only the attributes that differ, instead of a reset and all attributes.
        public static let styleDifferences = Optimizations(rawValue: 2)
        /// EL for blank ends of rows.
        public static let eraseLine = Optimizations(rawValue: 4)
        /// ECH for blanks inside rows.
        public static let eraseCharacters = Optimizations(rawValue: 8)
        /// REP for repeated characters.
        public static let repeatCharacters = Optimizations(rawValue: 16)
        /// DECSTBM, SU and SD for rows that moved.
        public static let scroll = Optimizations(rawValue: 32)
        /// ICH and DCH for text that moved sideways.
        public static let shift = Optimizations(rawValue: 64)
        /// DECSLRM for rows that moved only between two columns; used together with `scroll`.
        public static let sideMargins = Optimizations(rawValue: 128)

        public static let all: Optimizations = [
            .motion, .styleDifferences, .eraseLine, .eraseCharacters, .repeatCharacters, .scroll, .shift, .sideMargins,
        ]
    }

    public var optimizations: Optimizations
    /// The terminal's capabilities; a change of colours or widths redraws everything.
    public var capabilities: Capabilities {
        didSet { if capabilities != oldValue { capabilitiesChanged(from: oldValue) } }
    }

    /// The cells that the terminal shows; `Cell.unknown` for those that are not known.
    var shown: [Cell] = []
    var shownStamps: [UInt64] = []
    /// For each row, whether it differs from the frame that is being written.
    var isChanged: [Bool] = []
    public private(set) var size = Size(columns: 0, rows: 0)

    /// The style for the next character; nil if not known.
    var pen: Style?
    /// The column of the terminal's cursor; nil if not known.
    ///
    /// The value `size.columns` stands for the position after a full row, where terminals differ.
    var column: Int?
    var row: Int?
    private var isCursorVisible: Bool?
    private var cursorShape: Cursor.Shape?

    /// The number of spans written in this frame.
    var runs = 0
    /// The column after the cells that ECH just blanked; ECH leaves the cursor before them.
    var erasedEnd: Int?
    var colorCache: [Color: Color] = [:]
    /// A second form of a style change, compared with the first by length.
    var candidate: [UInt8] = []
    var scroller = ScrollFinder()

    public init(capabilities: Capabilities, optimizations: Optimizations = .all) {
        self.capabilities = capabilities
        self.optimizations = optimizations
    }

    /// Discards the knowledge of the terminal's content, so that the next frame is written completely.
    public mutating func invalidate() {
        reset(to: .unknown)
    }

    /// Assumes a cleared screen, all blanks of the default style, as after `ED 2`.
    mutating func assumeBlank(size: Size) {
        self.size = size
        reset(to: .blank(.default))
    }

    private mutating func reset(to cell: Cell) {
        shown = [Cell](repeating: cell, count: size.columns * size.rows)
        shownStamps = [UInt64](repeating: 0, count: size.rows)
        isChanged = [Bool](repeating: true, count: size.rows)
        (pen, column, row) = (nil, nil, nil)
        (isCursorVisible, cursorShape) = (nil, nil)
    }

    private mutating func capabilitiesChanged(from old: Capabilities) {
        colorCache.removeAll(keepingCapacity: true)
        if old.colorDepth != capabilities.colorDepth || old.widthModel != capabilities.widthModel
            || old.hasUnderlineStyles != capabilities.hasUnderlineStyles
            || old.isLowBandwidth != capabilities.isLowBandwidth
        {
            invalidate()
        }
    }

    /// Appends the bytes that turn the shown content into `screen`; no bytes if it is shown already.
    public mutating func render(_ screen: Screen, into output: inout [UInt8]) {
        if screen.size != size {
            size = screen.size
            invalidate()
        }
        let start = output.count
        runs = 0
        let changes = markChangedRows(screen)
        if changes > 2, optimizations.contains(.scroll), capabilities.canScroll { scrollRows(to: screen, &output) }
        if changes > 0 {
            for row in 0..<size.rows where isChanged[row] {
                renderRow(row, of: screen, &output)
                shownStamps[row] = screen.stamps[row]
            }
        }
        let hasChanged = output.count > start
        if hasChanged, let pen, pen.link != .none { setStyle(pen.unlinked, &output) }
        bracket(from: start, hasChanged: hasChanged, screen.cursor, &output)
    }

    /// Marks and counts the rows that differ; only rows with a new stamp can.
    private mutating func markChangedRows(_ screen: Screen) -> Int {
        var count = 0
        let rowBytes = size.columns * MemoryLayout<Cell>.stride
        shown.withUnsafeBytes { old in
            screen.cells.withUnsafeBytes { new in
                for row in 0..<size.rows {
                    isChanged[row] = false
                    guard shownStamps[row] != screen.stamps[row] else { continue }
                    let start = row * rowBytes
                    // A cell is three integers without padding, so equal bytes are equal cells.
                    if let old = old.baseAddress, let new = new.baseAddress,
                        (old + start).hasSameBytes(as: new + start, count: rowBytes)
                    {
                        shownStamps[row] = screen.stamps[row]
                    } else {
                        isChanged[row] = true
                        count += 1
                    }
                }
            }
        }
        return count
    }

    // MARK: - Frame bracketing

    /// Places the cursor, and prevents a frame of several runs from being seen half drawn.
    private mutating func bracket(from start: Int, hasChanged: Bool, _ cursor: Cursor?, _ output: inout [UInt8]) {
        let byteCount = output.count - start
        if capabilities.hasSynchronizedUpdate, runs > 1, byteCount >= capabilities.synchronizedUpdateMinimum {
            placeCursor(cursor, &output)
            output.insert(contentsOf: ControlBytes.beginUpdate, at: start)
            output += ControlBytes.endUpdate
            return
        }
        // A terminal shows a few runs of one write together anyway, but not a whole page.
        if hasChanged, byteCount > 512, isCursorVisible != false {
            output.insert(contentsOf: ControlBytes.hideCursor, at: start)
            isCursorVisible = false
        }
        placeCursor(cursor, &output)
    }

    private mutating func placeCursor(_ cursor: Cursor?, _ output: inout [UInt8]) {
        guard let cursor, cursor.position.column >= 0, cursor.position.row >= 0,
            cursor.position.column < size.columns, cursor.position.row < size.rows
        else {
            if isCursorVisible != false { output += ControlBytes.hideCursor }
            isCursorVisible = false
            return
        }
        guard cursor.isVisible else {
            if isCursorVisible != false { output += ControlBytes.hideCursor }
            isCursorVisible = false
            return move(toColumn: cursor.position.column, row: cursor.position.row, reprinting: nil, &output)
        }
        move(toColumn: cursor.position.column, row: cursor.position.row, reprinting: nil, &output)
        if cursorShape != cursor.shape {
            if capabilities.hasCursorShapes { output += ControlBytes.cursorShape(cursor.shape) }
            cursorShape = cursor.shape
        }
        if isCursorVisible != true { output += ControlBytes.showCursor }
        isCursorVisible = true
    }
}

extension Cell {
    /// A cell that is equal to none that a screen can hold.
    static let unknown = Cell(glyph: Glyph(packed: .max), columns: 3, style: .default)
}

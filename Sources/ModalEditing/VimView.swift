import TextEditing
import TextPrimitives

/// The state of the text and the screen that the machine reads when a key arrives.
public struct VimView: Sendable {
    public var text: TextBuffer
    /// The editor's selection, whose head is the caret.
    public var selection: Selection
    /// The visible lines.
    public var lines: ClosedRange<LineNumber>
    /// Returns the position that is the given number of screen rows below another or, if negative, above it, and the
    /// column in its row that it aims for: the third argument, or that of the other position if the argument is `nil`.
    ///
    /// It is `nil` if each line is one row.
    public var stepByRows: (@Sendable (ByteOffset, Int, CellColumn?) -> (position: ByteOffset, column: CellColumn))?
    /// Returns what a scroll does to the screen and to a position, which aims for a column as in `stepByRows`; `nil` if
    /// nothing is scrolled.
    public var scrolled: (@Sendable (VimScroll, ByteOffset, CellColumn?) -> VimScrolled)?
    /// Returns the first and the last position of the screen row around a position; `nil` if each line is one row.
    public var rowBounds: (@Sendable (ByteOffset) -> ClosedRange<ByteOffset>)?
    /// Returns the range of a Markdown object around a position, with or without its marks; `nil` in a plain text.
    public var markdown: (@Sendable (VimMarkdownObject, ByteOffset, _ around: Bool) -> Range<ByteOffset>?)?
    /// Returns the replacements that fill the paragraphs among these lines; `nil` in a plain text.
    public var reflow: (@Sendable (ClosedRange<LineNumber>) -> [(range: Range<ByteOffset>, text: String)])?
    /// The content of the system's clipboard, or of its substitute.
    public var clipboard: String?
    /// The last change that undo or redo made, and the caret before it was originally made.
    public var retraced: (edit: Edit, caret: ByteOffset)?

    public init(
        text: TextBuffer, selection: Selection, lines: ClosedRange<LineNumber>? = nil, clipboard: String? = nil,
        retraced: (edit: Edit, caret: ByteOffset)? = nil,
        stepByRows: (@Sendable (ByteOffset, Int, CellColumn?) -> (position: ByteOffset, column: CellColumn))? = nil,
        scrolled: (@Sendable (VimScroll, ByteOffset, CellColumn?) -> VimScrolled)? = nil,
        rowBounds: (@Sendable (ByteOffset) -> ClosedRange<ByteOffset>)? = nil,
        markdown: (@Sendable (VimMarkdownObject, ByteOffset, _ around: Bool) -> Range<ByteOffset>?)? = nil,
        reflow: (@Sendable (ClosedRange<LineNumber>) -> [(range: Range<ByteOffset>, text: String)])? = nil
    ) {
        self.text = text
        self.selection = selection
        self.lines = lines ?? 0...LineNumber(text.lineCount - 1)
        self.clipboard = clipboard
        self.retraced = retraced
        self.stepByRows = stepByRows
        self.scrolled = scrolled
        self.rowBounds = rowBounds
        self.markdown = markdown
        self.reflow = reflow
    }
}

/// The configurable behaviour of the keys.
public struct VimConfiguration: Sendable {
    /// The distance of tab stops in cells, which is also the width of a shift.
    public var tabWidth = 4
    /// Whether indents are spaces.
    public var usesSpaces = true
    /// Whether a new line takes over the indent of its neighbour.
    public var keepsIndent = true
    /// Whether a bare `j` or `k` moves by rows of the screen.
    public var movesByRows = true
    /// Whether a search ignores case unless its pattern has a capital letter.
    public var ignoresCase = false
    /// Whether the empty line after a final line feed does not count for motions and ranges, as in a file that vim reads.
    public var omitsLineAfterEnd = false
    /// Whether Ctrl-O and Tab go on to the texts before and after this one where its jumps end.
    public var jumpsBetweenTexts = false
    public var cellWidth = CellWidth.unicode
    /// The line width in columns for `gq`.
    public var textWidth = 79

    public init() {}
}

/// The mode, which decides what keys do.
public enum VimMode: Hashable, Sendable {
    case normal, insert, replace
    case visual, visualLine, visualBlock
    /// The command line, after `:`, `/` or `?`.
    case commandLine

    public var isVisual: Bool { self == .visual || self == .visualLine || self == .visualBlock }
}

/// The error of a command that cannot be performed, after which the pending keys are dropped.
struct VimRefusal: Error {
    var reason: String?
    init(_ reason: String? = nil) { self.reason = reason }
}

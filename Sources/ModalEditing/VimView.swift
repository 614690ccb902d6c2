import TextEditing
import TextPrimitives

/// What the machine reads of the text and the screen when a key comes.
public struct VimView {
    public var text: TextBuffer
    /// The caret, and what is selected in the editor.
    public var selection: Selection
    /// The lines in sight.
    public var lines: ClosedRange<LineNumber>
    /// Where the caret comes to by so many rows of the screen, down or, negative, up; nil where a row is a line.
    public var stepByRows: ((ByteOffset, Int) -> ByteOffset)?
    /// Where what Markdown knows by a name is around a place, the marks around it taken or not; nil in a plain text.
    public var markdown: ((VimMarkdownObject, ByteOffset, _ around: Bool) -> Range<ByteOffset>?)?
    /// What the system's clipboard, or what stands for it here, holds.
    public var clipboard: String?
    /// The last change that undo or redo made, and the caret before it was made at first.
    public var retraced: (edit: Edit, caret: ByteOffset)?

    public init(
        text: TextBuffer, selection: Selection, lines: ClosedRange<LineNumber>? = nil, clipboard: String? = nil,
        retraced: (edit: Edit, caret: ByteOffset)? = nil,
        stepByRows: ((ByteOffset, Int) -> ByteOffset)? = nil
    ) {
        self.text = text
        self.selection = selection
        self.lines = lines ?? 0...LineNumber(text.lineCount - 1)
        self.clipboard = clipboard
        self.retraced = retraced
        self.stepByRows = stepByRows
    }
}

/// How the keys behave, where tastes differ.
public struct VimConfiguration: Sendable {
    /// Cells between tab stops, and by which lines are shifted.
    public var tabWidth = 4
    /// Whether indents are spaces.
    public var usesSpaces = true
    /// Whether a new line takes the indent of its neighbour.
    public var keepsIndent = true
    /// Whether a bare `j` or `k` moves by rows of the screen.
    public var movesByRows = true
    /// Whether a search ignores case unless it has a capital letter.
    public var ignoresCase = false
    public var cellWidth = CellWidth.unicode
    /// Columns that `gq` fills.
    public var textWidth = 79

    public init() {}
}

/// What the keys type into.
public enum VimMode: Hashable, Sendable {
    case normal, insert, replace
    case visual, visualLine, visualBlock
    /// The line at the bottom, after `:`, `/` or `?`.
    case commandLine

    public var isVisual: Bool { self == .visual || self == .visualLine || self == .visualBlock }
}

/// Why a command was not done; what was pressed is dropped.
struct VimRefusal: Error {
    var reason: String?
    init(_ reason: String? = nil) { self.reason = reason }
}

/// A way to move the caret.
public enum Motion: Hashable, Sendable {
    /// To the previous or next character; with a selection that is not extended, to its start or end.
    case left, right
    /// To the previous or next row of the screen, keeping the column.
    case up, down
    /// To the start of the current or previous word, or to the end of the current or next one.
    case wordLeft, wordRight
    /// To the bounds of the line.
    case lineStart, lineEnd
    /// To the line's first character that is not a space; if the caret is there already, to the line's start.
    case smartLineStart
    /// To the bounds of the row on the screen.
    case rowStart, rowEnd
    /// To the previous or next empty line outside the paragraph.
    case paragraphUp, paragraphDown
    /// By a number of rows, keeping the column.
    case pageUp(rows: Int), pageDown(rows: Int)
    /// To the bounds of the text.
    case documentStart, documentEnd
    /// To a position, such as a clicked one.
    case to(ByteOffset)
}

extension TextEditor {
    /// Moves the caret; with `extending`, keeps the selection's anchor.
    public mutating func move(_ motion: Motion, extending: Bool = false, layout: inout TextLayout) {
        if !others.isEmpty, !motion.isFixed { return moveAll(motion, extending: extending, layout: &layout) }
        if let rows = motion.rows { return moveVertically(by: rows, extending: extending, layout: &layout) }
        var target = target(of: motion, extending: extending, layout: &layout)
        if motion.goesStepwise { target = movedOutOfFold(target, layout: layout) }
        select(Selection(anchor: extending ? selection.anchor : target, head: target))
    }

    /// Selects all of the text, with the caret at its end.
    public mutating func selectAll() { select(Selection(buffer.range)) }

    /// Moves by rows, keeping the column in which the first of several such motions began; past the last row, to the
    /// end of the text.
    private mutating func moveVertically(by rows: Int, extending: Bool, layout: inout TextLayout) {
        let leaves = !extending && !selection.isEmpty && abs(rows) == 1
        let start = leaves ? (rows < 0 ? selection.range.lowerBound : selection.range.upperBound) : caret
        let position = layout.location(of: start, in: buffer)
        let column = goalColumn ?? position.column
        let next = layout.step(from: (position.line, position.row), by: rows, in: buffer)
        let target =
            next == (position.line, position.row)
            ? (rows < 0 ? 0 : movedOutOfFold(buffer.end, layout: layout))
            : layout.offset(atRow: next.row, of: next.line, column: column, in: buffer)
        select(Selection(anchor: extending ? selection.anchor : target, head: target))
        goalColumn = column
    }

    /// The target itself, or, if it is inside a fold, the visible position on the far side of the fold.
    private func movedOutOfFold(_ target: ByteOffset, layout: TextLayout) -> ByteOffset {
        guard let hidden = layout.folds.hidden(around: buffer.lineNumber(at: target)) else { return target }
        if target > caret, hidden.upperBound < buffer.lineCount {
            return buffer.lineStart(LineNumber(hidden.upperBound))
        }
        return buffer.lineEnd(LineNumber(hidden.lowerBound - 1))
    }

    private func target(of motion: Motion, extending: Bool, layout: inout TextLayout) -> ByteOffset {
        if !extending, !selection.isEmpty {
            if motion == .left { return selection.range.lowerBound }
            if motion == .right { return selection.range.upperBound }
        }
        switch motion {
        case .to(let offset): return offset
        case .rowStart, .rowEnd:
            let position = layout.location(of: caret, in: buffer)
            let column: CellColumn = motion == .rowStart ? 0 : CellColumn(.max)
            return layout.offset(atRow: position.row, of: position.line, column: column, in: buffer)
        default: return motion.inText?.target(in: buffer, from: caret) ?? caret
        }
    }
}

extension Motion {
    /// The same motion as a function of the text alone.
    ///
    /// Nil for motions that depend on the layout, and for motions to a given position.
    public var inText: TextMotion? {
        switch self {
        case .left: .left
        case .right: .right
        case .wordLeft: .wordLeft
        case .wordRight: .wordRight
        case .lineStart: .lineStart
        case .lineEnd: .lineEnd
        case .smartLineStart: .smartLineStart
        case .paragraphUp: .paragraphUp
        case .paragraphDown: .paragraphDown
        case .documentStart: .textStart
        case .documentEnd: .textEnd
        case .up, .down, .rowStart, .rowEnd, .pageUp, .pageDown, .to: nil
        }
    }

    /// Whether the motion goes by a page.
    public var isPage: Bool {
        switch self {
        case .pageUp, .pageDown: true
        default: false
        }
    }

    /// The motion, with the given number of rows per page.
    public func paged(by rows: Int) -> Motion {
        switch self {
        case .pageUp: .pageUp(rows: rows)
        case .pageDown: .pageDown(rows: rows)
        default: self
        }
    }
}

extension Motion {
    /// The number of rows of a vertical motion, negative upwards; nil for other motions.
    public var rows: Int? {
        switch self {
        case .up: -1
        case .down: 1
        case .pageUp(let rows): -rows
        case .pageDown(let rows): rows
        default: nil
        }
    }

    /// Whether the motion has the same target wherever the caret is, so that only one caret is left after it.
    fileprivate var isFixed: Bool {
        switch self {
        case .documentStart, .documentEnd, .to: true
        default: false
        }
    }

    /// Whether the motion steps from the caret through visible text, rather than to a fixed target.
    fileprivate var goesStepwise: Bool {
        switch self {
        case .left, .right, .wordLeft, .wordRight, .paragraphUp, .paragraphDown: true
        default: false
        }
    }
}

extension TextBuffer {
    /// The offset at which the line's text starts, after its leading spaces and tabs.
    public func indentEnd(of line: LineNumber) -> ByteOffset {
        let range = lineRange(line)
        var end = range.lowerBound
        forEachPiece(in: range) { piece in
            let text = piece.firstIndex { $0 != 0x20 && $0 != 0x09 }
            end += text ?? piece.count
            return text == nil
        }
        return end
    }

    /// Whether the line contains nothing but spaces and tabs.
    public func isBlank(_ line: LineNumber) -> Bool { indentEnd(of: line) == lineEnd(line) }

    /// The start of the empty line before the paragraph of `offset`, or the start of the text.
    func paragraphStart(before offset: ByteOffset) -> ByteOffset {
        var line = lineNumber(at: offset)
        while line > 0, isBlank(line) { line -= 1 }
        while line > 0, !isBlank(line) { line -= 1 }
        return lineStart(line)
    }

    /// The start of the empty line after the paragraph of `offset`, or the end of the text.
    func paragraphEnd(after offset: ByteOffset) -> ByteOffset {
        var line = lineNumber(at: offset)
        while line.rawValue < lineCount, isBlank(line) { line += 1 }
        while line.rawValue < lineCount, !isBlank(line) { line += 1 }
        return lineStart(line)
    }
}

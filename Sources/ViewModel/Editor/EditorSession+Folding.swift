import Markdown
import TextEditing
import TextPrimitives

/// Folding the sections under headings.
extension EditorSession {
    /// Whether anything is folded.
    public var hasFolds: Bool { !layout.folds.isEmpty }

    /// The number of lines folded under a line; nil if there is no fold.
    public func foldedLines(under line: LineNumber) -> Int? {
        layout.folds.fold(under: line)?.count
    }

    /// Whether a line ends a heading, whose section can be folded.
    public func endsHeading(_ line: LineNumber) -> Bool {
        heading(endingAt: line.rawValue) != nil
    }

    /// Folds or unfolds the section that contains the caret.
    ///
    /// - Returns: whether there was one to fold or unfold.
    public func toggleFold() -> Bool {
        let caret = editor.buffer.lineNumber(at: editor.selection.head)
        guard let heading = heading(around: caret) else { return false }
        return toggleFold(under: heading)
    }

    /// Folds or unfolds the section whose heading is drawn in a row of the pane.
    ///
    /// - Returns: whether there was one to fold or unfold.
    public func toggleFold(row: Int) -> Bool {
        let rows = visibleRows()
        guard rows.indices.contains(row), let heading = heading(endingAt: rows[row].line.rawValue) else { return false }
        return toggleFold(under: heading)
    }

    /// Folds the text under every heading, so that the headings are shown directly below each other.
    ///
    /// - Returns: whether there is anything to fold.
    public func foldAll() -> Bool {
        var folds: [Range<Int>] = []
        var above: HeadingLines?
        let fold = { [buffer] (heading: HeadingLines, end: Int) in
            folds.append(Self.withoutBlankEnd(heading.lines.upperBound + 1..<end, of: buffer))
        }
        forEachHeading(upTo: 6, from: 0) { heading in
            if let above { fold(above, heading.lines.lowerBound) }
            above = heading
            return true
        }
        if let above { fold(above, buffer.lineCount) }
        layout.folds.add(folds)
        leaveFolds()
        return hasFolds
    }

    /// Unfolds everything; returns whether anything was folded.
    public func unfoldAll() -> Bool {
        defer { revealCaret() }
        guard hasFolds else { return false }
        layout.folds.removeAll()
        return true
    }

    private func toggleFold(under heading: HeadingLines) -> Bool {
        let line = LineNumber(heading.lines.upperBound)
        if let fold = layout.folds.fold(under: line) {
            layout.folds.remove { $0 == fold }
            revealCaret()
            return true
        }
        let section = Self.withoutBlankEnd(line.rawValue + 1..<sectionEnd(of: heading), of: buffer)
        guard !section.isEmpty else { return false }
        layout.folds.add(section)
        leaveFolds()
        return true
    }

    /// Moves the caret out of folded lines, and removes a selection that reaches into them.
    private func leaveFolds() {
        let selection = editor.selection
        let isHidden = { [self] in layout.folds.hidden(around: buffer.lineNumber(at: $0)) }
        if let hidden = isHidden(selection.head) ?? isHidden(selection.anchor) {
            editor.select(Selection(buffer.lineEnd(LineNumber(hidden.lowerBound - 1))))
        }
        revealCaret()
    }

    /// Removes the folds that hide the caret.
    func unfoldAroundCaret() {
        guard !layout.folds.isEmpty else { return }
        let caret = buffer.lineNumber(at: editor.selection.head).rawValue
        layout.folds.remove { $0.contains(caret) }
    }

    /// Removes the folds whose headings an edit of these lines has removed.
    func unfoldLostHeadings(in lines: Range<Int>) {
        guard !layout.folds.isEmpty else { return }
        layout.folds.remove { fold in
            lines.contains(fold.lowerBound - 1) && heading(endingAt: fold.lowerBound - 1) == nil
        }
    }

    // MARK: Sections

    private func heading(endingAt line: Int) -> HeadingLines? {
        highlighter.heading(endingAt: line, in: BufferLines(buffer: buffer))
    }

    /// The heading that contains a line, or the nearest one above it.
    private func heading(around line: LineNumber) -> HeadingLines? {
        var line = line
        // The first line of an underlined heading is recognised by the line below it.
        while case .heading = highlight(of: line, bytes: 0..<1).block, line.rawValue + 1 < buffer.lineCount {
            if let heading = heading(endingAt: line.rawValue) { return heading }
            line += 1
        }
        var end = buffer.lineEndIncludingTerminator(line)
        while end > 0 {
            let start = buffer.lineStart(buffer.lineNumber(at: end - Self.scanSize))
            var found: [LineNumber] = []
            HeadingScan(level: 6).forEach(in: start..<end, of: buffer) {
                found.append(buffer.lineNumber(at: $0))
                return true
            }
            for line in found.reversed() {
                if let heading = heading(endingAt: line.rawValue) { return heading }
            }
            end = start
        }
        return nil
    }

    /// The number of bytes scanned at a time while searching upwards.
    private static let scanSize = 64 << 10

    /// The first line of the next heading of the same or a higher level, or the number of lines if there is none.
    private func sectionEnd(of heading: HeadingLines) -> Int {
        var end = buffer.lineCount
        forEachHeading(upTo: heading.level, from: heading.lines.upperBound + 1) { next in
            end = next.lines.lowerBound
            return false
        }
        return end
    }

    private func forEachHeading(upTo level: Int, from line: Int, _ body: (HeadingLines) -> Bool) {
        let start = buffer.lineStart(LineNumber(line))
        HeadingScan(level: level).forEach(in: start..<buffer.end, of: buffer) { lineStart in
            guard let heading = heading(endingAt: buffer.lineNumber(at: lineStart).rawValue), heading.level <= level
            else {
                return true
            }
            return body(heading)
        }
    }

    /// Shortens a range of lines by the blank ones at its end, which stay visible to separate the next heading.
    private static func withoutBlankEnd(_ lines: Range<Int>, of buffer: TextBuffer) -> Range<Int> {
        var end = lines.upperBound
        while end > lines.lowerBound,
            buffer.withUTF8(of: LineNumber(end - 1), { $0.allSatisfy(\.isBlank) })
        {
            end -= 1
        }
        return lines.lowerBound..<max(end, lines.lowerBound)
    }
}

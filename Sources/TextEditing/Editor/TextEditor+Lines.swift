extension TextEditor {
    /// Moves lines past the lines directly above or below them, and the selection with them.
    ///
    /// The line break between the two groups stays between them.
    @discardableResult
    public mutating func move(_ lines: ClosedRange<LineNumber>, past others: ClosedRange<LineNumber>) -> Edit {
        let goesDown = others.lowerBound > lines.lowerBound
        let (a, b) = (buffer.range(of: goesDown ? lines : others), buffer.range(of: goesDown ? others : lines))
        let between = buffer.string(in: a.upperBound..<b.lowerBound)
        let text = buffer.string(in: b) + between + buffer.string(in: a)
        let edit = Edit(replacing: a.lowerBound..<b.upperBound, of: buffer, with: text)
        let shift = goesDown ? b.upperBound - a.upperBound : a.lowerBound - b.lowerBound
        let limit = buffer.end  // a selection that ended at the start of the next line could end beyond the text
        let after = Selection(
            anchor: min(limit, selection.anchor + shift), head: min(limit, selection.head + shift))
        return apply(edit, selection: after)
    }

    /// Inserts a copy of the selection after it or, without a selection, a copy of the line below it.
    ///
    /// A copied selection is selected; in a copied line the caret has the same position as in the original.
    @discardableResult
    public mutating func duplicate() -> Edit? {
        if !selection.isEmpty {
            let range = selection.range
            let copy = Selection(range.upperBound..<range.upperBound + range.length)
            return apply(
                Edit(replacing: range.upperBound..<range.upperBound, of: buffer, with: selectedText), selection: copy)
        }
        let line = buffer.lineNumber(at: caret)
        let range = buffer.lineRange(line)
        let text = buffer.lineBreak(near: line) + buffer.string(in: range)
        let edit = Edit(replacing: range.upperBound..<range.upperBound, of: buffer, with: text)
        return apply(edit, selection: Selection(caret + text.utf8.count))
    }

    /// Joins the selected lines, or the caret's line and the next, with single spaces instead of line breaks and
    /// indents.
    @discardableResult
    public mutating func joinLines() -> Edit? {
        let lines = selectedLines
        let last = max(lines.upperBound, lines.lowerBound + 1)
        guard last.rawValue < buffer.lineCount else { return nil }
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        for line in lines.lowerBound.rawValue..<last.rawValue {
            let end = buffer.textEnd(of: LineNumber(line))
            let next = buffer.indentEnd(of: LineNumber(line + 1))
            let isBlank = end == buffer.lineStart(LineNumber(line)) || next == buffer.lineEnd(LineNumber(line + 1))
            parts.append((max(end, parts.last?.range.upperBound ?? 0)..<next, isBlank ? "" : " "))
        }
        let edit = Edit(replacing: parts, of: buffer)
        let after = selection.isEmpty ? parts.last.map { Selection(edit.map($0.range.upperBound, .before)) } : nil
        return edit.isEmpty ? nil : apply(edit, selection: after)
    }

    /// Sorts the selected lines, or all of them, by their characters; case matters only between otherwise equal lines.
    ///
    /// The line breaks keep their positions and kinds, and so does the one at the end of the text.
    ///
    /// - Parameter start: the first line that is sorted where several lines are not selected.
    @discardableResult
    public mutating func sortLines(from start: LineNumber = 0, descending: Bool = false) -> Edit? {
        guard start.rawValue < buffer.lineCount else { return nil }
        var range = rangeOfLinesToChange(from: start)
        let lastLine = buffer.lineNumber(at: range.upperBound)
        if lastLine > buffer.lineNumber(at: range.lowerBound), buffer.lineStart(lastLine) == range.upperBound,
            range.upperBound == buffer.end
        {
            range = range.lowerBound..<buffer.lineEnd(lastLine - 1)
        }
        let keyed = buffer.lines(in: range).map { (key: $0.lowercased(), line: $0) }
        let sorted = keyed.sorted {
            descending ? ($1.key, $1.line) < ($0.key, $0.line) : ($0.key, $0.line) < ($1.key, $1.line)
        }
        let first = buffer.lineNumber(at: range.lowerBound)
        var text = ""
        for (index, entry) in sorted.enumerated() {
            if index > 0 {
                text += buffer.string(in: buffer.lineEnd(first + (index - 1))..<buffer.lineStart(first + index))
            }
            text += entry.line
        }
        return replaceLines(range, with: text)
    }

    /// Removes trailing spaces and tabs from the selected lines, or from all lines.
    @discardableResult
    public mutating func trimTrailingSpace() -> Edit? {
        let range = rangeOfLinesToChange()
        let lines = buffer.lineNumber(at: range.lowerBound).rawValue...buffer.lineNumber(at: range.upperBound).rawValue
        let parts = lines.map { (buffer.textEnd(of: LineNumber($0))..<buffer.lineEnd(LineNumber($0)), "") }
        let edit = Edit(replacing: parts.filter { !$0.0.isEmpty }, of: buffer)
        return edit.isEmpty ? nil : apply(edit)
    }

    /// Deletes the selected lines, or the caret's line, with their line breaks.
    @discardableResult
    public mutating func deleteLines() -> Edit? {
        let lines = selectedLines
        let end = buffer.lineEndIncludingTerminator(lines.upperBound)
        var start = buffer.lineStart(lines.lowerBound)
        if end == buffer.end, lines.lowerBound > 0, buffer.lineEnd(lines.upperBound) == end {
            start = buffer.lineEnd(lines.lowerBound - 1)
        }
        return replace(start..<end, with: "", kind: .command)
    }

    /// Indents the selected lines by a tab stop; blank lines stay as they are.
    @discardableResult
    public mutating func indentLines() -> Edit? {
        let indent = configuration.softTabs ? String(repeating: " ", count: configuration.tabWidth) : "\t"
        let parts = linesOfCarets.filter { !buffer.isBlank($0) }.map { line in
            (buffer.lineStart(line)..<buffer.lineStart(line), indent)
        }
        let edit = Edit(replacing: parts, of: buffer)
        return edit.isEmpty ? nil : apply(edit)
    }

    /// Removes a tab, or spaces up to a tab stop, from the start of the selected lines.
    @discardableResult
    public mutating func outdentLines() -> Edit? {
        let parts = linesOfCarets.map { line -> (Range<ByteOffset>, String) in
            let start = buffer.lineStart(line)
            let width = buffer.withUTF8(of: line) { bytes in
                if bytes.first == 0x09 { return 1 }
                return bytes.prefix(configuration.tabWidth).prefix { $0 == 0x20 }.count
            }
            return (start..<start + width, "")
        }
        let edit = Edit(replacing: parts.filter { !$0.0.isEmpty }, of: buffer)
        return edit.isEmpty ? nil : apply(edit)
    }

    /// The selected lines if there are several, otherwise all lines from `start` on.
    private func rangeOfLinesToChange(from start: LineNumber = 0) -> Range<ByteOffset> {
        let lines = selectedLines
        return lines.lowerBound < lines.upperBound
            ? buffer.range(of: lines) : buffer.lineStart(start)..<buffer.end
    }

    /// Replaces whole lines and keeps them selected if they were.
    private mutating func replaceLines(_ range: Range<ByteOffset>, with text: String) -> Edit? {
        let old = buffer.string(in: range)
        guard !old.utf8.elementsEqual(text.utf8) else { return nil }
        let after =
            selection.isEmpty
            ? Selection(min(caret, range.lowerBound + text.utf8.count))
            : Selection(range.lowerBound..<range.lowerBound + text.utf8.count)
        let edit = Edit(Edit.Replacement(start: range.lowerBound, removed: old, inserted: text))
        let made = apply(edit, selection: after)
        select(after)
        return made
    }
}

extension TextBuffer {
    /// The bytes from the first line's start to the last one's end, without its line break.
    public func range(of lines: ClosedRange<LineNumber>) -> Range<ByteOffset> {
        lineStart(lines.lowerBound)..<lineEnd(lines.upperBound)
    }

    /// The texts of the lines in a range that starts and ends at line boundaries.
    func lines(in range: Range<ByteOffset>) -> [String] {
        (lineNumber(at: range.lowerBound).rawValue...lineNumber(at: range.upperBound).rawValue).map {
            string(of: LineNumber($0))
        }
    }

    /// The end of the line's text before its trailing spaces and tabs.
    func textEnd(of line: LineNumber) -> ByteOffset {
        let start = lineStart(line)
        return withUTF8(of: line) { bytes in
            start + (bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0)
        }
    }
}

extension ClosedRange<LineNumber> {
    /// The lines as an array.
    var numbers: [LineNumber] { (lowerBound.rawValue...upperBound.rawValue).map { LineNumber($0) } }
    /// The number of lines.
    public var count: Int { upperBound - lowerBound + 1 }
}

extension TextEditor {
    /// Types the text of a key.
    ///
    /// A selection is wrapped if `*`, `_`, a backtick or an opening bracket is typed over it. With `autoPairs` brackets
    /// and quotes are typed in pairs.
    @discardableResult
    public mutating func type(_ text: String) -> Edit? {
        if !others.isEmpty { return insertAll(text, as: .typing) }
        if let key = text.first, text.count == 1 {
            if !selection.isEmpty, let closing = TextEditor.wrappers[key] { return wrapSelection(text, closing) }
            if configuration.autoPairs, selection.isEmpty {
                if stepsOver(key) { return nil }
                if let closing = TextEditor.pairs[key], mayPair(key) { return typePair(text, closing) }
            }
        }
        return insert(text, as: .typing)
    }

    /// Types the text of a key that differs from caret to caret: one for each, in ascending order.
    @discardableResult
    public mutating func type(atCarets texts: [String]) -> Edit? {
        guard texts.count > 1 else { return texts.first.flatMap { type($0) } }
        return changeAll(.typing) { index, selection in CaretChange(selection.range, texts[index]) }
    }

    /// The characters that wrap a selection when typed over it, with their closing characters.
    static let wrappers: [Character: String] = ["*": "*", "_": "_", "`": "`", "[": "]", "(": ")", "{": "}"]
    /// The characters that are typed in pairs, with their closing characters.
    private static let pairs: [Character: String] = ["(": ")", "[": "]", "{": "}", "\"": "\"", "`": "`"]

    private mutating func wrapSelection(_ opening: String, _ closing: String) -> Edit {
        let range = selection.range
        let parts = [(range.lowerBound..<range.lowerBound, opening), (range.upperBound..<range.upperBound, closing)]
        let shift = opening.utf8.count
        let after = Selection(anchor: selection.anchor + shift, head: selection.head + shift)
        return apply(Edit(replacing: parts, of: buffer), selection: after)
    }

    /// Whether a pair may be typed at the caret without being a nuisance.
    ///
    /// The next character must be a space, a closing bracket or quote, or the end of the line. Quotes are paired only
    /// at the start of a word.
    private func mayPair(_ key: Character) -> Bool {
        if let next = buffer.byte(at: caret), !" \t\r\n)]}\"`".utf8.contains(next) { return false }
        guard key == "\"" || key == "`", caret > 0, let before = buffer.byte(at: caret - 1) else { return true }
        return " \t\r\n([{".utf8.contains(before)
    }

    private mutating func typePair(_ opening: String, _ closing: String) -> Edit? {
        let edit = Edit(replacing: caret..<caret, of: buffer, with: opening + closing)
        apply(edit, selection: Selection(caret + opening.utf8.count), kind: .typing)
        openPairs.append(caret)
        return edit
    }

    /// Moves the caret past a closing half if `key` types it and only text inside the pair was typed since; true if it
    /// did.
    private mutating func stepsOver(_ key: Character) -> Bool {
        guard openPairs.last == caret, let byte = buffer.byte(at: caret), Character(Unicode.Scalar(byte)) == key else {
            return false
        }
        openPairs.removeLast()
        selection = Selection(caret + 1)
        return true
    }

    /// Whether the caret is between the two halves of a pair.
    var isInsideEmptyPair: Bool {
        guard caret > 0, let before = buffer.byte(at: caret - 1), let after = buffer.byte(at: caret) else {
            return false
        }
        return TextEditor.pairs[Character(Unicode.Scalar(before))] == String(Character(Unicode.Scalar(after)))
    }

    /// Begins a new line with the current line's indent and its kind of line break.
    @discardableResult
    public mutating func insertNewline(keepingIndent: Bool = true) -> Edit? {
        typeAll { buffer, range in
            let line = buffer.lineNumber(at: range.lowerBound)
            let indent = buffer.lineStart(line)..<min(buffer.indentEnd(of: line), range.lowerBound)
            return buffer.lineBreak(near: line) + (keepingIndent ? buffer.string(in: indent) : "")
        }
    }

    /// Types a tab, or spaces up to the next tab stop; if several lines are selected, indents them instead.
    @discardableResult
    public mutating func insertTab() -> Edit? {
        if selections.contains(where: { buffer.lines(touchedBy: $0.range).count > 1 }) { return indentLines() }
        guard configuration.softTabs else { return insert("\t", as: .typing) }
        let (tabWidth, cellWidth) = (configuration.tabWidth, configuration.cellWidth)
        return typeAll { buffer, range in
            let start = range.lowerBound
            let column = buffer.withUTF8(in: buffer.lineStart(buffer.lineNumber(at: start))..<start) {
                let layout = LayoutConfiguration(columns: .max, tabWidth: tabWidth, wraps: false, cellWidth: cellWidth)
                return RowBreaker(measuring: layout).width(of: $0, from: 0)
            }
            return String(repeating: " ", count: tabWidth - column % tabWidth)
        }
    }

    /// Types at each caret the text that `text` returns for the buffer and the range to replace.
    private mutating func typeAll(_ text: (TextBuffer, Range<ByteOffset>) -> String) -> Edit? {
        if others.isEmpty { return insert(text(buffer, selection.range), as: .typing) }
        let buffer = buffer
        return changeAll(.typing) { _, selection in CaretChange(selection.range, text(buffer, selection.range)) }
    }
}

extension TextBuffer {
    /// The line break at the end of `line`, or the one before it: the kind to use for a new line there.
    public func lineBreak(near line: LineNumber) -> String {
        for line in [line, line - 1] where line >= 0 && line.rawValue + 1 < lineCount {
            return lineEndIncludingTerminator(line) - lineEnd(line) == 2 ? "\r\n" : "\n"
        }
        return "\n"
    }
}

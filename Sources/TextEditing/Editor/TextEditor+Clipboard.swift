/// A cut or copied text, for any clipboard.
public struct Clipping: Hashable, Codable, Sendable {
    public var text: String
    /// Whether a whole line was copied without a selection: it is pasted as a line above the caret's.
    public var isWholeLine: Bool

    /// Makes a clipping of any text.
    public init(text: String, isWholeLine: Bool = false) {
        self.text = text
        self.isWholeLine = isWholeLine
    }
}

extension TextEditor {
    /// The selected text or, without a selection, the caret's line with its line break; nil for an empty text.
    public func copy() -> Clipping? {
        if !others.isEmpty { return copyAll() }
        if !selection.isEmpty { return Clipping(text: selectedText) }
        let line = buffer.lineNumber(at: caret)
        let text = buffer.string(of: line)
        return buffer.isEmpty ? nil : Clipping(text: text + buffer.lineBreak(near: line), isWholeLine: true)
    }

    /// Cuts what `copy()` would copy.
    public mutating func cut() -> (clipping: Clipping, edit: Edit)? {
        if !others.isEmpty { return cutAll() }
        guard let clipping = copy() else { return nil }
        let edit = clipping.isWholeLine ? deleteLines() : replace(selection.range, with: "", kind: .command)
        return edit.map { (clipping, $0) }
    }

    /// Pastes over the selection; a whole line goes above the caret's line.
    @discardableResult
    public mutating func paste(_ clipping: Clipping) -> Edit? {
        if !others.isEmpty { return pasteAll(clipping) }
        guard clipping.isWholeLine, selection.isEmpty else { return insert(clipping.text, as: .paste) }
        let start = buffer.lineStart(buffer.lineNumber(at: caret))
        let after = Selection(caret + clipping.text.utf8.count)
        let edit = Edit(replacing: start..<start, of: buffer, with: clipping.text)
        return edit.isEmpty ? nil : apply(edit, selection: after, kind: .paste)
    }
}

/// The clipboard of several carets.
extension TextEditor {
    /// The texts selected at the carets, a line each; without any selection, the lines of the carets.
    func copyAll() -> Clipping? {
        let selected = carets.map(\.selection).filter { !$0.isEmpty }
        if !selected.isEmpty {
            return Clipping(text: selected.map { buffer.string(in: $0.range) }.joined(separator: "\n"))
        }
        let text = linesOfCarets.map { buffer.string(of: $0) + buffer.lineBreak(near: $0) }.joined()
        return buffer.isEmpty ? nil : Clipping(text: text, isWholeLine: true)
    }

    mutating func cutAll() -> (clipping: Clipping, edit: Edit)? {
        guard let clipping = copyAll() else { return nil }
        let buffer = buffer
        guard clipping.isWholeLine else {
            let edit = changeAll(.command) { _, selection in
                selection.isEmpty ? nil : CaretChange(selection.range, "")
            }
            return edit.map { (clipping, $0) }
        }
        var ranges: [ByteOffset: Range<ByteOffset>] = [:]
        for line in linesOfCarets {
            let end = buffer.lineEndIncludingTerminator(line)
            ranges[buffer.lineStart(line)] = buffer.lineStart(line)..<end
        }
        let edit = changeAll(.command) { _, selection in
            ranges[buffer.lineStart(buffer.lineNumber(at: selection.head))].map { CaretChange($0, "") }
        }
        return edit.map { (clipping, $0) }
    }

    /// Pastes a text that has as many lines as there are carets one line at each, and any other text whole at each.
    mutating func pasteAll(_ clipping: Clipping) -> Edit? {
        var lines = clipping.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // A line break after the last line does not begin another one.
        if lines.last?.isEmpty == true { lines.removeLast() }
        let isShared = lines.count == others.count + 1
        return changeAll(.paste) { index, selection in
            CaretChange(selection.range, isShared ? String(lines[index]) : clipping.text)
        }
    }
}

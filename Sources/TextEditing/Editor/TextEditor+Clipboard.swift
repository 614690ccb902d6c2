/// A cut or copied text, for any clipboard.
public struct Clipping: Hashable, Codable, Sendable {
    public var text: String
    /// Whether a whole line was copied without a selection: it is pasted as a line above the caret's.
    public var isWholeLine: Bool

    /// Makes a clipping from any text.
    public init(text: String, isWholeLine: Bool = false) {
        self.text = text
        self.isWholeLine = isWholeLine
    }
}

extension TextEditor {
    /// The selection, or without one the caret's line with its line break; nil for an empty text.
    public func copy() -> Clipping? {
        if !selection.isEmpty { return Clipping(text: selectedText) }
        let line = buffer.lineNumber(at: caret)
        let text = buffer.string(of: line)
        return buffer.isEmpty ? nil : Clipping(text: text + buffer.lineBreak(near: line), isWholeLine: true)
    }

    /// Cuts what `copy()` would copy.
    public mutating func cut() -> (clipping: Clipping, edit: Edit)? {
        guard let clipping = copy() else { return nil }
        let edit = clipping.isWholeLine ? deleteLines() : replace(selection.range, with: "", kind: .command)
        return edit.map { (clipping, $0) }
    }

    /// Pastes over the selection; whole lines above the caret's line.
    @discardableResult
    public mutating func paste(_ clipping: Clipping) -> Edit? {
        guard clipping.isWholeLine, selection.isEmpty else { return insert(clipping.text, as: .paste) }
        let start = buffer.lineStart(buffer.lineNumber(at: caret))
        let after = Selection(caret + clipping.text.utf8.count)
        let edit = Edit(replacing: start..<start, of: buffer, with: clipping.text)
        return edit.isEmpty ? nil : apply(edit, selection: after, kind: .paste)
    }
}

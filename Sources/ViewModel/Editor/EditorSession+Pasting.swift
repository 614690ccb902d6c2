import TextEditing

/// A pasted text that may be replaced once it is understood, such as the path of a picture by the picture itself.
struct AwaitedPaste {
    let text: String
    /// The pasted text's ranges, one for each caret.
    var ranges: [Range<ByteOffset>]
}

/// Pasting a text that may be replaced later; until then it stays as pasted, and the user can go on typing.
extension EditorSession {
    /// Pastes a text, and keeps track of its ranges until `replacePaste` is called.
    ///
    /// - Returns: the number of the paste.
    public func pasteAwaited(_ text: String) -> Int {
        pasteText(text)
        let length = text.utf8.count
        let ranges = ([selection] + editor.otherSelections).map(\.head).filter { $0 >= ByteOffset(length) }
        let number = (awaitedPastes.keys.max() ?? 0) + 1
        awaitedPastes[number] = AwaitedPaste(
            text: text, ranges: ranges.map { $0 - length..<$0 }.filter { has(text, at: $0) })
        return number
    }

    /// Replaces a pasted text by another one, as one undo step; the carets stay at their text.
    ///
    /// - Parameter text: nil leaves the paste as it is.
    /// - Returns: whether the paste was replaced; false if the pasted text was edited in the meantime.
    @discardableResult
    public func replacePaste(_ number: Int, with text: String?) -> Bool {
        guard let paste = awaitedPastes.removeValue(forKey: number), let text else { return false }
        let ranges = paste.ranges.filter { has(paste.text, at: $0) }.sorted { $0.lowerBound < $1.lowerBound }
        guard !ranges.isEmpty else { return false }
        change { editor in editor.apply(Edit(replacing: ranges.map { ($0, text) }, of: editor.buffer)) }
        return true
    }

    private func has(_ text: String, at range: Range<ByteOffset>) -> Bool {
        range.upperBound <= buffer.end && buffer.isScalarStart(range.lowerBound)
            && buffer.isScalarStart(range.upperBound) && buffer.string(in: range) == text
    }

    func followPastes(_ edit: Edit) {
        for number in awaitedPastes.keys { awaitedPastes[number]?.ranges.follow(edit) }
    }
}

extension [Range<ByteOffset>] {
    fileprivate mutating func follow(_ edit: Edit) { self = map { edit.map($0) } }
}

import TextEditing

/// A pasted text that may be replaced once more is known of it, as the path of a picture by the picture.
struct AwaitedPaste {
    let text: String
    /// Where it stands: a place for each caret.
    var places: [Range<ByteOffset>]
}

/// Pasting a text of which more will be known: it stands there meanwhile, and typing goes on.
extension EditorSession {
    /// Pastes a text, and keeps its places in mind until `replacePaste` is called.
    ///
    /// - Returns: the number of the paste.
    public func pasteAwaited(_ text: String) -> Int {
        pasteText(text)
        let length = text.utf8.count
        let places = ([selection] + editor.otherSelections).map(\.head).filter { $0 >= ByteOffset(length) }
        let number = (awaitedPastes.keys.max() ?? 0) + 1
        awaitedPastes[number] = AwaitedPaste(
            text: text, places: places.map { $0 - length..<$0 }.filter { has(text, at: $0) })
        return number
    }

    /// Puts another text in the place of a paste, as one step of undo; the carets stay at their text.
    ///
    /// - Parameter text: nil leaves the paste as it is.
    /// - Returns: whether it was replaced; false if the pasted text has changed meanwhile.
    @discardableResult
    public func replacePaste(_ number: Int, with text: String?) -> Bool {
        guard let paste = awaitedPastes.removeValue(forKey: number), let text else { return false }
        let places = paste.places.filter { has(paste.text, at: $0) }.sorted { $0.lowerBound < $1.lowerBound }
        guard !places.isEmpty else { return false }
        change { editor in editor.apply(Edit(replacing: places.map { ($0, text) }, of: editor.buffer)) }
        return true
    }

    private func has(_ text: String, at place: Range<ByteOffset>) -> Bool {
        place.upperBound <= buffer.end && buffer.isScalarStart(place.lowerBound)
            && buffer.isScalarStart(place.upperBound) && buffer.string(in: place) == text
    }

    func followPastes(_ edit: Edit) {
        for number in awaitedPastes.keys { awaitedPastes[number]?.places.follow(edit) }
    }
}

extension [Range<ByteOffset>] {
    fileprivate mutating func follow(_ edit: Edit) { self = map { edit.map($0) } }
}

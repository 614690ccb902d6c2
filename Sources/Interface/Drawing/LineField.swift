/// A text of one line that is being typed, with its caret.
struct LineField: Equatable, Sendable {
    private(set) var text: String
    private(set) var caret: String.Index

    init(_ text: String = "") {
        self.text = text
        caret = text.endIndex
    }

    /// The text left of the caret.
    var head: Substring { text[..<caret] }

    /// Types a text at the caret; line breaks become spaces, since this is one line.
    mutating func insert(_ typed: String) {
        let line = typed.split(whereSeparator: \.isNewline).joined(separator: " ")
        let before = text[..<caret] + line
        text = String(before + text[caret...])
        caret = text.index(text.startIndex, offsetBy: before.count)
    }

    mutating func deleteBackward() {
        guard caret > text.startIndex else { return }
        let start = text.index(before: caret)
        remove(start..<caret)
    }

    mutating func deleteForward() {
        guard caret < text.endIndex else { return }
        remove(caret..<text.index(after: caret))
    }

    mutating func deleteWordBackward() {
        remove(wordStart..<caret)
    }

    mutating func deleteToStart() {
        remove(text.startIndex..<caret)
    }

    mutating func deleteToEnd() {
        remove(caret..<text.endIndex)
    }

    mutating func moveLeft() { if caret > text.startIndex { caret = text.index(before: caret) } }
    mutating func moveRight() { if caret < text.endIndex { caret = text.index(after: caret) } }
    mutating func moveToStart() { caret = text.startIndex }
    mutating func moveToEnd() { caret = text.endIndex }
    mutating func moveWordLeft() { caret = wordStart }

    mutating func moveWordRight() {
        let rest = text[caret...].drop { !Self.isWord($0) }
        caret = rest.firstIndex { !Self.isWord($0) } ?? text.endIndex
    }

    private var wordStart: String.Index {
        var index = caret
        while index > text.startIndex, !Self.isWord(text[text.index(before: index)]) {
            index = text.index(before: index)
        }
        while index > text.startIndex, Self.isWord(text[text.index(before: index)]) {
            index = text.index(before: index)
        }
        return index
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private mutating func remove(_ range: Range<String.Index>) {
        let offset = text.distance(from: text.startIndex, to: range.lowerBound)
        text.removeSubrange(range)
        caret = text.index(text.startIndex, offsetBy: offset)
    }
}

/// A text of one line that is being typed, with its caret.
struct LineField: Equatable, Sendable {
    private(set) var text: String
    private(set) var caret: String.Index
    /// Whether all of it is selected, with the caret at its end: what is typed or deleted next takes its place.
    private(set) var isSelected = false

    init(_ text: String = "") {
        self.text = text
        caret = text.endIndex
    }

    /// The text left of the caret.
    var head: Substring { text[..<caret] }

    mutating func selectAll() {
        moveToEnd()
        isSelected = !text.isEmpty
    }

    /// Types a text at the caret, or over what is selected; line breaks become spaces, since this is one line.
    mutating func insert(_ typed: String) {
        removeSelected()
        let line = typed.split(whereSeparator: \.isNewline).joined(separator: " ")
        let before = text[..<caret] + line
        text = String(before + text[caret...])
        caret = text.index(text.startIndex, offsetBy: before.count)
    }

    mutating func deleteBackward() {
        guard !removeSelected(), caret > text.startIndex else { return }
        let start = text.index(before: caret)
        remove(start..<caret)
    }

    mutating func deleteForward() {
        guard !removeSelected(), caret < text.endIndex else { return }
        remove(caret..<text.index(after: caret))
    }

    mutating func deleteWordBackward() {
        if !removeSelected() { remove(wordStart..<caret) }
    }

    mutating func deleteToStart() {
        remove(text.startIndex..<caret)
    }

    mutating func deleteToEnd() {
        remove(caret..<text.endIndex)
    }

    mutating func moveLeft() { move(to: caret > text.startIndex ? text.index(before: caret) : caret) }
    mutating func moveRight() { move(to: caret < text.endIndex ? text.index(after: caret) : caret) }
    mutating func moveToStart() { move(to: text.startIndex) }
    mutating func moveToEnd() { move(to: text.endIndex) }
    mutating func moveWordLeft() { move(to: wordStart) }

    mutating func moveWordRight() {
        let rest = text[caret...].drop { !Self.isWord($0) }
        move(to: rest.firstIndex { !Self.isWord($0) } ?? text.endIndex)
    }

    private mutating func move(to place: String.Index) {
        caret = place
        isSelected = false
    }

    /// Takes out what is selected; whether anything was.
    @discardableResult
    private mutating func removeSelected() -> Bool {
        guard isSelected else { return false }
        self = LineField()
        return true
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
        isSelected = false
        caret = text.index(text.startIndex, offsetBy: offset)
    }
}

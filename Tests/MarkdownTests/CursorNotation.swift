@testable import Markdown

/// A text with its caret written as `¦`, or with a selection written as `«anchor to caret»`.
struct MarkedText {
    var text: String
    var caret: LinePosition
    var anchor: LinePosition

    init(_ marked: String) {
        var text = ""
        var caret = LinePosition(line: 0, byte: 0)
        var anchor: LinePosition?
        var position = LinePosition(line: 0, byte: 0)
        for character in marked {
            switch character {
            case "¦", "»": caret = position
            case "«": anchor = position
            default:
                text.append(character)
                position =
                    character == "\n"
                    ? LinePosition(line: position.line + 1, byte: 0)
                    : LinePosition(line: position.line, byte: position.byte + character.utf8.count)
            }
        }
        self.text = text
        self.caret = caret
        self.anchor = anchor ?? caret
    }

    var lines: StringLines { StringLines(text) }

    var selection: Range<LinePosition> { anchor..<caret }

    /// Returns the text after `edit`, with or without caret marks; "nothing" if there is no edit.
    func applying(_ edit: AssistantEdit?, marked: Bool = true) -> String {
        guard let edit else { return "nothing" }
        var bytes = Array(text.utf8)
        for replacement in edit.replacements.reversed() {
            bytes.replaceSubrange(
                Self.offset(replacement.start, bytes)..<Self.offset(replacement.end, bytes), with: replacement.text.utf8
            )
        }
        guard marked else { return String(decoding: bytes, as: UTF8.self) }
        let marks = edit.caret == edit.anchor ? [(edit.caret, "¦")] : [(edit.caret, "»"), (edit.anchor, "«")]
        for (position, mark) in marks { bytes.insert(contentsOf: mark.utf8, at: Self.offset(position, bytes)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func offset(_ position: LinePosition, _ bytes: [UInt8]) -> Int {
        var line = 0
        var start = 0
        while line < position.line, let newline = bytes[start...].firstIndex(of: 0x0A) {
            start = newline + 1
            line += 1
        }
        return start + position.byte
    }
}

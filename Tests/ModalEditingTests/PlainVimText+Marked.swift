import ModalEditing
import Testing
import TextEditing
import VimCases

/// Expects that keys change one text to another; `|` precedes the caret, or in a selection the character under it.
///
/// - Parameter isFile: Whether the empty line after a final line feed does not count, as in a file that vim reads.
func expect(
    _ before: String, _ keys: String, _ after: String, isFile: Bool = false,
    at location: SourceLocation = #_sourceLocation
) {
    var plain = PlainVimText(marked: before, isFile: isFile)
    plain.press(VimKey.keys(keys))
    #expect(plain.marked == after, sourceLocation: location)
}

extension PlainVimText {
    init(marked: String, isFile: Bool = false) {
        let caret = marked.utf8.prefix { $0 != 0x7C }.count
        var configuration = VimConfiguration()
        configuration.movesByRows = false
        configuration.omitsLineAfterEnd = isFile
        self.init(marked.replacing("|", with: ""), caret: ByteOffset(caret), configuration: configuration)
    }

    var marked: String {
        let text = editor.buffer
        return text.string(in: 0..<caret) + "|" + text.string(in: caret..<text.end)
    }
}

import SeededRandom
import Testing

@testable import TextEditing

enum Samples {
    static let texts = [
        "", "a", "a\n", "\r\n\r\n", "x\ry", "\u{FEFF}bom\0nul\t \n\n\n", String(repeating: "é漢🏽\n", count: 999),
    ]
}

@Suite struct TextBufferTests {
    @Test(arguments: Samples.texts.indices)
    func `a text comes out as it went in`(index: Int) {
        let text = Samples.texts[index]
        #expect(Array(TextBuffer(text).string().utf8) == Array(text.utf8))
    }

    @Test func `lines end at LF or CRLF and a lone CR does not end one`() {
        let buffer = TextBuffer("one\r\ntwo\rstill\n\nend")
        #expect(buffer.lineCount == 4)
        #expect((0..<4).map { buffer.string(of: LineNumber($0)) } == ["one", "two\rstill", "", "end"])
        #expect(buffer.lineNumber(at: 3) == 0)
        #expect(buffer.lineNumber(at: 5) == 1)
    }

    @Test func `random edits agree with a plain array of bytes`() {
        var random = SeededGenerator(seed: 1)
        let pieces = ["a", "\n", "漢字", "🇫🇷", "\r\n", String(repeating: "long line ", count: 200), ""]
        var buffer = TextBuffer(String(repeating: "start\n", count: 500))
        var model = Array(buffer.string().unicodeScalars)
        for step in 0..<3000 {
            let start = Int.random(in: 0...model.count, using: &random)
            let most = step % 10 == 0 ? 3000 : 4
            let end = min(model.count, start + Int.random(in: 0...most, using: &random))
            let piece = random.pick(pieces)
            buffer.replace(buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end), with: piece)
            model.replaceSubrange(start..<end, with: piece.unicodeScalars)
            if step % 100 == 0 {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: model)
                #expect(Array(buffer.string().utf8) == Array(String(text).utf8))
                buffer.rope.checkInvariants()
                checkLines(of: buffer)
            }
        }
    }

    /// Checks each line's range against the text cut at its line feeds; lines end within chunks, at and beyond them.
    @Test(arguments: Samples.texts + [String(repeating: "a line that crosses a chunk\r\n", count: 900)])
    func `the start of a line is cut at the limit, and the whole line's length is reported`(text: String) {
        let buffer = TextBuffer(text)
        for line in 0..<buffer.lineCount {
            let whole = buffer.bytes(in: buffer.lineRange(LineNumber(line)))
            for limit in [0, 1, 5, .max] {
                let (start, length) = buffer.withStart(of: LineNumber(line), upTo: limit) { (Array($0), $1) }
                #expect(start.elementsEqual(whole.prefix(limit)) && length == whole.count)
            }
        }
    }

    private func checkLines(of buffer: TextBuffer) {
        let lines = Array(buffer.string().utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(buffer.lineCount == lines.count)
        for (number, line) in lines.enumerated() {
            let isLast = number == lines.count - 1
            let end = !isLast && line.last == 0x0D ? line.endIndex - 1 : line.endIndex
            let range = ByteOffset(line.startIndex)..<ByteOffset(end)
            #expect(buffer.lineRange(LineNumber(number)) == range)
            #expect(buffer.lineNumber(at: range.lowerBound) == LineNumber(number))
            #expect(buffer.lineNumber(at: range.upperBound) == LineNumber(number))
        }
    }

    @Test func `a snapshot stays as it was`() {
        var buffer = TextBuffer(String(repeating: "0123456789", count: 1000))
        let snapshot = buffer
        buffer.replace(5000..<5001, with: "changed")
        #expect(snapshot.utf8Count == 10_000)
        #expect(snapshot.string(in: 5000..<5003) == "012")
        #expect(buffer.string(in: 4999..<5008) == "9changed1")
        #expect(snapshot != buffer)
    }
}

@Suite struct EditorBasicsTests {
    @Test func `typing, moving and undoing a word`() {
        var editor = TextEditor(text: "one two", configuration: EditorConfiguration(now: { .zero }))
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 20))
        editor.move(.wordRight, layout: &layout)
        for key in [" ", "a", "n", "d"] { editor.insert(key) }
        #expect(editor.buffer.string() == "one and two")
        #expect(editor.undo() != nil)
        #expect(editor.buffer.string() == "one two")
        #expect(editor.caret == 3)
        #expect(editor.redo() != nil)
        #expect(editor.buffer.string() == "one and two")
        #expect(editor.caret == 7)
    }

    @Test func `rows break at spaces and the caret moves through them`() {
        var editor = TextEditor(text: "the quick brown fox\njumps")
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 10))
        #expect(layout.rows(of: 0, in: editor.buffer).map(\.range) == [0..<10, 10..<19])
        editor.move(.down, layout: &layout)
        #expect(editor.caret == 10)
        editor.move(.down, layout: &layout)
        #expect(editor.caret == 20)
        var view = Viewport(rows: 2)
        view.reveal(editor.caret, in: editor.buffer, layout: &layout)
        #expect(view.visibleRows(in: editor.buffer, layout: &layout).map(\.line) == [0, 1])
    }
}

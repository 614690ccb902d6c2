import SeededRandom
import Testing
import TextPrimitives

@testable import TextEditing

@Suite struct ClusterWalkTests {
    private static let pictures: [Character] =
        [0x2600...0x27BF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF]
        .flatMap { (range: ClosedRange<UInt32>) in range.compactMap { Unicode.Scalar($0).map(Character.init) } }

    private let hard: [String] = [
        "a", "\r", "\n", " ", "e", "\u{301}", "\u{200D}", "👩", "👧", "🏽", "🇫", "🇷", "한", "\u{1112}", "\u{1161}",
        "\u{11AB}",
        "漢", "か", "\u{3099}", "\u{0600}", "1", "\u{FE0F}", "❤", "न", "\u{94D}", "म", "\u{AD}", "é", "ﾊ", "\u{FF9F}",
        "©",
        "\u{20E3}", "ก", "\u{0E33}",
    ]

    @Test func `no picture is a letter, a digit, a mark or a space`() {
        for picture in Self.pictures {
            for scalar in picture.unicodeScalars {
                let isOther =
                    ![.nonspacingMark, .spacingMark, .enclosingMark, .format, .decimalNumber].contains(
                        scalar.properties.generalCategory) && !scalar.properties.isAlphabetic
                    && !scalar.properties.isWhitespace
                #expect(isOther && WordClass(scalar.value) == .punctuation, "\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func `walking backwards meets the same characters as walking forwards`() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<400 {
            // The pairing of a regional indicator depends on text far before it, which a bounded walk follows only to
            // its limit.
            let text = (0..<60).map { _ in random.pick(hard) }.joined()
            let buffer = TextBuffer(text)
            var forwards: [ByteOffset] = [0]
            while forwards.last != buffer.end { forwards.append(buffer.characterEnd(after: forwards.last ?? 0)) }
            var backwards = [buffer.end]
            while backwards.last != 0 { backwards.append(buffer.characterStart(before: backwards.last ?? 0)) }
            #expect(forwards == backwards.reversed(), "\(text.debugDescription)")
        }
    }

    @Test func `a position inside of a character is taken back to its start`() {
        let buffer = TextBuffer("a👩‍👧b")
        for offset in 1..<12 { #expect(buffer.characterBoundary(atOrBefore: ByteOffset(offset)) == 1) }
        #expect(buffer.characterBoundary(atOrBefore: 12) == 12)
    }

    @Test func `a character of many kilobytes does not hold up a key`() {
        let buffer = TextBuffer("a" + String(repeating: "\u{301}", count: 15_000) + "b")
        var positions: [ByteOffset] = [0]
        while let last = positions.last, last < buffer.end { positions.append(buffer.characterEnd(after: last)) }
        // Each step is bounded, and the way back visits the same positions.
        #expect(zip(positions, positions.dropFirst()).allSatisfy { (1...Clusters.maximumLength).contains($1 - $0) })
        for (before, position) in zip(positions, positions.dropFirst()) {
            #expect(buffer.characterStart(before: position) == before)
            #expect(buffer.characterBoundary(atOrBefore: position) == position)
        }
        #expect(buffer.offset(of: CharacterColumn(positions.count - 1), in: 0) == buffer.end)
    }
}

@Suite struct UnitTests {
    @Test func `offsets agree in bytes, scalars, characters and lines`() {
        let text = "one\r\ntwo 漢字\n\ne\u{301} 👩‍👧 end\n"
        let buffer = TextBuffer(text)
        var (bytes, scalars, column, line) = (0, 0, 0, 0)
        for character in text {
            let offset = ByteOffset(bytes)
            #expect(buffer.lineNumber(at: offset).rawValue == line)
            #expect(buffer.scalarOffset(at: offset) == scalars)
            #expect(buffer.offset(ofScalar: scalars) == offset)
            #expect(buffer.characterColumn(at: offset).rawValue == column)
            #expect(buffer.offset(of: CharacterColumn(column), in: LineNumber(line)) == offset)
            bytes += character.utf8.count
            scalars += character.unicodeScalars.count
            (line, column) = character.isNewline ? (line + 1, 0) : (line, column + 1)
        }
        #expect(buffer.offset(of: 99, in: 0) == 3)
        #expect(buffer.lineStart(99) == buffer.end)
    }

    /// Returns the positions in a text, each in every unit, computed from a plain string.
    private func positions(of text: String) -> [(byte: Int, scalar: Int, line: Int, column: Int)] {
        var (byte, scalar, line, column) = (0, 0, 0, 0)
        var positions = [(byte, scalar, line, column)]
        for character in text {
            byte += character.utf8.count
            scalar += character.unicodeScalars.count
            (line, column) = character == "\n" || character == "\r\n" ? (line + 1, 0) : (line, column + 1)
            positions.append((byte, scalar, line, column))
        }
        return positions
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `offsets agree in every unit with a plain string, through random edits and their undoing`(seed: UInt64) {
        var edits = RandomEdits(seed: seed &* 101)
        var editor = TextEditor(text: "start\r\n", configuration: EditorConfiguration(now: { .zero }))
        var model = editor.buffer.string()
        var (done, undone): ([String], [String]) = ([], [])
        for step in 0..<120 {
            let snapshot = (editor.buffer, model)
            switch step % 5 {
            case 3:
                #expect((editor.undo() != nil) == !done.isEmpty)
                if let before = done.popLast() { (undone, model) = (undone + [model], before) }
            case 4:
                #expect((editor.redo() != nil) == !undone.isEmpty)
                if let after = undone.popLast() { (done, model) = (done + [model], after) }
            default:
                let edit = edits.next(of: editor.buffer)
                var scalars = Array(model.unicodeScalars)
                for replacement in edit.replacements.reversed() {
                    let start = snapshot.0.scalarOffset(at: replacement.start)
                    let end = snapshot.0.scalarOffset(at: replacement.range.upperBound)
                    scalars.replaceSubrange(start..<end, with: replacement.inserted.unicodeScalars)
                }
                model = String(String.UnicodeScalarView(scalars))
                if !editor.apply(edit).isEmpty { (done, undone) = (done + [snapshot.1], []) }
            }
            let buffer = editor.buffer
            #expect(Array(buffer.string().utf8) == Array(model.utf8))
            #expect(Array(snapshot.0.string().utf8) == Array(snapshot.1.utf8), "a snapshot changed")
            for position in positions(of: model) {
                let offset = ByteOffset(position.byte)
                #expect(buffer.scalarOffset(at: offset) == position.scalar)
                #expect(buffer.offset(ofScalar: position.scalar) == offset)
                #expect(buffer.lineNumber(at: offset).rawValue == position.line)
                #expect(buffer.characterColumn(at: offset).rawValue == position.column)
                #expect(buffer.offset(of: CharacterColumn(position.column), in: LineNumber(position.line)) == offset)
                #expect(buffer.characterBoundary(atOrBefore: offset) == offset)
            }
            #expect(buffer.lineCount == (positions(of: model).last?.line ?? 0) + 1)
        }
    }

    @Test func `units of one kind are counted with and written bare`() {
        #expect(ByteOffset(3) + 2 == 5)
        #expect(ByteOffset(5) - ByteOffset(3) == 2)
        #expect("\(LineNumber(7))" == "7")
        #expect((ByteOffset(2)..<ByteOffset(5)).length == 3)
    }
}

/// Tests the cost of a key by counts, not by time: each character outside a table requests its width.
@Suite struct CostTests {
    private final class Counter: Sendable {
        // The layout makes its requests only on the test's thread.
        nonisolated(unsafe) var count = 0
    }

    private func asksOfAKey(units: Int, oneLine: Bool) -> (key: Int, enter: Int, pageDown: Int) {
        let counter = Counter()
        let width = CellWidth { character in
            counter.count += 1
            return CellWidth.unicode.cells(of: character)
        }
        let unit = String(repeating: "👩‍👧 a ", count: 10) + (oneLine ? " " : "\n")
        var editor = TextEditor(text: String(repeating: unit, count: units))
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40, cellWidth: width))
        var view = Viewport(rows: 20)
        func asks(_ key: (inout TextEditor, inout TextLayout) -> Edit?) -> Int {
            counter.count = 0
            if let edit = key(&editor, &layout) {
                layout.update(edit, in: editor.buffer)
                view.update(edit, in: editor.buffer)
            }
            view.reveal(editor.caret, in: editor.buffer, layout: &layout)
            _ = view.visibleRows(in: editor.buffer, layout: &layout)
            return counter.count
        }
        editor.select(Selection(ByteOffset(editor.buffer.utf8Count / 2)))
        _ = asks { _, _ in nil }
        return (
            asks { editor, _ in editor.insert("👍") }, asks { editor, _ in editor.insertNewline() },
            asks { editor, layout in
                editor.move(.pageDown(rows: 18), layout: &layout)
                return nil
            }
        )
    }

    @Test func `a key asks for as many widths in a long text as in a short one`() {
        let (short, long) = (asksOfAKey(units: 40, oneLine: false), asksOfAKey(units: 4000, oneLine: false))
        #expect(long.key <= short.key + 60)  // for a line and its position
        #expect(long.enter <= short.enter + 60)
        #expect(long.pageDown <= 2 * 20 * 40)
    }

    @Test func `a key in a very long line measures a few blocks, not the line`() {
        let (short, long) = (asksOfAKey(units: 400, oneLine: true), asksOfAKey(units: 4000, oneLine: true))
        #expect(long.key <= 2 * short.key + 100)
        #expect(long.enter <= 2 * short.enter + 100)
        #expect(long.pageDown <= 2 * short.pageDown + 100)
    }

    @Test func `a snapshot shares the text`() {
        let buffer = TextBuffer(String(repeating: "x", count: 1 << 20))
        let snapshot = buffer
        #expect(snapshot.isIdentical(to: buffer))
    }
}

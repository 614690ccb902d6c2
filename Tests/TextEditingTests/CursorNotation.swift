import Testing

@testable import TextEditing

/// A text with its selection in one string: `|` is the caret, `^` the anchor; a backslash escapes either.
///
///     "hel|lo"     a caret
///     "a^bc|d"     "bc" selected, the caret at its end
///     "a|bc^d"     "bc" selected backwards
struct CursorNotation {
    var text = ""
    var selection = Selection(0)

    init(_ notation: String) {
        var (anchor, head): (Int?, Int?) = (nil, nil)
        var isPlain = false
        for scalar in notation.unicodeScalars {
            switch scalar {
            case "\\" where !isPlain: isPlain = true
            case "|" where !isPlain: head = text.utf8.count
            case "^" where !isPlain: anchor = text.utf8.count
            default:
                text.unicodeScalars.append(scalar)
                isPlain = false
            }
        }
        let caret = ByteOffset(head ?? 0)
        selection = Selection(anchor: anchor.map { ByteOffset($0) } ?? caret, head: caret)
    }

    /// Returns the notation of an editor's state.
    static func of(_ editor: TextEditor) -> String {
        var marks = [(editor.selection.head.rawValue, "|")]
        if !editor.selection.isEmpty { marks.append((editor.selection.anchor.rawValue, "^")) }
        var result = String.UnicodeScalarView()
        var offset = 0
        func putMarks() {
            for (position, mark) in marks where position == offset { result.append(contentsOf: mark.unicodeScalars) }
        }
        for scalar in editor.buffer.string().unicodeScalars {
            putMarks()
            if "\\|^".unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
            offset += UTF8.width(scalar)
        }
        putMarks()
        return String(result)
    }
}

/// An editor driven by keys written as text: `x` types, `<left>` and the like are named keys.
struct EditorDriver {
    var editor: TextEditor
    var layout: TextLayout
    var clipping = Clipping(text: "")

    init(_ notation: String, columns: Int = 40, configuration: EditorConfiguration? = nil) {
        let state = CursorNotation(notation)
        editor = TextEditor(text: state.text, configuration: configuration ?? EditorConfiguration(now: { .zero }))
        editor.select(state.selection)
        layout = TextLayout(configuration: LayoutConfiguration(columns: columns))
    }

    /// Presses keys; the layout follows each edit, as in the program.
    mutating func press(_ keys: String) { _ = pressCollecting(keys) }

    /// Presses keys and returns the resulting edits.
    mutating func pressCollecting(_ keys: String) -> [Edit] {
        var edits: [Edit] = []
        var rest = keys[...]
        while let first = rest.first {
            var key = String(first)
            if first == "<", let end = rest.firstIndex(of: ">") { key = String(rest[...end]) }
            rest = rest.dropFirst(key.count)
            guard let edit = perform(key) else { continue }
            layout.update(edit, in: editor.buffer)
            edits.append(edit)
        }
        return edits
    }

    static let motions: [String: Motion] = [
        "left": .left, "right": .right, "up": .up, "down": .down, "home": .lineStart, "end": .lineEnd,
        "c-left": .wordLeft, "c-right": .wordRight, "c-home": .documentStart, "c-end": .documentEnd,
        "rowhome": .rowStart, "rowend": .rowEnd, "smarthome": .smartLineStart, "pgdn": .pageDown(rows: 3),
        "pgup": .pageUp(rows: 3), "c-up": .paragraphUp, "c-down": .paragraphDown,
    ]

    private mutating func perform(_ key: String) -> Edit? {
        guard key.hasPrefix("<"), key.count > 1 else { return editor.type(key) }
        let name = String(key.dropFirst().dropLast())
        let plain = name.hasPrefix("s-") ? String(name.dropFirst(2)) : name
        if let motion = EditorDriver.motions[plain] {
            editor.move(motion, extending: plain != name, layout: &layout)
            return nil
        }
        return command(name)
    }

    private mutating func command(_ name: String) -> Edit? {
        switch name {
        case "bs": return editor.delete(.backward)
        case "del": return editor.delete(.forward)
        case "c-w": return editor.delete(.wordBackward)
        case "a-d": return editor.delete(.wordForward)
        case "c-u": return editor.delete(.toLineStart)
        case "c-k": return editor.delete(.toLineEnd)
        case "enter": return editor.insertNewline()
        case "tab": return editor.insertTab()
        case "s-tab": return editor.outdentLines()
        case "c-z": return editor.undo()
        case "c-y": return editor.redo()
        case "c-a": editor.selectAll()
        case "c-c": clipping = editor.copy() ?? clipping
        case "c-x":
            guard let (taken, edit) = editor.cut() else { return nil }
            clipping = taken
            return edit
        case "c-v": return editor.paste(clipping)
        case "a-up": return editor.moveLinesUp()
        case "a-down": return editor.moveLinesDown()
        case "duplicate": return editor.duplicate()
        case "join": return editor.joinLines()
        case "sort": return editor.sortLines()
        case "trim": return editor.trimTrailingSpace()
        case "deleteline": return editor.deleteLines()
        case "upper": return editor.changeCase(.upper)
        case "lower": return editor.changeCase(.lower)
        case "title": return editor.changeCase(.title)
        case "transpose": return editor.transpose()
        default: Issue.record("no key \(name)")
        }
        return nil
    }
}

/// Expects that `keys` change one state to another.
func expect(
    _ before: String, _ keys: String, _ after: String, columns: Int = 40, configuration: EditorConfiguration? = nil,
    at location: SourceLocation = #_sourceLocation
) {
    var driver = EditorDriver(before, columns: columns, configuration: configuration)
    driver.press(keys)
    let state = CursorNotation.of(driver.editor)
    #expect(state.utf8.elementsEqual(after.utf8), "\(state.debugDescription)", sourceLocation: location)
}

@Suite struct CursorNotationTests {
    @Test(arguments: ["hel|lo", "|", "a^bc|d", "a|bc^d", "a\\|b\\^c|", "漢|字\n", "e|\u{301}"])
    func `a notation is read and written back as it was`(notation: String) {
        let state = CursorNotation(notation)
        var editor = TextEditor(text: state.text)
        editor.selection = state.selection
        #expect(CursorNotation.of(editor).utf8.elementsEqual(notation.utf8))
    }

    @Test func `marks are not part of the text`() {
        let state = CursorNotation("a^b\\|c|d")
        #expect(state.text == "ab|cd")
        #expect(state.selection == Selection(anchor: 1, head: 4))
    }

    @Test func `keys are typed or named`() {
        expect("|", "ab<left>c", "ac|b")
    }
}

extension TextEditor {
    /// Moves the selected lines up by one line, and the selection with them.
    fileprivate mutating func moveLinesUp() -> Edit? {
        let lines = selectedLines
        guard lines.lowerBound > 0 else { return nil }
        return move(lines, past: lines.lowerBound - 1...lines.lowerBound - 1)
    }

    /// Moves the selected lines down by one line, and the selection with them.
    fileprivate mutating func moveLinesDown() -> Edit? {
        let lines = selectedLines
        guard lines.upperBound.rawValue + 1 < buffer.lineCount else { return nil }
        return move(lines, past: lines.upperBound + 1...lines.upperBound + 1)
    }
}

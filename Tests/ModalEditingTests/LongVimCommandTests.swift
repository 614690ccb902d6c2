import ModalEditing
import Synchronization
import Testing
import TextEditing
import VimCases

/// Tests commands that may take long: on many lines, and stopped.
@Suite struct LongVimCommandTests {
    private static func long(_ lines: Int) -> String { (0..<lines).map { "line \($0) x" }.joined(separator: "\n") }

    @Test(arguments: [
        (":g/x/d<CR>", "a\nb\nc"), (":g/x/s/x/yy/g<CR>", "a\nyy\nb\nyyyy\nc"), (":v/x/d<CR>", "x\nxx"),
        (":g/x/m0<CR>", "xx\nx\na\nb\nc"), (":g/x/m$<CR>", "a\nb\nc\nx\nxx"), (":g/x/t0<CR>", "xx\nx\na\nx\nb\nxx\nc"),
        (":g/x/t$<CR>", "a\nx\nb\nxx\nc\nx\nxx"), (":g/x/j<CR>", "a\nx b\nxx c"),
        (":g/x/t.<CR>", "a\nx\nx\nb\nxx\nxx\nc"),
    ])
    func `g makes one edit of all its lines`(keys: String, expected: String) {
        var plain = PlainVimText("a\nx\nb\nxx\nc")
        plain.press(Array(VimKey.keys(keys).dropLast()))
        let effects = plain.pressed(.enter)
        #expect(plain.editor.buffer.string() == expected)
        let edits = effects.filter { if case .edit = $0 { true } else { false } }
        #expect(edits.count == 1)
        plain.press(VimKey.keys("u"))
        #expect(plain.editor.buffer.string() == "a\nx\nb\nxx\nc")
        plain.press(VimKey.keys("<C-r>"))
        #expect(plain.editor.buffer.string() == expected)
    }

    @Test func `g knows more lines apart than a plane of Unicode has characters`() {
        var lines = Array(repeating: "o", count: 65_540)
        for line in [0, 65_534] { lines[line] = "x" }
        var plain = PlainVimText(lines.joined(separator: "\n"))
        plain.press(VimKey.keys(":g/x/d<CR>"))
        #expect(plain.editor.buffer.lineCount == 65_538)
    }

    @Test func `g within a g is about the line of the other`() {
        var plain = PlainVimText("ab\nb\na\nab")
        plain.press(VimKey.keys(":g/a/g/b/d<CR>"))
        #expect(plain.editor.buffer.string() == "b\na")
        plain.press(VimKey.keys("u:g/a/normal :v/b/d\r<CR>"))
        #expect(plain.editor.buffer.string() == "ab\nb\nab")
    }

    @Test func `lines that are moved and those between keep their marks`() {
        var plain = PlainVimText("one\ntwo\nthree\nfour")
        plain.press(VimKey.keys("majmbj:1m3<CR>`bx`ax"))
        #expect(plain.editor.buffer.string() == "wo\nthree\nne\nfour")
        plain.press(VimKey.keys(":4m0<CR>`bx`ax"))
        #expect(plain.editor.buffer.string() == "four\no\nthree\ne")
    }

    @Test func `a count of an insertion in a macro is done before the macro goes on`() {
        var plain = PlainVimText("one\ntwo\nthree")
        plain.press(VimKey.keys("qa02iz<Esc>jq@a"))
        #expect(plain.editor.buffer.string() == "zzone\nzztwo\nthree")
        #expect(plain.editor.buffer.lineNumber(at: plain.caret) == 2)
    }

    // MARK: Stopping

    @Test(arguments: [
        "/nothing<CR>", "?no.hing<CR>", ":%s/x/y/g<CR>", ":g/x/d<CR>", ":/nothing/d<CR>", ":g/x/s/x/y/<CR>",
    ])
    func `a step that is stopped changes nothing`(keys: String) throws {
        let text = Self.long(2000)
        var plain = PlainVimText(text)
        plain.press(Array(VimKey.keys(keys).dropLast()))
        var machine = plain.machine
        let view = VimView(text: plain.editor.buffer, selection: plain.editor.selection)
        // The command is stopped when it asks for the hundredth time whether to go on, and may ask only a few times
        // after that.
        let questions = Mutex(0)
        let effects = machine.perform(.press(.enter), in: view) {
            questions.withLock { count in
                count += 1
                return count > 100
            }
        }
        #expect(effects == nil)
        #expect((100...110).contains(questions.withLock { $0 }))
        #expect(machine.line?.text == plain.machine.line?.text)
        #expect(machine.stop(in: view) == [.refused("Interrupted")])
        #expect(machine.isIdle && machine.line == nil)
    }

    @Test func `a step that is not stopped does what it does at once`() throws {
        var plain = PlainVimText(Self.long(2000))
        plain.press(VimKey.keys(":g/x/s/x/y/"))
        var machine = plain.machine
        let view = VimView(text: plain.editor.buffer, selection: plain.editor.selection)
        let effects = try #require(machine.perform(.press(.enter), in: view) { false })
        #expect(effects == plain.pressed(.enter))
        #expect(machine.isIdle)
    }

    @Test func `what searches a long text may take long`() {
        var plain = PlainVimText(Self.long(5000))
        func mayTakeLong(_ keys: String) -> Bool {
            let keys = VimKey.keys(keys)
            plain.press(Array(keys.dropLast()))
            let answer = plain.machine.mayTakeLong(.press(keys[keys.count - 1]), in: plain.editor.buffer)
            plain.press(VimKey.keys("<Esc><Esc>"))
            return answer
        }
        let long = [
            "n", "N", "*", "#", "g*", "dn", "3n", "vn", "gn", "&", "g&", ":s/a/b<CR>", "/a<CR>", "d/a<CR>", "@:",
        ]
        for keys in long {
            #expect(mayTakeLong(keys), "\(keys)")
        }
        for keys in ["j", "dd", "fn", "di*", "in", "a<CR>", "rn", "\"n", "mn", "@n", ".", "/"] {
            #expect(!mayTakeLong(keys), "\(keys)")
        }
        plain.press(VimKey.keys("d/line<CR>"))
        #expect(mayTakeLong("."))
        #expect(!plain.machine.mayTakeLong(.press(.character("n")), in: TextBuffer("short")))
    }

    @Test func `an insertion that is stopped ends as with Esc`() {
        var plain = PlainVimText("text")
        plain.press(VimKey.keys("3ix"))
        var machine = plain.machine
        _ = machine.stop(in: VimView(text: plain.editor.buffer, selection: plain.editor.selection))
        #expect(machine.isIdle && !machine.hasMore)
    }

    @Test func `normal on many lines is one step of undo`() {
        for count in [3, 200] {
            let text = Self.long(count)
            var plain = PlainVimText(text)
            plain.press(VimKey.keys(":g/x/normal A!<CR>"))
            #expect(plain.editor.buffer.string() == (0..<count).map { "line \($0) x!" }.joined(separator: "\n"))
            plain.press(VimKey.keys("u"))
            #expect(plain.editor.buffer.string() == text)
            plain.press(VimKey.keys("<C-r>"))
            #expect(plain.editor.buffer.lineCount == count)
        }
    }
}

import Foundation
import Testing

@testable import TextEditing

@Suite struct EditLaws {
    @Test func `an edit and its inverse leave the text as it was`() {
        var edits = RandomEdits(seed: 1)
        var buffer = TextBuffer("a text to start with, 漢字 and all\n")
        for _ in 0..<500 {
            let before = buffer
            let edit = edits.next(of: buffer)
            edit.apply(to: &buffer)
            var back = buffer
            edit.inverse.apply(to: &back)
            #expect(back == before)
            #expect(edit.inverse.inverse == edit)
        }
    }

    @Test func `two edits composed do what they do one after the other`() {
        var edits = RandomEdits(seed: 2)
        var buffer = TextBuffer("a text to start with, 漢字 and all\n")
        for _ in 0..<800 {
            let before = buffer
            let first = edits.next(of: buffer)
            first.apply(to: &buffer)
            let second = edits.next(of: buffer)
            second.apply(to: &buffer)
            let both = first.composed(with: second)
            var atOnce = before
            both.apply(to: &atOnce)
            #expect(atOnce == buffer)
            both.inverse.apply(to: &atOnce)
            #expect(atOnce == before)
        }
    }

    @Test func `many replacements at once do what they do one by one`() {
        let buffer = TextBuffer(String(repeating: "one two\n", count: 500))
        let parts = (0..<500).map { (ByteOffset($0 * 8)..<ByteOffset($0 * 8 + 3), "three") }
        let edit = Edit(replacing: parts, of: buffer)
        var after = buffer
        edit.apply(to: &after)
        #expect(after.string() == String(repeating: "three two\n", count: 500))
        edit.inverse.apply(to: &after)
        #expect(after == buffer)
    }

    @Test func `a position outside of an edit stays at its text`() {
        let buffer = TextBuffer("one two three")
        let edit = Edit(replacing: [(0..<3, "1"), (4..<7, ""), (8..<8, "x")], of: buffer)
        #expect(edit.map(0, .before) == 0)
        #expect(edit.map(2, .before) == 0)
        #expect(edit.map(2, .after) == 1)
        #expect(edit.map(3, .before) == 1)
        #expect(edit.map(5, .before) == 2)
        #expect(edit.map(8, .before) == 3)
        #expect(edit.map(8, .after) == 4)
        #expect(edit.map(13, .after) == 9)
        #expect(edit.map(8..<13) == 4..<9)
        #expect(edit.map(Selection(8)) == Selection(4))
    }

    @Test func `mapping keeps the order of positions`() {
        var edits = RandomEdits(seed: 3)
        let buffer = TextBuffer("a text to start with, 漢字 and all\n")
        for _ in 0..<300 {
            let edit = edits.next(of: buffer)
            for bias in [Bias.before, .after] {
                let mapped = (0...buffer.utf8Count).map { edit.map(ByteOffset($0), bias) }
                #expect(mapped == mapped.sorted())
                #expect(mapped.allSatisfy { $0 >= 0 && $0.rawValue <= buffer.utf8Count + edit.growth })
            }
        }
    }

    @Test func `the changed lines of an edit are where the texts differ`() {
        var edits = RandomEdits(seed: 4)
        for _ in 0..<400 {
            var buffer = TextBuffer("a\nb\nc\n\nd\r\ne\nf\n")
            let old = buffer
            let edit = edits.next(of: buffer)
            edit.apply(to: &buffer)
            guard let change = edit.lineChange(in: buffer) else { continue }
            let before = old.lines(in: old.range)
            var after = buffer.lines(in: buffer.range)
            after.replaceSubrange(change.newLines, with: before[change.oldLines])
            #expect(after.map { Array($0.utf8) } == before.map { Array($0.utf8) })
        }
    }

    @Test func `an edit fits the text it was made for and no other`() {
        let buffer = TextBuffer("one two")
        let edit = Edit(replacing: [(0..<3, "1"), (4..<7, "2")], of: buffer)
        #expect(edit.fits(buffer))
        #expect(!edit.fits(TextBuffer("one twa")))
        #expect(!edit.fits(TextBuffer("one")))
        #expect(!edit.inverse.fits(buffer))
        #expect(edit.inverse.fits(TextBuffer("1 2")))
    }

    @Test func `an edit is stored and read again as it was`() throws {
        var edits = RandomEdits(seed: 5)
        let edit = edits.next(of: TextBuffer("some text"))
        #expect(try JSONDecoder().decode(Edit.self, from: JSONEncoder().encode(edit)) == edit)
    }
}

@Suite struct UndoTests {
    /// A clock that the test advances.
    private final class Clock: Sendable {
        // One test advances it, on a single thread.
        nonisolated(unsafe) var now: Duration = .zero
    }

    private func editor(_ text: String, _ clock: Clock = Clock()) -> TextEditor {
        TextEditor(text: text, configuration: EditorConfiguration(now: { clock.now }))
    }

    @Test func `typing is undone at once, in both directions, with the selection`() {
        expect("one ^two| three", "abc<c-z>", "one ^two| three")
        expect("one ^two| three", "abc<c-z><c-y>", "one abc| three")
        expect("|", "ab<left>c<c-z>", "a|b")
        expect("ab|", "<bs><bs>c<c-z>", "|")
        expect("ab|", "<bs><bs><c-z>", "ab|")
    }

    @Test func `a pause, a new line, a paste and a change of direction begin a step`() {
        let clock = Clock()
        var editor = editor("", clock)
        editor.insert("a")
        clock.now = .seconds(1)
        editor.insert("b")
        _ = editor.undo()
        #expect(editor.buffer.string() == "a")
        expect("|", "ab<enter>c<c-z>", "ab|")
        expect("x|", "ab<bs><c-z>", "xab|")
        expect("^x|", "<c-c><right>a<c-v><c-z>", "xa|")
        expect("x|y", "<bs><del><c-z>", "|y")
    }

    @Test func `a stretch of typing is undone by words, each with the spaces behind it`() {
        expect("|", "the quick  brown fox<c-z>", "the quick  brown |")
        expect("|", "the quick  brown fox<c-z><c-z>", "the quick  |")
        expect("|", "the quick  brown fox<c-z><c-z><c-z><c-z>", "|")
        expect("|", "the quick  brown fox<c-z><c-z><c-z><c-z><c-y><c-y>", "the quick  |")
        // Spaces before the first word belong to it.
        expect("one|", " two three<c-z><c-z>", "one|")
        expect("|", "漢字 かな<c-z>", "漢字 |")
    }

    @Test func `words that come at once are undone one by one as well`() {
        var editor = editor("a b")
        editor.select(Selection(2..<3))
        editor.type("one  two")
        editor.type(" three")
        editor.type("four ")
        for expected in ["a one  two threefour |", "a one  two |", "a one  |", "a ^b|"] {
            #expect(CursorNotation.of(editor) == expected)
            _ = editor.undo()
        }
        #expect(!editor.history.canUndo)
        for _ in 0..<3 { _ = editor.redo() }
        #expect(CursorNotation.of(editor) == "a one  two threefour |")
    }

    @Test func `moving the caret does not lose redo, an edit does`() {
        expect("|", "ab<c-z><right><left><c-y>", "ab|")
        expect("|", "ab<c-z>x<c-y>", "x|")
    }

    @Test func `undoing all and redoing all go through the same texts`() {
        var edits = RandomEdits(seed: 6)
        let clock = Clock()
        var editor = editor("start", clock)
        var states = [editor.buffer]
        for step in 0..<300 {
            clock.now = .seconds(step)
            if !editor.apply(edits.next(of: editor.buffer)).isEmpty { states.append(editor.buffer) }
        }
        for state in states.dropLast().reversed() {
            #expect(editor.undo() != nil)
            #expect(editor.buffer == state)
        }
        #expect(editor.undo() == nil)
        for state in states.dropFirst() {
            #expect(editor.redo() != nil)
            #expect(editor.buffer == state)
        }
        #expect(editor.redo() == nil)
    }

    @Test func `a history is bounded by its bytes, and the newest step stays`() {
        var editor = TextEditor(text: "", history: UndoHistory(budget: 10_000))
        for _ in 0..<100 { editor.insert(String(repeating: "x", count: 1000), as: .paste) }
        #expect(editor.history.cost <= 10_000)
        #expect(editor.history.canUndo)
        editor.insert(String(repeating: "y", count: 50_000), as: .paste)
        #expect(editor.history.done.count == 1)
        #expect(editor.undo() != nil)
        #expect(editor.buffer.utf8Count == 100_000)
    }

    @Test func `composing the edits of a group takes work in proportion to them, nearly`() {
        func work(_ count: Int) -> Int {
            var pieces = EditPieces()
            for index in 0..<count {
                pieces.append(Edit(Edit.Replacement(start: ByteOffset(11 * index), removed: "", inserted: "!")))
            }
            let whole = pieces.take()
            #expect(whole.replacements.count == count)
            #expect(whole.replacements.last?.start == ByteOffset(10 * (count - 1)))
            return pieces.work
        }
        // Eight times as many edits: 64 times the work if each were composed with all before it, 8 times log 8 here.
        #expect(work(8_000) < 16 * work(1_000))
    }

    @Test func `the edits of a group are one step, whatever comes between them`() {
        var edits = RandomEdits(seed: 7)
        var editor = editor("one two three\nfour five six")
        let start = editor.buffer
        editor.beginUndoGroup()
        for index in 0..<60 {
            editor.apply(edits.next(of: editor.buffer))
            if index == 20 { editor.amend(Edit(replacing: 0..<0, of: editor.buffer, with: "amended ")) }
            if index == 40 { editor.apply(Edit(replacing: 0..<0, of: editor.buffer, with: "§"), kind: .external) }
        }
        // What is stored while the group is open has all of its edits.
        let stored = UndoHistory(encoded: editor.history.encoded())
        editor.endUndoGroup()
        #expect(stored?.done == editor.history.done && stored?.cost == editor.history.cost)
        let end = editor.buffer
        #expect(editor.undo() != nil)
        let undone = editor.buffer.string()
        #expect(undone.contains("§") && undone.replacing("§", with: "") == start.string())
        #expect(!editor.history.canUndo)
        #expect(editor.redo() != nil)
        #expect(editor.buffer == end)
    }

    @Test func `a history that was stored goes on where it was`() throws {
        var editor = editor("one")
        editor.select(Selection(3))
        editor.insert(" two", as: .paste)
        editor.insert(" three", as: .paste)
        _ = editor.undo()
        let stored = try JSONEncoder().encode(editor.history)
        let history = try JSONDecoder().decode(UndoHistory.self, from: stored)
        var again = TextEditor(text: editor.buffer.string(), history: history)
        _ = again.redo()
        #expect(again.buffer.string() == "one two three")
        _ = again.undo()
        _ = again.undo()
        #expect(again.buffer.string() == "one")
        #expect(again.caret == 3)
    }

    @Test func `a history that was encoded is the same, and damaged bytes are none`() throws {
        var edits = RandomEdits(seed: 14)
        var editor = editor("start")
        for _ in 0..<40 { editor.apply(edits.next(of: editor.buffer)) }
        for _ in 0..<5 { _ = editor.undo() }
        let encoded = editor.history.encoded()
        let history = try #require(UndoHistory(encoded: encoded))
        #expect(history.done == editor.history.done && history.undone == editor.history.undone)
        #expect(history.cost == editor.history.cost && history.budget == editor.history.budget)
        for count in encoded.indices { #expect(UndoHistory(encoded: encoded[..<count]) == nil) }
        for index in encoded.indices {
            var damaged = encoded
            damaged[index] ^= 0xFF
            if var history = UndoHistory(encoded: damaged) { _ = history.stepToUndo() }
        }
    }

    @Test func `the next step to undo or redo is encoded even when it is large`() throws {
        var editor = editor("")
        editor.insert("small", as: .paste)
        editor.insert(String(repeating: "x", count: 3 << 20), as: .paste)
        var history = try #require(UndoHistory(encoded: editor.history.encoded()))
        #expect(history.done == editor.history.done.suffix(1))
        _ = editor.undo()
        history = try #require(UndoHistory(encoded: editor.history.encoded()))
        #expect(history.done.count == 1 && history.undone == editor.history.undone)
        editor.insert(String(repeating: "x", count: 9 << 20), as: .paste)
        #expect(try #require(UndoHistory(encoded: editor.history.encoded())).done.isEmpty)
    }

    @Test func `only the newest steps are encoded when all would be too much`() throws {
        var editor = editor("")
        for number in 0..<100 { editor.insert(String(repeating: "\(number % 10)", count: 1000), as: .paste) }
        let encoded = editor.history.encoded(limit: 20_000)
        #expect(encoded.count <= 20_000)
        let history = try #require(UndoHistory(encoded: encoded))
        #expect(history.done == editor.history.done.suffix(history.done.count))
        #expect(history.done.count > 10)
    }

    @Test func `a history of another text is dropped, not applied`() {
        var first = editor("one two three")
        first.select(Selection(13))
        first.insert(" four", as: .paste)
        var other = TextEditor(text: "1", history: first.history)
        #expect(other.undo() == nil)
        #expect(other.buffer.string() == "1")
        #expect(!other.history.canUndo)
    }

    @Test func `an edit from outside keeps the caret at its text and is not a step of the user’s`() {
        var editor = editor("one two")
        editor.select(Selection(7))
        editor.apply(Edit(replacing: 0..<3, of: editor.buffer, with: "three"), kind: .external)
        #expect(CursorNotation.of(editor) == "three two|")
        editor.insert("!")
        _ = editor.undo()
        #expect(CursorNotation.of(editor) == "three two|")
        #expect(editor.undo() == nil)
    }

    @Test func `undo takes back what the user typed and nothing that came from outside, and redo brings it back`() {
        var editor = editor("note\n")
        editor.insert("mine ")
        editor.apply(Edit(from: "mine note\n", to: "mine note\ntheirs\n"), kind: .external)
        _ = editor.undo()
        #expect(CursorNotation.of(editor) == "|note\ntheirs\n")
        editor.apply(Edit(from: "note\ntheirs\n", to: "first\nnote\ntheirs\n"), kind: .external)
        #expect(editor.history.canRedo)
        _ = editor.redo()
        #expect(["mine first\nnote\ntheirs\n", "first\nmine note\ntheirs\n"].contains(editor.buffer.string()))
    }

    @Test func `what came from outside into the middle of typed text stays when that is undone`() {
        var editor = editor("")
        editor.insert("one two", as: .paste)
        editor.apply(Edit(replacing: 4..<4, of: editor.buffer, with: "and "), kind: .external)
        _ = editor.undo()
        #expect(editor.buffer.string() == "and ")
        _ = editor.redo()
        #expect(editor.buffer.string() == "one and two")
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `undoing all leaves what came from outside, and redoing all ends where it was`(seed: UInt64) {
        var edits = RandomEdits(seed: seed)
        let clock = Clock()
        var editor = editor("start of a text\n", clock)
        // The two sides are distinguishable: inserted text of the other side is marked, and this side's steps have
        // other letters.
        for step in 0..<60 {
            clock.now = .seconds(step)
            if edits.random.chance(40) {
                let position = editor.buffer.offset(ofScalar: edits.random.below(editor.buffer.scalarCount + 1))
                editor.apply(
                    Edit(replacing: position..<position, of: editor.buffer, with: "§\(step)§"), kind: .external)
            } else if edits.random.chance(25) {
                _ = edits.random.chance(50) ? editor.undo() : editor.redo()
            } else {
                let position = editor.buffer.offset(ofScalar: edits.random.below(editor.buffer.scalarCount + 1))
                editor.select(Selection(position))
                editor.insert(edits.random.pick(["x", "yz\n", "漢", "w w"]), as: .paste)
            }
        }
        let end = editor.buffer
        func theirs(_ buffer: TextBuffer) -> Int { buffer.string().count { $0 == "§" } }
        var steps = 0
        while editor.undo() != nil { steps += 1 }
        #expect(theirs(editor.buffer) == theirs(end))
        #expect(!editor.buffer.string().contains { "xyzw漢".contains($0) && !"start of a text".contains($0) })
        for _ in 0..<steps { _ = editor.redo() }
        #expect(editor.buffer == end)
    }

    @Test func `the caret stays before what is put in at it, and behind lines put in above its own`() {
        var editor = editor("one\ntwo")
        editor.select(Selection(7))
        editor.apply(Edit(replacing: 7..<7, of: editor.buffer, with: "\nthree"), kind: .external)
        #expect(CursorNotation.of(editor) == "one\ntwo|\nthree")
        editor.select(Selection(4))
        editor.apply(Edit(replacing: 4..<4, of: editor.buffer, with: "new\n"), kind: .external)
        #expect(CursorNotation.of(editor) == "one\nnew\n|two\nthree")
    }
}

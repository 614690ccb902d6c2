import SeededRandom
import Testing

@testable import TextEditing

/// Compares long random sessions of every key with plain models that follow only the returned edits.
@Suite struct EditorFuzzTests {
    private static let keys = [
        "a", "b", " ", "漢", "e\u{301}", "👩‍👧", "\u{301}", "\u{200D}", "🇫", "(", ")", "*", "\"", "<left>", "<right>",
        "<up>", "<down>", "<home>",
        "<end>",
        "<c-left>", "<c-right>", "<c-home>", "<c-end>", "<rowhome>", "<rowend>", "<smarthome>", "<pgdn>", "<pgup>",
        "<c-up>",
        "<c-down>", "<s-left>", "<s-right>", "<s-up>", "<s-down>", "<s-c-left>", "<s-c-right>", "<s-end>", "<bs>",
        "<del>",
        "<c-w>", "<a-d>", "<c-u>", "<c-k>", "<enter>", "<tab>", "<s-tab>", "<c-z>", "<c-z>", "<c-y>", "<c-c>", "<c-x>",
        "<c-v>",
        "<a-up>", "<a-down>", "<duplicate>", "<join>", "<sort>", "<trim>", "<deleteline>", "<upper>", "<lower>",
        "<title>",
        "<transpose>",
    ]

    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `every command returns the edit that it made and leaves everything in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 77)
        let configuration = EditorConfiguration(softTabs: seed % 2 == 0, autoPairs: seed % 3 == 0, now: { .zero })
        let start = "# Title\r\n\r\n- one two\n\tthree 漢字かな\n\nlast e\u{301} line"
        var driver = EditorDriver(start + "|", columns: 12, configuration: configuration)
        var mirror = TextBuffer(start)
        var statistics = TextStatistics(mirror)
        for _ in 0..<600 {
            let key = random.pick(Self.keys)
            let before = driver.editor.revision
            let edits = driver.pressCollecting(key)
            #expect((driver.editor.revision != before) == !edits.isEmpty, "\(key)")
            for edit in edits {
                #expect(edit.fits(mirror), "\(key)")
                edit.apply(to: &mirror)
                statistics.update(edit, in: mirror)
            }
            #expect(mirror == driver.editor.buffer, "\(key)")
            checkSelection(driver.editor, key)
            checkLayout(driver, key)
        }
        #expect(statistics == TextStatistics(mirror))
        let steps = driver.editor.history.done.count
        while driver.editor.undo() != nil {}
        #expect(driver.editor.buffer == TextBuffer(start))
        for _ in 0..<steps { _ = driver.editor.redo() }
        #expect(driver.editor.buffer == mirror)
    }

    private func checkSelection(_ editor: TextEditor, _ key: String) {
        for offset in [editor.selection.anchor, editor.selection.head] {
            #expect(editor.buffer.characterBoundary(atOrBefore: offset) == offset, "\(key)")
        }
    }

    private func checkLayout(_ driver: EditorDriver, _ key: String) {
        var (followed, fresh) = (driver.layout, TextLayout(configuration: driver.layout.configuration))
        let line = driver.editor.buffer.lineNumber(at: driver.editor.caret)
        let buffer = driver.editor.buffer
        #expect(followed.rows(of: line, in: buffer) == fresh.rows(of: line, in: buffer), "\(key)")
    }
}

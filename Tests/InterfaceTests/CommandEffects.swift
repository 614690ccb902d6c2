import NoteStore
import ViewModel

@testable import Interface

/// The effects by which the commands are tested.
extension CommandEffectTests {
    /// A command, the keys to press before it in the list, and a condition that holds only after it.
    struct Effect: Sendable, CustomStringConvertible {
        let command: String
        let keys: [String]
        let holds: @MainActor @Sendable (Window) -> Bool
        var description: String { command }

        init(_ command: String, _ keys: [String] = [], holds: @escaping @MainActor @Sendable (Window) -> Bool) {
            self.command = command
            self.keys = keys
            self.holds = holds
        }

        /// A command that changes the text of the first note.
        static func text(
            _ command: String, _ keys: [String], holds: @escaping @MainActor @Sendable (String) -> Bool
        ) -> Effect {
            Effect(command, ["Enter", "Ctrl-Home"] + keys) { $0.fixture.model.session.map { holds($0.text) } == true }
        }

        /// A command that moves the caret of the first note to a position.
        static func caret(_ command: String, _ keys: [String], to place: String) -> Effect {
            Effect(command, ["Enter", "Ctrl-Home"] + keys) { $0.fixture.model.session?.caretLabel == place }
        }

        /// A command that selects a part of the first note.
        static func selected(_ command: String, _ keys: [String], _ text: String) -> Effect {
            Effect(command, ["Enter", "Ctrl-Home"] + keys) { $0.fixture.model.session?.selectedText == text }
        }
    }

    nonisolated static let first = "one two\nthree four\n- five"

    /// Types a line that takes more than one row of the editor.
    nonisolated static let wide = "\"" + String(repeating: "1234567890", count: 6) + "\""

    /// Makes a note of a table that is wider than the pane, and reads it.
    nonisolated static let wideTable =
        [
            "n", "\"| \(String(repeating: "word | ", count: 30))\"", "Enter",
            "\"|\(String(repeating: "-|", count: 30))\"", "Ctrl-E",
        ]

    nonisolated static let moving: [Effect] = [
        .caret("caret.right", [], to: "1:2"), .caret("caret.left", ["Right", "Right"], to: "1:2"),
        .caret("caret.down", [], to: "2:1"), .caret("caret.up", ["Down"], to: "1:1"),
        .caret("caret.wordLeft", ["End"], to: "1:5"), .caret("caret.lineEnd", [], to: "1:8"),
        .caret("caret.lineStart", ["End"], to: "1:1"), .caret("caret.start", ["Ctrl-End"], to: "1:1"),
        .caret("caret.end", [], to: "3:7"), .caret("caret.pageDown", [], to: "3:1"),
        .caret("caret.pageUp", ["Down", "Down"], to: "1:1"),
        .selected("select.right", [], "o"), .selected("select.left", ["Right"], "o"),
        .selected("select.down", [], "one two\n"), .selected("select.up", ["Down"], "one two\n"),
        .selected("select.wordLeft", ["End"], "two"), .selected("select.lineEnd", [], "one two"),
        .selected("select.lineStart", ["End"], "one two"), .selected("select.end", [], first),
        .selected("select.start", ["Ctrl-End"], first), .selected("select.pageDown", [], "one two\nthree four\n"),
        .selected("select.pageUp", ["Down"], "one two\n"), .selected("edit.selectAll", [], first),
        .caret("caret.paragraphDown", ["Down", "End", "Enter", "Enter", "Up", "Up", "Up"], to: "3:1"),
        .caret("caret.paragraphUp", ["Down", "End", "Enter", "Enter", "\"x\""], to: "3:1"),
        .selected(
            "select.paragraphDown", ["Down", "End", "Enter", "Enter", "Up", "Up", "Up"], "one two\nthree four\n"),
        .selected("select.paragraphUp", ["Down", "End", "Enter", "Enter", "\"x\""], "\nx"),
        .caret("caret.rowEnd", [wide, "Ctrl-Home"], to: "1:52"), .caret("caret.rowStart", [wide], to: "1:53"),
        .selected("select.rowStart", [wide], "34567890"),
        .selected("select.rowEnd", [wide, "Ctrl-Home"], String(repeating: "1234567890", count: 5) + "1"),
        Effect("caret.wordRight", ["Enter", "Ctrl-Home"]) {
            ["1:4", "1:5"].contains($0.fixture.model.session?.caretLabel)
        },
        Effect("select.wordRight", ["Enter", "Ctrl-Home"]) {
            $0.fixture.model.session?.selectedText.hasPrefix("one") == true
        },
    ]

    nonisolated static let editing: [Effect] = [
        .text("delete.backward", ["Right"]) { $0.hasPrefix("ne two") },
        .text("delete.forward", []) { $0.hasPrefix("ne two") },
        .text("delete.wordBackward", ["End"]) { $0.hasPrefix("one \n") || $0.hasPrefix("one\n") },
        .text("delete.wordForward", []) { $0.hasPrefix("two") || $0.hasPrefix(" two") },
        .text("delete.toLineStart", ["End"]) { $0.hasPrefix("\nthree") },
        .text("delete.toLineEnd", []) { $0.hasPrefix("\nthree") },
        .text("line.moveDown", []) { $0.hasPrefix("three four\none two") },
        .text("line.moveUp", ["Down"]) { $0.hasPrefix("three four\none two") },
        .text("line.duplicate", []) { $0.hasPrefix("one two\none two\n") },
        .text("line.join", []) { $0.hasPrefix("one two three four") },
        .text("line.sort", ["Ctrl-A"]) { $0 == "- five\none two\nthree four" },
        .text("line.trim", ["End", "\"  \""]) { $0 == first },
        .text("text.transpose", ["Right"]) { $0.hasPrefix("noe two") },
        .text("text.upperCase", ["Shift-End"]) { $0.hasPrefix("ONE TWO") },
        .text("text.lowerCase", ["\"X\"", "Shift-Left"]) { $0.hasPrefix("xone") },
        .text("edit.newLine", ["Ctrl-End"]) { $0.hasSuffix("- five\n- ") },
        .text("edit.newLineInItem", ["Ctrl-End"]) { $0.hasSuffix("- five\n  ") },
        .text("edit.tab", []) { $0 != first },
        .text("edit.outdent", ["Ctrl-End", "Enter", "\"x\"", "Tab"]) { $0.hasSuffix("- five\n- x") },
        .text("edit.task", ["Ctrl-End"]) { $0.contains("[ ] five") },
        .text("edit.undo", ["\"x\""]) { $0 == first },
        .text("edit.redo", ["\"x\"", "Ctrl-Z"]) { $0 == "x" + first },
        .text("edit.cut", []) { $0.hasPrefix("three") },
        .text("edit.paste", ["Ctrl-C"]) { $0.hasPrefix("one two\none two") },
        .text("insert.heading", []) { $0.hasPrefix("# one two\n") },
        .text("insert.list", []) { $0.hasPrefix("- one two\n") },
        .text("insert.numbers", []) { $0.hasPrefix("1. one two\n") },
        .text("insert.quote", []) { $0.hasPrefix("> one two\n") },
        .text("insert.fence", ["Ctrl-A"]) { $0.hasPrefix("```\none two\n") },
        .text("insert.table", []) { $0.contains("\n\n| Column 1 | Column 2 |\n| --") },
        .text("insert.date", []) { $0.hasPrefix("20") },
        Effect("insert.snippet", ["Enter"]) { $0.fixture.model.notice?.kind == .refused },
        Effect("view.writing", ["Enter"]) { $0.fixture.model.session?.settings.isWritingMode == true },
        .text("text.reflow", []) { $0.hasPrefix("one two three four\n- five") },
        Effect("carets.below", ["Enter", "Ctrl-Home"]) { $0.fixture.model.session?.caretCount == 2 },
        Effect("carets.above", ["Enter", "Ctrl-End"]) { $0.fixture.model.session?.caretCount == 2 },
        .selected("carets.nextMatch", [], "one"), .selected("carets.allMatches", [], "one"),
        Effect("carets.lineEnds", ["Enter", "Ctrl-A"]) { $0.fixture.model.session?.caretCount == 3 },
        Effect("edit.copy", ["Enter", "Ctrl-Home"]) { $0.host.copied == ["one two\n"] },
        Effect("edit.save", ["Enter", "Ctrl-Home", "\"x\""]) { window in
            let id = window.fixture.model.openNote?.id
            return id.flatMap { try? window.fixture.notebook.notes.text($0) } == "x" + first
        },
        Effect("find.start", ["Enter"]) { $0.interface.state.findBar != nil },
        Effect("link.insert", ["Enter"]) { !$0.interface.overlays.isEmpty },
        Effect("note.outline", ["Enter"]) { !$0.interface.overlays.isEmpty },
        Effect("note.insertImage", ["Enter"]) { !$0.interface.overlays.isEmpty },
    ]

    nonisolated static let window: [Effect] = [
        Effect("app.help") { !$0.interface.overlays.isEmpty },
        Effect("app.palette") { !$0.interface.overlays.isEmpty },
        Effect("note.goTo") { !$0.interface.overlays.isEmpty },
        Effect("notes.replace") { !$0.interface.overlays.isEmpty },
        Effect("app.export") { !$0.interface.overlays.isEmpty },
        Effect("app.suspend") { $0.host.suspensions == 1 },
        Effect("app.quit") { $0.host.hasQuit },
        Effect("app.configuration") { $0.host.configurationEdits == 1 },
        Effect("app.backup") { (try? $0.fixture.notebook.backups.all())?.isEmpty == false },
        Effect("app.news") { $0.interface.overlays.last is ReportOverlay },
        Effect("app.message", ["Alt-0"]) { $0.interface.overlays.last is ReportOverlay },
        Effect("app.redraw") { $0.host.repaints == 1 },
        // It asks before it adds a note to others.
        Effect("app.welcome") { $0.interface.overlays.last is ConfirmOverlay },
        Effect("pane.sidebar") { $0.interface.state.focus == .sidebar },
        Effect("pane.list", ["Alt-1"]) { $0.interface.state.focus == .list },
        Effect("pane.editor") { $0.interface.state.focus == .editor },
        Effect("pane.next") { $0.interface.state.focus == .editor },
        Effect("pane.previous") { $0.interface.state.focus == .sidebar },
        Effect("pane.left") { $0.interface.state.focus == .sidebar },
        Effect("pane.right") { $0.interface.state.focus == .editor },
        Effect("pane.zoom") { $0.interface.state.isZoomed },
        Effect("pane.backlinks") { !$0.interface.state.showsBacklinks },
        Effect("beside.show") { $0.fixture.model.noteBeside != nil },
        Effect("beside.go", ["Alt-5", "j"]) { $0.fixture.model.openNote?.title == "one two" },
        Effect("beside.pageDown", ["G", "Alt-5", "g"]) { $0.interface.beside.preview.top > 0 },
        Effect("beside.pageUp", ["G", "Alt-5", "g", "Alt-PgDn"]) { $0.interface.beside.preview.top == 0 },
        Effect("history.back", ["Ctrl-O", "\"second\"", "Enter"]) { $0.fixture.model.openNote?.title == "one two" },
        Effect("history.forward", ["Ctrl-O", "\"second\"", "Enter", "F7"]) {
            $0.fixture.model.openNote?.title == "Second"
        },
        Effect("cursor.down") { $0.fixture.model.listCursor == 1 },
        Effect("cursor.up", ["j", "j"]) { $0.fixture.model.listCursor == 1 },
        Effect("cursor.pageDown") { $0.fixture.model.listCursor == 2 },
        Effect("cursor.pageUp", ["G"]) { $0.fixture.model.listCursor == 0 },
        Effect("cursor.first", ["G"]) { $0.fixture.model.listCursor == 0 },
        Effect("cursor.last") { $0.fixture.model.listCursor == 2 },
        Effect("cursor.open") { $0.interface.state.focus == .editor },
        Effect("cursor.leave", ["Space"]) { $0.fixture.model.markedNotes.isEmpty },
        Effect("sidebar.fold", ["Alt-1", "G", "k"]) { !$0.fixture.model.tagSectionExpanded },
        Effect("sidebar.unfold", ["Alt-1", "G", "k", "Left"]) { $0.fixture.model.tagSectionExpanded },
        Effect("note.markDown") { $0.fixture.model.markedNotes.count == 2 },
        Effect("note.markUp", ["G"]) { $0.fixture.model.markedNotes.count == 2 },
        Effect("note.showFolder", ["Alt-1", "j", "j", "Alt-2"]) { $0.fixture.model.selectedContainer?.isInbox == true },
        Effect("project.details", ["Alt-1", "N", "\"P\"", "Enter"]) { !$0.interface.overlays.isEmpty },
        Effect("project.repair", ["Alt-1", "N", "\"P\"", "Enter"]) {
            $0.fixture.model.notice?.text == "Nothing was missing"
        },
        Effect("search.start") { $0.interface.state.searchField != nil },
        Effect("search.cancel", ["/"]) { $0.interface.state.searchField == nil },
    ]

    nonisolated static let reading: [Effect] = [
        Effect("note.preview") { $0.interface.state.isPreviewing },
        Effect("preview.down", ["G", "p"]) { $0.interface.note.preview.top == 1 },
        Effect("preview.up", ["G", "p", "Alt-3", "j", "j"]) { $0.interface.note.preview.top == 1 },
        Effect("preview.pageDown", ["G", "p"]) { $0.interface.note.preview.top > 1 },
        Effect("preview.pageUp", ["G", "p", "Alt-3", "PgDn"]) { $0.interface.note.preview.top == 0 },
        Effect("preview.end", ["G", "p"]) { $0.interface.note.preview.top > 100 },
        Effect("preview.start", ["G", "p", "Alt-3", "End"]) { $0.interface.note.preview.top == 0 },
        Effect("preview.right", wideTable) { $0.interface.note.preview.leftColumn > 0 },
        Effect("preview.left", wideTable + ["Right"]) { $0.interface.note.preview.leftColumn == 0 },
        Effect("preview.nextLink", ["G", "p"]) { $0.interface.note.preview.selectedLink != nil },
        Effect("preview.previousLink", ["G", "p"]) { $0.interface.note.preview.selectedLink != nil },
    ]
}

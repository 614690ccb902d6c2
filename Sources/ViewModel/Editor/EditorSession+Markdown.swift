import Foundation
import Markdown
import TextEditing

/// The meanings of keys in Markdown: lists continue, tables are aligned, tasks are ticked, links are followed.
extension EditorSession {
    var lines: BufferLines { BufferLines(buffer: editor.buffer) }

    var caret: LinePosition { linePosition(of: editor.selection.head) }

    func linePosition(of offset: ByteOffset) -> LinePosition {
        let line = editor.buffer.lineNumber(at: offset)
        return LinePosition(line: line.rawValue, byte: offset - editor.buffer.lineStart(line))
    }

    func offset(of position: LinePosition) -> ByteOffset {
        editor.buffer.lineStart(LineNumber(position.line)) + position.byte
    }

    /// Whether the caret is in code, where Markdown has no meaning.
    var isInCode: Bool { highlighter.isCode(line: caret.line, in: lines) }

    // MARK: Keys

    /// Begins a new line; a list, task or quote continues, and Enter in an empty item ends the list.
    ///
    /// In a table's cell, moves to the cell below, in a new row after the last one.
    public func newLine() {
        if editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode,
            let edit = MarkdownAssistant.cellBelow(in: lines, at: caret, cellWidth: configuration.cellWidth)
        {
            apply(edit)
        } else if editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode,
            let edit = MarkdownAssistant.enter(in: lines, at: caret)
        {
            apply(edit)
        } else if !assistAtEachCaret(
            renumbers: true, { MarkdownAssistant.enter(in: $0, at: $1, renumbers: false) },
            otherwise: { $0.lineBreak })
        {
            change { $0.insertNewline() }
        }
    }

    /// Begins a new line in the same item, below its text and without a marker; elsewhere does what `newLine` does.
    public func newLineInItem() {
        let line = LineNumber(caret.line)
        var text = editor.buffer.string(of: line)
        let length = text.withUTF8 { HangingIndent.cells(of: $0) }
        let prefix = text.utf8.prefix(length)
        // Where nothing but quotes and spaces stands before the text, there is no item.
        let isItem = prefix.contains { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: " ") }
        guard isItem, caret.byte >= length, editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode else {
            return newLine()
        }
        let lead = String(decoding: prefix.map { $0 == UInt8(ascii: ">") ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
        change { $0.insert($0.buffer.lineBreak(near: line) + lead, as: .command) }
    }

    /// Nests the items, goes to the next cell of a table, or types a tab.
    public func tab(backwards: Bool) {
        if !editor.hasSeveralCarets, !isInCode, let edit = tabEdit(backwards: backwards) {
            apply(edit)
        } else if !assistAtEachCaret({ nestingEdit(in: $0, at: $1, backwards: backwards) }, otherwise: { _ in nil }) {
            change { backwards ? $0.outdentLines() : $0.insertTab() }
        }
    }

    private func tabEdit(backwards: Bool) -> AssistantEdit? {
        let cell = MarkdownAssistant.nextCell(
            in: lines, at: caret, backwards: backwards, selects: !editor.selection.isEmpty,
            placeholders: Texts.tableHeadings, cellWidth: configuration.cellWidth)
        if let cell { return cell }
        let selected = editor.selectedLines
        let range = selected.lowerBound.rawValue...selected.upperBound.rawValue
        return backwards
            ? MarkdownAssistant.outdent(range, in: lines, caret: caret)
            : MarkdownAssistant.indent(range, in: lines, caret: caret)
    }

    private func nestingEdit(in lines: BufferLines, at caret: LinePosition, backwards: Bool) -> AssistantEdit? {
        let range = caret.line...caret.line
        return backwards
            ? MarkdownAssistant.outdent(range, in: lines, caret: caret)
            : MarkdownAssistant.indent(range, in: lines, caret: caret)
    }

    /// Toggles the task of the caret's line, or makes the line a task.
    ///
    /// If several lines are selected, those that are not tasks become tasks. If all are tasks already, the open ones
    /// are ticked; if none is open, all are opened again.
    public func toggleTask() {
        let chosen = linesOfCarets
        guard chosen.count > 1 else {
            guard !isInCode, let edit = MarkdownAssistant.toggleTask(at: caret.line, in: lines, caret: caret) else {
                return
            }
            return apply(edit)
        }
        let toggled = chosen.filter { !highlighter.isCode(line: $0, in: lines) }.compactMap { line in
            MarkdownAssistant.toggleTask(at: line, in: lines, caret: LinePosition(line: line, byte: 0))?
                .replacements.first
        }
        let (made, ticked) = (toggled.filter { $0.text.contains("[") }, toggled.filter { $0.text == "x" })
        let parts = !made.isEmpty ? made : !ticked.isEmpty ? ticked : toggled
        let edit = Edit(replacing: parts.map { (offset(of: $0.start)..<offset(of: $0.end), $0.text) }, of: buffer)
        change { $0.apply(edit) }
    }

    /// The lines of all carets and selections, each once; a line at whose start a selection ends is not one of them.
    private var linesOfCarets: [Int] {
        var numbers: [Int] = []
        for range in editor.selections.map(\.range) {
            let first = buffer.lineNumber(at: range.lowerBound)
            let end = buffer.lineNumber(at: range.upperBound)
            let last = end > first && buffer.lineStart(end) == range.upperBound ? end - 1 : end
            let known = numbers.last ?? -1
            numbers += (first.rawValue...last.rawValue).filter { $0 > known }
        }
        return numbers
    }

    /// Ticks the task in a line, or makes it open again.
    ///
    /// - Parameter words: words of the task, without its due day; where they are no longer in the line, the text has
    ///   changed, and nothing is done.
    /// - Returns: whether it is done now; nil if the line has no such task.
    public func toggleTask(inLine line: Int, saying words: String) -> Bool? {
        guard let task = Markdown.tasks(in: text).first(where: { $0.line == line }),
            Set(words.split(separator: " ")).isSubset(of: task.title.split(separator: " ")),
            let edit = MarkdownAssistant.toggleTask(at: line, in: lines, caret: caret)
        else { return nil }
        apply(edit)
        return !task.isDone
    }

    /// Toggles the task whose check box is at a cell of the pane.
    ///
    /// - Returns: whether there is one.
    public func toggleTask(column: Int, row: Int) -> Bool {
        let rows = visibleRows()
        guard rows.indices.contains(row) else { return false }
        let line = rows[row].line
        let hit = linePosition(of: offsetOfCell(column: column, row: row))
        let box = highlight(of: line, bytes: 0..<1).runs.first { $0.kind.contains(.task) }
        guard let box, box.range.contains(hit.byte), hit.line == line.rawValue else { return false }
        guard let edit = MarkdownAssistant.toggleTask(at: hit.line, in: lines, caret: caret) else { return false }
        apply(edit)
        return true
    }

    /// Moves a caret at the start of the text to the line of its first task.
    func goToFirstTask() {
        guard editor.selection == Selection(0), let task = Markdown.tasks(in: text).first else { return }
        editor.select(Selection(editor.buffer.lineEnd(LineNumber(task.line))))
        // Before it is laid out the text has one row, and would be scrolled to the task that its first screen shows
        // anyway; the first layout reveals the caret.
        if viewport.rows > 1 { revealCaret() } else { revision += 1 }
    }

    /// Pastes a text; an address pasted over a selection turns the selection into a link.
    public func pasteText(_ text: String) {
        let range = editor.selection.range
        let selected = linePosition(of: range.lowerBound)..<linePosition(of: range.upperBound)
        if !range.isEmpty, !editor.hasSeveralCarets, let edit = MarkdownAssistant.paste(text, over: selected, in: lines)
        {
            apply(edit, kind: .paste)
        } else {
            paste(text)
        }
    }

    /// Makes a change of Markdown as one undo step, with the selection that it asks for.
    func apply(_ assistance: AssistantEdit, kind: EditKind = .command) {
        let parts = Self.parts(of: assistance, in: editor.buffer)
        change { editor in
            let edit = Edit(replacing: parts, of: editor.buffer)
            var buffer = editor.buffer
            edit.apply(to: &buffer)
            let selection = Selection(
                anchor: Self.offset(of: assistance.anchor, in: buffer),
                head: Self.offset(of: assistance.caret, in: buffer))
            // Moving to the next cell of an aligned table moves the caret without changing the text. The step has the
            // selection that redo brings back.
            let done = edit.isEmpty ? nil : editor.apply(edit, selection: selection, kind: kind)
            editor.select(selection)
            return done
        }
    }

    /// The replacements of an edit, whose line breaks become those of the lines at which they are.
    static func parts(
        of assistance: AssistantEdit, in buffer: TextBuffer
    ) -> [(range: Range<ByteOffset>, text: String)] {
        assistance.replacements.map { part in
            let range = offset(of: part.start, in: buffer)..<offset(of: part.end, in: buffer)
            guard part.text.contains("\n") else { return (range, part.text) }
            return (range, part.text.withLineBreaks(buffer.lineBreak(near: LineNumber(part.start.line))))
        }
    }

    // MARK: Links

    /// The title being typed after `[[`; nil if there is none.
    public var linkCompletion: MarkdownAssistant.Completion? {
        editor.selection.isEmpty && !editor.hasSeveralCarets && !isInCode
            ? MarkdownAssistant.completion(in: lines, at: caret) : nil
    }

    /// Replaces the text typed after `[[` by a link to a note.
    public func completeLink(title: String, uuid: String) {
        guard let completion = linkCompletion else { return }
        apply(MarkdownAssistant.complete(completion, title: title, uuid: uuid, line: caret.line))
    }

    /// Replaces the text typed after `[[` by `[[title]]`.
    public func completeLink(title: String) {
        guard let completion = linkCompletion else { return }
        let start = buffer.lineStart(LineNumber(caret.line))
        let end = min(start + completion.range.upperBound, buffer.end)
        // The text is not selected, so that after undo the next letter does not replace it.
        replace(start + completion.range.lowerBound..<end, with: "[[\(title)]]")
    }

    /// Inserts a link to a note at the caret; a selection within a line becomes its text.
    public func insertLink(title: String, uuid: String) {
        let label = linkLabel
        change { $0.insert(MarkdownAssistant.link(label ?? title, uuid: uuid), as: .command) }
    }

    /// Inserts a link to a note that may not exist yet; a selection within a line becomes its text.
    public func insertWikilink(title: String) {
        guard !title.isEmpty else { return }
        let label = linkLabel.map { "|" + $0 } ?? ""
        change { $0.insert("[[" + title + label + "]]", as: .command) }
    }

    private var linkLabel: String? {
        let text = selectedText
        return text.isEmpty || text.contains(where: \.isNewline) ? nil : text
    }

    /// The link at the caret, or the one that ends there; nil if there is none.
    ///
    /// The caret's line is searched first; for a reference link, the whole text as well, up to a megabyte.
    var linkAtCaret: MarkdownLink? {
        let line = editor.buffer.string(of: LineNumber(caret.line))
        if let link = Self.link(around: caret.byte, in: line) { return link }
        guard editor.buffer.utf8Count <= 1_000_000 else { return nil }
        return Self.link(around: editor.selection.head.rawValue, in: editor.buffer.string())
    }

    /// The innermost link that has the byte at an offset, or else one that ends before it: after a link that was just
    /// typed the caret is beyond its last character.
    private static func link(around offset: Int, in text: String) -> MarkdownLink? {
        let links = Markdown.links(in: text)
        return links.last { $0.range.contains(offset) } ?? links.last { $0.range.upperBound == offset }
    }

    /// The text of the tag at the caret, or of the one that ends there; nil if there is none.
    var tagAtCaret: String? {
        let line = LineNumber(caret.line)
        let tags = highlight(of: line).runs.map { $0.kind.contains(.tag) ? $0.range : 0..<0 }
        let tag = tags.first { $0.contains(caret.byte) } ?? tags.last { !$0.isEmpty && $0.upperBound == caret.byte }
        let bytes = Array(editor.buffer.string(of: line).utf8)
        guard let tag, tag.upperBound <= bytes.count else { return nil }
        return String(decoding: bytes[tag], as: UTF8.self)
    }

    // MARK: Positions

    /// The headings of the text.
    public var outline: [OutlineItem] { Markdown.outline(of: text) }

    /// The first visible cell of unwrapped lines; 0 if lines are wrapped.
    public var leftColumn: Int { viewport.leftColumn.rawValue }

    public var lineCount: Int { editor.buffer.lineCount }

    /// Puts the caret at the start of a line, counted from 0, and the line at the top of the pane.
    public func go(toLine line: Int) {
        let line = LineNumber(min(max(line, 0), editor.buffer.lineCount - 1))
        editor.select(Selection(editor.buffer.lineStart(line)))
        viewport.line = line
        viewport.row = 0
        jumps += 1
        revealCaret()
    }
}

extension String {
    /// The text with other line breaks in place of single line feeds.
    func withLineBreaks(_ lineBreak: String) -> String {
        lineBreak == "\n" ? self : reduce(into: "") { $0 += $1 == "\n" ? lineBreak : String($1) }
    }
}

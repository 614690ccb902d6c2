import ModalEditing
import TextEditing

/// A text with vim's keys and no surrounding program: it applies the machine's effects itself.
public struct PlainVimText {
    public private(set) var editor: TextEditor
    public private(set) var machine: VimMachine
    private var layout = TextLayout(configuration: LayoutConfiguration(columns: 10_000))
    private var retraced: (edit: Edit, caret: ByteOffset)?
    /// The effects that did not change text or selection.
    public private(set) var other: [VimEffect] = []
    public var clipboard: String?
    /// The lines in view, from the first; nil for all, and for a screen that is not scrolled.
    public var rows: Int? {
        didSet { viewport = rows.map { Viewport(rows: $0, scrollMargin: 0) } }
    }
    private var viewport: Viewport?

    public init(_ text: String, caret: ByteOffset = 0, configuration: VimConfiguration = VimConfiguration()) {
        editor = TextEditor(text: text, configuration: EditorConfiguration(now: { .zero }))
        editor.select(Selection(caret))
        machine = VimMachine(configuration: configuration)
    }

    public var caret: ByteOffset { machine.mode.isVisual ? machine.caret : editor.caret }

    /// Presses all keys, even after a refused one, as a user who types; returns whether none was refused.
    @discardableResult
    public mutating func press(_ keys: [VimKey]) -> Bool {
        keys.reduce(true) { press($1) && $0 }
    }

    /// Presses a key, applies its effects, and returns them.
    public mutating func pressed(_ key: VimKey) -> [VimEffect] {
        let effects = machine.press(key, in: view)
        _ = perform(effects)
        while machine.hasMore { _ = perform(machine.resume(view)) }
        return effects
    }

    /// Replaces the text, as another program does.
    public mutating func replaceAll(with text: String) {
        let edit = Edit(replacing: editor.buffer.range, of: editor.buffer, with: text)
        editor.apply(edit, kind: .external)
        machine.follow(edit)
    }

    /// Presses a key and applies all its effects; returns whether it was not refused.
    public mutating func press(_ key: VimKey) -> Bool {
        var done = perform(machine.press(key, in: view))
        while machine.hasMore {
            if !perform(machine.resume(view)) { done = false }
        }
        return done
    }

    private mutating func follow(_ edit: Edit?) {
        if let edit { machine.followOwn(edit, in: editor.buffer) }
    }

    private var view: VimView {
        VimView(
            text: editor.buffer, selection: editor.selection, lines: rows.map { 0...LineNumber($0 - 1) },
            clipboard: clipboard, retraced: retraced, scrolled: viewport.map(scrolling))
    }

    /// Returns what a scroll does, as a view tells it.
    private func scrolling(
        _ viewport: Viewport
    ) -> @Sendable (VimScroll, ByteOffset, CellColumn?) -> VimScrolled {
        let (buffer, layout, lastLine) = (editor.buffer, layout, LineNumber(editor.buffer.lineCount - 1))
        return { scroll, position, column in
            var layout = layout
            return scroll.result(
                from: position, column: column, lastLine: lastLine, viewport: viewport, in: buffer, layout: &layout)
        }
    }

    private mutating func perform(_ effects: [VimEffect]) -> Bool {
        var done = true
        for effect in effects {
            switch effect {
            case .beginGroup: editor.beginUndoGroup()
            case .endGroup: editor.endUndoGroup()
            case .touch: editor.touchUndoGroup()
            case .edit(let edit, let caret): editor.apply(edit, selection: Selection(caret))
            case .type(let text): follow(editor.type(text))
            case .perform(.newLine): follow(editor.insertNewline(keepingIndent: machine.configuration.keepsIndent))
            case .perform(let action): follow(editor.perform(action, layout: &layout))
            case .select(let selection): editor.select(selection)
            case .undo(let count), .redo(let count):
                var isUndo = false
                if case .undo = effect { isUndo = true }
                retraced = nil
                for _ in 0..<count {
                    guard let edit = isUndo ? editor.undo() : editor.redo() else {
                        done = done && retraced != nil
                        break
                    }
                    machine.follow(edit)
                    retraced = (edit, editor.caretBeforeRetracedStep)
                }
            case .scroll(let rows): viewport?.scroll(by: rows, in: editor.buffer, layout: &layout)
            case .refused: done = false
            case .copy(let text):
                clipboard = text
                other.append(effect)
            default: other.append(effect)
            }
            // Rows do not matter here, and a layout with one column more or less has the same lines.
            layout = TextLayout(configuration: layout.configuration)
        }
        return done
    }
}

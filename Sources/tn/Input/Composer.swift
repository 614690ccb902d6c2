import Foundation
import Interface
import Terminal
import TextEditing

/// A small editor for `tn --new` without a text: Ctrl-D or Ctrl-S saves, Esc leaves.
@MainActor
final class Composer: TerminalApplication {
    private var editor: TextEditor
    private var layout: TextLayout
    private var viewport = Viewport(rows: 1, scrollMargin: 1)
    private let loop: EventLoop
    private let draft: Draft
    private var isSaved = false
    private var isAskingToLeave = false
    /// The message about a paste that has not ended, or that was refused.
    private var pasteSign: String?
    private var needsFrame = true
    /// Whether the text has changes that are not in the draft.
    private var isDraftBehind = false
    /// The reason why the draft could not be written, which is shown; nil if it was written.
    private var draftProblem: String?

    /// Puts the draft on the disk, one text after the other.
    private let syncing = DispatchQueue(label: "tn.draft")
    /// Whether a sync is scheduled or running.
    private var isSyncing = false

    /// The time for which changes are gathered before they are put on the disk: a power cut costs at most a second.
    private static let syncDelay = Duration.milliseconds(300)

    /// The number of rows of the line that shows the keys.
    private static let hintRows = 1

    /// Lets the user write until they save or leave.
    ///
    /// - Parameter draft: stores the text in case the program dies.
    /// - Returns: the text, nil if there is none to keep, and the exit status. A hang-up or a signal keeps the text.
    static func text(_ draft: Draft) throws -> (text: String?, status: Int32) {
        let device = try TerminalDevice.open(for: Texts.Purpose.writing)
        let composer = Composer(device, draft)
        let reason = try composer.loop.run(composer)
        // The draft may be removed from now on.
        composer.syncing.sync {}
        let text = composer.editor.buffer.string()
        let isInterrupted = reason.exitStatus != 0
        let isKept = composer.isSaved || isInterrupted && !text.isBlank
        return (isKept ? text : nil, reason.exitStatus)
    }

    private init(_ device: TerminalDevice, _ draft: Draft) {
        editor = TextEditor(text: "", configuration: EditorConfiguration(cellWidth: .ofTerminal))
        layout = TextLayout(configuration: LayoutConfiguration(columns: 80, cellWidth: .ofTerminal))
        loop = EventLoop(device: device)
        self.draft = draft
    }

    // MARK: Keys

    func handle(_ events: [InputEvent]) {
        for event in events {
            switch event {
            case .key(let press) where press.phase != .release: handle(press)
            case .paste(let text): follow(editor.insert(text, as: .paste))
            case .pasteStatus(let status): pasteSign = Texts.Composer.sign(of: status)
            case .resized, .capabilitiesChanged: break
            default: continue
            }
            needsFrame = true
        }
    }

    private func handle(_ press: KeyPress) {
        pasteSign = nil
        let wasAsking = isAskingToLeave
        isAskingToLeave = false
        for binding in press.bindings {
            if let command = Self.commands[binding] { return command(self, wasAsking) }
        }
        if let action = EditingKeys.composerAction(of: press) {
            return follow(editor.perform(action, layout: &layout))
        }
        if let text = press.text { follow(editor.type(text)) }
    }

    private typealias Command = @MainActor (Composer, _ wasAsking: Bool) -> Void

    /// The keys in addition to those of `EditingKeys`.
    private static let commands: [KeyPress.Binding: Command] = {
        var commands: [KeyPress.Binding: Command] = [:]
        func bind(_ key: Key, _ modifiers: Modifiers = [], _ command: @escaping Command) {
            commands[KeyPress.Binding(key, modifiers)] = command
        }
        for key in ["s", "d"] as [Character] { bind(.character(key), .control) { composer, _ in composer.save() } }
        bind(.escape) { $0.leave(wasAsking: $1) }
        // Two Escapes at once: terminals without a keyboard protocol encode them as Alt-Escape.
        bind(.escape, .alt) { composer, _ in composer.leave(wasAsking: true) }
        for key in ["c", "q"] as [Character] { bind(.character(key), .control) { $0.leave(wasAsking: $1) } }
        bind(.character("l"), .control) { composer, _ in composer.loop.redraw() }
        return commands
    }()

    private func save() {
        isSaved = true
        keepDraft()
        loop.stop(.quit(status: 0))
    }

    private func leave(wasAsking: Bool) {
        if wasAsking || editor.buffer.string().isBlank { return loop.stop(.quit(status: 0)) }
        isAskingToLeave = true
    }

    private func follow(_ edit: Edit?) {
        guard let edit else { return }
        layout.update(edit, in: editor.buffer)
        viewport.update(edit, in: editor.buffer)
        isDraftBehind = true
    }

    /// Writes the text to the draft.
    ///
    /// Called before each frame, so that everything visible has been passed to the system, and on every way out.
    private func keepDraft() {
        guard isDraftBehind else { return }
        do {
            try draft.write(editor.buffer.string())
            isDraftBehind = false
            draftProblem = nil
            syncSoon()
        } catch {
            // It is tried again at the next frame; meanwhile the user sees the problem.
            draftProblem = Failure(error).message
        }
    }

    /// Puts the text on the disk in the background, for a power cut.
    private func syncSoon() {
        guard !isSyncing else { return }
        isSyncing = true
        loop.schedule(after: Self.syncDelay) { [weak self] in self?.sync() }
    }

    private func sync() {
        let (text, revision) = (editor.buffer.string(), editor.revision)
        let (draft, mailbox) = (draft, loop.mailbox)
        syncing.async { @Sendable [weak self] in
            var problem: String?
            do { try draft.sync(text) } catch { problem = Failure(error).message }
            mailbox.post { [problem] in self?.synced(problem, through: revision) }
        }
    }

    /// - Parameter revision: the revision of the text that was put on the disk.
    private func synced(_ problem: String?, through revision: Int) {
        isSyncing = false
        if problem != nil || !isDraftBehind {
            needsFrame = needsFrame || problem != draftProblem
            draftProblem = problem
        }
        if revision != editor.revision { syncSoon() }
    }

    func willTerminate(_ reason: ExitReason) { keepDraft() }
    func willSuspend() { keepDraft() }

    // MARK: Drawing

    func frame(size: Size) -> Screen? {
        guard needsFrame || layout.configuration.columns != textColumns(size) else { return nil }
        needsFrame = false
        keepDraft()
        var configuration = layout.configuration
        configuration.columns = textColumns(size)
        if configuration.columns != layout.configuration.columns {
            viewport.configure(configuration, in: editor.buffer, layout: &layout)
        }
        viewport.rows = max(1, size.rows - Self.hintRows)
        viewport.reveal(editor.caret, in: editor.buffer, layout: &layout)
        var screen = Screen(size: size)
        draw(into: &screen)
        let sign =
            pasteSign ?? (isAskingToLeave ? Texts.Composer.question : nil) ?? draftProblem.map(Texts.Composer.notKept)
        screen.write(
            sign ?? Texts.Composer.hint, at: Position(column: 0, row: size.rows - 1),
            style: Style(attributes: sign == nil ? .dim : .bold))
        return screen
    }

    /// Returns the number of columns for text; one cell on the right is left for the caret.
    private func textColumns(_ size: Size) -> Int { max(1, size.columns - 1) }

    private func draw(into screen: inout Screen) {
        let caret = layout.location(of: editor.caret, in: editor.buffer)
        let selected = editor.selection.range
        for (row, shown) in viewport.visibleRows(in: editor.buffer, layout: &layout).enumerated() {
            let start = editor.buffer.lineStart(shown.line) + shown.visual.range.lowerBound
            let end = editor.buffer.lineStart(shown.line) + shown.visual.range.upperBound
            var position = Position(column: shown.visual.indent, row: row)
            let bounds = [
                start, min(max(selected.lowerBound, start), end), min(max(selected.upperBound, start), end), end,
            ]
            for (index, (from, to)) in zip(bounds, bounds.dropFirst()).enumerated() where from < to {
                let text = editor.buffer.string(in: from..<to)
                position.column = write(text, at: position, isSelected: index == 1, into: &screen)
            }
            if shown.line == caret.line, shown.index == caret.row {
                screen.cursor = Cursor(Position(column: caret.column.rawValue, row: row))
            }
        }
    }

    /// Writes text with expanded tabs; returns the column after it.
    private func write(_ text: String, at start: Position, isSelected: Bool, into screen: inout Screen) -> Int {
        let style = Style(attributes: isSelected ? .reverse : [])
        var position = start
        for (index, part) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                let width = editor.configuration.tabWidth - position.column % editor.configuration.tabWidth
                screen.fill(Rect(column: position.column, row: position.row, columns: width, rows: 1), style: style)
                position.column += width
            }
            position.column += screen.write(part, at: position, style: style)
        }
        return position.column
    }
}

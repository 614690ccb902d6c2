import Terminal
import ViewModel

/// A box in which the path of a file or folder is typed, with the possible completions below it.
///
/// The disk is asked in the background, since a mount may hang: keys go on meanwhile, the completions show when they have
/// come, and Esc leaves the box.
@MainActor
final class PathPrompt: Overlay {
    let context = KeyContext.prompt
    let hints = Texts.Hints.path

    private let title: String
    private let kind: PathCompletion.Kind
    private let disk: PathDisk
    private var typed: LineField
    private var completion: PathCompletion
    private var cursor = ListCursor()
    /// Whether the candidate under the cursor is chosen; if not, Enter accepts the typed text.
    private var hasChoice = false
    private var refusal: String?
    private let accept: Accept
    private var box = OverlayBox()
    /// The number of bytes of typed texts that were examined so far, for tests.
    private(set) var examinedBytes = 0

    /// The folder whose entries are known, or are being read.
    private var folder: String?
    /// The entries of `folder`; nil while they are being read.
    private var entries: [PathCompletion.Entry]?
    /// The actions that wait for the entries of the folder; typing drops them.
    private var waiting: [OverlayAction] = []
    /// The number of paths that were submitted.
    private var submitted = 0
    /// The number of the path whose answer is waited for; any other answer means nothing.
    private var awaited: Int?
    /// Whether the answer about a submitted path takes so long that it is said.
    private(set) var isSlow = false

    /// The largest number of candidates shown.
    private static let maximumRows = 8

    /// The decision about a submitted path.
    enum Verdict {
        /// The box stays open and gives the reason.
        case refused(String)
        /// The box is closed, and the action is done.
        case accepted(@MainActor () -> Void)
    }

    /// Judges a submitted path, at once or later.
    typealias Accept = @MainActor (String, _ answer: @escaping @MainActor @Sendable (Verdict) -> Void) -> Void

    init(
        title: String, text: String, kind: PathCompletion.Kind, disk: PathDisk, accept: @escaping Accept
    ) {
        self.title = title
        self.kind = kind
        self.disk = disk
        self.accept = accept
        typed = LineField(text)
        completion = PathCompletion(text, kind, entries: [])
        // The first key typed replaces the suggested text.
        typed.selectAll()
        textChanged()
    }

    // MARK: Keys

    var field: LineField? {
        get { typed }
        set { typed = newValue ?? LineField() }
    }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if entries == nil, waits(action) { return waiting.append(action) }
        switch action {
        case .cancel: window.dismiss(self)
        case .accept: submit(in: window)
        case .nextPart: complete()
        case .down where !hasChoice:
            cursor.reset()
            hasChoice = !completion.candidates.isEmpty
        case .up where cursor.row == 0: hasChoice = false
        default: _ = cursor.perform(action, of: completion.candidates.count)
        }
    }

    /// Whether an action waits for the entries: completing, and accepting what is completed.
    private func waits(_ action: OverlayAction) -> Bool {
        switch action {
        case .nextPart, .down: true
        case .cancel: false
        default: !waiting.isEmpty
        }
    }

    func paste(_ text: String, in window: NotebookInterface) {
        typed.insert(text)
        textChanged()
        let inserted = typed.text
        guard !PathCompletion.readings(ofPasted: text).isEmpty else { return }
        disk.find(text) { [weak self] path in
            // A dropped file's path takes the place of what was there.
            guard let self, let path, typed.text == inserted else { return }
            typed = LineField(path)
            textChanged()
        }
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return window.dismiss(self) }
        let (column, offset) = (position.column - box.inside.column, position.row - box.inside.row - 1)
        if offset == -1 {
            hasChoice = false
            return typed.moveCaret(toColumn: column, columns: box.inside.columns)
        }
        guard let index = cursor.index(atOffset: offset, of: completion.candidates.count) else { return }
        cursor.move(to: index, of: completion.candidates.count)
        hasChoice = true
        complete()
    }

    func fieldChanged(in window: NotebookInterface) { textChanged() }

    private var choice: String? { hasChoice ? completion.candidates[safe: cursor.row] : nil }

    private func textChanged() {
        waiting = []
        hasChoice = false
        cursor.reset()
        refusal = nil
        (awaited, isSlow) = (nil, false)
        guard typed.text.utf8.count < PathCompletion.maximumLength else {
            // No path is this long, and examining the text at each key would make the work quadratic.
            (folder, entries, completion) = (nil, [], PathCompletion(nothingFor: typed.text))
            return
        }
        examinedBytes += typed.text.utf8.count
        readFolder()
        completion = PathCompletion(typed.text, kind, entries: entries ?? [])
    }

    /// Reads the folder of the typed path, unless its entries are known.
    private func readFolder() {
        let wanted = PathCompletion.folder(of: typed.text)
        if wanted == folder, wanted != nil { return }
        folder = wanted
        guard let wanted else { return entries = [] }
        entries = nil
        disk.read(wanted) { [weak self] found in
            guard let self, folder == wanted else { return }
            entries = found
            completion = PathCompletion(typed.text, kind, entries: found)
            catchUp()
        }
    }

    /// Does what was pressed before the entries came.
    private func catchUp() {
        let pressed = waiting
        waiting = []
        for (index, action) in pressed.enumerated() {
            // A completion may have begun with another folder.
            if entries == nil { return waiting = Array(pressed[index...]) }
            disk.window.map { perform(action, in: $0) }
        }
    }

    /// Inserts the chosen candidate, or the prefix that all candidates share.
    private func complete() {
        typed = LineField(choice ?? completion.common)
        textChanged()
    }

    private func submit(in window: NotebookInterface) {
        if hasChoice { return complete() }
        let path = typed.text.trimmingWhitespace
        guard !path.isEmpty else { return refusal = Texts.pathNeeded }
        submitted += 1
        let number = submitted
        (awaited, isSlow, refusal) = (number, false, nil)
        accept(path) { [weak self, weak window] verdict in
            guard let self, awaited == number else { return }
            (awaited, isSlow) = (nil, false)
            window?.needsFrame = true
            switch verdict {
            case .refused(let reason): refusal = reason
            case .accepted(let act):
                window?.dismiss(self)
                act()
            }
        }
        guard awaited == number else { return }
        disk.later { [weak self] in
            if let self, awaited == number { isSlow = true }
        }
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        box = OverlayBox(content: Size(columns: area.columns(upTo: 70), rows: Self.maximumRows + 1), on: area)
        cursor.arrange(count: completion.candidates.count, room: box.inside.rows - 1, isRead: area.isRead)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        let inside = box.inside
        let ground = theme.overlay
        let caret = typed.draw(at: inside.origin, columns: inside.columns, style: theme.text.on(ground), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
        if let line = refusal ?? (isSlow ? Texts.waitingForDisk : nil), inside.rows > 1 {
            screen.write(
                line, at: box.row(1).origin, style: (refusal == nil ? theme.dim : theme.trouble).on(ground),
                fitting: inside.columns, glyphs: theme.glyphs)
        } else {
            box.draw(cursor.mark, fromRow: 1, into: &screen, theme: theme)
            let visible = max(0, min(inside.rows - 1, cursor.room))
            for (offset, candidate) in completion.candidates.dropFirst(cursor.top).prefix(visible).enumerated() {
                let rect = box.row(1 + offset)
                let isChosen = hasChoice && cursor.top + offset == cursor.row
                if isChosen { screen.cursor = .hidden(at: rect.origin) }
                let row = isChosen ? theme.selection : ground
                screen.fill(rect, style: row)
                screen.write(
                    Self.end(of: candidate, columns: rect.columns, glyphs: theme.glyphs), at: rect.origin,
                    style: (isChosen ? theme.text : theme.dim).on(row), fitting: rect.columns, glyphs: theme.glyphs)
            }
        }
    }

    /// A path, or as much of its end as fits: the candidates differ in their names.
    private static func end(of path: String, columns: Int, glyphs: Glyphs) -> String {
        guard TextWidth.shared.width(of: path) > columns else { return path }
        var start = path.dropLast().lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        var left = columns - 1 - TextWidth.shared.width(of: path[start...])
        // If even the name does not fit, its own end is cut. `~/` is no longer than the ellipsis in its place would be.
        guard left >= 0 else { return path[..<start].count <= 2 ? path : "\(glyphs.ellipsis)/\(path[start...])" }
        while start > path.startIndex {
            let before = path.index(before: start)
            left -= TextWidth.shared.width(of: path[before])
            if left < 0 { break }
            start = before
        }
        return "\(glyphs.ellipsis)\(path[start...])"
    }
}

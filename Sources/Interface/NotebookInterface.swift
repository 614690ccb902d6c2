import Foundation
import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The window: view-model to cells, events to commands.
///
/// A frame is drawn when something that the last frame read has changed. Each pane is drawn on its own, by
/// observation; the frame is put together from their cells, and what lies over the panes is drawn last.
@MainActor
public final class NotebookInterface: TerminalApplication {
    public let model: TakeNoteVM
    let state = WindowState()
    let registry: CommandRegistry
    var keymap: Keymap {
        didSet {
            hintsByPlace = [:]
            statusLook?.forget()
        }
    }
    /// What the user has set.
    var configuration = Configuration()
    let themes: ThemeLibrary
    /// The theme that is tried on while one is being chosen.
    var triedTheme: String?
    weak var host: (any InterfaceHost)?
    let now: () -> Date

    /// What lies over the panes, the topmost last.
    var overlays: [any Overlay] = []
    /// The commands that were chosen in the palette, the last one first.
    var recentCommands: [CommandName] = []
    var needsFrame = true
    /// All that can stand in the window's places; of those of one place the first that is shown does.
    private(set) lazy var panes: [any Pane] = [sidebar, list, FirstStepsPane(self), MultiNotePane(self), note]
    private(set) lazy var sidebar = SidebarPane(self)
    private(set) lazy var list = NoteListPane(self)
    private(set) lazy var note = NotePane(self)
    /// The widths that what is on the screen was measured with.
    var widthModel = WidthModel.current
    /// What the pressed mouse button is doing.
    var mouse = MouseGesture()
    /// What was looked for last in a note.
    var lastFind = FindBar()
    /// The readable width to go back to, in columns.
    var lastReadableWidth = EditorSettings().readableWidth ?? 80
    /// The folder that a path was last given in, as it was typed.
    var lastFolder = "~/"
    /// What the last import or export could not do.
    var lastReport: TaskReport?
    /// What was cut or copied last in this window.
    var clipboard: Clipping?
    private(set) var layout = Layout(
        size: Layout.smallest, focus: .list, widths: PaneWidths(), isZoomed: false)
    /// The cells of each place.
    private var views: [PaneID: PaneView] = [:]
    private var statusLine: PaneView?
    /// What the status line shows besides the text, which changes with few keys.
    private(set) var statusLook: ObservedValue<StatusLine.Look>?
    private var writingPause: WritingPause?
    /// The hints of the status line, which follow from the keymap.
    var hintsByPlace: [FooterPlace: [StatusLine.Hint]] = [:]
    /// Whether the notice that is there was on the screen, so that the next key takes it away.
    var hasPaintedNotice = false
    private var window: Screen?
    /// Runs when the terminal is about to be given back: the notes are saved, the state is kept.
    private let willLeave: @MainActor () -> Void

    /// Makes the window over a model.
    ///
    /// - Parameters:
    ///   - statusPause: how long no letter may be typed for the status line to follow the text; zero has it follow
    ///     each of them.
    ///   - willLeave: runs when the terminal is about to be given back.
    public init(
        model: TakeNoteVM,
        host: (any InterfaceHost)?,
        themesFolder: String? = nil,
        environment: [String: String] = [:],
        now: @escaping () -> Date = Date.init,
        statusPause: Duration = .zero,
        willLeave: @escaping @MainActor () -> Void = {}
    ) {
        self.model = model
        self.host = host
        themes = ThemeLibrary(folder: themesFolder)
        state.dates = DateOrder(environment: environment)
        self.now = now
        self.willLeave = willLeave
        registry = .standard
        keymap = registry.defaultKeymap
        for place in PaneID.allCases { views[place] = makeView() }
        statusLine = makeView()
        statusLook = ObservedValue { [weak self] in
            self?.statusLine?.invalidate()
            // The line may be known to be out of date already, and be waiting for a pause.
            self?.needsFrame = true
        }
        model.keyLabel = { [weak self] in self?.key(for: CommandName($0), in: .list)?.label }
        writingPause = WritingPause(length: statusPause) { [weak model] delay, work in
            model?.schedule(after: delay, work) ?? ScheduledWork {}
        } ended: { [weak self] in
            self?.needsFrame = true
        }
    }

    private func makeView() -> PaneView {
        PaneView { [weak self] in self?.needsFrame = true }
    }

    // MARK: Frames

    /// The next frame, or nil when the last one still holds.
    public func frame(size: Size) -> Screen? {
        guard needsFrame || window?.size != size else { return nil }
        guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
            return tooSmallFrame(size: size)
        }
        needsFrame = false
        arrange(size: size)
        var screen = compose(size: size)
        // What lies over the panes is read anew with every frame: there is at most a screenful of it.
        for overlay in overlays {
            overlay.arrange(in: size)
            overlay.draw(into: &screen, theme: state.theme, keys: keyLabels(in: overlay.context))
        }
        PendingKeysPanel(keys: state.pendingKeys, continuations: continuations).draw(into: &screen, theme: state.theme)
        return screen
    }

    /// Brings layout, scroll positions and the rows at hand in line with the state, before anything is drawn.
    private func arrange(size: Size) {
        let next = Layout(size: size, focus: state.focus, widths: state.widths, isZoomed: state.isZoomed)
        if next != layout {
            layout = next
            window = nil
        }
        for place in [PaneID.list, .sidebar, .editor] {
            if let rect = layout.panes[place] { pane(in: place).arrange(in: rect.size) }
        }
    }

    /// What stands in a place.
    func pane(in place: PaneID) -> any Pane {
        guard let pane = panes.first(where: { $0.place == place && $0.isShown }) else {
            preconditionFailure("No pane is shown in \(place); the last one of a place always is")
        }
        return pane
    }

    /// The size of the screen as it was arranged for last.
    var screenSize: Size { Size(columns: layout.status.columns, rows: layout.status.row + 1) }

    private func compose(size: Size) -> Screen {
        var screen = window ?? emptyWindow(size: size)
        let isNew = window == nil
        for (place, rect) in layout.panes {
            guard let view = views[place] else { continue }
            let changed = view.refresh(size: rect.size) { pane(in: place).draw(into: &$0) }
            if changed || isNew { screen.draw(view.screen, at: rect.origin) }
        }
        if refreshStatusLine(isNew: isNew), let statusLine { screen.draw(statusLine.screen, at: layout.status.origin) }
        screen.cursor = cursor()
        window = screen
        return screen
    }

    /// Draws the status line again if it must be, and need not wait for a pause in the writing.
    ///
    /// - Returns: whether its cells are to be put into the frame.
    private func refreshStatusLine(isNew: Bool) -> Bool {
        guard let statusLine, let writingPause else { return false }
        let revision = model.session?.textRevision
        if !isNew, statusLook?.isKnown == true, writingPause.holds(revision) { return false }
        writingPause.shows(revision)
        let changed = statusLine.refresh(size: layout.status.size) { screen in
            let line = statusView
            line.draw(into: &screen)
            hasPaintedNotice = line.showsPassingNotice
        }
        return changed || isNew
    }

    /// The lines between the panes, which only a new layout changes.
    private func emptyWindow(size: Size) -> Screen {
        var screen = Screen(size: size)
        let theme = state.theme
        for column in layout.dividers {
            for row in 0..<(layout.rule ?? size.rows - 1) {
                screen.write(
                    String(theme.glyphs.vertical), at: Position(column: column, row: row), style: theme.rule)
            }
        }
        if let rule = layout.rule {
            let row = Rect(column: 0, row: rule, columns: size.columns, rows: 1)
            screen.fill(row, with: theme.glyphs.horizontal, style: theme.rule)
            for column in layout.dividers {
                screen.write(String(theme.glyphs.teeUp), at: Position(column: column, row: rule), style: theme.rule)
            }
        }
        return screen
    }

    /// The status line as it stands.
    var statusView: StatusLine {
        let read = { [self] in
            StatusLine.Look(model, state, hints: hints) { key(for: "task.stop", in: .list)?.label }
        }
        return StatusLine(look: statusLook?.value(read) ?? read())
    }

    /// The cursor of the pane that has the keys, on the whole screen.
    private func cursor() -> Cursor? {
        guard let rect = layout.panes[state.focus], var cursor = views[state.focus]?.screen.cursor else { return nil }
        cursor.position.column += rect.column
        cursor.position.row += rect.row
        return cursor
    }

    private func tooSmallFrame(size: Size) -> Screen {
        needsFrame = false
        window = nil
        var screen = Screen(size: size)
        let smallest = Layout.smallest
        screen.write(Texts.needs(smallest), at: Position(column: 0, row: 0), style: .default)
        window = nil
        return screen
    }

    /// Has everything drawn again.
    func redraw() {
        invalidateWindow()
        host?.repaint()
    }

    /// Has every pane drawn anew; the terminal gets only what differs.
    func invalidateWindow() {
        for view in views.values { view.invalidate() }
        statusLine?.invalidate()
        note.forgetLook()
        statusLook?.forget()
        window = nil
        needsFrame = true
    }

    /// Has what stands in a place drawn again after something that is not observed.
    func invalidate(_ place: PaneID) {
        views[place]?.invalidate()
    }

    /// The passing of time shows in the ages of the list.
    public func minutePassed() {
        invalidate(.list)
    }

    public func commit() {
        model.writeJournal()
    }

    public func willTerminate(_ reason: ExitReason) {
        willLeave()
    }

    public func willSuspend() {
        model.saveNow()
    }
}

extension PaneID {
    /// Where a key is pressed when this pane has the keys.
    var context: KeyContext {
        switch self {
        case .sidebar: .sidebar
        case .list: .list
        case .editor: .editor
        }
    }
}

import Foundation
import NoteStore
import Observation
import Terminal
import TextEditing
import ViewModel

/// The window: draws the view-model as cells, and turns events into commands.
///
/// A frame is drawn when something that the last frame read has changed. Each pane is drawn separately, by observation;
/// the frame is composed of their cells, and the overlays are drawn last.
@MainActor
public final class NotebookInterface: TerminalApplication {
    public let model: TakeNoteVM
    let state = WindowState()
    /// All commands, those of the user's own included.
    var registry: CommandRegistry
    var keymap: Keymap {
        didSet {
            hintsByContext = [:]
            statusLook?.forget()
        }
    }
    /// The user's settings.
    var configuration = Configuration()
    /// The notice about what is wrong in the settings; nil if nothing is.
    var settingsNotice: String?
    let themes: ThemeLibrary
    /// The theme previewed while the user chooses one.
    var triedTheme: String?
    weak var host: (any InterfaceHost)?
    let now: () -> Date

    /// The open overlays, the topmost last.
    var overlays: [any Overlay] = []
    /// The commands chosen in the palette, the most recent first.
    var recentCommands: [CommandName] = []
    var needsFrame = true
    /// Every pane; the first one shown of each region occupies it.
    private(set) lazy var panes: [any Pane] = [
        sidebar, list, FirstStepsPane(self), MultiNotePane(self), note, beside,
    ]
    private(set) lazy var sidebar = SidebarPane(self)
    private(set) lazy var list = NoteListPane(self)
    private(set) lazy var note = NotePane(self)
    private(set) lazy var beside = BesidePane(self)
    /// The width model that measured the text on the screen.
    var widthModel = WidthModel.current
    /// The gesture of the pressed mouse button.
    var mouse = MouseGesture()
    /// The find bar of the last search in a note.
    var lastFind = FindBar()
    /// The readable width to restore when it is switched on again, in columns.
    var lastReadableWidth = EditorSettings().readableWidth ?? 80
    /// The folder of the last path that was entered, as it was typed.
    var lastFolder = "~/"
    /// The report of the last import or export.
    var lastReport: TaskReport?
    /// Vim's keys in the editor, while they are on.
    var vim: VimKeys?
    /// The line that a selection was last piped through.
    var lastPipe = ""
    /// The error output of the last failed command, with a title; nil if it printed none.
    var lastErrors: (title: String, text: String)?
    /// The name of the notebook, to be shown; nil for the default one.
    public var notebookName: String?
    /// The text that was last cut or copied, in this window or in another one of the user.
    public internal(set) var clipboard: Clipping?
    /// Called when a text was cut or copied in this window, so that other windows can paste it too.
    public var textCopied: @MainActor (_ clipping: Clipping) -> Void = { _ in }
    /// The events that wait until the system's clipboard is read; nil if it is not being read.
    var heldForPaste: [InputEvent]?
    /// Whether the last frame shows nothing of the window, since the terminal is too small.
    private(set) var isTooSmall = false
    /// Ends the wait for the file at a path that was pasted into the list; nil if none is waited for.
    var endListPaste: (@MainActor (_ importable: String?) -> Void)?
    /// The number of paths pasted into the list, so that a late answer is not taken for that of a newer one.
    var pastes = 0
    private(set) var layout = Layout(
        size: Layout.smallest, focus: .list, widths: PaneWidths(), isZoomed: false)
    /// Whether the state may call for another layout than the present one; few keys change it.
    private var isLayoutStale = true
    /// The drawn cells of each region.
    private var views: PaneMap<PaneView> = [:]
    /// The pane shown in each region, which few keys change.
    private var shownPanes: PaneMap<ObservedValue<any Pane>> = [:]
    private var statusLine: PaneView?
    /// The content of the status line besides the facts about the text; few keys change it.
    private(set) var statusLook: ObservedValue<StatusLine.Look>?
    private var writingPause: WritingPause?
    /// The hints of the status line, derived from the keymap.
    var hintsByContext: [HintContext: [StatusLine.Hint]] = [:]
    /// Whether the current notice has been on the screen, so that the next key removes it.
    var hasPaintedNotice = false
    /// The present message of the status line, if it needs more than its row.
    private var longMessage: StatusLine.LongMessage?
    /// How much of the note the status line showed as read, in per cent.
    private var shownPercent: Int?
    /// The message that the status line showed last.
    private(set) var lastMessage: String?
    private var window: Screen?
    /// Runs just before the terminal is restored: saves the notes and the state.
    private let willLeave: @MainActor () -> Void

    /// Creates the window over a model.
    ///
    /// - Parameters:
    ///   - statusPause: how long the user must stop typing before the status line follows the text; zero makes it
    ///     follow every letter.
    ///   - willLeave: runs just before the terminal is restored.
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
        for region in PaneID.allCases {
            views[region] = makeView()
            shownPanes[region] = ObservedValue { [weak self] in self?.invalidate(region) }
        }
        statusLine = makeView()
        statusLook = ObservedValue { [weak self] in
            self?.statusLine?.invalidate()
            // The line may be marked as out of date already, and be waiting for a pause.
            self?.needsFrame = true
        }
        model.keyLabel = { [weak self] in self?.keyLabel(for: CommandName($0), in: .list) }
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

    /// The next frame, or nil when the last one is still right.
    public func frame(size: Size) -> Screen? {
        guard needsFrame || window?.size != size else { return nil }
        guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
            return tooSmallFrame(size: size)
        }
        (needsFrame, isTooSmall) = (false, false)
        arrange(size: size)
        var screen = compose(size: size)
        drawOverlays(into: &screen)
        longMessage?.draw(into: &screen, theme: state.theme)
        PendingKeysPanel(keys: state.pendingKeys, continuations: continuations).draw(into: &screen, theme: state.theme)
        // A screen reader follows the cursor that is seen; others need none where nothing is typed.
        if state.theme.glyphs.isWords { screen.cursor?.isVisible = true }
        return screen
    }

    /// Draws the overlays, and the message of the status line, which a box on a low screen would cover.
    private func drawOverlays(into screen: inout Screen) {
        let size = screen.size
        let freeRows = max(0, size.rows - (longMessage?.rows.count ?? 1))
        let window = hasPaintedNotice && !overlays.isEmpty ? screen : nil
        drawOverlays(on: size, into: &screen)
        guard let window else { return }
        // The last row of a box says what its keys do, so a box moves up rather than lie under the message.
        let isCovered = (freeRows..<size.rows).contains { screen.text(row: $0) != window.text(row: $0) }
        if isCovered, freeRows >= Layout.smallest.rows {
            screen = window
            drawOverlays(on: Size(columns: size.columns, rows: freeRows), into: &screen)
        }
        statusLine?.draw(into: &screen, at: layout.status.origin, isNew: true)
    }

    /// Draws the overlays again, as each frame does: there is at most a screenful of them.
    private func drawOverlays(on size: Size, into screen: inout Screen) {
        for overlay in overlays {
            overlay.arrange(in: overlayArea(size))
            overlay.draw(into: &screen, theme: state.theme, keys: keyLabels(in: overlay.context))
        }
    }

    /// Returns the area on which overlays are laid out on a screen of this size.
    func overlayArea(_ size: Size) -> OverlayArea { OverlayArea(size: size, isRead: state.theme.glyphs.isWords) }

    /// Updates the layout, the scroll offsets and the prepared rows to the state, before anything is drawn.
    private func arrange(size: Size) {
        if isLayoutStale || screenSize != size { layOut(size: size) }
        for region in [PaneID.list, .sidebar, .editor, .beside] {
            guard let size = layout.panes[region]?.size else { continue }
            let pane = pane(in: region)
            if pane.isArrangedByObservedState {
                views[region]?.arrange(size: size) { pane.arrange(in: size) }
            } else {
                pane.arrange(in: size)
            }
        }
    }

    private func layOut(size: Size) {
        isLayoutStale = false
        let next = withObservationTracking {
            nextLayout(size: size)
        } onChange: { [weak self] in
            // All state that the layout reads is on the main actor, and a change is reported where it is made.
            MainActor.assumeIsolated {
                self?.isLayoutStale = true
                self?.needsFrame = true
            }
        }
        guard next != layout else { return }
        layout = next
        window = nil
    }

    /// The pane that a region shows.
    func pane(in region: PaneID) -> any Pane {
        shownPanes[region]?.value { shownPane(in: region) } ?? shownPane(in: region)
    }

    private func shownPane(in region: PaneID) -> any Pane {
        guard let pane = panes.first(where: { $0.region == region && $0.isShown }) else {
            preconditionFailure("No pane is shown in \(region); the last one of a region always is")
        }
        return pane
    }

    /// The size of the screen at the last layout.
    var screenSize: Size { Size(columns: layout.status.columns, rows: layout.status.row + 1) }

    private func compose(size: Size) -> Screen {
        let isNew = window == nil
        var screen = window ?? emptyWindow(size: size)
        // The cells are changed in place, which works only while nothing else holds a copy of them.
        window = nil
        for (region, rect) in layout.panes {
            guard let view = views[region] else { continue }
            let changed = view.refresh(size: rect.size) { pane(in: region).draw(into: &$0) }
            if changed || isNew { view.draw(into: &screen, at: rect.origin, isNew: isNew) }
        }
        if refreshStatusLine(isNew: isNew) {
            statusLine?.draw(into: &screen, at: layout.status.origin, isNew: isNew)
        }
        screen.cursor = cursor()
        window = screen
        return screen
    }

    /// Draws the status line again if it must change and need not wait for a pause in typing.
    ///
    /// - Returns: whether its cells must be copied into the frame.
    private func refreshStatusLine(isNew: Bool) -> Bool {
        guard let statusLine, let writingPause else { return false }
        let revision = model.session?.textRevision
        if !isNew, statusLook?.isKnown == true, writingPause.holds(revision) { return false }
        writingPause.shows(revision)
        let hasScrolled = percentRead != shownPercent
        shownPercent = percentRead
        let changed = statusLine.refresh(size: layout.status.size, isStale: hasScrolled) { screen in
            let line = statusView
            line.draw(into: &screen)
            hasPaintedNotice = line.showsPassingNotice
            longMessage = line.longMessage(in: screenSize)
            if let text = line.messageText { lastMessage = text }
        }
        return changed || isNew
    }

    /// The current status line.
    var statusView: StatusLine {
        let read = { [self] in
            StatusLine.Look(model, state, hints: hints) { keyLabel(for: "task.stop", in: .list) }
        }
        return StatusLine(look: statusLook?.value(read) ?? read(), percentRead: percentRead)
    }

    /// How much of the note has been read, in per cent; nil unless a note is read that is longer than the pane.
    private var percentRead: Int? {
        state.isPreviewing && model.session != nil ? note.preview.percentRead : nil
    }

    /// The cursor of the focused pane, in screen coordinates.
    private func cursor() -> Cursor? {
        guard let rect = layout.panes[state.focus], var cursor = views[state.focus]?.screen.cursor else { return nil }
        cursor.position.column += rect.column
        cursor.position.row += rect.row
        return vim?.shaped(cursor) ?? cursor
    }

    /// The position of the editor's caret; nil while it is out of sight.
    var caretPosition: CaretPosition? {
        guard state.focus == .editor, !state.isPreviewing, let cell = cursor()?.position,
            let pane = layout.panes[.editor]
        else { return nil }
        return CaretPosition(cell: cell, pane: pane)
    }

    private func tooSmallFrame(size: Size) -> Screen {
        (needsFrame, isTooSmall) = (false, true)
        var screen = Screen(size: size)
        for (row, line) in Texts.needs(Layout.smallest, in: size).enumerated() {
            screen.write(line, at: Position(column: 0, row: row), style: .default)
        }
        window = nil
        return screen
    }

    /// Draws everything again, and repaints the terminal.
    func redraw() {
        invalidateWindow()
        host?.repaint()
        // Somebody who finds the screen wrong may have another terminal before them.
        host?.terminalMayBeAnother()
    }

    /// Draws every pane again; the terminal gets only the differences.
    func invalidateWindow() {
        for view in views.values { view.invalidate() }
        statusLine?.invalidate()
        note.forgetLook()
        statusLook?.forget()
        window = nil
        needsFrame = true
    }

    /// Draws a region again after a change that is not observed.
    func invalidate(_ region: PaneID) {
        views[region]?.invalidate()
    }

    /// Redraws the list, whose ages change as time passes.
    public func minutePassed() {
        Zone.readAgain()
        invalidate(.list)
    }

    public func picturesSent() {
        invalidate(.editor)
        invalidate(.beside)
    }

    public func commit() {
        model.writeJournal()
    }

    public func willTerminate(_ reason: ExitReason) {
        // Keys that wait for the clipboard are typed text, too.
        endListPaste?(nil)
        let held = heldForPaste ?? []
        heldForPaste = nil
        if !held.isEmpty { handle(held) }
        willLeave()
    }

    public func willSuspend() {
        model.saveNow()
    }
}

extension PaneID {
    /// The key context while this pane has the focus.
    var context: KeyContext {
        switch self {
        case .sidebar: .sidebar
        case .list: .list
        case .editor, .beside: .editor
        }
    }
}

import ViewModel

/// Commands that work everywhere.
@MainActor
let applicationCommands: [Command] = [
    Command(
        "app.help", "Keys and commands", .application,
        keys: [
            .everywhere: "F1", .browsing: "?", .preview: "?", .picker: "F1", .prompt: "F1", .dialog: "F1 ?",
            .pager: "F1 ?",
        ]
    ) { $0.showHelp() },
    Command(
        "app.redraw", "Redraw the screen", .application,
        keys: [.everywhere: "Ctrl-L", .picker: "Ctrl-L", .prompt: "Ctrl-L", .dialog: "Ctrl-L", .pager: "Ctrl-L"]
    ) { $0.redraw() },
    Command("app.configuration", "Edit the configuration file", .application) { $0.editConfiguration() },
    Command("app.backup", "Make a backup now", .application) { $0.model.makeBackup() },
    Command("app.news", "What is new", .application) { $0.show(ReportOverlay(News.report, title: Texts.news)) },
    Command(
        "app.message", "The last message", .application,
        when: { .when($0.lastMessage != nil, else: Texts.noMessage) }
    ) { $0.showLastMessage() },
    Command("app.suspend", "Suspend", .application, keys: [.browsing: "Ctrl-Z"]) { $0.suspend() },
    Command("app.quit", "Quit", .application, keys: [.everywhere: "Ctrl-Q", .browsing: "q"]) { $0.quit() },
]

/// Commands that move between panes.
@MainActor
let paneCommands: [Command] = [
    Command("pane.sidebar", "Go to the sidebar", .panes, keys: [.everywhere: "Alt-1"]) { $0.focus(.sidebar) },
    Command("pane.list", "Go to the list", .panes, keys: [.everywhere: "Alt-2", .editor: "Esc", .preview: "Esc"]) {
        if !$0.leaveOneCaret() { $0.focus(.list) }
    },
    Command("pane.editor", "Go to the editor", .panes, keys: [.everywhere: "Alt-3"]) { $0.focus(.editor) },
    Command("pane.next", "Next pane", .panes, keys: [.everywhere: "F6", .browsing: "Tab"]) {
        $0.focusPane(after: 1)
    },
    Command(
        "pane.previous", "Previous pane", .panes,
        keys: [.everywhere: "Shift-F6", .browsing: "Shift-Tab"]
    ) { $0.focusPane(after: -1) },
    Command("pane.left", "Pane to the left", .panes, keys: [.browsing: "h", .list: "Left"]) {
        $0.focusPane(beside: -1)
    },
    Command("pane.right", "Pane to the right", .panes, keys: [.browsing: "l", .list: "Right"]) {
        $0.focusPane(beside: 1)
    },
    Command("pane.zoom", "Zoom the editor", .panes, keys: [.everywhere: "Alt-Z F10"]) { $0.toggleZoom() },
]

extension NotebookInterface {
    /// Shows the last message in a box, for where a small window has no room for all of it.
    fileprivate func showLastMessage() {
        guard let lastMessage else { return }
        show(ReportOverlay(TaskReport(lastMessage, problems: []), title: Texts.lastMessage))
    }

    /// Focuses the pane `step` further on, wrapping around at the ends.
    fileprivate func focusPane(after step: Int) {
        let panes = PaneID.focusable
        let index = panes.firstIndex(of: state.focus) ?? 0
        focus(panes[(index + step + panes.count) % panes.count])
    }

    /// Focuses the pane `step` further on, stopping at the ends, so that repeated presses of `h` stay at the left edge.
    fileprivate func focusPane(beside step: Int) {
        let panes = PaneID.focusable
        let index = (panes.firstIndex(of: state.focus) ?? 0) + step
        if panes.indices.contains(index) { focus(panes[index]) }
    }

    fileprivate func toggleZoom() {
        state.isZoomed.toggle()
        if state.isZoomed { focus(.editor) }
        // A zoomed pane may not have read `isZoomed`, so observation does not request the frame.
        needsFrame = true
    }

    /// Ends the program if everything is saved; otherwise asks, because unsaved text would be lost.
    func quit() {
        let unsaved = model.saveBeforeLeaving()
        guard let reason = unsaved.first?.reason else { return host?.quit() ?? () }
        let items = [
            PickerOverlay.Item(title: Texts.Quit.stay, detail: reason) {},
            PickerOverlay.Item(title: Texts.Quit.write(unsaved.count)) { [weak self] in
                self?.rescue(unsaved.map(\.text))
            },
            PickerOverlay.Item(title: model.keepsUnsavedTexts ? Texts.Quit.quit : Texts.Quit.lose) { [weak self] in
                self?.host?.quit()
            },
        ]
        show(PickerOverlay(title: Texts.Quit.title, from: items))
    }

    private func rescue(_ texts: [String]) {
        do {
            let folder = try RescuedTexts.write(texts, at: now())
            model.say(Texts.Quit.written(to: folder))
            host?.quit()
        } catch {
            model.say(Texts.Quit.notWritten(Sentence.of(error)), kind: .refused)
        }
    }

    /// Opens the help, with the section of the current context first; does nothing if the help is open.
    fileprivate func showHelp() {
        guard !(overlays.last is HelpOverlay) else { return }
        show(HelpOverlay(registry: registry, keymap: keymap, context: context, usesVim: vim != nil))
    }

    /// Opens the configuration in the user's own editor; saved changes take effect at once.
    func editConfiguration() {
        guard let host else { return }
        if let problem = host.editConfiguration() { model.say(problem, kind: .refused) }
        redraw()
    }

    func suspend() {
        model.saveNow()
        host?.suspend()
        redraw()
    }

    /// Opens an overlay.
    func show(_ overlay: any Overlay) {
        overlays.append(overlay)
        // Keys may arrive before the next frame, and the length of a page depends on the box.
        overlay.arrange(in: overlayArea(screenSize))
        overlayChanged()
    }

    /// Closes an overlay, even if another one has been opened over it.
    func dismiss(_ overlay: any Overlay) {
        overlays.removeAll { $0 === overlay }
        overlayChanged()
    }
}

/// What works everywhere.
@MainActor
let applicationCommands: [Command] = [
    Command(
        "app.help", "Keys and commands", .application,
        keys: [
            .everywhere: "F1", .browsing: "?", .picker: "F1", .prompt: "F1", .dialog: "F1 ?", .pager: "F1 ?",
        ]
    ) { $0.showHelp() },
    Command(
        "app.redraw", "Redraw the screen", .application,
        keys: [.everywhere: "Ctrl-L", .picker: "Ctrl-L", .prompt: "Ctrl-L", .dialog: "Ctrl-L", .pager: "Ctrl-L"]
    ) { $0.redraw() },
    Command("app.configuration", "Edit the configuration file", .application) { $0.editConfiguration() },
    Command("app.backup", "Make a backup now", .application) { $0.model.makeBackup() },
    Command("app.suspend", "Suspend", .application, keys: [.browsing: "Ctrl-Z"]) { $0.suspend() },
    Command("app.quit", "Quit", .application, keys: [.everywhere: "Ctrl-Q", .browsing: "q"]) { $0.quit() },
]

/// Going from pane to pane.
@MainActor
let paneCommands: [Command] = [
    Command("pane.sidebar", "Go to the sidebar", .panes, keys: [.everywhere: "Alt-1"]) { $0.focus(.sidebar) },
    Command("pane.list", "Go to the list", .panes, keys: [.everywhere: "Alt-2", .editor: "Esc"]) { $0.focus(.list) },
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
    /// Gives the keys to the pane `step` further on, round and round.
    fileprivate func focusPane(after step: Int) {
        let panes = PaneID.allCases
        let index = panes.firstIndex(of: state.focus) ?? 0
        focus(panes[(index + step + panes.count) % panes.count])
    }

    /// Gives the keys to the pane `step` further on, and stops at the ends: a hand that presses `h` to be at the left edge
    /// stays there.
    fileprivate func focusPane(beside step: Int) {
        let panes = PaneID.allCases
        let index = (panes.firstIndex(of: state.focus) ?? 0) + step
        if panes.indices.contains(index) { focus(panes[index]) }
    }

    fileprivate func toggleZoom() {
        state.isZoomed.toggle()
        if state.isZoomed { focus(.editor) }
        // A pane that fills the screen alone need not have asked how it came to.
        needsFrame = true
    }

    /// Ends the program when everything is safe; else asks, because what cannot be saved would be lost from here.
    func quit() {
        model.saveNow()
        let unsaved = model.unsavedTexts
        guard let reason = unsaved.first?.reason else { return host?.quit() ?? () }
        let items = [
            PickerOverlay.Item(title: Texts.Quit.stay, detail: reason) {},
            PickerOverlay.Item(title: Texts.Quit.write(unsaved.count)) { [weak self] in
                self?.rescue(unsaved.map(\.text))
            },
            PickerOverlay.Item(title: Texts.Quit.quit) { [weak self] in
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
            model.say(Texts.Quit.notWritten(error.localizedDescription), kind: .refused)
        }
    }

    /// The help, with what belongs to the place of the keys first; the help itself has none.
    fileprivate func showHelp() {
        guard !(overlays.last is HelpOverlay) else { return }
        show(HelpOverlay(registry: registry, keymap: keymap, context: context))
    }

    /// Lends the screen to the user's own editor with the configuration; what was saved counts at once.
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

    /// Lays something over the panes.
    func show(_ overlay: any Overlay) {
        overlays.append(overlay)
        // Keys may come before the next frame, and a page is as long as the box has room for.
        overlay.arrange(in: screenSize)
        overlayChanged()
    }

    /// Takes an overlay away, whatever has come to lie over it meanwhile.
    func dismiss(_ overlay: any Overlay) {
        overlays.removeAll { $0 === overlay }
        overlayChanged()
    }
}

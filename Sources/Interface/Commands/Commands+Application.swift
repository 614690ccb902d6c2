/// What works everywhere.
@MainActor
let applicationCommands: [Command] = [
    Command(
        "app.help", "Keys and commands", .application, keys: [.everywhere: "F1", .browsing: "?"]
    ) { $0.show(HelpOverlay(registry: $0.registry, keymap: $0.keymap, context: $0.state.focus.context)) },
    Command("app.redraw", "Redraw the screen", .application, keys: [.everywhere: "Ctrl-L"]) { $0.redraw() },
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
    func focusPane(after step: Int) {
        let panes = PaneID.allCases
        let index = panes.firstIndex(of: state.focus) ?? 0
        focus(panes[(index + step + panes.count) % panes.count])
    }

    /// Gives the keys to the pane `step` further on, and stops at the ends: a hand that presses `h` to be at the left edge
    /// stays there.
    func focusPane(beside step: Int) {
        let panes = PaneID.allCases
        let index = (panes.firstIndex(of: state.focus) ?? 0) + step
        if panes.indices.contains(index) { focus(panes[index]) }
    }

    func toggleZoom() {
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
        let count = unsaved.count == 1 ? "the open text" : "\(unsaved.count) texts"
        let items = [
            PickerOverlay.Item(title: "Stay: keep trying to save", detail: reason) {},
            PickerOverlay.Item(title: "Write \(count) to the home folder, and quit") { [weak self] in
                self?.rescue(unsaved.map(\.text))
            },
            PickerOverlay.Item(title: "Quit: the text is recovered at the next start") { [weak self] in
                self?.host?.quit()
            },
        ]
        show(PickerOverlay(title: "Not everything is saved", from: items))
    }

    private func rescue(_ texts: [String]) {
        do {
            let folder = try RescuedTexts.write(texts, at: now())
            model.say("Written to \(folder)")
            host?.quit()
        } catch {
            model.say("Could not write the texts: \(error.localizedDescription)", kind: .refused)
        }
    }

    func suspend() {
        model.saveNow()
        host?.suspend()
        redraw()
    }

    /// Lays something over the panes.
    func show(_ overlay: any Overlay) {
        overlays.append(overlay)
        needsFrame = true
    }

    /// Takes an overlay away, whatever has come to lie over it meanwhile.
    func dismiss(_ overlay: any Overlay) {
        overlays.removeAll { $0 === overlay }
        needsFrame = true
    }

    /// Takes the topmost overlay away.
    func dismissOverlay() {
        overlays.removeLast()
        needsFrame = true
    }
}

/// Commands for the appearance of the window: its theme, its notebook, the widths of its panes.
@MainActor
let looksCommands: [Command] = [
    Command("app.theme", "Change the theme…", .application) { $0.chooseTheme() },
    Command("app.notebook", "Change the notebook…", .application) { $0.chooseNotebook() },
    Command("pane.toggleSidebar", "Hide or show the sidebar", .panes, keys: [.everywhere: "Alt-0"]) {
        $0.toggleSidebar()
    },
    Command("list.compact", "One row or two for each note", .panes, keys: [.list: "L"]) { $0.toggleCompactList() },
    Command("pane.wider", "Make the pane wider", .panes, keys: [.browsing: ">"], when: { $0.canMoveBorder }) {
        $0.widenPane(by: 2)
    },
    Command("pane.narrower", "Make the pane narrower", .panes, keys: [.browsing: "<"], when: { $0.canMoveBorder }) {
        $0.widenPane(by: -2)
    },
]

extension NotebookInterface {
    fileprivate func toggleSidebar() {
        state.hidesSidebar.toggle()
        if state.hidesSidebar, state.focus == .sidebar { focus(.list) }
        model.say(state.hidesSidebar ? Texts.sidebarHidden : Texts.sidebarShown)
        // Panes that have not read the setting would not request the frame.
        needsFrame = true
    }

    fileprivate func toggleCompactList() {
        state.isListCompact.toggle()
        model.say(state.isListCompact ? Texts.oneRowEach : Texts.twoRowsEach)
    }

    /// Offers the themes, and previews the one under the cursor.
    fileprivate func chooseTheme() {
        let chosen = configuration.theme
        let items = ([Configuration.automaticTheme] + themes.names).map { name in
            let details = name == Configuration.automaticTheme ? Texts.followsTerminal : ""
            return PickerOverlay.Item(title: name, detail: name == chosen ? Texts.now : details) { [weak self] in
                self?.take(theme: name)
            } preview: { [weak self] in
                self?.triedTheme = name
                self?.putOnTheme()
            }
        }
        let picker = PickerOverlay(title: Texts.theme, from: items)
        picker.left = { [weak self] in
            self?.triedTheme = nil
            self?.putOnTheme()
        }
        picker.putCursor(on: chosen)
        show(picker)
    }

    private func take(theme name: String) {
        triedTheme = nil
        configuration.theme = name
        let problems = putOnTheme()
        if let notice = problems.notice {
            model.say(notice, kind: .refused)
        } else if let reason = host?.keep(theme: name) {
            model.say(reason)
        }
    }
}

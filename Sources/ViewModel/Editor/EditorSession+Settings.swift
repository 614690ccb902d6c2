import TextEditing
import TextPrimitives

/// Changes of the settings while a text is open.
extension EditorSession {
    /// The settings of layout and typing.
    public var settings: EditorSettings { configuration.settings }

    /// Applies other settings; the line at the top of the pane stays there.
    func configure(_ settings: EditorSettings) {
        guard settings != configuration.settings else { return }
        configuration.settings = settings
        viewport.scrollMargin = settings.rowsAroundCaret
        relayout()
    }

    /// Applies other character widths, once the terminal has been measured.
    func measure(with cellWidth: CellWidth) {
        configuration.cellWidth = cellWidth
        relayout()
    }

    private func relayout() {
        editor.configuration = configuration.editing
        keepingCaretVisible {
            viewport.configure(
                configuration.layout(columns: layout.configuration.columns), in: editor.buffer, layout: &layout)
        }
    }
}

extension EditorSession.Configuration {
    var editing: EditorConfiguration {
        EditorConfiguration(
            tabWidth: settings.tabWidth, softTabs: settings.softTabs, autoPairs: settings.autoPairs,
            cellWidth: cellWidth, now: now)
    }

    func layout(columns: Int) -> LayoutConfiguration {
        LayoutConfiguration(
            columns: columns, tabWidth: settings.tabWidth, wraps: settings.wrap, cellWidth: cellWidth,
            hangingIndent: { HangingIndent.cells(of: $0) })
    }
}

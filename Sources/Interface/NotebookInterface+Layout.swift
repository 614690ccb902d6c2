import Terminal

/// The layout of the window, and the lines that it draws between the panes.
extension NotebookInterface {
    /// The layout that the state calls for, which is drawn with the next frame.
    func nextLayout(size: Size) -> Layout {
        Layout(
            size: size, focus: state.focus, widths: state.widths,
            isZoomed: state.isZoomed || state.theme.glyphs.isWords, hidesSidebar: state.hidesSidebar,
            notes: model.noteBeside != nil ? state.notes : nil)
    }

    /// A screen with only the lines between the panes; only a new layout changes them.
    func emptyWindow(size: Size) -> Screen {
        var screen = Screen(size: size)
        let theme = state.theme
        for column in layout.dividers {
            for row in 0..<(layout.rule ?? size.rows - 1) {
                screen.write(
                    String(theme.glyphs.vertical), at: Position(column: column, row: row), style: theme.rule)
            }
        }
        if let split = layout.split {
            let glyphs = theme.glyphs
            screen.fill(split, with: split.columns == 1 ? glyphs.vertical : glyphs.horizontal, style: theme.rule)
        }
        if let rule = layout.rule {
            let row = Rect(column: 0, row: rule, columns: size.columns, rows: 1)
            screen.fill(row, with: theme.glyphs.horizontal, style: theme.rule)
            let upright = layout.split.flatMap { $0.columns == 1 ? $0.column : nil }
            for column in layout.dividers + [upright].compactMap(\.self) {
                screen.write(String(theme.glyphs.teeUp), at: Position(column: column, row: rule), style: theme.rule)
            }
        }
        return screen
    }
}

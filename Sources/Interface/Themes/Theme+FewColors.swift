import Terminal

/// Themes on terminals with a palette of 256 colours.
extension Theme {
    /// The distance of two colours in OKLab from which a row is told from what is around it.
    private static let visible = 0.06

    /// Returns the theme for a terminal with so many colours.
    ///
    /// The dark colours of the palette lie far apart, and the nearest one of a dark pink is the gray beside it. So a ground
    /// that would vanish becomes the nearest colour that is no gray.
    func fitted(to depth: ColorDepth) -> Theme {
        guard depth == .palette256 else { return self }
        var theme = self
        for ground in [\Theme.selection, \.selectedText] where vanishes(self[keyPath: ground].background, depth) {
            theme[keyPath: ground].background = self[keyPath: ground].background.colorfulOfPalette
        }
        return theme
    }

    /// Whether a colour can be told from the grounds around it, but not from their colours in the palette.
    private func vanishes(_ color: Color, _ depth: ColorDepth) -> Bool {
        guard color != .default else { return false }
        let shown = color.converted(to: depth)
        return [quietSelection.background, overlay.background].contains { ground in
            ground != .default && ground != color && shown.distance(to: ground.converted(to: depth)) < Self.visible
        }
    }
}

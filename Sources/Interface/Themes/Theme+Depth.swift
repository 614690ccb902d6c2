import Terminal

/// A theme on a terminal with fewer colours than it was made for.
extension Theme {
    /// Returns the theme in the colours of a terminal of this depth, as readable as it is in all colours.
    ///
    /// The nearest of sixteen colours to a dark pink row is red, on which nothing can be read; so the grounds that
    /// sixteen colours do not have become attributes, as in the theme `terminal`. A text whose nearest colour cannot be
    /// read on the remaining grounds takes the nearest one that can be.
    func fitted(to depth: ColorDepth) -> Theme {
        guard depth == .ansi16 || depth == .palette256 else { return self }
        var theme = self
        if depth == .ansi16 { theme.replaceGrounds() } else { theme.keepGroundsVisible() }
        let before = grounds
        let after = theme.grounds.map { $0.converted(to: depth) }
        let most = depth == .ansi16 ? Self.usualContrast : Self.highContrast
        for part in Self.parts {
            var style = theme[keyPath: part.path]
            let (text, ground) = (style.foreground, style.background)
            style.background = ground.converted(to: depth)
            let liesOnOthers = ground == .default
            let had = text.contrast(on: liesOnOthers ? before : [ground])
            // A high contrast stays high if there are enough colours. A theme with less contrast than usual, such as a
            // user's own, stays as it is.
            let least = had >= Self.highContrast ? most : min(had, Self.usualContrast)
            let isLine = Self.lines.contains(part.name)
            // 256 colours include one that is as faint as the line is meant to be; the nearest of sixteen may be almost
            // white.
            style.foreground =
                isLine && depth != .ansi16
                ? text.converted(to: depth)
                : text.converted(
                    to: depth, on: liesOnOthers ? after : [style.background],
                    contrast: isLine ? min(had, Self.contrastOfLines) : least)
            // Sixteen colours may have no readable one between text and ground. A faint text that becomes plain is
            // dimmed instead, unless the theme is one of high contrast.
            let isPlain = [.ansi(0), .ansi(15)].contains(style.foreground) && !text.isColorful
            if depth == .ansi16, isPlain, liesOnOthers, had < Self.highContrast, text != .default {
                style.attributes.insert(.dim)
            }
            theme[keyPath: part.path] = style
        }
        return theme
    }

    /// The parts that are lines and marks, and carry no text.
    private static let lines: Set = ["rule", "overlay-frame", "selection-mark"]

    /// The contrasts that WCAG 2.2 asks of text, at its levels AA and AAA.
    private static let usualContrast = 4.5
    private static let highContrast = 7.0
    /// The contrast that WCAG 2.2 asks of what is seen and carries no text.
    private static let contrastOfLines = 3.0

    /// The grounds that text of other parts lies on: selected rows, boxes and the window itself.
    ///
    /// The window's ground is the terminal's, which a theme takes to be black or white: whichever is nearer to its boxes.
    private var grounds: [Color] {
        let box = overlay.background == .default ? quietSelection.background : overlay.background
        let window: [Color] = box == .default ? [] : [box.luminance > 0.5 ? .rgb(0xFFFFFF) : .rgb(0)]
        return window + [selection, quietSelection, selectedText, overlay].map(\.background).filter { $0 != .default }
    }

    /// The distance of two colours in OKLab from which a row is told from what is around it.
    private static let visibleDistance = 0.06

    /// Replaces the grounds of selected rows and texts that 256 colours do not tell from those around them.
    ///
    /// The dark colours of the palette lie far apart, and the nearest one of a dark pink is the gray beside it. So a
    /// ground that would vanish becomes the nearest colour that is not a gray.
    private mutating func keepGroundsVisible() {
        for ground in [\Theme.selection, \.selectedText] where vanishes(self[keyPath: ground].background) {
            self[keyPath: ground].background = self[keyPath: ground].background.colorfulOfPalette
        }
    }

    /// Whether a colour can be told from the grounds around it, but not from their nearest ones of 256 colours.
    private func vanishes(_ color: Color) -> Bool {
        guard color != .default else { return false }
        let shown = color.converted(to: .palette256)
        return [quietSelection.background, overlay.background].contains { ground in
            ground != .default && ground != color
                && shown.distance(to: ground.converted(to: .palette256)) < Self.visibleDistance
        }
    }

    /// Replaces the grounds that are none of the sixteen colours: those of rows by attributes, and the others unless
    /// black or white is near.
    private mutating func replaceGrounds() {
        func isKept(_ style: Style) -> Bool { style.background == style.background.converted(to: .ansi16) }
        func isPlain(_ style: Style) -> Bool {
            isKept(style) || [.ansi(0), .ansi(15)].contains(style.background.converted(to: .ansi16))
        }
        if !isKept(selection) { selection = Style(attributes: .reverse) }
        if !isKept(selectedText) { selectedText = Style(attributes: .reverse) }
        if !isKept(quietSelection) { quietSelection = Style(attributes: .bold) }
        if !isPlain(overlay) { overlay = .default }
        if !isPlain(markdown.codeBlock) { markdown.codeBlock = .default }
        if !isPlain(markdown.code) { markdown.code.background = .default }
    }
}

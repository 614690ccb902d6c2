import NoteStore
import Terminal

extension Theme {
    /// How the name of a folder, project or tag is shown: in its colour where it was given one, a tag else in the
    /// theme's.
    func style(of container: NoteContainer) -> Style {
        guard container.colorRGBA == NoteContainer.defaultColor || container.isSystemFolder else {
            return Style(foreground: .rgb(container.colorRGBA >> 8))
        }
        return container.isTag ? tag : text
    }
}

extension Glyphs {
    /// A plain character for a symbol that the app gave a container: nil for the usual ones, whose line says it all.
    func glyph(for symbol: String) -> Character? {
        guard self != .ascii else { return nil }
        return Self.symbols[symbol]
    }

    /// The app's symbols that have a likeness of one cell in common fonts; chosen by eye.
    private static let symbols: [String: Character] = [
        "star": "☆", "star.fill": "★", "heart": "♡", "heart.fill": "♥", "flag": "⚐", "flag.fill": "⚑",
        "music.note": "♪", "sun.max": "☼", "envelope": "✉", "pencil": "✎", "checkmark": "✓", "circle": "○",
        "circle.fill": "●", "square": "□", "square.fill": "■", "triangle": "△", "diamond": "◇", "phone": "☎",
    ]
}

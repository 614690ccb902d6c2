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

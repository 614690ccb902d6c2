import NoteStore
import Terminal

extension Theme {
    /// The style of the name of a folder, project or tag.
    ///
    /// It is the container's own colour if it has one; otherwise a tag has the theme's tag style, and the others have
    /// the style of plain text. The colour of a system folder is ignored.
    func style(of container: NoteContainer) -> Style {
        guard container.colorRGBA == NoteContainer.defaultColor || container.isSystemFolder else {
            return Style(foreground: .rgb(container.colorRGBA >> 8))
        }
        return container.isTag ? tag : text
    }
}

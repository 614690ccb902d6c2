import Markdown
import TextPrimitives

/// Lays out a text for reading, on any thread.
struct PreviewLayoutMaker: Sendable {
    let columns: Int
    let glyphs: PreviewGlyphs
    let cellWidth: CellWidth
    let room: PreviewLayout.PictureRoom?
    let image: @Sendable (String) -> PreviewLayout.ImageDescription?
    /// Whether the reader can scroll sideways.
    var scrolls = true

    func layout(of text: String) -> PreviewLayout {
        PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns, glyphs: glyphs,
            cellWidth: cellWidth, scrolls: scrolls, room: room, image: image)
    }
}

import Markdown
import TextPrimitives

/// The parameters of a layout, which can be made on any thread.
struct LayoutMaker: Sendable {
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

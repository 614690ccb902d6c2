import Markdown
import Terminal
import ViewModel

/// The means of showing pictures in the preview: the terminal's abilities, the decoder, and the host.
@MainActor
struct PictureStage {
    let appearance: Appearance
    let decoding: PictureDecoding
    unowned let host: any InterfaceHost

    /// Returns nil if pictures are shown by their labels.
    init?(_ host: (any InterfaceHost)?) {
        guard let host, let decoding = host.pictureDecoding else { return nil }
        let appearance = host.appearance
        guard appearance.pictures != .labels else { return nil }
        (self.host, self.appearance, self.decoding) = (host, appearance, decoding)
    }

    /// Returns the largest size of a picture in a pane: it never fills all of its rows.
    func room(rows: Int) -> PreviewLayout.PictureRoom {
        let cell = PreviewLayout.PixelSize(width: appearance.cell.width, height: appearance.cell.height)
        return PreviewLayout.PictureRoom(cell: cell, rows: min(24, max(rows - 2, 3)))
    }

    func key(_ picture: PreviewLayout.Picture) -> PictureShelf.Key {
        PictureShelf.Key(
            destination: picture.destination, columns: picture.columns, rows: picture.rows,
            display: appearance.pictures, cell: appearance.cell)
    }
}

extension PreviewPane {
    /// Whether the text has pictures to draw.
    var showsPictures: Bool { layout?.pictures.isEmpty == false }

    /// Returns the pictures that are at least partly visible.
    private func pictures(rows: Int) -> [PreviewLayout.Picture] {
        guard let pictures = layout?.pictures, !pictures.isEmpty else { return [] }
        return pictures.filter { $0.line < top + rows && $0.line + $0.rows > top }
    }

    /// Returns the picture at a cell of the pane, whether or not it is drawn by now.
    func picture(column: Int, row: Int) -> PreviewLayout.Picture? {
        layout?.pictures.first { picture in
            (picture.line..<picture.line + picture.rows).contains(top + row)
                && (picture.column..<picture.column + picture.columns).contains(column)
        }
    }

    /// Starts to decode the visible pictures that have not been decoded.
    func seePictures(
        rows: Int, of model: TakeNoteVM, on stage: PictureStage,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        shelf.see(
            pictures(rows: rows).map(stage.key), of: model, decoding: stage.decoding,
            limit: stage.appearance.pictureLimit, changed: changed)
    }

    /// Draws the visible pictures over their labels.
    func drawPictures(into screen: inout Screen, left: Int, rows: Int, on stage: PictureStage) {
        for picture in pictures(rows: rows) {
            guard let content = shelf[stage.key(picture)] else { continue }
            let position = Position(column: left + picture.column, row: picture.line - top)
            // The label of a selected picture shows that it is selected.
            let hidden = picture.link != nil && picture.link == link ? picture.labelRows : 0
            let first = max(0, position.row + hidden)
            let clip = Rect(column: 0, row: first, columns: screen.size.columns, rows: max(0, rows - first))
            // The label may be wider than the picture.
            let columns = max(picture.columns, (layout?.columns ?? 0) - picture.column)
            let area = Rect(origin: position, size: Size(columns: columns, rows: picture.rows)).intersection(clip)
            switch content {
            case .nothing: continue
            case .mosaic(let mosaic):
                screen.fill(area, style: .default)
                screen.draw(mosaic, at: position, clip: clip)
            case .placeholder(let placeholder, let png):
                stage.host.show(placeholder, png: png)
                guard stage.host.isShown(placeholder) else { continue }
                screen.fill(area, style: .default)
                screen.draw(placeholder, at: position, clip: clip)
            }
        }
    }
}

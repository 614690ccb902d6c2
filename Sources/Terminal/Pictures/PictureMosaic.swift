import Pictures

/// A picture as half blocks: two pixels a cell, one above the other, in every terminal with colours.
public struct PictureMosaic: Equatable, Sendable {
    /// The pixels: as many columns as cells, and twice as many rows.
    public let pixels: Pixels

    public var columns: Int { pixels.width }
    public var rows: Int { (pixels.height + 1) / 2 }

    public init(_ pixels: Pixels) {
        self.pixels = pixels
    }

    /// The character and colours of a cell.
    struct Block {
        var character: Character
        var style: Style
    }

    /// The cell at a position; transparent halves show the background.
    func block(_ column: Int, _ row: Int) -> Block {
        switch (color(column, row * 2), color(column, row * 2 + 1)) {
        case (nil, nil): Block(character: " ", style: .default)
        case (let top?, nil): Block(character: "▀", style: Style(foreground: top))
        case (nil, let bottom?): Block(character: "▄", style: Style(foreground: bottom))
        case (let top?, let bottom?) where top == bottom: Block(character: " ", style: Style(background: top))
        case (let top?, let bottom?): Block(character: "▀", style: Style(foreground: top, background: bottom))
        }
    }

    /// The colour of a pixel; nil if it is more transparent than not.
    private func color(_ column: Int, _ row: Int) -> Color? {
        guard row < pixels.height else { return nil }
        let pixel = pixels[column, row]
        return pixel.alpha < 128 ? nil : .rgb(pixel.red, pixel.green, pixel.blue)
    }

    /// The rows as text to print, each with its colours, in as many colours as the terminal has.
    public func lines(_ depth: ColorDepth) -> [String] {
        var capabilities = Capabilities()
        capabilities.colorDepth = depth
        var renderer = Renderer(capabilities: capabilities)
        return (0..<rows).map { row in
            var output: [UInt8] = []
            renderer.pen = .default
            for column in 0..<columns {
                let block = block(column, row)
                renderer.setStyle(block.style, &output)
                output += Array(String(block.character).utf8)
            }
            renderer.setStyle(.default, &output)
            return String(decoding: output, as: UTF8.self)
        }
    }
}

extension Screen {
    /// Draws a picture as half blocks, its top left at a position; rows and columns outside of `clip` are left out.
    public mutating func draw(_ mosaic: PictureMosaic, at position: Position, clip: Rect? = nil) {
        let area = Rect(
            origin: position, size: Size(columns: mosaic.columns, rows: mosaic.rows)
        ).intersection(clip.map { $0.intersection(bounds) } ?? bounds)
        guard !area.isEmpty else { return }
        for row in area.row..<area.maxRow {
            for column in area.column..<area.maxColumn {
                let block = mosaic.block(column - position.column, row - position.row)
                write(String(block.character), at: Position(column: column, row: row), style: block.style)
            }
        }
    }
}

import TextPrimitives

/// A note laid out for reading, `columns` cells wide: lines of runs, which the interface maps to cells.
public struct PreviewLayout: Sendable {
    /// A range of a line with the same style.
    public struct Run: Hashable, Sendable {
        public var text: String
        public var kind: SpanKind
        /// The index in `links` of the link that the run belongs to.
        public var link: Int?

        public init(_ text: String, _ kind: SpanKind, link: Int? = nil) {
            self.text = text
            self.kind = kind
            self.link = link
        }
    }

    /// A line of the screen.
    public struct Line: Hashable, Sendable {
        public var runs: [Run] = []
        /// The line of the source, counted from 0, that the first word comes from.
        public var sourceLine: Int
        /// The offset in the source that the first word comes from; nil for a line without words, such as a rule.
        public var sourceOffset: Int?
        /// The kind that colours the whole line, to its end: `codeBlock`, a heading.
        public var background: SpanKind = []
        /// Whether it is wider than the layout, like the rows of a wide table or code that can be scrolled.
        public var isWide = false

        /// The line without styles.
        public var text: String { runs.map(\.text).joined() }
    }

    /// The description of an image that a note shows.
    public struct ImageDescription: Hashable, Sendable {
        /// The type, such as "PNG" or "JPEG".
        public var type: String
        /// The size in readable form, such as "12 KB".
        public var size: String
        /// The image's name, if it says more than the alternative text in the note.
        public var name: String?
        /// The width and height in pixels; nil if they are not known, or the image cannot be drawn.
        public var pixels: PixelSize?

        public init(type: String, size: String, name: String? = nil, pixels: PixelSize? = nil) {
            self.type = type
            self.size = size
            self.name = name
            self.pixels = pixels
        }
    }

    /// A width and height in pixels, each from 1 to a million.
    public struct PixelSize: Hashable, Sendable {
        public let width: Int
        public let height: Int

        public init(width: Int, height: Int) {
            (self.width, self.height) = (min(max(width, 1), 1_000_000), min(max(height, 1), 1_000_000))
        }
    }

    /// The limits on the size of pictures.
    public struct PictureRoom: Hashable, Sendable {
        /// The size of a cell in pixels.
        public var cell: PixelSize
        /// The most rows of a picture.
        public var rows: Int
        /// The most columns of a picture.
        public var columns: Int

        public init(cell: PixelSize = PixelSize(width: 8, height: 16), rows: Int = 24, columns: Int = 100) {
            (self.cell, self.rows, self.columns) = (cell, rows, columns)
        }

        /// The size of a picture in cells: no more than its own size, these limits and the `available` columns allow;
        /// at least one.
        public func cells(of picture: PixelSize, available: Int) -> (columns: Int, rows: Int) {
            let width = min(available, columns, (picture.width + cell.width - 1) / cell.width)
            func rounded(_ above: Int, _ below: Int) -> Int { max(1, (2 * above + below) / (2 * below)) }
            let height = rounded(max(width, 1) * cell.width * picture.height, picture.width * cell.height)
            guard height > rows else { return (max(width, 1), height) }
            let narrow = rounded(rows * cell.height * picture.width, picture.height * cell.width)
            return (max(1, min(narrow, width)), max(rows, 1))
        }
    }

    /// The cells that are left free for a picture; they show its label until it is drawn over them.
    public struct Picture: Hashable, Sendable {
        /// The address of the image.
        public var destination: String
        /// The index of its first line.
        public var line: Int
        public var rows: Int
        /// The index of its first column.
        public var column: Int
        public var columns: Int
        /// The number of its lines that the label takes.
        public var labelRows: Int
        /// The index in `links` of the link that the image is.
        public var link: Int?
    }

    public private(set) var lines: Lines
    /// The links that runs refer to.
    public private(set) var links: [MarkdownLink]
    /// The pictures, in the order of their lines.
    public private(set) var pictures: [Picture]
    public let columns: Int
    /// The width in cells of the widest line: more than `columns` only if there is a wide table or code.
    public private(set) var widest = 0
    /// The index of the first footnote line; footnotes are at the end, wherever they are in the source.
    private var footnoteStart: Int

    /// Lays out `document`, which was parsed from `source`.
    ///
    /// - Parameters:
    ///   - columns: The width in cells; less than 8 counts as 8.
    ///   - cellWidth: Measures the cells that characters occupy.
    ///   - scrolls: Whether tables and code may be wider than `columns`, because the reader can scroll sideways.
    ///   - room: The limits on the size of pictures; nil leaves no room for them.
    ///   - image: Returns the description of the image at a destination.
    public init(
        _ document: MarkdownDocument, source: String, columns: Int, glyphs: PreviewGlyphs = .unicode,
        cellWidth: CellWidth, scrolls: Bool = false, room: PictureRoom? = nil,
        image: @escaping (String) -> ImageDescription? = { _ in nil }
    ) {
        self.columns = max(columns, 8)
        var builder = PreviewBuilder(
            document, source: source,
            for: .init(
                columns: self.columns, glyphs: glyphs, cellWidth: cellWidth, scrolls: scrolls, room: room, image: image)
        )
        builder.build()
        lines = builder.lines
        widest = max(self.columns, builder.widest)
        if document.hasReturns { lines.mapSource(document.sourceLine) }
        links = builder.links
        pictures = builder.pictures
        footnoteStart = builder.footnoteStart
    }

    /// Moves the layout of a part of a text to the line and byte at which the part starts in the whole text.
    ///
    /// - Parameters:
    ///   - lead: The numbers of lines and bytes that were put before the part for parsing; the lines that show them
    ///     are removed.
    public mutating func position(atLine line: Int, byte: Int, lead: (lines: Int, bytes: Int)) {
        lines.shiftSource(byLines: line - lead.lines, bytes: byte - lead.bytes)
        guard lead.bytes > 0 else { return }
        let first = lines.indices.first { lines.source(of: $0).offset >= byte } ?? lines.count
        lines.removeFirst(first)
        // The lines of pictures in the lead are removed, completely or in part, so these pictures are removed too.
        pictures.removeAll { $0.line < first }
        for index in pictures.indices { pictures[index].line -= first }
        footnoteStart = max(footnoteStart - first, 0)
    }

    /// The first line that shows line `sourceLine` of the source or a later one.
    public func line(ofSource sourceLine: Int) -> Int {
        clamped((0..<footnoteStart).partitioningIndex { lines.source(of: $0).line >= sourceLine })
    }

    /// The line that shows a byte of the source in line `sourceLine`; if no line does, the last line before it.
    public func line(ofSource sourceLine: Int, offset: Int) -> Int {
        func isBeyond(_ line: Int) -> Bool { lines.source(of: line) > (sourceLine, offset) }
        let inBody = clamped((0..<footnoteStart).partitioningIndex(where: isBeyond) - 1)
        let inFootnotes = (footnoteStart..<lines.count).last {
            lines.source(of: $0).offset >= 0 && !isBeyond($0)
        }
        guard let inFootnotes, lines.source(of: inFootnotes) > lines.source(of: inBody) else { return inBody }
        return inFootnotes
    }

    /// The line at which a footnote begins; nil if it is not laid out.
    public func line(ofFootnote number: Int) -> Int? {
        (footnoteStart..<lines.count).first { line in
            lines[line].runs.contains { $0.kind.contains(.footnote) && $0.text == "\(number)." }
        }
    }

    /// The first line that refers to a footnote; nil if it is not laid out.
    public func line(referringToFootnote number: Int) -> Int? {
        lines.indices.first { line in
            lines[line].runs.contains { $0.kind.contains(.footnote) && $0.text.contains("[\(number)]") }
        }
    }

    private func clamped(_ line: Int) -> Int { min(max(line, 0), max(lines.count - 1, 0)) }
}

/// The characters that a preview draws with.
public struct PreviewGlyphs: Hashable, Sendable {
    /// The bullets by depth of the list; the last one is for all deeper lists.
    public var bullets: [String]
    public var openTask: String
    public var doneTask: String
    public var quoteBar: String
    public var horizontal: String
    public var vertical: String
    public var cross: String
    /// The corners: top left, top right, bottom left, bottom right.
    public var corners: [String]
    /// The sign before the title of an embedded note, which is not unfolded.
    public var embedded: String
    /// The characters of the rules under headings of the first levels; the other levels have none.
    public var headingRules: [String]
    /// The marks before the headings, one for each level.
    public var headingMarks: [String]
    /// The words before the label of a picture that has no frame; nil if it has one.
    public var pictureMark: String?
    /// Whether a table is written row by row, each cell with its column's name, however narrow the table is.
    public var listsTables = false
    /// Whether a formula may be shown in mathematical characters rather than as it is written.
    public var isUnicode: Bool { vertical != "|" && !listsTables }

    public static let unicode = PreviewGlyphs(
        bullets: ["•", "◦", "▪"], openTask: "☐", doneTask: "☑", quoteBar: "▎", horizontal: "─", vertical: "│",
        cross: "┼", corners: ["┌", "┐", "└", "┘"], embedded: "▸ ", headingRules: ["━", "─"],
        headingMarks: ["", "", "› ", "›› ", "››› ", "›››› "])

    /// Glyphs for a screen reader: no lines and frames, and words for levels and states.
    public static let words = {
        var glyphs = PreviewGlyphs.ascii
        glyphs.bullets = ["-"]
        (glyphs.openTask, glyphs.doneTask, glyphs.quoteBar) = ("open:", "done:", " ")
        (glyphs.horizontal, glyphs.vertical, glyphs.cross) = (" ", " ", " ")
        (glyphs.corners, glyphs.headingRules) = ([" ", " ", " ", " "], [])
        glyphs.headingMarks = (1...6).map { "Heading \($0): " }
        (glyphs.listsTables, glyphs.embedded, glyphs.pictureMark) = (true, "Embedded: ", "Picture: ")
        return glyphs
    }()

    /// Glyphs for terminals without Unicode.
    public static let ascii = PreviewGlyphs(
        bullets: ["*", "-", "+"], openTask: "[ ]", doneTask: "[x]", quoteBar: "|", horizontal: "-", vertical: "|",
        cross: "+", corners: ["+", "+", "+", "+"], embedded: "> ", headingRules: ["=", "-"],
        headingMarks: ["", "", "### ", "#### ", "##### ", "###### "])
}

import Markdown
import Rainbow
import Terminal

/// Draws Markdown for reading: wrapped, with tables and lists laid out, coloured on a terminal.
enum DrawnMarkdown {
    /// The maximum line width in cells; also the reading width of the full-screen notebook.
    private static let readableColumns = 80

    /// - Parameter pictures: draws the images of the text; nil prints their labels.
    static func write(_ text: String, columns: Int?, pictures: PrintedPictures? = nil) throws {
        let width = StandardOutput.isTerminal ? min(StandardOutput.columns, readableColumns) : readableColumns
        StandardOutput.guessWidths()
        let layout = PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns ?? width,
            cellWidth: .ofTerminal, room: pictures.map { _ in PreviewLayout.PictureRoom(rows: 40) },
            image: { pictures?.description($0) })
        let isColored = StandardOutput.wantsColor
        var waiting = layout.pictures[...]
        var hidden = 0
        for (index, line) in layout.lines.enumerated() {
            if let picture = waiting.first, picture.line == index {
                waiting.removeFirst()
                if let lines = pictures?.lines(of: picture) {
                    let margin = String(repeating: " ", count: picture.column)
                    for line in lines { try StandardOutput.write(line: margin + line) }
                    hidden = picture.rows
                }
            }
            if hidden > 0 {
                hidden -= 1
                continue
            }
            let runs = line.runs.map { run in
                isColored ? styled(run.text.visible, run.kind.union(line.background)) : run.text.visible
            }
            try StandardOutput.write(line: runs.joined().withoutBlanksAtEnd)
        }
    }

    /// Styles a run, from the inner kinds to the outer ones, in the sixteen colours that every terminal theme makes
    /// readable.
    private static func styled(_ text: String, _ kind: SpanKind) -> String {
        var result = text
        if kind.contains(.strong) { result = result.bold }
        if kind.contains(.emphasis) { result = result.italic }
        if kind.contains(.strikethrough) { result = result.strikethrough }
        if kind.contains(.highlight) { result = result.black.onYellow }
        if kind.headingLevel != nil {
            result = result.bold.magenta
        } else if kind.contains(.marker) || kind.contains(.rule) || kind.contains(.done) || kind.contains(.codeComment)
        {
            result = result.dim
        } else if kind.contains(.link) || kind.contains(.wikilink) || kind.contains(.footnote) {
            result = result.underline.cyan
        } else if kind.contains(.codeKeyword) || kind.contains(.tag) {
            result = result.magenta
        } else if kind.contains(.codeString) || kind.contains(.codeAdded) {
            result = result.green
        } else if kind.contains(.code) || kind.contains(.math) || kind.contains(.codeNumber) {
            result = result.yellow
        } else if kind.contains(.quote) {
            result = result.italic
        }
        return result
    }
}

extension String {
    fileprivate var withoutBlanksAtEnd: String {
        guard hasSuffix(" ") else { return self }
        return String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}

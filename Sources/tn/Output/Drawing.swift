import Markdown
import Rainbow
import Terminal

/// Draws Markdown for reading: wrapped, with tables and lists laid out, coloured on a terminal.
enum Drawing {
    /// The maximum line width in cells; also the reading width of the full-screen notebook.
    private static let readableColumns = 80

    static func write(_ text: String, columns: Int?) throws {
        let width = StandardOutput.isTerminal ? min(StandardOutput.columns, readableColumns) : readableColumns
        let layout = PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns ?? width,
            cellWidth: .ofTerminal)
        let isColored = StandardOutput.wantsColor
        for line in layout.lines {
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

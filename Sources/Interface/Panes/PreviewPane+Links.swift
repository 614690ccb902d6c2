import Markdown
import Terminal

/// The links, tags, check boxes and numbers of footnotes in the preview: selecting them, and finding them at a cell.
extension PreviewPane {
    /// Selects the next or previous link, wrapping around at the ends, and makes it visible.
    ///
    /// - Parameter line: the line of the source from which to begin, if it is in sight and no link is selected; backwards
    ///   it begins at the end then.
    func selectLink(after step: Int, fromSourceLine line: Int? = nil) {
        guard let layout, !layout.links.isEmpty else { return }
        let first = step < 0 && line != nil ? nil : firstLink(fromSourceLine: line)
        var next = link ?? first.map { step > 0 ? $0 - 1 : $0 } ?? (step > 0 ? -1 : 0)
        // Some links are not drawn, such as those in front matter.
        for _ in layout.links.indices {
            next = (next + step + layout.links.count) % layout.links.count
            guard let line = layout.lines.firstIndex(where: { $0.runs.contains { $0.link == next } }) else { continue }
            link = next
            return reveal(link: next, inLine: line)
        }
    }

    func isInSight(_ link: Int) -> Bool {
        layout?.lines.dropFirst(top).prefix(rows).contains { $0.runs.contains { $0.link == link } } ?? false
    }

    private func reveal(link: Int, inLine line: Int) {
        reveal(line)
        guard let layout else { return }
        var byte = 0
        for run in layout.lines[line].runs {
            let end = byte + run.text.utf8.count
            if run.link == link { return revealColumns(ofBytes: byte..<end, in: layout.lines[line]) }
            byte = end
        }
    }

    /// The column of the selected link in the current row, otherwise the first: where several links share a row, only the
    /// column tells which one is selected.
    var currentColumn: Int {
        guard let link, let line = layout?.lines[safe: top + currentRow] else { return 0 }
        var column = line.isWide ? -leftColumn : 0
        for run in line.runs {
            if run.link == link { return max(0, column) }
            column += TextWidth.shared.width(of: run.text)
        }
        return 0
    }

    /// The first link from a visible line of the source on; without one, the first in the visible lines or below them.
    private func firstLink(fromSourceLine line: Int?) -> Int? {
        func first(from line: Int) -> Int? {
            layout?.lines.dropFirst(line).lazy.compactMap { $0.runs.compactMap(\.link).first }.first
        }
        guard let line = line.flatMap(firstText), (top..<top + rows).contains(line), let link = first(from: line) else {
            return first(from: top)
        }
        return link
    }

    var selectedLink: MarkdownLink? { link.flatMap { layout?.links[safe: $0] } }

    /// Returns the link drawn at a cell of the pane.
    func link(column: Int, row: Int) -> MarkdownLink? {
        let index = run(column: column, row: row)?.link ?? picture(column: column, row: row)?.link
        return index.flatMap { layout?.links[safe: $0] }
    }

    /// Returns the text of the tag drawn at a cell of the pane, with its parts in other lines.
    func tag(column: Int, row: Int) -> String? {
        guard let (run, _, index) = piece(column: column, row: row), run.kind.contains(.tag) else { return nil }
        var (text, line) = (run.text, top + row)
        // A tag begins with its only number sign, so a part without one goes on from the line before.
        while !text.hasPrefix("#"), let part = tags(inLine: line - 1).last {
            text = part + text
            line -= 1
        }
        line = top + row
        var isLast = tags(inLine: line, after: index).isEmpty
        while isLast, let part = tags(inLine: line + 1).first, !part.hasPrefix("#") {
            text += part
            line += 1
            isLast = tags(inLine: line).count == 1
        }
        return text
    }

    /// The tags, or parts of tags, in a line of the layout after one of its runs.
    private func tags(inLine line: Int, after index: Int = -1) -> [String] {
        let runs = layout?.lines[safe: line]?.runs.dropFirst(index + 1) ?? []
        return runs.filter { $0.kind.contains(.tag) }.map(\.text)
    }

    /// Returns the line of the source whose check box is drawn at a cell of the pane.
    func task(column: Int, row: Int) -> Int? {
        guard let kind = run(column: column, row: row)?.kind, kind.isSuperset(of: [.task, .listMarker]) else {
            return nil
        }
        return layout?.lines[safe: top + row]?.sourceLine
    }

    /// Goes from the number of a footnote in the text to the footnote, and from there back.
    ///
    /// - Returns: whether such a number is drawn at this cell of the pane.
    func followFootnote(column: Int, row: Int) -> Bool {
        guard let layout, let (run, cell, _) = piece(column: column, row: row), run.kind.contains(.footnote) else {
            return false
        }
        // Two numbers side by side are one run of characters that take a cell each.
        let start = run.text.prefix(cell + 1).lastIndex(of: "[") ?? run.text.startIndex
        let digits = run.text[start...].drop { !$0.isNumber }.prefix(while: \.isNumber)
        guard let number = Int(digits) else { return false }
        let isInText = run.text.hasPrefix("[")
        let line = isInText ? layout.line(ofFootnote: number) : layout.line(referringToFootnote: number)
        if let line { reveal(line) }
        return true
    }

    private func run(column: Int, row: Int) -> PreviewLayout.Run? { piece(column: column, row: row)?.run }

    /// Returns the run drawn at a cell of the pane, the number of its cells before that one, and its index in the line.
    private func piece(column: Int, row: Int) -> (run: PreviewLayout.Run, cell: Int, index: Int)? {
        guard let line = layout?.lines[safe: top + row] else { return nil }
        let column = line.isWide ? column + leftColumn : column
        var start = 0
        for (index, run) in line.runs.enumerated() {
            let end = start + TextWidth.shared.width(of: run.text)
            if (start..<end).contains(column) { return (run, column - start, index) }
            start = end
        }
        return nil
    }
}

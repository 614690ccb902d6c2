import Markdown
import Terminal
import TextEditing
import ViewModel

/// The open note laid out for reading, as long as text and width stay the same.
@MainActor
final class PreviewPane {
    private struct Key: Equatable {
        let note: String
        let text: Int
        let columns: Int
        let widths: WidthModel
    }

    private var key: Key?
    private(set) var layout: PreviewLayout?
    /// The first line shown.
    var top = 0
    /// The link that Enter follows: an index among the layout's links.
    var link: Int?
    private var rows = 1

    /// Lays the note out if it has changed; the place being read stays.
    func arrange(_ session: EditorSession, columns: Int, rows: Int, glyphs: Glyphs) {
        self.rows = rows
        let key = Key(note: session.noteID.description, text: session.textRevision, columns: columns, widths: .current)
        if key != self.key {
            let source = self.key?.note == key.note ? layout?.lines[safe: top]?.sourceLine ?? 0 : session.topLine
            let text = session.text
            let layout = PreviewLayout(
                MarkdownDocument(text), source: text, columns: columns,
                glyphs: glyphs == .ascii ? .ascii : .unicode, cellWidth: { TextWidth.shared.width(of: $0) })
            (self.key, self.layout, link) = (key, layout, nil)
            top = layout.line(ofSource: source)
        }
        scroll(by: 0)
    }

    /// Forgets the layout, so that the next one begins where the editor is.
    func reset() {
        key = nil
        layout = nil
    }

    /// The line of the source that is read at the top.
    var sourceLine: Int { layout?.lines[safe: top]?.sourceLine ?? 0 }

    func scroll(by step: Int) {
        top = min(max(top + step, 0), max((layout?.lines.count ?? 0) - rows, 0))
    }

    /// Goes to the next or previous link, round and round, and has it in sight.
    func selectLink(after step: Int) {
        guard let layout, !layout.links.isEmpty else { return }
        let start = link ?? firstLinkInSight.map { step > 0 ? $0 - 1 : $0 } ?? -1
        let next = (start + step + layout.links.count) % layout.links.count
        link = next
        guard let line = layout.lines.firstIndex(where: { $0.runs.contains { $0.link == next } }) else { return }
        if !(top..<top + rows).contains(line) { top = max(0, line - rows / 2) }
        scroll(by: 0)
    }

    private var firstLinkInSight: Int? {
        layout?.lines.dropFirst(top).prefix(rows).lazy.compactMap { $0.runs.compactMap(\.link).first }.first
    }

    var selectedLink: MarkdownLink? { link.flatMap { layout?.links[safe: $0] } }

    /// The link drawn at a cell of the pane.
    func link(column: Int, row: Int) -> MarkdownLink? {
        guard let layout, let line = layout.lines[safe: top + row] else { return nil }
        var start = 0
        for run in line.runs {
            let end = start + TextWidth.shared.width(of: run.text)
            if (start..<end).contains(column) { return run.link.flatMap { layout.links[safe: $0] } }
            start = end
        }
        return nil
    }

    func draw(into screen: inout Screen, left: Int, rows: Int, state: WindowState) {
        guard let layout else { return }
        let styles = state.markdownStyles
        for (row, line) in layout.lines.dropFirst(top).prefix(rows).enumerated() {
            let ground = styles.style(of: line.background)
            if ground.background != .default {
                let place = Rect(column: left, row: row, columns: layout.columns, rows: 1)
                screen.fill(place, style: Style(background: ground.background))
            }
            var column = left
            for run in line.runs {
                var style = styles.style(of: run.kind).on(Style(background: ground.background))
                if let index = run.link {
                    if index == link { style = style.on(state.theme.selection) }
                    if layout.links[index].kind == .web { style.link = screen.link(layout.links[index].target) }
                }
                column += screen.write(run.text, at: Position(column: column, row: row), style: style)
            }
        }
    }
}

extension Array {
    /// The element at an index, nil where there is none.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

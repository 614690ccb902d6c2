import Markdown
import Terminal
import TextEditing
import ViewModel

/// The open note laid out for reading, as long as text and width stay the same.
///
/// A long text is laid out around the place that is read, at once, and as a whole behind the scenes; when that is
/// ready it takes over at the same place.
@MainActor
final class PreviewPane {
    private struct Key: Equatable, Sendable {
        let note: String
        let text: Int
        let columns: Int
        let widths: WidthModel
    }

    private var key: Key?
    private(set) var layout: PreviewLayout?
    /// The lines of the source that are laid out; nil for all.
    private var part: Range<Int>?
    /// The line of the source to go to that is not laid out.
    private var destination: Int?
    /// The first line shown.
    private(set) var top = 0
    /// The link that Enter follows: an index among the layout's links.
    private(set) var link: Int?
    private var rows = 1
    /// What is looked for in the layout, while something is.
    private(set) var search: PreviewSearch?
    /// What to look for as soon as there is a layout.
    private var awaitedQuery: FindQuery?

    /// A text of at most this many bytes is laid out at once: a few milliseconds' work.
    private static let wholeLimit = 64_000

    /// Lays the note out if it has changed; the place being read stays.
    ///
    /// - Parameter changed: called when the whole of a long text has been laid out.
    func arrange(
        _ session: EditorSession, of model: TakeNoteVM, columns: Int, rows: Int, glyphs: Glyphs,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        self.rows = rows
        let key = Key(note: session.noteID.description, text: session.textRevision, columns: columns, widths: .current)
        let maker = LayoutMaker(
            columns: columns, glyphs: glyphs == .ascii ? .ascii : .unicode, image: model.imageDescriber)
        if key != self.key {
            let source = self.key?.note == key.note ? sourceLine : session.topLine
            self.key = key
            if session.buffer.utf8Count <= Self.wholeLimit {
                show(maker.layout(of: session.text, firstLine: 0), part: nil)
            } else {
                showPart(around: source, of: session, with: maker)
                layOutWhole(session.buffer, of: model, with: maker, as: key, changed: changed)
            }
            top = layout?.line(ofSource: source) ?? 0
        } else if let part, let line = missingLine(in: part, of: session) {
            showPart(around: line, of: session, with: maker)
            if destination != nil { top = layout?.line(ofSource: line) ?? 0 }
        }
        destination = nil
        scroll(by: 0)
        if let awaitedQuery { find(awaitedQuery) }
    }

    /// Lays out a short text that is no note's.
    func arrange(_ text: String, columns: Int, rows: Int, glyphs: Glyphs) {
        self.rows = rows
        let key = Key(note: "", text: glyphs == .ascii ? 1 : 0, columns: columns, widths: .current)
        if key != self.key {
            self.key = key
            let maker = LayoutMaker(
                columns: columns, glyphs: glyphs == .ascii ? .ascii : .unicode, image: { _ in nil })
            show(maker.layout(of: text, firstLine: 0), part: nil)
        }
        scroll(by: 0)
    }

    /// The line of the source around which to lay out anew, when what is laid out ends near what is shown.
    private func missingLine(in part: Range<Int>, of session: EditorSession) -> Int? {
        if let destination { return min(destination, session.lineCount - 1) }
        let isAtStart = part.lowerBound == 0 || top > rows
        let isAtEnd = part.upperBound >= session.lineCount || top + 2 * rows < layout?.lines.count ?? 0
        return isAtStart && isAtEnd ? nil : sourceLine
    }

    private func showPart(around line: Int, of session: EditorSession, with maker: LayoutMaker) {
        let part = session.readablePart(around: line)
        show(maker.layout(of: session.text(ofLines: part), firstLine: part.lowerBound), part: part)
    }

    private func layOutWhole(
        _ buffer: TextBuffer, of model: TakeNoteVM, with maker: LayoutMaker, as key: Key,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        model.inBackground {
            maker.layout(of: buffer.string(), firstLine: 0)
        } then: { [weak self] layout in
            guard let self, self.key == key else { return }
            show(layout, part: nil)
            changed()
        }
    }

    /// Takes another layout, at the same place of the text.
    private func show(_ new: PreviewLayout, part: Range<Int>?) {
        let source = sourceLine
        let offset = top - (layout?.line(ofSource: source) ?? top)
        (layout, self.part, link) = (new, part, nil)
        top = new.line(ofSource: source) + offset
        if let query = search?.query { search = PreviewSearch(query, in: new, from: top) }
    }

    /// Forgets the layout, so that the next one begins where the editor is.
    func reset() {
        key = nil
        layout = nil
        part = nil
        endFind()
    }

    /// The line of the source that is read at the top.
    var sourceLine: Int { layout?.lines[safe: top]?.sourceLine ?? 0 }

    func scroll(by step: Int) {
        let last = max((layout?.lines.count ?? 0) - rows, 0)
        if part != nil, abs(step) > Int(Int32.max) { destination = step < 0 ? 0 : .max }
        top = min(max(top + step, 0), last)
    }

    // MARK: Links

    /// Goes to the next or previous link, round and round, and has it in sight.
    func selectLink(after step: Int) {
        guard let layout, !layout.links.isEmpty else { return }
        let start = link ?? firstLinkInSight.map { step > 0 ? $0 - 1 : $0 } ?? -1
        let next = (start + step + layout.links.count) % layout.links.count
        link = next
        guard let line = layout.lines.firstIndex(where: { $0.runs.contains { $0.link == next } }) else { return }
        reveal(line)
    }

    private func reveal(_ line: Int) {
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

    // MARK: Finding

    /// Looks for something from the first line shown on.
    func find(_ query: FindQuery) {
        awaitedQuery = layout == nil ? query : nil
        guard let layout else { return }
        search = PreviewSearch(query, in: layout, from: top)
        if let line = search?.currentLine { reveal(line) }
    }

    /// Goes to the next or previous match, round and round.
    func findMatch(after step: Int) {
        search?.step(by: step)
        if let line = search?.currentLine { reveal(line) }
    }

    func endFind() {
        search = nil
        awaitedQuery = nil
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, left: Int, rows: Int, theme: Theme, styles: MarkdownStyles) {
        guard let layout else { return }
        for (row, line) in layout.lines.dropFirst(top).prefix(rows).enumerated() {
            let ground = styles.style(of: line.background)
            if ground.background != .default {
                let place = Rect(column: left, row: row, columns: layout.columns, rows: 1)
                screen.fill(place, style: Style(background: ground.background))
            }
            var place = Position(column: left, row: row)
            var matches = search?.matches(inLine: top + row)[...] ?? []
            var byte = 0
            for run in line.runs {
                var style = styles.style(of: run.kind).on(Style(background: ground.background))
                if let index = run.link {
                    if index == link { style = style.on(theme.selection) }
                    if layout.links[index].kind == .web { style.link = screen.link(layout.links[index].target) }
                }
                for piece in Self.pieces(of: run.text, from: byte, matches: &matches) {
                    place.column += screen.write(
                        piece.text, at: place, style: piece.isMatch ? theme.match : style)
                }
                byte += run.text.utf8.count
            }
        }
    }

    /// Cuts the text of a run, which begins at a byte of its line, at the ends of matches; drops those that end in it.
    private static func pieces(
        of text: String, from start: Int, matches: inout ArraySlice<Range<Int>>
    ) -> [(text: Substring, isMatch: Bool)] {
        guard let first = matches.first, first.lowerBound < start + text.utf8.count else { return [(text[...], false)] }
        var result: [(text: Substring, isMatch: Bool)] = []
        var (byte, index) = (start, text.startIndex)
        let end = start + text.utf8.count
        while byte < end {
            while let match = matches.first, match.upperBound <= byte { matches.removeFirst() }
            let match = matches.first
            let isMatch = match.map { $0.lowerBound <= byte } ?? false
            let next = min(end, match.map { isMatch ? $0.upperBound : $0.lowerBound } ?? end)
            let stop = text.utf8.index(index, offsetBy: next - byte)
            result.append((text[index..<stop], isMatch))
            (byte, index) = (next, stop)
        }
        return result
    }
}

/// What it takes to lay a text out, on any thread.
private struct LayoutMaker: Sendable {
    let columns: Int
    let glyphs: PreviewGlyphs
    let image: @Sendable (String) -> PreviewLayout.ImageDescription?

    func layout(of text: String, firstLine: Int) -> PreviewLayout {
        var layout = PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns, glyphs: glyphs,
            cellWidth: { TextWidth.shared.width(of: $0) }, image: image)
        if firstLine > 0 { layout.shiftSource(by: firstLine) }
        return layout
    }
}

extension Array {
    /// The element at an index, nil where there is none.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

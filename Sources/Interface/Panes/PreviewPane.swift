import Markdown
import Terminal
import TextEditing
import TextPrimitives
import ViewModel

/// The layout of the open note for reading, kept while text and width stay the same.
///
/// A long text is laid out at once only around the line that is read, and as a whole in the background. The whole
/// layout then replaces the partial one, at the same line of the text.
@MainActor
final class PreviewPane {
    private struct Key: Equatable, Sendable {
        let note: String
        let text: Int
        let columns: Int
        let widths: WidthModel
        let room: PreviewLayout.PictureRoom?
    }

    private var key: Key?
    private(set) var layout: PreviewLayout?
    /// The range of the source that is laid out, in bytes; nil for the whole source.
    private(set) var part: Range<Int>?
    /// The length of the whole source in bytes.
    private(set) var sourceLength = 0
    /// The byte of the source to scroll to, if it is not laid out yet.
    private var destination: Int?
    /// The first line shown.
    private(set) var top = 0
    /// The first column shown of tables and code that are wider than the pane.
    private(set) var leftColumn = 0
    /// Whether the preview still shows the same lines as the editor did.
    private(set) var isWhereTheEditorWas = true
    /// The selected link, which Enter follows: an index in the layout's links.
    var link: Int?
    /// The position of the link or match that was selected last.
    private var goal: ReadingPosition?
    /// The number of jumps in the text that the preview has followed.
    private var followedJumps = 0
    private(set) var rows = 1
    /// Whether a screen reader reads row by row: keys then move from line to line, and the view follows.
    private var isRead = false
    /// The line that the screen reader reads; nil for the first visible line.
    private var readLine: Int?
    /// The current search in the layout; nil if there is none.
    var search: PreviewSearch?
    /// Runs the rest of a search in the background; nil before a note is laid out, and for a text that is not a note.
    var background: TextSearch?
    /// Called when a search in the background has ended.
    var searchEnded: @MainActor @Sendable () -> Void = {}
    /// The decoded pictures.
    let shelf = PictureShelf()
    /// The number of bytes of the source laid out so far in response to keys, for tests.
    private(set) var laidOutBytes = 0

    /// The size in bytes up to which a text is laid out as a whole at once: a few milliseconds' work.
    private static let wholeLimit = 64_000

    /// Lays the note out if it has changed; the reading position stays.
    ///
    /// - Parameters:
    ///   - stage: shows pictures; nil to show their labels.
    ///   - followsJumps: whether to scroll to the line of the text to which the user has gone meanwhile.
    ///   - changed: called when the whole of a long text has been laid out, or a picture decoded.
    func arrange(
        _ session: EditorSession, of model: TakeNoteVM, columns: Int, rows: Int, glyphs: Glyphs,
        on stage: PictureStage? = nil, followsJumps: Bool = false, changed: @escaping @MainActor @Sendable () -> Void
    ) {
        (self.rows, isRead) = (rows, glyphs.isWords)
        sourceLength = session.buffer.utf8Count
        (background, searchEnded) = (background ?? model.makeTextSearch(), changed)
        let room = stage?.room(rows: rows)
        let key = Key(
            note: session.noteID.description, text: session.textRevision, columns: columns, widths: .current, room: room
        )
        let maker = PreviewLayoutMaker(
            columns: columns, glyphs: glyphs.ofPreview, cellWidth: model.cellWidth, room: room,
            image: model.imageDescriber)
        let hasJumped = followsJumps && session.jumps != followedJumps && self.key?.note == key.note
        followedJumps = session.jumps
        if hasJumped { destination = session.readingPosition.byte }
        if key != self.key {
            layOutAnew(session, of: model, with: maker, as: key, goesToCaret: hasJumped, changed: changed)
        } else if let part, let byte = missingByte(in: part, of: session) {
            showPart(around: byte, of: session, with: maker)
            if destination != nil {
                go(to: ReadingPosition(line: session.buffer.lineNumber(at: .init(byte)).rawValue, byte: byte))
            }
        }
        destination = nil
        if hasJumped {
            followJump(to: session.readingPosition)
            changed()
        }
        clampTop()
        mark(hits: session.hitFinder)
        if let stage { seePictures(rows: rows, of: model, on: stage, changed: changed) }
    }

    /// Whether what is laid out is the text of a session, around the position to which it was scrolled.
    func isUpToDate(with session: EditorSession) -> Bool {
        key?.note == session.noteID.description && key?.text == session.textRevision && destination == nil
            && followedJumps == session.jumps
    }

    /// Lays the note out from the text: a long one first around the reading position, and as a whole in the background.
    private func layOutAnew(
        _ session: EditorSession, of model: TakeNoteVM, with maker: PreviewLayoutMaker, as key: Key, goesToCaret: Bool,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        let isSameNote = self.key?.note == key.note
        if !isSameNote { (isWhereTheEditorWas, leftColumn, goal, link) = (true, 0, nil, nil) }
        let keepsPosition = isSameNote && !isWhereTheEditorWas && !goesToCaret
        let position = keepsPosition ? position(ofLine: top) : session.readingPosition
        self.key = key
        if session.buffer.utf8Count <= Self.wholeLimit {
            laidOutBytes += session.buffer.utf8Count
            show(maker.layout(of: session.text), part: nil)
        } else {
            showPart(around: position.byte, of: session, with: maker)
            layOutWhole(session.buffer, of: model, with: maker, as: key, changed: changed)
        }
        go(to: position)
    }

    /// Lays out a short text that is not a note.
    ///
    /// - Parameter revision: a number that changes with each change of the text.
    func arrange(_ text: String, revision: Int = 0, columns: Int, rows: Int, glyphs: Glyphs) {
        (self.rows, isRead) = (rows, glyphs.isWords)
        let key = Key(
            note: "", text: revision * 4 + (glyphs.isWords ? 2 : glyphs == .ascii ? 1 : 0), columns: columns,
            widths: .current, room: nil)
        if key != self.key {
            self.key = key
            let maker = PreviewLayoutMaker(
                columns: columns, glyphs: glyphs.ofPreview, cellWidth: .ofTerminal,
                room: nil, image: { _ in nil }, scrolls: false)
            show(maker.layout(of: text), part: nil)
        }
        clampTop()
    }

    /// The byte of the source around which to lay out again, if the partial layout ends near the visible lines.
    private func missingByte(in part: Range<Int>, of session: EditorSession) -> Int? {
        if let destination { return min(destination, session.buffer.utf8Count) }
        let isAtStart = part.lowerBound == 0 || top > rows
        let isAtEnd = part.upperBound >= session.buffer.utf8Count || top + 2 * rows < layout?.lines.count ?? 0
        return isAtStart && isAtEnd ? nil : position(ofLine: top).byte
    }

    private func showPart(around byte: Int, of session: EditorSession, with maker: PreviewLayoutMaker) {
        // The radius covers at least two screens of a text that fills its lines.
        let part = session.readablePart(around: byte, radius: max(Self.minimumRadius, 2 * rows * maker.columns))
        laidOutBytes += part.text.utf8.count
        var layout = maker.layout(of: part.text)
        layout.position(atLine: part.firstLine, byte: part.bytes.lowerBound, lead: part.lead)
        show(layout, part: part.bytes)
    }

    /// The smallest number of bytes laid out above a position: a few milliseconds' work, and several pages of text.
    ///
    /// Twice as many are laid out below it.
    private static let minimumRadius = 6_000

    private func layOutWhole(
        _ buffer: TextBuffer, of model: TakeNoteVM, with maker: PreviewLayoutMaker, as key: Key,
        changed: @escaping @MainActor @Sendable () -> Void
    ) {
        model.inBackground {
            maker.layout(of: buffer.string())
        } then: { [weak self] layout in
            guard let self, self.key == key else { return }
            show(layout, part: nil)
            changed()
        }
    }

    /// Replaces the layout, and keeps the position in the text.
    private func show(_ new: PreviewLayout, part: Range<Int>?) {
        let position = layout == nil ? nil : position(ofLine: top)
        let read = layout == nil ? nil : readLine.map { self.position(ofLine: $0) }
        link = link(like: selectedLink, in: new)
        (layout, self.part) = (new, part)
        readLine = read.map { new.line(ofSource: $0.line, offset: $0.byte) - $0.row }
        if let position { top = new.line(ofSource: position.line, offset: position.byte) - position.row }
        guard let search else { return }
        let isAwaited = search.remaining != nil && !search.isOfHits
        take(PreviewSearch(repeating: search, in: new, from: top), reveals: isAwaited)
    }

    /// The selected link in a new layout, in which its number and its line may be others.
    private func link(like selected: MarkdownLink?, in new: PreviewLayout) -> Int? {
        guard let selected, let goal else { return nil }
        let first = new.line(ofSource: goal.line, offset: goal.byte)
        return new.lines.dropFirst(first).prefix(Self.linesOfLink).lazy.compactMap { line in
            line.runs.compactMap(\.link).first { new.links[$0].target == selected.target }
        }.first
    }

    /// The number of lines in which a selected link is looked for again: a paragraph in a narrow pane.
    private static let linesOfLink = 50

    private func go(to position: ReadingPosition) {
        if isRead { readLine = lineRead(at: position) }
        top = (layout?.line(ofSource: position.line, offset: position.byte) ?? 0) - position.row
    }

    /// Returns the line that a screen reader reads first at a position: not the blank one above the words of its line.
    private func lineRead(at position: ReadingPosition) -> Int? {
        guard let layout, !layout.lines.isEmpty else { return nil }
        let line = layout.line(ofSource: position.line, offset: position.byte)
        let words = layout.lines.indices[line...].first { layout.lines[$0].sourceOffset != nil } ?? line
        return layout.lines[words].sourceLine == position.line ? words : line
    }

    /// Scrolls to the line of the text to which the user has gone.
    private func followJump(to position: ReadingPosition) {
        go(to: position)
        (goal, link, isWhereTheEditorWas) = (position, nil, false)
    }

    /// Drops the layout, so that the next one begins at the editor's position.
    ///
    /// The layout of a long text takes several times the text's size in memory.
    func reset() {
        key = nil
        layout = nil
        part = nil
        link = nil
        (goal, readLine) = (nil, nil)
        isWhereTheEditorWas = true
        leftColumn = 0
        shelf.empty()
        endFind()
    }

    /// The reading position: the selected link or match while it is visible, otherwise the top line.
    var position: ReadingPosition {
        guard let goal, let line = layout?.line(ofSource: goal.line, offset: goal.byte),
            (top..<top + rows).contains(line)
        else { return position(ofLine: top + currentRow) }
        return goal
    }

    /// Returns the source position of a line, or of the next line with text if it has none, as between paragraphs.
    ///
    /// - Returns: the position; its `row` is the distance from the line to the line with text.
    func position(ofLine line: Int) -> ReadingPosition {
        guard let lines = layout?.lines, !lines.isEmpty else { return ReadingPosition(line: 0, byte: 0) }
        let start = min(max(line, 0), lines.count - 1)
        let found = (start..<min(start + 4, lines.count)).first { lines[$0].sourceOffset != nil } ?? start
        let byte = lines[found].sourceOffset ?? lines[...found].last { $0.sourceOffset != nil }?.sourceOffset ?? 0
        return ReadingPosition(line: lines[found].sourceLine, byte: byte, row: found - line)
    }

    /// Scrolls by pages that overlap by one or two lines.
    func scroll(pages: Int) {
        scroll(by: pages * max(1, rows - (rows > 6 ? 2 : 1)))
    }

    func scroll(by step: Int) {
        if part != nil, abs(step) > Int(Int32.max) { destination = step < 0 ? 0 : .max }
        let before = (top, readLine)
        if isRead { read(lines: step) } else { top += step }
        clampTop()
        // Enter follows no link that nobody sees, and Tab goes on from what is in sight.
        if let link, !isInSight(link) { self.link = nil }
        if (top, readLine) != before || destination != nil { isWhereTheEditorWas = false }
    }

    /// Scrolls up until a line of the source is in sight; a screen reader reads on from there.
    func scrollUp(toSourceLine line: Int) {
        guard let line = firstText(ofSourceLine: line) else { return }
        let current = isRead ? top + currentRow : top
        if line < current { scroll(by: line - current) }
    }

    /// Moves the line that a screen reader reads, and scrolls if it leaves the visible lines.
    private func read(lines step: Int) {
        let last = max((layout?.lines.count ?? 0) - 1, 0)
        let line = min(max(top + currentRow, 0), last)
        let next = step > 0 ? line + min(step, last - line) : line + max(step, -line)
        (goal, readLine) = (nil, next)
        top = min(max(top, next - rows + 1), next)
    }

    private func clampTop() {
        top = min(max(top, 0), max((layout?.lines.count ?? 0) - rows, 0))
        if leftColumn > 0 { leftColumn = min(leftColumn, maximumLeftColumn) }
    }

    // MARK: Wide tables and code

    private var maximumLeftColumn: Int { layout.map { $0.widest - $0.columns } ?? 0 }

    /// Scrolls the tables and code that are wider than the pane; other lines stay in place.
    func scroll(columns step: Int) {
        leftColumn = min(max(leftColumn + step, 0), maximumLeftColumn)
    }

    /// Scrolls sideways until the given bytes of a wide line are visible.
    func revealColumns(ofBytes bytes: Range<Int>, in line: PreviewLayout.Line) {
        guard line.isWide, let layout else { return }
        let utf8 = Array(line.text.utf8)
        func columns(_ end: Int) -> Int {
            TextWidth.shared.width(of: String(decoding: utf8.prefix(end), as: UTF8.self))
        }
        let (start, end) = (columns(bytes.lowerBound), columns(bytes.upperBound))
        if (leftColumn..<leftColumn + layout.columns).contains(start), end <= leftColumn + layout.columns { return }
        leftColumn = min(max(start - layout.columns / 4, 0), maximumLeftColumn)
    }

    // MARK: Position

    func reveal(_ line: Int) {
        isWhereTheEditorWas = false
        goal = position(ofLine: line)
        if isRead { readLine = line }
        if !(top..<top + rows).contains(line) { top = max(0, line - rows / 2) }
        clampTop()
    }

    /// The visible row that is read: that of the selected link or match, otherwise the first.
    var currentRow: Int {
        guard let goal, let layout, case let last = layout.line(ofSource: goal.line, offset: goal.byte),
            (top..<top + rows).contains(last)
        else { return isRead ? min(max((readLine ?? top) - top, 0), rows - 1) : 0 }
        // The frame below a picture's label counts as its text, but has no words.
        return ((top...last).last { layout.lines[$0].sourceOffset != nil } ?? last) - top
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, left: Int, rows: Int, theme: Theme, styles: MarkdownStyles) {
        guard let layout else { return }
        for (row, line) in layout.lines.dropFirst(top).prefix(rows).enumerated() {
            let ground = styles.style(of: line.background)
            if ground.background != .default {
                let rect = Rect(column: left, row: row, columns: layout.columns, rows: 1)
                screen.fill(rect, style: Style(background: ground.background))
            }
            let offset = line.isWide ? leftColumn : 0
            let clip = Rect(
                column: left, row: row, columns: line.isWide ? layout.columns : screen.size.columns - left, rows: 1)
            var position = Position(column: left - offset, row: row)
            var matches = search?.matches(inLine: top + row)[...] ?? []
            var byte = 0
            for run in line.runs {
                var style = styles.style(of: run.kind).on(Style(background: ground.background))
                if let index = run.link {
                    if index == link { style = style.on(theme.selection) }
                    if layout.links[index].kind == .web { style.link = screen.link(layout.links[index].target) }
                }
                for piece in Self.pieces(of: run.text, from: byte, matches: &matches) {
                    position.column += screen.write(
                        piece.text, at: position, style: piece.isMatch ? theme.match : style, clip: clip)
                }
                byte += run.text.utf8.count
            }
            if line.isWide { drawEnds(of: line, row: row, left: left, into: &screen, theme: theme) }
        }
    }

    /// Marks the ends of a wide line beyond which it continues; of a table, those beyond which any of its rows does.
    private func drawEnds(
        of line: PreviewLayout.Line, row: Int, left: Int, into screen: inout Screen, theme: Theme
    ) {
        guard let layout else { return }
        let sign = String(theme.glyphs.ellipsis)
        let width = line.background == .codeBlock ? TextWidth.shared.width(of: line.text) : layout.widest
        if leftColumn > 0, width > 0 { screen.write(sign, at: Position(column: left - 1, row: row), style: theme.dim) }
        guard leftColumn + layout.columns < width else { return }
        screen.write(sign, at: Position(column: left + layout.columns, row: row), style: theme.dim)
    }

    /// Splits the text of a run, which begins at byte `start` of its line, where matches begin and end.
    ///
    /// Removes the matches that end before the last piece.
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
            let stop = text.index(ofCharacterAt: next - start)
            result.append((text[index..<stop], isMatch))
            (byte, index) = (start + text.utf8.distance(from: text.startIndex, to: stop), stop)
        }
        return result
    }
}

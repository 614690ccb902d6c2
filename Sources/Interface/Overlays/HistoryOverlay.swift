import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The earlier versions of a note, each with the changes since; Enter restores one.
@MainActor
final class HistoryOverlay: Overlay {
    let context = KeyContext.pager
    let hints = Texts.Hints.history

    private let versions: [NoteVersion]
    private let ages: [String]
    /// Compares a version with the current text.
    private let changes: Comparison
    private let restore: @MainActor (Int) -> Void
    private var cursor = ListCursor()
    /// The comparison with the version under the cursor.
    private var comparison = ChangesView()
    /// Whether the comparison is still being made.
    private var isComparing = false
    private var box = OverlayBox()
    private var listRect = Rect(column: 0, row: 0, columns: 0, rows: 0)
    private var changesRect = Rect(column: 0, row: 0, columns: 0, rows: 0)

    /// Delivers the difference between a version and the current text, on the main actor, at once or later.
    typealias Comparison =
        @MainActor (_ version: NoteVersion, _ deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void) -> Void

    /// - Parameter ages: the age of each version, in words.
    init(
        _ versions: [NoteVersion], ages: [String], changes: @escaping Comparison,
        restore: @escaping @MainActor (Int) -> Void
    ) {
        self.versions = versions
        self.ages = ages
        self.changes = changes
        self.restore = restore
        compare()
    }

    private func compare() {
        comparison = ChangesView()
        isComparing = true
        changes(versions[cursor.row]) { [weak self] diff in
            self?.isComparing = false
            self?.comparison = ChangesView(diff)
        }
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        switch action {
        case .cancel: interface.dismiss(self)
        case .down: move(to: cursor.row + 1)
        case .up: move(to: cursor.row - 1)
        case .accept:
            interface.dismiss(self)
            restore(versions[cursor.row].number)
        default: _ = comparison.scroller.perform(action)
        }
    }

    func press(at position: Position, in interface: NotebookInterface) {
        guard listRect.contains(position),
            let index = cursor.index(atOffset: position.row - listRect.row, of: versions.count)
        else { return }
        move(to: index)
    }

    func wheel(at position: Position, rows: Int, in interface: NotebookInterface) {
        if listRect.contains(position) { return move(to: cursor.row + rows.signum()) }
        comparison.scroller.scroll(by: rows * 3)
    }

    private func move(to index: Int) {
        let before = cursor.row
        cursor.move(to: index, of: versions.count)
        if cursor.row != before { compare() }
    }

    // MARK: Drawing

    /// The number of columns from which versions and changes are shown side by side.
    private static let sideBySide = 80
    /// The columns of the list of versions in that layout.
    private static let listColumns = 34

    func arrange(in size: Size) {
        let rows = size.rows - OverlayBox.margin(on: size)
        box = OverlayBox(content: Size(columns: min(120, size.columns - 4), rows: rows), on: size)
        let inside = box.inside
        guard inside.rows > 0, inside.columns > 0 else { return }
        if inside.columns >= Self.sideBySide {
            listRect = Rect(column: inside.column, row: inside.row, columns: Self.listColumns, rows: inside.rows)
            let start = listRect.maxColumn + 2
            changesRect = Rect(
                column: start, row: inside.row, columns: inside.maxColumn - start, rows: inside.rows)
        } else {
            let rows = max(1, min(versions.count, inside.rows / 3))
            listRect = Rect(column: inside.column, row: inside.row, columns: inside.columns, rows: rows)
            let start = inside.row + rows + (inside.rows > rows + 2 ? 1 : 0)
            changesRect = Rect(
                column: inside.column, row: start, columns: inside.columns, rows: inside.row + inside.rows - start)
        }
        cursor.arrange(count: versions.count, room: listRect.rows)
        comparison.scroller.arrange(count: comparison.lines.count, room: changesRect.rows)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.earlierVersions, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        drawVersions(into: &screen, theme: theme)
        comparison.draw(
            in: changesRect, into: &screen, theme: theme,
            empty: isComparing ? Texts.comparing : Texts.identicalVersion)
    }

    private func drawVersions(into screen: inout Screen, theme: Theme) {
        for (offset, version) in versions.dropFirst(cursor.top).prefix(listRect.rows).enumerated() {
            let index = cursor.top + offset
            let rect = Rect(column: listRect.column, row: listRect.row + offset, columns: listRect.columns, rows: 1)
            let ground = index == cursor.row ? theme.selection : theme.overlay
            screen.fill(rect, style: ground)
            if index == cursor.row { screen.cursor = .hidden(at: rect.origin) }
            let end = screen.write(
                ages[index], endingAt: rect.maxColumn - 1, row: rect.row, style: theme.dim.on(ground))
            screen.write(
                version.summary, at: Position(column: rect.column + 1, row: rect.row), style: theme.text.on(ground),
                fitting: end - rect.column - 2, glyphs: theme.glyphs)
        }
    }
}

extension Theme {
    /// The style of text that an earlier version had and the current one has not.
    var removed: Style {
        var style = trouble
        style.attributes.remove(.bold)
        return style
    }

    /// The style of text that the current version has and an earlier one had not.
    var added: Style { markdown.string }
}

extension String {
    /// Splits the string at ranges of UTF-8 offsets, ascending; each piece says whether it is in one of them.
    ///
    /// A character in which a range ends belongs to the range as a whole.
    func parts(marking ranges: [Range<Int>]) -> [(text: Substring, isMarked: Bool)] {
        var parts: [(Substring, Bool)] = []
        var start = startIndex
        for range in ranges {
            let from = Swift.max(start, index(ofCharacterAt: range.lowerBound))
            let to = index(ofCharacterAt: range.upperBound)
            if start < from { parts.append((self[start..<from], false)) }
            if from < to { parts.append((self[from..<to], true)) }
            start = Swift.max(start, to)
        }
        if start < endIndex { parts.append((self[start...], false)) }
        return parts
    }

    /// The index of the first character that does not begin before a UTF-8 offset.
    func index(ofCharacterAt offset: Int) -> Index {
        var index = utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
        while Index(index, within: self) == nil { index = utf8.index(after: index) }
        return index
    }
}

import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The earlier versions of a note, each with the changes since; Enter restores one.
@MainActor
final class HistoryOverlay: Overlay {
    let context = KeyContext.pager
    let hints = Texts.Hints.history

    private let versions: ComparedList<NoteVersion>
    private let ages: [String]
    private let restore: @MainActor (Int) -> Void
    /// The number of columns that the longest row of the list takes.
    private let listColumns: Int
    private var box = OverlayBox()

    /// - Parameters:
    ///   - ages: the age of each version, in words.
    ///   - changes: compares a version with the current text.
    init(
        _ versions: [NoteVersion], ages: [String], changes: @escaping ComparedList<NoteVersion>.Comparison,
        restore: @escaping @MainActor (Int) -> Void
    ) {
        self.versions = ComparedList(versions, comparison: changes)
        self.ages = ages
        self.restore = restore
        // A blank stands before the summary and after the age, and two between them.
        let widths = zip(versions, ages).map { TextWidth.shared.width(of: $0.summary + $1) + 4 }
        listColumns = max(Self.minimumListColumns, widths.max() ?? 0)
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel: window.dismiss(self)
        case .accept:
            guard let version = versions.current else { return }
            window.dismiss(self)
            restore(version.number)
        default: versions.perform(action)
        }
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return window.dismiss(self) }
        versions.press(at: position)
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) {
        versions.wheel(at: position, rows: rows)
    }

    // MARK: Drawing

    /// The smallest number of columns at which versions and changes are shown side by side.
    private static let sideBySide = 80
    /// The fewest columns of the list of versions in that layout; it has at most half of the box.
    private static let minimumListColumns = 34

    func arrange(in area: OverlayArea) {
        let rows = area.size.rows - area.margin
        box = OverlayBox(content: Size(columns: area.columns(upTo: 120), rows: rows), on: area)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        // A screen reader would read the two as one row.
        if box.inside.columns >= Self.sideBySide, !area.isRead {
            versions.arrange(in: box.inside, listColumns: min(listColumns, box.inside.columns / 2))
        } else {
            versions.arrange(in: box.inside)
        }
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.earlierVersions, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        versions.draw(in: box, into: &screen, theme: theme, identical: Texts.identicalVersion) { index, version in
            (version.summary, ages[index])
        }
    }
}

extension Theme {
    /// The style of text that an earlier version contained and the current one does not.
    var removed: Style {
        var style = trouble
        // Without colours, reversed rows would look like the row under the cursor.
        style.attributes.subtract([.bold, .reverse])
        return style
    }

    /// The style of text that the current version contains and an earlier one did not.
    var added: Style { markdown.string }
}

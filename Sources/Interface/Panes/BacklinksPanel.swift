import Markdown
import NoteStore
import Terminal
import ViewModel

/// The notes that link to the open one, below its text.
@MainActor
struct BacklinksPanel {
    let links: [NoteLink]
    let theme: Theme
    /// The texts beside the listed notes.
    private let contexts: [String]

    /// The largest number of listed notes; the title gives the whole number.
    private static let maximumLinks = 5
    /// The columns that the panel leaves beside a title in most panes; chosen by eye.
    private static let contextColumns = 30

    /// - Returns: nil without links.
    init?(links: [NoteLink], theme: Theme) {
        guard !links.isEmpty else { return nil }
        (self.links, self.theme) = (links, theme)
        contexts = links.prefix(Self.maximumLinks).map { Self.context(of: $0, theme.glyphs) }
    }

    /// The line with a link; of the words before the link, only the last ones if all would push it out of sight.
    private static func context(of link: NoteLink, _ glyphs: Glyphs) -> String {
        let own = Markdown.links(in: link.context).first { ($0.reference ?? $0.target) == link.target }
        guard let own else { return link.context }
        let parts = link.context.parts(marking: [own.range], fitting: contextColumns, ellipsis: glyphs.ellipsis)
        return parts.map { $0.text }.joined()
    }

    /// Returns the number of rows of the panel in a pane, never more than a fifth of it; 0 in a low one.
    func rows(in size: Size) -> Int {
        guard size.rows >= 9 else { return 0 }
        return min(links.count, Self.maximumLinks, max(2, size.rows / 5) - 1) + 1
    }

    /// Returns the link at a row of the panel; row 0 is its title.
    static func link(atRow row: Int, of links: [NoteLink]) -> NoteLink? {
        Array(links.prefix(maximumLinks))[safe: row - 1]
    }

    /// Draws the panel in the last rows of a pane.
    func draw(into screen: inout Screen) {
        let rows = rows(in: screen.size)
        guard rows > 0 else { return }
        let top = screen.size.rows - rows
        let limit = TakeNoteVM.backlinkLimit
        let count = links.count > limit ? Texts.backlinks(over: limit) : Question.count(links.count, "backlink")
        let title = " \(count) "
        let rule = String(repeating: theme.glyphs.horizontal, count: max(0, screen.size.columns - 2))
        screen.write(rule, at: Position(column: 1, row: top), style: theme.rule)
        screen.write(title, at: Position(column: 3, row: top), style: theme.dim)
        for (offset, (link, context)) in zip(links, contexts).prefix(rows - 1).enumerated() {
            let start = Position(column: 2, row: top + 1 + offset)
            let columns = screen.size.columns - 3
            let used = screen.write(
                link.source.title, at: start, style: theme.text, fitting: columns / 2, glyphs: theme.glyphs)
            let rest = Position(column: start.column + used + 2, row: start.row)
            screen.write(context, at: rest, style: theme.dim, fitting: columns - used - 2, glyphs: theme.glyphs)
        }
    }
}

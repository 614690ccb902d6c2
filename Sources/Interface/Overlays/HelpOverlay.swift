import Terminal

/// The help: all commands with their keys, generated from the registry and the current keymap.
@MainActor
final class HelpOverlay: PagerOverlay {
    /// A row of the help: a heading, a command with its keys, or a blank row.
    private enum Row {
        case heading(String)
        case command(keys: String, title: String)
        case gap
    }

    var hints: [KeyHint] { search.field == nil ? Texts.Hints.help : Texts.Hints.finding }

    private let sections: [KeySection]
    /// Whether the editor has vim's keys, and whether their section comes first because the help was opened there.
    private let vim: (isOn: Bool, isFirst: Bool)
    private var rows: [Row] = []
    private var keyColumns = 0
    private var box = OverlayBox()
    var scroller = Scroller()
    var search = PagerSearch()

    /// The largest number of columns inside the box; chosen by eye.
    private static let columns = 72

    /// - Parameters:
    ///   - context: the context in which the help was opened; its sections come first.
    ///   - usesVim: whether the editor has vim's keys.
    init(registry: CommandRegistry, keymap: Keymap, context: KeyContext, usesVim: Bool = false) {
        let all = registry.sections { keymap.keys(of: $0.name) }
        let first = context.nearestTopics
        sections =
            first.flatMap { topic in all.filter { $0.topic == topic } } + all.filter { !first.contains($0.topic) }
        vim = (usesVim, context == .editor)
    }

    func arrange(in area: OverlayArea) {
        let columns = area.columns(upTo: Self.columns)
        lay(in: columns, isSpoken: area.isRead)
        let room = area.size.rows - area.margin
        box = OverlayBox(content: Size(columns: columns, rows: min(rows.count, room)), on: area)
        scroller.arrange(count: rows.count, room: box.inside.rows)
    }

    /// Lays the sections out; the keys get a third of the row, or what the longest of them needs, and long text wraps.
    private func lay(in columns: Int, isSpoken: Bool) {
        let parts = parts(isSpoken: isSpoken)
        let all = parts.flatMap(\.entries).map(\.keys)
        let widest = all.map { TextWidth.shared.width(of: $0) }.max() ?? 0
        let longest = all.flatMap { $0.split(separator: " ") }.map { TextWidth.shared.width(of: $0) }.max() ?? 0
        keyColumns = min(widest + 2, max(longest + 2, columns / 3), columns / 2)
        let blocks = parts.map { part in
            [Row.heading(part.title)]
                + part.entries.flatMap { entry in
                    let keys = entry.keys.lines(fitting: keyColumns - 2)
                    let titles = entry.title.lines(fitting: columns - keyColumns)
                    return (0..<max(keys.count, titles.count)).map { row in
                        Row.command(keys: keys[safe: row] ?? "", title: titles[safe: row] ?? "")
                    }
                }
        }
        rows = Array(blocks.joined(separator: [.gap]))
    }

    /// The sections in reading order, with vim's keys before the others or after them.
    private func parts(isSpoken: Bool) -> [Part] {
        var parts = sections.map { section in
            let entries = section.entries.map { entry in
                (keys: entry.keys.map { $0.label(isSpoken: isSpoken) }.joined(separator: " "), title: entry.title)
            }
            return Part(title: section.topic.heading, entries: entries)
        }
        let help = Part(title: Texts.Vim.helpHeading, entries: Texts.Vim.help)
        if vim.isOn { parts.insert(help, at: vim.isFirst ? 0 : parts.count) }
        return parts
    }

    private struct Part {
        let title: String
        let entries: [(keys: String, title: String)]
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.help, hint: keys.line(hints), into: &screen, theme: theme)
        screen.cursor = .hidden(at: box.row(scroller.readRow).origin)
        for (offset, row) in rows.dropFirst(scroller.top).prefix(box.inside.rows).enumerated() {
            let ground = ground(ofRow: scroller.top + offset, theme: theme)
            draw(row, in: box.row(offset), on: ground, into: &screen, theme: theme)
        }
        box.draw(scroller.mark, into: &screen, theme: theme)
        drawSearchField(in: box, into: &screen, theme: theme)
    }

    var rowTexts: [String] {
        rows.map { row in
            switch row {
            case .heading(let title): title
            case .command(let keys, let title): keys + " " + title
            case .gap: ""
            }
        }
    }

    private func draw(_ row: Row, in rect: Rect, on ground: Style, into screen: inout Screen, theme: Theme) {
        let glyphs = theme.glyphs
        if ground != theme.overlay { screen.fill(rect, style: ground) }
        switch row {
        case .gap: break
        case .heading(let title):
            screen.write(
                title, at: rect.origin, style: theme.title.on(ground), fitting: rect.columns, glyphs: glyphs)
        case .command(let keys, let title):
            screen.write(
                glyphs.plain(keys), at: rect.origin, style: theme.key.on(ground), fitting: keyColumns - 1,
                glyphs: glyphs)
            screen.write(
                glyphs.plain(title), at: Position(column: rect.column + keyColumns, row: rect.row),
                style: theme.text.on(ground), fitting: rect.columns - keyColumns, glyphs: glyphs)
        }
    }
}

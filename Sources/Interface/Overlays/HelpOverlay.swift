import Terminal

/// All commands with their keys, generated from the registry and the keymap in force.
@MainActor
final class HelpOverlay: Overlay {
    /// A line of the help: a heading, or keys and what they do.
    private enum Line {
        case heading(String)
        case command(keys: String, title: String)
        case gap
    }

    private let lines: [Line]
    private var top = 0
    private var visibleRows = 1

    /// - Parameter context: where help was asked for; what belongs there comes first.
    init(registry: CommandRegistry, keymap: Keymap, context: KeyContext) {
        let topics = Self.topics(for: context)
        lines = Array(
            topics.map { topic in
                [.heading(topic.rawValue)]
                    + registry.all.filter { $0.topic == topic }.map { command in
                        .command(keys: Self.keys(of: command.name, in: keymap), title: command.title)
                    }
            }.joined(separator: [.gap]))
    }

    private static func topics(for context: KeyContext) -> [Command.Topic] {
        let all = Command.Topic.allCases
        guard context == .editor else { return all }
        return [.editing] + all.filter { $0 != .editing }
    }

    private static func keys(of command: CommandName, in keymap: Keymap) -> String {
        var seen: [String] = []
        for binding in keymap.keys(of: command) where !seen.contains(binding.keys.label) {
            seen.append(binding.keys.label)
        }
        return seen.joined(separator: " ")
    }

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press):
            switch press.fixedChord?.description {
            case "Down", "j": scroll(by: 1)
            case "Up", "k": scroll(by: -1)
            case "PgDn", "Space": scroll(by: visibleRows)
            case "PgUp": scroll(by: -visibleRows)
            case "Home", "g": top = 0
            case "End", "G": scroll(by: lines.count)
            case "Ctrl-Q":
                interface.dismissOverlay()
                interface.perform("app.quit")
            default: interface.dismissOverlay()
            }
        case .mouse(let mouse):
            if case .wheel(columns: _, let rows) = mouse.kind { scroll(by: rows * 3) }
            if case .press = mouse.kind { interface.dismissOverlay() }
        default: break
        }
    }

    private func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, lines.count - visibleRows))
    }

    func draw(into screen: inout Screen, theme: Theme) {
        let keyColumns = min(24, max(8, screen.size.columns / 3))
        let content = Size(columns: min(72, screen.size.columns - 4), rows: min(lines.count, screen.size.rows - 2))
        let inside = screen.drawBox(content: content, title: "Help", hint: "Esc closes", theme: theme)
        visibleRows = max(1, inside.rows)
        scroll(by: 0)
        for (offset, line) in lines[top...].prefix(inside.rows).enumerated() {
            let position = Position(column: inside.column, row: inside.row + offset)
            switch line {
            case .gap: break
            case .heading(let title):
                screen.write(title, at: position, style: theme.title.on(theme.overlay))
            case .command(let keys, let title):
                screen.write(
                    theme.glyphs.plain(keys), at: position, style: theme.key.on(theme.overlay), fitting: keyColumns - 1,
                    glyphs: theme.glyphs)
                screen.write(
                    theme.glyphs.plain(title),
                    at: Position(column: position.column + keyColumns, row: position.row),
                    style: theme.text.on(theme.overlay), fitting: inside.columns - keyColumns, glyphs: theme.glyphs)
            }
        }
    }
}

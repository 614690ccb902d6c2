import Terminal

/// The keys that the window shows: those that help here, and those that can follow.
extension NotebookInterface {
    /// The keys in the status line: what helps here, and the way out.
    var hints: [StatusLine.Hint] {
        let context = context
        if let known = hintsByContext[context] { return known }
        var hints = hints(context.hints, in: context)
        // What is going on has an end of its own; only where nothing is does the way out of all help.
        if context != .search, context != .find {
            hints += self.hints([("app.palette", "commands"), ("app.quit", "quit")], in: .everywhere)
        }
        hintsByContext[context] = hints
        return hints
    }

    private func hints(_ commands: [(CommandName, String)], in context: KeyContext) -> [StatusLine.Hint] {
        commands.compactMap { command, title in
            key(for: command, in: context).map { StatusLine.Hint(command: command, key: $0.label, title: title) }
        }
    }

    /// The key to show for a command in a place: the shortest of those that work there.
    func key(for command: CommandName, in context: KeyContext) -> KeySequence? {
        let keys = keymap.keys(of: command).filter { context.chain.contains($0.context) }
        return keys.map(\.keys).min { $0.label.count < $1.label.count }
    }

    /// What can follow the keys of a sequence that were pressed so far.
    var continuations: [PendingKeysPanel.Continuation] {
        guard !state.pendingKeys.isEmpty else { return [] }
        return keymap.continuations(of: state.pendingKeys, in: context).map { chord, command in
            (chord.label, command.flatMap { registry[$0]?.title })
        }
    }
}

extension KeyContext {
    /// The commands of this place that the status line shows the keys of, each with a word for it, the way out last.
    fileprivate var hints: [(CommandName, String)] {
        switch self {
        case .everywhere, .browsing, .sidebar, .list: [("app.help", "help")]
        case .editor: [("pane.list", "list")]
        case .preview: [("note.preview", "write")]
        case .search: [("search.complete", "complete"), ("search.open", "open"), ("search.cancel", "leave")]
        case .find: [("find.next", "next"), ("find.replaceAll", "replace all"), ("find.close", "leave")]
        }
    }
}

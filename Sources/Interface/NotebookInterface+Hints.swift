import Terminal

/// The keys that the window shows: those that help here, and those that can follow.
extension NotebookInterface {
    /// The keys in the status line: what matters where the keys go, and the way out.
    var hints: [StatusLine.Hint] {
        if let overlay = overlays.last {
            // The help is all the help there is.
            let shown = overlay is HelpOverlay ? overlay.hints : Texts.Footer.of(overlay.hints)
            return hints(shown, in: overlay.context)
        }
        let place = footerPlace
        if let known = hintsByPlace[place] { return known }
        let hints = hints(Texts.Footer.of(place), in: paneContext)
        hintsByPlace[place] = hints
        return hints
    }

    private func hints(_ commands: [KeyHint], in context: KeyContext) -> [StatusLine.Hint] {
        commands.compactMap { hint in
            key(for: hint.command, in: hint.context ?? context).map {
                StatusLine.Hint(command: hint.command, key: $0.label, title: hint.title, rank: hint.rank)
            }
        }
    }

    private var footerPlace: FooterPlace {
        switch paneContext {
        case .search: return .search
        case .find: return state.isPreviewing ? .findInPreview : .find
        case .editor: return .editor
        case .preview: return .preview
        case .sidebar:
            guard let container = containerUnderCursor else { return .sidebar }
            return container.isTrash ? .trashInSidebar : container.isInTrash ? .trashedFolder : .sidebar
        default:
            guard let container = model.selectedContainer, model.noteSearchText.isEmpty else { return .list }
            return container.isTrash || container.isInTrash ? .trash : .list
        }
    }

    /// The key to show for a command in a place: the shortest of those that work there.
    ///
    /// Over the panes the first of the default keys is shown as long as it is bound: Esc is known to all, Ctrl-Q is not.
    func key(for command: CommandName, in context: KeyContext) -> KeySequence? {
        let keys = keymap.keys(of: command).filter { context.chain.contains($0.context) }
        if context.topic == .overlays,
            let first = registry[command]?.defaultKeys.first(where: { $0.context == context && keys.contains($0) })
        {
            return first.keys
        }
        return keys.map(\.keys).min { $0.label.count < $1.label.count }
    }

    /// How the keys of commands are shown in a place.
    func keyLabels(in context: KeyContext) -> KeyLabels {
        KeyLabels { [unowned self] in key(for: $0, in: context)?.label }
    }

    /// What can follow the keys of a sequence that were pressed so far.
    var continuations: [PendingKeysPanel.Continuation] {
        guard !state.pendingKeys.isEmpty else { return [] }
        return keymap.continuations(of: state.pendingKeys, in: context).map { chord, command in
            (chord.label, command.flatMap { registry[$0]?.title })
        }
    }
}

/// A place whose keys the status line shows; what can be done in it is the same wherever the cursor is.
enum FooterPlace: Hashable {
    case list, trash
    case sidebar, trashInSidebar, trashedFolder
    case editor, find, preview, findInPreview
    case search
}

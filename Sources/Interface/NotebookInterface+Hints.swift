import Terminal

/// The keys that the window shows: the useful ones in the current context, and those that continue a key sequence.
extension NotebookInterface {
    /// The keys in the status line: the most useful ones in the focused region, and the one that leaves it.
    var hints: [StatusLine.Hint] {
        if let overlay = overlays.last {
            // The help overlay gets no hint that opens the help: it shows everything already.
            let shown = overlay is HelpOverlay ? overlay.hints : Texts.Footer.of(overlay.hints)
            return hints(shown, in: overlay.context)
        }
        let context = hintContext
        if let known = hintsByContext[context] { return known }
        var hints = hints(Texts.Footer.of(context), in: paneContext)
        if vim != nil, [.editor, .inserting].contains(context) { hints = hints.compactMap(VimKeys.hint) }
        hintsByContext[context] = hints
        return hints
    }

    private func hints(_ commands: [KeyHint], in context: KeyContext) -> [StatusLine.Hint] {
        commands.compactMap { hint in
            key(for: hint.command, in: context, boundIn: hint.context).map {
                StatusLine.Hint(command: hint.command, key: $0.label, title: hint.title, rank: hint.rank)
            }
        }
    }

    private var hintContext: HintContext {
        switch paneContext {
        case .search: return .search
        case .find: return state.isPreviewing ? .findInPreview : .find
        case .editor:
            if let mode = state.vim?.mode, [.insert, .replace].contains(mode) { return .inserting }
            return model.session?.hasSeveralCarets == true ? .carets : .editor
        case .preview: return .preview
        case .sidebar:
            guard let container = containerUnderCursor else {
                return savedSearchUnderCursor == nil ? .fixedInSidebar : .sidebar
            }
            if container.isTrash { return model.canEmptyTrash ? .trashInSidebar : .fixedInSidebar }
            if container.isInTrash { return .trashedFolder }
            return container.isSystemFolder ? .fixedInSidebar : .sidebar
        default:
            let container = model.selectedContainer
            let isTrash = container?.isTrash == true || container?.isInTrash == true
            if isTrash, model.noteSearchText.isEmpty, model.noteList.count > 0 { return .trash }
            if !model.markedNotes.isEmpty { return .marked }
            if model.tagFilter != nil { return .filtered }
            if !model.noteSearchText.isEmpty { return .hits }
            return model.cutNotesCount > 0 ? .cut : .list
        }
    }

    /// Returns the key to show for a command in a context: the shortest of those that work there, where a nearer context
    /// does not use them for something else.
    ///
    /// In an overlay, the first default key is shown while it is bound, since Esc is better known than Ctrl-Q.
    ///
    /// - Parameter bound: the context whose keys may be shown; nil for all that work here.
    func key(for command: CommandName, in context: KeyContext, boundIn bound: KeyContext? = nil) -> KeySequence? {
        let keys = keymap.keys(of: command).filter {
            (bound ?? context).chain.contains($0.context) && keymap.isReached($0, in: context)
        }
        if context.topic == .overlays,
            let first = registry[command]?.defaultKeys.first(where: { $0.context == context && keys.contains($0) })
        {
            return first.keys
        }
        return keys.map(\.keys).min { $0.label.count < $1.label.count }
    }

    /// Returns the label of the key to show for a command in a context.
    func keyLabel(for command: CommandName, in context: KeyContext) -> String? {
        key(for: command, in: context)?.label(isSpoken: state.theme.glyphs.isWords)
    }

    /// Returns the labels of the commands' keys in a context.
    func keyLabels(in context: KeyContext) -> KeyLabels {
        KeyLabels { [unowned self] in keyLabel(for: $0, in: context) }
    }

    /// The keys that can continue the pending key sequence.
    var continuations: [PendingKeysPanel.Continuation] {
        guard !state.pendingKeys.isEmpty else { return [] }
        return keymap.continuations(of: state.pendingKeys, in: context).map { chord, command in
            (KeySequence(chord).label(isSpoken: state.theme.glyphs.isWords), command.flatMap { registry[$0]?.title })
        }
    }
}

/// A state of the window that determines the keys in the status line.
enum HintContext: Hashable {
    case list, trash
    /// A list that shows the hits of a search, notes with one tag, marked notes, or from which notes were cut: what Esc
    /// ends.
    case hits, filtered, marked, cut
    /// `fixedInSidebar`: the cursor is on a heading or a system folder, which cannot be renamed.
    case sidebar, fixedInSidebar, trashInSidebar, trashedFolder
    case editor, find, preview, findInPreview
    /// A text with several carets.
    case carets
    /// A text into which vim's keys insert, so that `:q` and `/` would be typed.
    case inserting
    case search
}

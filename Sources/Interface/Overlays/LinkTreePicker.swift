import NoteStore
import Terminal
import ViewModel

/// The links around a note, shown as a tree from which a note can be chosen.
@MainActor
enum LinkTreePicker {
    /// Returns the items for the tree's rows: an arrow shows the direction of the link, and indentation the distance.
    static func items(
        _ tree: LinkTree, glyphs: Glyphs, choose: @escaping @MainActor (LinkTree.Row) -> Void
    ) -> [PickerOverlay.Item] {
        let arrows = glyphs == .ascii || glyphs.isWords ? (from: "<-", to: "->") : (from: "←", to: "→")
        var items = tree.rows.map { row in
            let isFrom = row.direction == .from
            let detail =
                row.step > 1 ? row.note.folderName : isFrom ? Texts.LinkTree.linksHere : Texts.LinkTree.isLinked
            return PickerOverlay.Item(
                title: row.note.title, detail: detail,
                mark: String(repeating: "   ", count: row.step - 1) + (isFrom ? arrows.from : arrows.to)
            ) { choose(row) }
        }
        if tree.isCut {
            items.append(
                PickerOverlay.Item(
                    title: Texts.LinkTree.more, detail: Texts.LinkTree.cut, isDisabled: true,
                    reason: Texts.LinkTree.cutReason
                ) {})
        }
        return items
    }
}

extension NotebookInterface {
    /// Opens the tree of links around the open note, or around the note under the list's cursor.
    func showLinkTree() {
        guard let note = state.focus == .list ? model.noteUnderCursor : model.openNote else {
            return model.say(Texts.noNoteOpen, kind: .refused)
        }
        guard let tree = model.linkTree(around: note) else { return }
        guard !tree.rows.isEmpty else { return model.say(Texts.LinkTree.none, kind: .refused) }
        let items = LinkTreePicker.items(tree, glyphs: state.theme.glyphs) { [weak self] row in
            guard let self else { return }
            model.show(row.note)
            if let line = row.line, model.openNote?.id == row.note.id { model.session?.go(toLine: line) }
            focus(.editor)
        }
        show(PickerOverlay(title: Texts.LinkTree.title(note.title), from: items))
    }
}

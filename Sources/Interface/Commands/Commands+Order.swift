import NoteStore
import ViewModel

/// Commands for the order of the list, and for its filter.
@MainActor
let orderCommands: [Command] = [
    Command("list.sort", "Sort by the next order", .notes, keys: [.list: "o"]) { $0.model.sortByNext() },
    Command(
        "list.reverse", "Reverse the order of the list", .notes, keys: [.list: "O"],
        when: { $0.model.canReverseOrder }
    ) { $0.model.reverseOrder() },
    Command("list.byHand", "Sort by hand", .notes, when: { $0.model.canSortByHand }) { $0.model.sortByHand() },
    Command(
        "note.moveUp", "Move the note up in the list", .notes, keys: [.list: "Alt-Up"],
        when: { $0.model.canMoveByHand }
    ) { $0.model.moveByHand(.up) },
    Command(
        "note.moveDown", "Move the note down in the list", .notes, keys: [.list: "Alt-Down"],
        when: { $0.model.canMoveByHand }
    ) { $0.model.moveByHand(.down) },
    Command(
        "list.filterTag", "Show only notes with a tag", .notes, keys: [.list: "f"], when: { $0.model.canFilterByTag }
    ) {
        $0.chooseTagFilter()
    },
]

extension NotebookInterface {
    /// Filters the list by a tag, or removes the filter.
    fileprivate func chooseTagFilter() {
        var items = model.tags.map { tag in
            PickerOverlay.Item(
                title: tag.name, detail: tag.id == model.tagFilter ? Texts.now : "", style: state.theme.style(of: tag)
            ) { [weak self] in self?.model.filterByTag(tag.id) }
        }
        if model.tagFilter != nil {
            items.insert(
                PickerOverlay.Item(title: Texts.allNotes) { [weak self] in self?.model.filterByTag(nil) }, at: 0)
        }
        show(PickerOverlay(title: Texts.showOnly, prompt: "#", from: items))
    }
}

import Intelligence
import NoteStore
import ViewModel

/// The commands that think about notes, with a model or without one.
@MainActor
let magicCommands: [Command] = [
    Command(
        "magic.chat", "Magic Chat: ask about your notes", .application, keys: [.everywhere: "Alt-I"],
        when: { .when($0.model.chatFeatureFlagEnabled, else: Texts.Chat.off) }
    ) { $0.show(ChatOverlay($0)) },
    Command(
        "note.related", "Related notes…", .notes,
        when: { .when($0.model.noteUnderCursor != nil || $0.model.session != nil, else: Texts.noNoteOpen) }
    ) { $0.chooseRelated() },
]

extension NotebookInterface {
    /// Lets the user choose one of the notes that are like the present one.
    fileprivate func chooseRelated() {
        guard let related = model.relatedNotes() else { return }
        guard !related.isEmpty else { return model.say(Texts.Chat.nothingRelated) }
        let items = related.map { hit in
            PickerOverlay.Item(title: hit.row.title, detail: hit.words.joined(separator: ", ")) { [weak self] in
                self?.model.show(hit.row)
                self?.focus(.editor)
            }
        }
        show(PickerOverlay(title: Texts.Chat.related, from: items))
    }
}

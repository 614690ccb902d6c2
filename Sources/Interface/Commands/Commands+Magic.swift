import Intelligence
import NoteStore
import ViewModel

/// The commands that write, summarise and find with a model, and the similar ones that need none.
@MainActor
let magicCommands: [Command] = [
    Command(
        "magic.chat", "Magic Chat: ask about your notes", .application, keys: [.everywhere: "Alt-I"],
        when: { .when($0.model.chatFeatureFlagEnabled, else: Texts.Chat.off) }
    ) { $0.show(ChatOverlay($0)) },
    Command("magic.menu", "Magic: rewrite, format, summarize, ask…", .notes, keys: [.everywhere: "Alt-M Alt-G"]) {
        $0.showMagicMenu()
    },
    Command(
        "magic.assist", "Magic Assistant: change the selection in your own words…", .editing,
        when: { $0.canAskModel }
    ) { $0.askForWish() },
    Command("magic.format", "Magic Format: clean Markdown for the note…", .editing, when: { $0.canAskModel }) {
        $0.formatByModel()
    },
    Command(
        "magic.summarize", "Summarize the note by the model…", .notes, when: { $0.canAskModel }
    ) { $0.summarizeByModel() },
    Command(
        "note.summarize", "Summarize the note by its own sentences", .notes, when: { $0.hasNoteForMagic }
    ) { $0.model.summarizeByItself() },
    Command(
        "note.related", "Related notes…", .notes, when: { $0.hasNoteForMagic }
    ) { $0.chooseRelated() },
]

extension NotebookInterface {
    fileprivate var hasNoteForMagic: Availability {
        .when(model.noteUnderCursor != nil || model.session != nil, else: Texts.noNoteOpen)
    }

    /// Whether there is a text for a model, and a model for the text.
    fileprivate var canAskModel: Availability {
        guard canWrite.isAvailable else { return canWrite }
        return .when(model.chatFeatureFlagEnabled, else: Texts.Chat.off)
    }

    // MARK: The menu

    /// Shows the actions on the selection and on the note; those that need a model are dimmed without one.
    fileprivate func showMagicMenu() {
        let part = model.session?.selection.isEmpty == false ? Texts.Magic.onSelection : Texts.Magic.onNote
        let instructions = Assistant.Instruction.allCases.map { instruction in
            item(instruction.title, part, canAskModel) {
                $0.assist(instruction.wish, continues: instruction == .goOn)
            }
        }
        let items =
            instructions + [
                item(Texts.Magic.ownWords, part, canAskModel) { $0.askForWish() },
                item(Texts.Magic.formatItem, "", canAskModel) { $0.formatByModel() },
                item(Texts.Magic.summaryItem, "", canAskModel) { $0.summarizeByModel() },
                item(Texts.Magic.extractItem, Texts.Magic.sendsNothing, hasNoteForMagic) {
                    $0.model.summarizeByItself()
                },
                item(Texts.Magic.relatedItem, Texts.Magic.sendsNothing, hasNoteForMagic) { $0.chooseRelated() },
                item(
                    Texts.Magic.chatItem, "", .when(model.chatFeatureFlagEnabled, else: Texts.Chat.off)
                ) { $0.show(ChatOverlay($0)) },
            ]
        // Whoever knows the actions as those of Magic types that word here too.
        let ranks = items.map { item in
            let synonyms = item.title == Texts.Magic.chatItem ? "chat" : ""
            return PaletteRank(title: item.title, name: "magic", synonyms: synonyms, isMotion: false)
        }
        let picker = PickerOverlay(title: Texts.Magic.menu, from: items, ranks: ranks)
        // A reason shared by many items is shown once.
        let reasons = Set(items.compactMap(\.reason))
        picker.remark = reasons.map(Texts.Magic.dimmed).sorted().joined(separator: " ")
        show(picker)
    }

    private func item(
        _ title: String, _ detail: String, _ availability: Availability,
        _ choose: @escaping @MainActor (NotebookInterface) -> Void
    ) -> PickerOverlay.Item {
        var item = PickerOverlay.Item(title: title, detail: detail) { [weak self] in
            if let self { choose(self) }
        }
        if let reason = availability.reason { (item.isDisabled, item.reason) = (true, reason) }
        return item
    }

    // MARK: The assistant

    fileprivate func askForWish() {
        show(
            LinePrompt(title: Texts.Magic.wish) { [weak self] wish in
                guard wish.contains(where: { !$0.isWhitespace }) else { return Texts.Magic.noWish }
                self?.assist(wish, continues: false)
                return nil
            })
    }

    /// - Parameter continues: whether the result goes on from the text instead of taking its place.
    private func assist(_ wish: String, continues: Bool) {
        guard let task = model.assist(wish) else { return }
        func act(_ done: String, _ body: @escaping @MainActor () -> Bool) -> @MainActor () -> String? {
            { [weak self] in
                guard body() else { return Texts.Magic.textChanged }
                self?.model.say(done)
                return nil
            }
        }
        let insert = act(Texts.Magic.inserted) { task.insertBelow() }
        let choice =
            continues
            ? MagicOverlay.Choice(accept: Texts.Magic.Key.insertBelow, take: insert)
            : MagicOverlay.Choice(
                accept: Texts.Magic.Key.replace, take: act(Texts.Magic.replaced) { task.replace() }, insert: insert)
        show(MagicOverlay(Texts.Magic.assistant, task.work, choice, in: self))
    }

    // MARK: The form, the summary

    fileprivate func formatByModel() {
        guard let note = model.openNote, let (work, text) = model.formatNote() else { return }
        show(
            FormatOverlay(work, of: text, in: self) { [weak self] formatted in
                self?.model.take(formatted: formatted, madeFrom: text, of: note.id)
            })
    }

    fileprivate func summarizeByModel() {
        guard let (work, note) = model.summarizeByModel() else { return }
        let choice = MagicOverlay.Choice(accept: Texts.Magic.Key.keep) { [weak self] in
            self?.model.keep(summary: work.text, of: note, author: .model)
            return nil
        }
        show(MagicOverlay(Texts.Magic.summary, work, choice, in: self))
    }

    // MARK: Related notes

    /// Lets the user choose one of the notes that are similar to the current one.
    fileprivate func chooseRelated() {
        let (session, revision) = (model.session, model.session?.textRevision)
        model.findRelated { [weak self] related in
            // Keys that arrived in the meantime were meant for the screen as it is; a picker would take the next.
            guard let self, model.session === session, session?.textRevision == revision, overlays.isEmpty,
                heldForPaste == nil, host?.hasPendingInput != true, state.pendingKeys.isEmpty
            else { return }
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
}

import Markdown
import ViewModel

/// Commands that make headings, lists, quotes, fences and tables, and that reflow paragraphs.
@MainActor
let formCommands: [Command] = [
    forming("insert.heading", "Heading: one level deeper, then none") { $0.toggle(.heading) },
    forming("insert.list", "List, or no list") { $0.toggle(.bullets) },
    forming("insert.numbers", "Numbered list, or no list") { $0.toggle(.numbers) },
    forming("insert.quote", "Quote, or no quote") { $0.toggle(.quote) },
    forming("insert.fence", "Code in a fence") { $0.insertFence() },
    forming("insert.table", "Insert a table") { $0.insertTable() },
    Command("insert.date", "Insert the date", .editing, when: { $0.canEdit }) { window in
        window.model.session?.insert(
            NoteTemplate("{{date}}").filled(title: "", date: window.now()).text)
    },
    Command("insert.snippet", "Insert a snippet…", .editing, keys: [.editor: "Alt-S"], when: { $0.canEdit }) {
        $0.showSnippets()
    },
    Command("view.writing", "Toggle the writing mode", .editing) { window in
        window.model.editorSettings.isWritingMode.toggle()
        let isOn = window.model.editorSettings.isWritingMode
        window.model.say(isOn ? Texts.writingMode : Texts.noWritingMode)
    },
    Command("text.reflow", "Reflow the paragraph", .editing, keys: [.editor: "Alt-Q"], when: { $0.canEdit }) {
        window in
        if window.model.session?.reflow() == false { window.model.say(Texts.noParagraph, kind: .refused) }
    },
]

@MainActor
private func forming(
    _ name: CommandName, _ title: String, _ action: @escaping @MainActor (EditorSession) -> Void
) -> Command {
    Command(name, title, .editing, when: { $0.canEdit }) { $0.model.session.map(action) }
}

extension NotebookInterface {
    /// Opens a picker of the configured snippets, with the beginning of each.
    fileprivate func showSnippets() {
        let snippets = model.editorSettings.snippets.sorted { $0.key < $1.key }
        guard !snippets.isEmpty else { return model.say(Texts.noSnippets, kind: .refused) }
        let items = snippets.map { name, text in
            let start = text.prefix { !$0.isNewline }.prefix(40)
            return PickerOverlay.Item(title: name, detail: String(start)) { [weak self] in
                guard let self else { return }
                model.session?.insertSnippet(text, title: model.openNote?.title ?? "", date: now())
            }
        }
        show(PickerOverlay(title: Texts.snippets, from: items))
    }
}

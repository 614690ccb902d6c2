/// The part of the window in which a key is pressed; each context has its own keys.
public enum KeyContext: String, CaseIterable, Sendable {
    /// Keys that work in every pane.
    case everywhere
    /// Keys that work in both the sidebar and the list.
    case browsing
    case sidebar
    case list
    case editor
    /// Every one-line field: the search field, the find bar, pickers and prompts.
    case field
    /// The search field of the list.
    case search
    /// The find bar of the editor.
    case find
    /// The note laid out for reading.
    case preview
    /// An overlay with a list that is filtered by typing.
    case picker
    /// An overlay with a field in which text is typed.
    case prompt
    /// An overlay in which nothing is typed: answers, check boxes.
    case dialog
    /// An overlay with a text that is scrolled.
    case pager

    /// The contexts whose keys work here, the nearest first.
    ///
    /// An overlay uses no keys of the panes, so that nothing happens behind it.
    var chain: [KeyContext] {
        switch self {
        case .everywhere: [.everywhere]
        case .browsing: [.browsing, .everywhere]
        case .sidebar: [.sidebar, .browsing, .everywhere]
        case .list: [.list, .browsing, .everywhere]
        case .editor: [.editor, .everywhere]
        case .field: [.field]
        case .search: [.search, .field, .everywhere]
        case .find: [.find, .field, .everywhere]
        case .preview: [.preview, .everywhere]
        case .picker: [.picker, .field]
        case .prompt: [.prompt, .field]
        case .dialog: [.dialog]
        case .pager: [.pager]
        }
    }

    /// Whether a key with a character types it here, so that it cannot be bound to a command.
    var isTyping: Bool {
        switch self {
        case .editor, .field, .search, .find, .picker, .prompt: true
        case .everywhere, .browsing, .sidebar, .list, .preview, .dialog, .pager: false
        }
    }
}

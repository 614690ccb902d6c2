/// Where a key is pressed; each place has keys of its own.
public enum KeyContext: String, CaseIterable, Sendable {
    /// Keys that work in every pane.
    case everywhere
    /// The sidebar and the list alike.
    case browsing
    case sidebar
    case list
    case editor
    /// The search field, and lists that are filtered by typing.
    case search
    /// The find bar of the editor.
    case find
    /// The note laid out for reading.
    case preview

    /// The contexts whose keys work here, the nearest first.
    var chain: [KeyContext] {
        switch self {
        case .everywhere: [.everywhere]
        case .browsing: [.browsing, .everywhere]
        case .sidebar: [.sidebar, .browsing, .everywhere]
        case .list: [.list, .browsing, .everywhere]
        case .editor: [.editor, .everywhere]
        case .search: [.search, .everywhere]
        case .find: [.find, .everywhere]
        case .preview: [.preview, .everywhere]
        }
    }

    /// Whether a key with a character types it here, so that it can be no command's.
    var isTyping: Bool { [.editor, .search, .find].contains(self) }

    /// What the documented configuration says of the place.
    var explanation: String {
        switch self {
        case .everywhere: "In every pane; where text is typed, only keys that type nothing."
        case .browsing: "In the sidebar and the list."
        case .sidebar: "In the sidebar."
        case .list: "In the list of notes."
        case .editor: "Where a note is written."
        case .search: "Where a search is typed."
        case .find: "In the bar that finds and replaces."
        case .preview: "Where a note is read."
        }
    }
}

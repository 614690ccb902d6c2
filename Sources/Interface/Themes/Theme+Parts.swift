import Terminal

extension Theme {
    /// The style's name in theme files: `dim`, `markdown.heading`.
    struct Part: Sendable {
        /// `dim`, `markdown.heading`.
        let name: String
        let path: WritableKeyPath<Theme, Style> & Sendable
    }

    /// All styles of a theme, in the order of a theme file: first the window's, then Markdown's.
    static let parts: [Part] = windowParts + markdownParts

    private static let windowParts = [
        Part(name: "text", path: \.text), Part(name: "dim", path: \.dim), Part(name: "accent", path: \.accent),
        Part(name: "title", path: \.title), Part(name: "rule", path: \.rule),
        Part(name: "selection", path: \.selection), Part(name: "quiet-selection", path: \.quietSelection),
        Part(name: "selection-mark", path: \.selectionMark), Part(name: "selected-text", path: \.selectedText),
        Part(name: "match", path: \.match), Part(name: "star", path: \.star), Part(name: "tag", path: \.tag),
        Part(name: "status", path: \.status), Part(name: "key", path: \.key), Part(name: "notice", path: \.notice),
        Part(name: "trouble", path: \.trouble), Part(name: "overlay", path: \.overlay),
        Part(name: "overlay-frame", path: \.overlayFrame),
    ]

    private static let markdownParts = [
        Part(name: "markdown.marker", path: \.markdown.marker),
        Part(name: "markdown.heading", path: \.markdown.heading),
        Part(name: "markdown.emphasis", path: \.markdown.emphasis),
        Part(name: "markdown.strong", path: \.markdown.strong),
        Part(name: "markdown.strikethrough", path: \.markdown.strikethrough),
        Part(name: "markdown.code", path: \.markdown.code),
        Part(name: "markdown.code-block", path: \.markdown.codeBlock),
        Part(name: "markdown.link", path: \.markdown.link),
        Part(name: "markdown.link-target", path: \.markdown.linkTarget),
        Part(name: "markdown.quote", path: \.markdown.quote),
        Part(name: "markdown.list-marker", path: \.markdown.listMarker),
        Part(name: "markdown.task-done", path: \.markdown.taskDone),
        Part(name: "markdown.tag", path: \.markdown.tag),
        Part(name: "markdown.highlight", path: \.markdown.highlight),
        Part(name: "markdown.math", path: \.markdown.math),
        Part(name: "markdown.metadata", path: \.markdown.metadata),
        Part(name: "markdown.keyword", path: \.markdown.keyword),
        Part(name: "markdown.string", path: \.markdown.string),
        Part(name: "markdown.comment", path: \.markdown.comment),
        Part(name: "markdown.number", path: \.markdown.number),
    ]
}

extension Theme {
    /// Removes blinking from every style, for users who want nothing to move.
    mutating func stopBlinking() {
        for part in Self.parts { self[keyPath: part.path].attributes.remove(.blink) }
    }
}

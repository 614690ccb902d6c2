/// Prepares an excerpt of a text for being parsed separately.
extension MarkdownHighlighter {
    /// Lines that reopen the blocks that are open before a line; empty if none is open, or only a paragraph.
    ///
    /// With these lines in front, the text can be parsed from that line on as if all text before it had been parsed.
    /// They do not repeat the original lines: bullets and column names may differ.
    public mutating func opening(ofLine number: Int, in source: some LineSource) -> String {
        settle(through: number, source)
        let state = states[lines[number].state]
        let goingOn = state.containers.map(\.continuation).joined()
        // An item that began with a blank line and has no content would end at the next blank line.
        let containers = state.containers.isEmpty ? "" : state.containers.map(\.opening).joined() + "<!-- -->\n"
        switch state.leaf.kind {
        case .fencedCode:
            let fence = String(repeating: Character(UnicodeScalar(state.leaf.mark)), count: Int(state.leaf.length))
            return containers + goingOn + fence + " " + (CodeLanguage.name(of: state.leaf.language) ?? "") + "\n"
        case .table:
            read(number, source)
            let start = scanner.line.start
            let cells = max(1, source.withLine(number) { TableRows.cellCount($0, from: start, to: $0.count) })
            return containers + goingOn + String(repeating: "|x", count: cells) + "|\n" + goingOn
                + String(repeating: "|-", count: cells) + "|\n"
        case .none, .paragraph, .indentedCode, .html, .frontMatter: return containers
        }
    }
}

extension Container {
    /// A marker after which the text is in the same column as the content of this container.
    fileprivate var opening: String {
        guard kind != .quote else { return continuation }
        // A marker has one to four blanks after it and at most nine digits, so at most fourteen columns.
        let columns = min(max(Int(indent), 2), 14)
        let marker = columns <= 5 ? "-" : String(repeating: "1", count: columns - 5) + "."
        return marker + String(repeating: " ", count: columns - marker.utf8.count)
    }

    /// The prefix of a further line of this container.
    fileprivate var continuation: String {
        kind == .quote ? "> " : String(repeating: " ", count: Int(indent))
    }
}

/// Reading a part of a text for itself.
extension MarkdownHighlighter {
    /// Lines that open the blocks that are open before a line, so that the text can be read from there as if all before
    /// it had been read; empty where none are, or only a paragraph.
    ///
    /// They begin the blocks in their own way: with any bullet, any name of a column.
    public mutating func opening(ofLine number: Int, in source: some LineSource) -> String {
        settle(through: number, source)
        let state = states[lines[number].state]
        let goingOn = state.containers.map(\.continuation).joined()
        // An item that began with a blank line would end at the next one.
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
    /// A marker that makes what follows it stand where the content of this container does.
    fileprivate var opening: String {
        guard kind != .quote else { return continuation }
        // A marker takes one to four blanks after it, and a number nine digits: fourteen columns at the most.
        let columns = min(max(Int(indent), 2), 14)
        let marker = columns <= 5 ? "-" : String(repeating: "1", count: columns - 5) + "."
        return marker + String(repeating: " ", count: columns - marker.utf8.count)
    }

    /// What a line begins with that belongs to this container.
    fileprivate var continuation: String {
        kind == .quote ? "> " : String(repeating: " ", count: Int(indent))
    }
}

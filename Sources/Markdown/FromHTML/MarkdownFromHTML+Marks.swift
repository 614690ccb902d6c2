/// Emphasis and links, which are open until their element ends.
extension MarkdownFromHTML {
    /// An inline mark, or a link, that is still open.
    struct OpenMark {
        let name: String
        /// The mark before its content; empty for one that Markdown has no mark for.
        let mark: String
        /// The offset at which its content begins, in bytes of `inline`.
        var start = 0
        /// The address of a link.
        var address: String?
        /// Whether a paragraph that ended inside the link is written as a link of its own.
        var isWritten = false
    }

    /// The most marks that may be open at once, since each paragraph closes and opens all of them; further ones are
    /// ignored.
    private static let maximumMarks = 40

    /// Whether a mark may begin here, which it may not in code and between the cells of a table.
    var canOpenMark: Bool {
        preformatted == 0 && (rows == nil || cell != nil) && closers.count < Self.maximumMarks
    }

    mutating func openMark(_ name: String, _ mark: String) { openMark(OpenMark(name: name, mark: mark)) }

    private mutating func openMark(_ mark: OpenMark) {
        inline += mark.mark
        closers.append(mark)
        closers[closers.count - 1].start = inline.utf8.count
    }

    mutating func openLink(_ address: String?) {
        // A link ends the one around it, as in browsers.
        if let index = closers.lastIndex(where: { $0.name == "a" }) { _ = endMark(index) }
        guard canOpenMark else { return }
        openMark(OpenMark(name: "a", mark: address == nil ? "" : "[", address: address))
    }

    mutating func closeLink() {
        guard let index = closers.lastIndex(where: { $0.name == "a" }) else { return endSurroundingMark("a") }
        let link = endMark(index)
        // An empty one beside a heading leads to the heading itself.
        guard !link.isWritten, let address = link.address, !address.hasPrefix("#") else { return }
        inline += "[\(Self.address(address))](\(Self.address(address)))"
    }

    /// Ends the last mark of an element.
    mutating func closeMark(_ name: String) {
        guard let index = closers.lastIndex(where: { $0.name == name }) else { return endSurroundingMark(name) }
        _ = endMark(index)
    }

    /// Ends a mark that is open around the present code or table.
    private mutating func endSurroundingMark(_ name: String) {
        if let index = surrounding.lastIndex(where: { $0.name == name }) { surrounding.remove(at: index) }
    }

    /// Ends one of the open marks; those inside it end before it, and go on after it.
    private mutating func endMark(_ index: Int) -> OpenMark {
        var ended = endMarks(from: index)
        let mark = ended.removeFirst()
        openMarks(ended)
        return mark
    }

    /// Begins a new text, in which no mark is open.
    mutating func beginText(_ text: String = "") { (inline, closers) = (text, []) }

    /// Begins code or a table, around which marks stay open.
    ///
    /// - Parameter holdsLinks: whether the links around it are written in its cells.
    mutating func beginBlock(holdsLinks: Bool = false) {
        surrounding = closers
        if holdsLinks { for index in surrounding.indices { surrounding[index].isWritten = true } }
        beginText()
    }

    /// Opens the marks around the present table in a cell.
    mutating func openSurroundingMarks() { openMarks(surrounding) }

    /// Opens the marks around code or a table again after it.
    mutating func closeBlock() {
        openMarks(surrounding)
        surrounding = []
    }

    /// Ends the marks with their paragraph, and returns them to go on in the next one.
    mutating func endMarks(from first: Int = 0) -> [OpenMark] {
        var ended = Array(closers[first...])
        for index in ended.indices.reversed() where write(closers.removeLast()) { ended[index].isWritten = true }
        return ended
    }

    mutating func openMarks(_ marks: [OpenMark]) { for mark in marks { openMark(mark) } }

    /// Writes a mark around its content, without blanks at the ends of the content; removes a mark without content.
    ///
    /// - Returns: whether the mark has content.
    private mutating func write(_ open: OpenMark) -> Bool {
        guard !open.mark.isEmpty else { return true }
        let start = inline.utf8.index(inline.startIndex, offsetBy: open.start)
        let mark = inline.utf8.index(start, offsetBy: -open.mark.utf8.count)
        let parts = Self.parts(of: inline[start...])
        let isApart = inline[..<mark].last.map { $0 == " " || $0 == "\n" } ?? true
        let written = Self.written(parts.text, in: open)
        inline.replaceSubrange(mark..., with: (isApart ? "" : parts.before) + written + parts.after)
        return !written.isEmpty
    }

    /// Splits the content of a mark into blanks, the text, and blanks and line breaks.
    private static func parts(of content: Substring) -> (before: String, text: String, after: String) {
        var text = content
        while let last = text.last, last == " " || last == "\n" {
            // A hard break is a backslash and a line end.
            text = text.dropLast(text.hasSuffix("\\\n") ? 2 : 1)
        }
        let after = content[text.endIndex...]
        let before = text.prefix { $0 == " " }
        return (String(before), String(text[before.endIndex...]), String(after))
    }

    private static func written(_ content: String, in open: OpenMark) -> String {
        if content.isEmpty { return "" }
        if let address = open.address { return "[\(content)](\(Self.address(address)))" }
        guard open.mark == "`", content.contains("`") else { return open.mark + content + open.mark }
        // CommonMark 6.1: code that contains backticks is put between longer runs of them, with a space beside each.
        let runs = content.split { $0 != "`" }.map(\.count)
        let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
        return "\(fence) \(content) \(fence)"
    }
}

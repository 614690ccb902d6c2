/// The elements that are skipped with all that they contain.
extension MarkdownFromHTML {
    /// The elements whose content is not text.
    ///
    /// `head` is not among them: its end tag may be omitted, and its only text is in the title and in these elements.
    private static let skippedElements: Set = [
        "script", "style", "object", "iframe", "svg", "select", "noscript", "template", "math",
    ]

    /// Begins to skip an element of which nothing becomes text, and returns whether it is one.
    mutating func beginsSkipping(
        _ name: String, _ attributes: [String: String], _ classes: [Substring], isClosed: Bool
    ) -> Bool {
        // KaTeX draws each formula again for the eye.
        if classes.contains("katex-html"), !isClosed {
            skipped = (name, 1)
            return true
        }
        if classes.contains("katex-display") { isDisplayed = true }
        if name == "title" {
            isInTitle = true
            return true
        }
        // Apple Notes puts a table into an object without data of its own.
        if name == "object", attributes["data"] == nil { return true }
        if Self.skippedElements.contains(name) {
            if !["script", "style", "noscript", "template", "math"].contains(name) { leftOut.insert(name) }
            if !isClosed { skipped = (name, 1) }
            return true
        }
        let isTaskGroup = attributes["style"]?.contains("-en-task-group:true") == true
        guard isTaskGroup, !keepsTaskGroups, !isClosed else { return false }
        skipped = (name, 1)
        return true
    }

    /// Reads a tag in a skipped element, of which only the source of a formula is wanted.
    mutating func openInSkipped(_ name: String, _ attributes: [String: String], isClosed: Bool) {
        guard let outer = skipped, !isClosed else { return }
        if outer.name == name { skipped = (name, outer.depth + 1) }
        if outer.name == "math", name == "annotation" {
            isInFormula = attributes["encoding"]?.lowercased() == "application/x-tex"
        }
    }
}

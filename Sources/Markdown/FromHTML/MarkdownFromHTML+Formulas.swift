/// Formulas and tasks.
extension MarkdownFromHTML {
    /// Writes the formula of the element that ends, as its annotation gives it.
    mutating func addFormula() {
        isInFormula = false
        let written = (formula ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        formula = nil
        defer { isDisplayed = false }
        guard !written.isEmpty else {
            leftOut.insert("math")
            return
        }
        let mark = isDisplayed ? "$$" : "$"
        inline += mark + written + mark
    }

    mutating func addTask(_ isDone: Bool) {
        let box = isDone ? "[x] " : "[ ] "
        // Neither code nor a cell has items.
        guard preformatted == 0, cell == nil else { return inline += box }
        if let item = frames.lastIndex(where: { $0.kind == .item }), !frames[item].isMarkWritten, inline.isEmpty {
            frames[item].mark += box
        } else {
            endParagraph()
            beginText("- " + box)
        }
    }
}

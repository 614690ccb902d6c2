/// The effect of renaming a note on the first line of its text.
public enum HeadingOutcome: Equatable, Sendable {
    /// The heading was the old title, and is now the new one.
    case renamed
    /// The first line, which stands alone without a marker and was the old title, is now the new one.
    case renamedLine
    /// The text begins with words other than the new title, namely `firstLine`.
    case stayed(firstLine: String)
    /// The title follows the text, or the text already begins with the new title.
    case agrees
}

extension Notebook.Notes {
    /// Gives a note a title, and changes a first heading or line that is the old title, in the same action.
    ///
    /// An empty title lets the title follow the text again.
    ///
    /// - Throws: `titleTaken` in a project's folder where another note has the title.
    @discardableResult
    public func rename(_ id: NoteID, to title: String) throws(StoreError) -> HeadingOutcome {
        try notebook.write { transaction in
            let head = try transaction.changeableHead(id)
            let wanted = Transaction.cleanTitle(title)
            let text = try Notebook.Notes.text(transaction.db, key: head.key) ?? ""
            let changed = wanted.isEmpty ? nil : Self.text(text, of: head, titled: wanted)
            try transaction.recorded(.rename, notes: [id], containers: [], withTexts: changed != nil) {
                try transaction.setTitle(title, of: id)
                guard let changed else { return }
                try transaction.replaceText(changed, of: transaction.head(id))
                // A title that followed the text must still follow it.
                if head.title == head.defaultTitle { try transaction.setTitle("", of: id) }
            }
            if changed != nil { return TitleHeading(of: text) == nil ? .renamedLine : .renamed }
            let firstLine = TextFacts.derivedTitle(of: text)
            return wanted.isEmpty || text.isEmpty || firstLine == wanted ? .agrees : .stayed(firstLine: firstLine)
        }
    }

    /// Returns the text with a new title in its first line; nil if that line is not the note's present title.
    private static func text(_ text: String, of head: NoteHead, titled title: String) -> String? {
        guard title != head.title, let heading = TitleHeading(of: text) ?? TitleHeading(plainLineOf: text),
            heading.title == head.title
        else { return nil }
        return heading.text(titled: title)
    }
}

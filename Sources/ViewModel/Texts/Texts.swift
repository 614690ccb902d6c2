import NoteStore
import TextEditing

/// The texts of this module for the user, a file for each topic, so that they can be read and translated together.
///
/// This file has the parts that the others are put together from. The words of Markdown, of search filters and of file
/// formats are not texts: they are the same in every language.
enum Texts {
    // MARK: Parts of sentences

    static func quoted(_ name: String) -> String { "“\(name)”" }

    /// Returns a count with its noun: `1 note`, `3 notes`.
    static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    /// Returns the title of one note in quotes, or the number of notes: `“Groceries”`, `3 notes`.
    static func notes(_ notes: [NoteRow]) -> String {
        notes.count == 1 ? quoted(notes[0].title) : "\(notes.count) notes"
    }

    /// Joins the parts of a list: `3 notes, 1 folder and 1 project`.
    static func list(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }

    static let topLevel = "the top level"
    static let inbox = "the Inbox"
    static let notebook = "the notebook"

    /// Returns a size in decimal units: `840 bytes`, `12 KB`, `3.4 MB`.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\((bytes + 500) / 1_000) KB"
        default: "\((bytes + 50_000) / 1_000_000).\((bytes + 50_000) / 100_000 % 10) MB"
        }
    }

    static func kind(_ kind: NoteContainer.Kind) -> String {
        switch kind {
        case .project: "project"
        case .tag: "tag"
        default: "folder"
        }
    }

    /// The effect of a key, as the end of a sentence; empty if the command has no key.
    static func hint(_ key: String?, _ effect: String) -> String { key.map { "; \($0) \(effect)" } ?? "" }

    // MARK: Sidebar and titles

    static func section(_ section: SidebarSection) -> String {
        switch section {
        case .folders: "Folders"
        case .projects: "Projects"
        case .tags: "Tags"
        case .searches: "Searches"
        }
    }

    static let searchTitle = "Search"

    // MARK: Counts

    static let tableHeadings = ["Column 1", "Column 2"]
    static func carets(_ number: Int) -> String { count(number, "caret") }

    static func counts(_ counts: TextStatistics, minutes: Int, isSelection: Bool) -> String {
        let parts = [
            count(counts.words, "word"), count(counts.characters, "character"), count(counts.lines, "line"),
            minutes <= 1 ? "1 minute to read" : "\(minutes) minutes to read",
        ]
        return (isSelection ? "Selected: " : "") + parts.joined(separator: " · ")
    }
}

import ArgumentParser
import NoteStore

/// The command `tn rename`: gives a note a title.
struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change the title of a note.",
        discussion: """
            A first heading or line that was the title is changed too. Otherwise the title no longer follows the text; \
            an empty one lets it follow again. Examples:

              tn rename 3f2a "Meeting with Ana"
              tn rename "Meeting with Ana" ""
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Argument(help: "The title.")
    var title: String

    func run() throws {
        let notebook = try options.open()
        try notebook.notes.rename(try notebook.notes.resolve(reference: note).id, to: title)
    }
}

import ArgumentParser
import NoteStore

/// The command `tn new`: captures a note quickly.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Add a note and print its address.",
        usage: "tn --new [<options>] [<text> ...]",
        discussion: """
            The text is taken from the arguments, else from standard input, which - names too; on a terminal a small \
            composer opens, or $VISUAL or $EDITOR if one is set. Examples:

              tn --new Call Ana about the stand-up
              pbpaste | tn --new --folder Clippings --tag web
              tn --new --title Plan --open -- "- [ ] first step"
              tmux popup -E tn --new
            """)

    @OptionGroup var options: NotebookOptions
    @Option(help: "The title; by default it is taken from the text.")
    var title: String?
    @Option(
        help: ArgumentHelp("The folder for the note; the Inbox by default.", valueName: "path"), completion: .folders)
    var folder: String?
    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag, created if needed; repeatable.", valueName: "name"),
        completion: .tags)
    var tags: [String] = []
    @Flag(help: "Star the note.")
    var star = false
    @Flag(help: "Open the notebook at the new note; an open window shows it.")
    var open = false
    @Argument(help: "The text; words are joined by spaces.")
    var text: [String] = []

    var capture: Capture {
        Capture(
            database: options.database, notebook: options.notebook, title: title, folder: folder, tags: tags,
            isStarred: star, opens: open,
            words: text)
    }

    func run() throws { try capture.run() }
}

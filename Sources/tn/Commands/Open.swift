import ArgumentParser

/// The command `tn open`: opens the notebook full-screen at one note.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the notebook at a note.",
        discussion: """
            Examples:

              tn open "Reading list"
              tn takenote://note/0B5C2E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String

    func run() throws {
        try FullScreen.run(options, opening: note)
    }
}

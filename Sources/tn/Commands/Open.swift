import ArgumentParser

/// The command `tn open`: opens the notebook full-screen at one note.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the notebook at a note.",
        discussion: """
            If a window of the notebook is open already, it shows the note. Examples:

              tn open "Reading list"
              tn open --here "Reading list"
              tn takenote://note/0B5C2E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Open it in this terminal, even if another window of the notebook is open.")
    var here = false
    @Argument(help: .reference, completion: .notes)
    var note: String

    func run() throws {
        let options = options.holding(note)
        if !here, try OpenWindows.come(to: note, in: options) { return }
        try FullScreen.run(options, opening: note)
    }
}

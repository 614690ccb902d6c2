import ArgumentParser
import NoteStore

/// The command `tn line`: the notebook as a conversation, for screen readers, braille displays and dumb terminals.
struct Line: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line",
        abstract: "Use the notebook by typed lines, for screen readers and dumb terminals.",
        discussion: """
            Each typed line is answered below it, and nothing else is printed: no frames, no colours, nothing that \
            moves. Lists are numbered, and a number opens its entry. help lists the words. Examples:

              tn line
              printf '%s\\n' list 2 show | tn line
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        var session = LineSession(try options.open())
        try session.run()
    }
}

import ArgumentParser
import NoteStore

/// The command `tn edit`: opens a note in the user's editor.
struct EditNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a note in $VISUAL or $EDITOR; each save in the editor saves the note.",
        discussion: """
            Examples:

              tn edit "Reading list"
              EDITOR="code --wait" tn edit 3f2a
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        let outcome = try OutsideEdit.run(row, in: notebook, with: try EditorProgram.find())
        if let copy = outcome.copy { StandardError.notice(Texts.keptAs(copy)) }
        if let file = outcome.file { StandardError.notice(Texts.editorGoesOn(file)) }
    }
}

import ArgumentParser
import Foundation
import NoteStore

/// The command `tn history`: lists, prints and restores earlier texts of a note.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the earlier texts of a note, or restore one.",
        usage: "tn history [<options>] <ref>",
        discussion: """
            A line is a number, when the text was kept, how many words it has, why it was kept, and its title. \
            Examples:

              tn history Piranesi
              tn history Piranesi --show 3 | diff - <(tn show Piranesi)
              tn history Piranesi --restore 3
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Option(help: ArgumentHelp("Print this text.", valueName: "n"))
    var show: Int?
    @Option(help: ArgumentHelp("Restore this text; the current one is kept as a version.", valueName: "n"))
    var restore: Int?

    func validate() throws {
        if show != nil, restore != nil { throw ValidationError.showOrRestore }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: restore == nil)
        let row = try notebook.notes.resolve(reference: note)
        if let restore {
            try notebook.versions.restore(restore, of: row.id)
        } else if let show {
            try StandardOutput.write(text: try notebook.versions.text(of: row.id, version: show))
        } else {
            var table = Table(.bold, .dim, .dim, .dim, .plain)
            for version in try notebook.versions.all(of: row.id) {
                table.add(
                    "\(version.number)", Self.time(version.date), "\(version.wordCount)", Texts.reason(version.reason),
                    version.title)
            }
            try table.write()
        }
    }

    /// Formats a time like `2026-03-01 09:30`, in the user's time zone.
    private static func time(_ date: Date) -> String {
        let time = Zone.system.civilTime(date)
        return "\(time.day) \(time.time)"
    }
}

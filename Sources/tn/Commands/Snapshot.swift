import ArgumentParser
import Foundation
import NoteStore

/// The command `tn snapshot`: writes the feed for widgets and status lines.
struct Snapshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write snapshot.json, the feed for widgets, and print where it is.",
        discussion: """
            It says what the notebook holds: containers with notes, and of each the five last changed. Example:

              jq '.containers[] | select(.isInbox).totalNoteCount' "$(tn snapshot)"
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let path = SnapshotFile.path(of: options.path)
        try options.open().transfer.writeSnapshot(to: path)
        try StandardOutput.write(line: path)
    }
}

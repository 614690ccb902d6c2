import ArgumentParser
import Foundation
import NoteStore

/// The command `tn snapshot`: writes the feed for widgets and status lines.
struct Snapshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write snapshot.json, the feed for widgets, and print where it is.",
        discussion: """
            It lists the containers that have notes, each with its five last changed notes. Example:

              jq '.containers[] | select(.isInbox).totalNoteCount' "$(tn snapshot)"
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let path = SnapshotFile.path(of: options.path)
        let notebook = try options.open()
        do {
            try notebook.transfer.writeSnapshot(to: path)
        } catch {
            // The store's advice is to choose another notebook, but the file is in the folder for the state.
            guard case .cannotCreate(let place, let errno) = error else { throw error }
            throw Failure.noSnapshotThere(place, errno)
        }
        try StandardOutput.write(name: path)
    }
}

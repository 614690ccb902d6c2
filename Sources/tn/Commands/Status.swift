import ArgumentParser
import Foundation
import NoteStore

/// The command `tn status`: prints one line for a status bar.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print one line for tmux, waybar and the like.",
        discussion: """
            Reads the snapshot, and writes it again if the notebook has changed since. Examples:

              set -g status-right '#(tn status inbox)'       in tmux.conf
              "exec": "tn status --json", "return-type": "json"       in a custom module of waybar
            """)

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case inbox, starred
    }

    @OptionGroup var options: NotebookOptions
    @Argument(help: "The notes to show: inbox or starred; both by default.")
    var subject: Subject?
    @Flag(help: "A line of JSON: text, tooltip and class for waybar; for widgets notes, each with its title and url.")
    var json = false

    /// The maximum width in cells of a title in the line; chosen by eye.
    private static let titleColumns = 40

    func run() throws {
        let path = options.path
        guard PathKind(path) != nil else { throw Failure.noNotebookYet(path) }
        // The file belongs to the usual notebook, and to each with a name.
        let snapshot =
            try options.database == nil
            ? SnapshotFile.current(path) : SnapshotFile.opened(path).transfer.snapshot()
        let inbox = snapshot.containers.first(where: \.isInbox)
        let starred = snapshot.containers.first(where: \.isStarred)
        let line =
            switch subject {
            case .inbox: words("Inbox", inbox, withTitle: true)
            case .starred: words("Starred", starred, withTitle: true)
            case nil: words("Inbox", inbox) + " · " + words("Starred", starred)
            }
        guard json else { return try StandardOutput.write(line: line) }
        let shown = subject == .starred ? starred : inbox
        let tooltip = (shown?.notes ?? []).map { $0.title.visible.escapedMarkup }.joined(separator: "\n")
        let bar = Bar(
            text: line.escapedMarkup, tooltip: tooltip, class: shown?.totalNoteCount ?? 0 > 0 ? "notes" : "empty",
            notes: (shown?.notes ?? []).map { Bar.Row(title: $0.title, url: $0.url) })
        // Waybar reads the first line alone and refuses JSON that goes on below it (waybar-custom(5), RETURN-TYPE).
        try NoteOutput.print(json: bar, onOneLine: true)
    }

    /// The JSON that bars and widgets read; its keys are a contract.
    private struct Bar: Encodable {
        /// A note of the tooltip, with the address that opens it.
        struct Row: Encodable { let title, url: String }

        let text, tooltip, `class`: String
        let notes: [Row]
    }

    private func words(
        _ name: String, _ container: NotebookSnapshot.Container?, withTitle: Bool = false
    ) -> String {
        let count = "\(name) \(container?.totalNoteCount ?? 0)"
        guard withTitle, let note = container?.notes.first else { return count }
        return count + ": " + note.title.visible.cut(toColumns: Self.titleColumns)
    }
}

extension String {
    /// The text escaped for bars that read Pango markup.
    fileprivate var escapedMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

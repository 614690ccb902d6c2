import ArgumentParser
import Foundation
import NoteStore

/// The feed of widgets and status lines.
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
        try options.open().transfer.writeSnapshot(to: SnapshotFile.path)
        try StandardOutput.write(line: SnapshotFile.path)
    }
}

/// Where the snapshot is, and whether it still tells the truth.
enum SnapshotFile {
    static var path: String { Notebook.stateFolder() + "/snapshot.json" }

    /// The snapshot of the notebook at `database`, written anew if the notebook has changed since.
    static func current(_ database: String) throws -> NotebookSnapshot {
        guard FileManager.default.fileExists(atPath: database) else { throw StoreError.noSuchFile(path: database) }
        if isOutdated(database) { try Notebook.open(database, mode: .command).transfer.writeSnapshot(to: path) }
        do {
            return try JSONDecoder().decode(
                NotebookSnapshot.self, from: try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Failure("\(path) cannot be read; tn snapshot writes it anew", status: .noInput)
        }
    }

    private static func isOutdated(_ database: String) -> Bool {
        guard let written = changed(path) else { return true }
        return [database, database + "-wal"].contains { file in changed(file).map { $0 >= written } ?? false }
    }

    /// When a file was last written, in nanoseconds since 1970; nil if it is not there.
    private static func changed(_ file: String) -> Int? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// One line for a status bar.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print one line for tmux, waybar and the like.",
        discussion: """
            Reads the snapshot, and writes it anew if the notebook has changed since. Examples:

              set -g status-right '#(tn status inbox)'       in tmux.conf
              "exec": "tn status --json", "return-type": "json"       in a custom module of waybar
            """)

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case inbox, starred
    }

    @OptionGroup var options: NotebookOptions
    @Argument(help: "What to tell of: inbox or starred; else both.")
    var subject: Subject?
    @Flag(help: "As JSON for waybar: text, tooltip, class.")
    var json = false

    /// Cells of a title in the line; chosen by eye.
    private static let titleColumns = 40

    func run() throws {
        // The file belongs to the usual notebook.
        let snapshot =
            try options.database.map { try Notebook.open($0, mode: .command).transfer.snapshot() }
            ?? SnapshotFile.current(options.path)
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
        try NoteOutput.print(
            json: [
                "text": line.escapedMarkup, "tooltip": tooltip,
                "class": shown?.totalNoteCount ?? 0 > 0 ? "notes" : "empty",
            ])
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
    /// For bars that read Pango markup.
    fileprivate var escapedMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

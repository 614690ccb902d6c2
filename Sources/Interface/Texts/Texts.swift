import NoteStore
import ViewModel

/// What the window says, apart from the titles of commands, which stand in the tables of commands, and from the
/// settings, which stand in `Setting.all`.
enum Texts {
    // MARK: Boxes over the panes

    /// What the keys of boxes do, shown with the keys in the frame of the box and in the status line.
    enum Hints {
        static let cancel = [KeyHint("overlay.cancel", "cancel", rank: 0)]
        static let closes = [KeyHint("overlay.cancel", "closes", rank: 0)]
        static let help = [KeyHint("overlay.pageDown", "scrolls")] + closes
        static let picker = [KeyHint("overlay.accept", "select")] + cancel
        static let prompt = [KeyHint("overlay.accept", "OK")] + cancel
        static let rename = [KeyHint("overlay.accept", "saves; leave empty to use the first line")]
        static let tags = [KeyHint("overlay.accept", "toggles")] + closes
        static let color = [KeyHint("overlay.accept", "select, or type #RRGGBB")]
        static let path = [KeyHint("overlay.next", "completes"), KeyHint("overlay.accept", "OK")] + cancel
        static let project = [KeyHint("overlay.next", "next"), KeyHint("overlay.accept", "create")] + cancel
        static let history =
            [KeyHint("overlay.accept", "restores"), KeyHint("overlay.pageDown", "scrolls")] + closes
        static let replaceFields =
            [KeyHint("overlay.next", "next"), KeyHint("find.replaceAll", "replaces")] + cancel
        static let replaceList =
            [KeyHint("overlay.toggle", "excludes"), KeyHint("overlay.accept", "replaces")] + cancel
        static let stops = [KeyHint("overlay.cancel", "stops it")]
    }

    /// The keys that the status line shows: those that matter in a place, in the order in which they stand there.
    ///
    /// Where the line is short, the one of the highest rank goes first.
    enum Footer {
        static func of(_ place: FooterPlace) -> [KeyHint] {
            switch place {
            case .list: [KeyHint("note.new", "new", rank: 5), KeyHint("search.start", "search", rank: 4)] + general(1)
            case .trash:
                [KeyHint("note.restore", "restore", rank: 0), KeyHint("note.trash", "delete for ever", rank: 1)]
                    + general(2)
            case .sidebar:
                [KeyHint("folder.new", "new folder", rank: 4), KeyHint("folder.rename", "rename", rank: 5)] + general(1)
            case .trashInSidebar: [KeyHint("trash.empty", "empty", rank: 0)] + general(1)
            case .trashedFolder:
                [KeyHint("folder.restore", "restore", rank: 0), KeyHint("folder.delete", "delete for ever", rank: 1)]
                    + general(2)
            case .editor:
                [
                    KeyHint("pane.list", "list", rank: 0), KeyHint("find.start", "find", rank: 4),
                    KeyHint("note.preview", "preview", rank: 3),
                ] + wayOut(1)
            case .preview:
                [
                    KeyHint("note.preview", "write", rank: 0), KeyHint("find.start", "find", rank: 3),
                    KeyHint("preview.nextLink", "next link", rank: 4),
                ] + wayOut(1)
            case .search:
                [
                    KeyHint("search.complete", "complete", rank: 2), KeyHint("search.save", "save", rank: 3),
                    KeyHint("search.open", "open", rank: 1), KeyHint("search.cancel", "cancel", rank: 0),
                ]
            case .find:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.field", "other field", rank: 3),
                    KeyHint("find.replaceAll", "replace all", rank: 2), KeyHint("find.close", "close", rank: 0),
                ]
            case .findInPreview:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.previous", "previous", rank: 2),
                    KeyHint("find.close", "close", rank: 0),
                ]
            }
        }

        /// The hints of a box, the way out of it, and the help.
        static func of(_ hints: [KeyHint]) -> [KeyHint] {
            let isLeft = hints.contains { $0.command == "overlay.cancel" }
            return [KeyHint("app.help", "help", rank: 4)] + hints + (isLeft ? [] : Hints.cancel)
        }

        private static func general(_ rank: Int) -> [KeyHint] {
            [KeyHint("app.help", "help", rank: rank)] + wayOut(rank + 1)
        }

        private static func wayOut(_ rank: Int) -> [KeyHint] {
            [
                KeyHint("app.palette", "commands", rank: rank + 1, in: .everywhere),
                KeyHint("app.quit", "quit", rank: rank, in: .everywhere),
            ]
        }
    }

    static let escCancels = "Esc cancel"
    static let moreKeys = "more keys"
    static func noCommand(on keys: String) -> String { "\(keys) has no command here" }

    // MARK: Pasting

    static func pasteStalled(bytes: Int) -> String {
        "Pasting… \(Question.count(bytes, "byte")) so far, and no end. Ctrl-C gives up"
    }

    static let pasteAbandoned =
        "Pasted what came; the rest, and all keys, are dropped until the paste ends. Ctrl-C ends it now"

    static func pasteTooLong(limit megabytes: Int) -> String {
        "Not pasted: longer than \(megabytes) MB; import it as a file"
    }

    static func pastedAsText(_ reason: String) -> String { "Pasted as text: \(reason)" }

    // MARK: Boxes

    static let help = "Help"
    static let report = "Report"
    static let title = "Title"
    static let earlierVersions = "Earlier versions"
    static let comparing = "Comparing …"
    static let identicalVersion = "Identical to the current text."
    static let noMatches = "No matches"
    static let pathNeeded = "Type a path first"
    static let stopping = "stopping"
    static let nothingOpenOverPanes = "No box is open"

    enum Project {
        static let title = "New project"
        static let name = "Name"
        static let type = "Type"
        static let details = "Details"
    }

    /// `creates “Plans”`: what Enter does with a title that no note has.
    static func createsNote(_ title: String) -> String { "creates “\(title)”" }

    // MARK: Finding and replacing

    static let replaceInNotes = "Replace in notes"
    static let searching = "searching"
    static let noMatch = "no match"
    static let needsFindBar = "Open the find bar first"
    static let needsWriting = "Go back to writing to replace"

    /// `12 of 14 in 3 notes`.
    static func replacing(_ count: Int, of all: Int, notes: Int, isCut: Bool) -> String {
        let chosen = count == all ? "\(all)" : Self.count(count, of: all)
        return "\(chosen) in \(Question.count(notes, "note"))\(isCut ? ", the first" : "")"
    }

    // MARK: Counts

    /// `120 of 400`.
    static func count(_ count: Int, of all: Int) -> String { "\(count) of \(all)" }
}

import NoteStore
import Terminal

/// Messages in the window, about what the program does around the notebook.
extension Texts {
    static let backFromEditor = "Back from the editor"
    static func updated(to version: String) -> String {
        "Updated to version \(version); “What is new” among the commands tells more"
    }
    static let draftSaved = "Saved the unsaved text of an external editor"
    static func draftCameIn(_ note: NoteRow) -> String {
        "A text that was kept unsaved is now the note “\(note.title)” in the Inbox"
    }
    static func noticeOfDraft(_ note: NoteRow) -> String {
        "a text that was kept unsaved is now the note “\(note.title)” in the Inbox"
    }
    static let openedOnlyWeb = "Only web and mail addresses can be opened"
    static let themeOfEnvironment = "Not saved: TAKENOTE_THEME decides at the next start"
    static let themeByHand = "Not saved: config.toml sets the theme in a way that only you can change"
    static func themeNotWritten(_ error: any Error) -> String {
        "Not saved: config.toml could not be written: \(Failure(error).message)"
    }
    static func keptElsewhere(_ copy: OutsideEdit.Copy) -> String {
        (copy.isNoteGone ? "Deleted for ever elsewhere" : "Also changed elsewhere")
            + ": your text is kept as “\(copy.note.title)”"
    }
    static func notEdited(_ error: any Error) -> String { "Not edited: \(Failure(error).message)" }
    static func noBackup(_ error: any Error) -> String { "No backup: \(Failure(error).message)" }
    static func notTrimmed(_ error: any Error) -> String {
        "Old versions and actions were not trimmed: \(Failure(error).message)"
    }
    static func noTags(_ error: any Error) -> String { "The tags were not read: \(Failure(error).message)" }
    static func notebookNotOpened(_ error: any Error) -> String {
        "The notebook was not opened: \(Failure(error).message)"
    }
    static func notAllowed(_ error: any Error) -> String {
        "You will be asked again: \(Failure(error).message)"
    }
    static func notReachable(_ error: any Error) -> String {
        "Other programs cannot open notes in this window: \(Failure(error).message)"
    }
    static func noSnapshot(_ error: any Error) -> String { "No snapshot: \(Failure(error).message)" }
    static func openedWith(_ program: String) -> String { "Opened with \(program)" }
    static func noOpener(_ program: String) -> String { "Cannot find \(program); copy the address instead" }

    /// The last line of the small editor for a new note.
    enum Composer {
        static let hint = " New note    Ctrl-S saves   Esc cancels"
        static let question = " Esc again throws this text away; Ctrl-S saves it"

        /// A crash would lose the text, because it cannot be kept in a file.
        static func notKept(_ reason: String) -> String { " Kept nowhere until Ctrl-S saves it: \(reason)" }

        /// Returns the message about a paste; nil if it has ended.
        static func sign(of status: PasteStatus) -> String? {
            switch status {
            case .stalled: " Pasting… the end has not come; Ctrl-C gives up"
            case .abandoned: " Pasted what came; the rest, and all keys, are dropped until it ends. Ctrl-C ends it now"
            case .refused(_, let limit): " Not pasted: it is longer than \(limit >> 20) MB; tn new <FILE takes it"
            case .ended: nil
            }
        }
    }
}

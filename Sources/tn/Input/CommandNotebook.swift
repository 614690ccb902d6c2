import NoteStore
import Synchronization

/// The notebook that the command has opened, for work after its output.
enum CommandNotebook {
    static let last = Mutex<Notebook?>(nil)

    /// Prints a notice that the shown content may be old, if the notebook's file has several names.
    static func tellOfOtherNames() {
        if let error = last.withLock({ $0 })?.otherNames { StandardError.notice(error.sentence) }
    }

    /// Makes the day's backup if it is due, so that users of the shell commands alone have one too.
    ///
    /// It runs after the output, and not for `tn --new`, which nobody should have to wait for: the next other command
    /// makes the backup.
    static func makeDailyBackup() {
        guard let notebook = last.withLock({ $0 }) else { return }
        do {
            // Without threads it would never end; the next command tries again.
            _ = try notebook.backups.createDailyIfChanged { ThreadLimit.canStart(ThreadLimit.command) }
        } catch StoreError.busy, StoreError.readOnly, StoreError.closed {
            // The next command tries again. If the notebook cannot be written, it has not changed; if it is closed, the
            // window has it now.
        } catch {
            // The next command tries again too, but somebody who never opens the window would not know that there is no
            // backup.
            StandardError.notice(Texts.noBackup(error))
        }
    }
}

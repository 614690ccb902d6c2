import NoteStore
import Processes
import ViewModel

/// The work that is left when a window has ended, done by separate programs that nobody waits for.
@MainActor
struct WorkAfterWindow {
    let model: TakeNoteVM
    let notebook: Notebook
    let path: String

    func start() {
        sendChanges()
        mirrorFolders()
    }

    /// Starts a program that synchronises the remaining changes after this one has ended.
    private func sendChanges() {
        let settings = model.sync.settings
        guard settings.isAutomatic, settings.atLeave, model.sync.status.isOn else { return }
        if case .undecided = model.sync.status.outcome { return }
        // If the state is unknown, or no program can be started, the changes are sent after the next start.
        guard let facts = try? notebook.sync.facts(), facts.changes > 0 || model.sync.status.isRunning,
            let program = ProgramFile.path
        else { return }
        // The notes are safe; unsent changes are sent next time.
        try? ChildProcess.start(
            detached: program, ["tn", "sync", "now", "--quiet", "--wait", "30", "--database", path])
    }

    /// Starts programs that write the remaining changes into the mirrored folders after this one has ended.
    ///
    /// Leaving saves what was typed last, which no round of this window has seen, so there is always a last round.
    private func mirrorFolders() {
        guard model.mirror.isAutomatic, let program = ProgramFile.path,
            let folders = try? notebook.transfer.mirroredFolders()  // else after the next start
        else { return }
        for folder in folders {
            // It waits for a round of this window, which may still be running. What it cannot write is written next time.
            try? ChildProcess.start(detached: program, ["tn", "mirror", folder, "--wait", "30", "--database", path])
        }
    }
}

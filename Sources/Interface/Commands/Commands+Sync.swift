import NoteStore
import ViewModel

/// The commands of synchronising with other machines and folders.
@MainActor
let syncCommands: [Command] = [
    Command(
        "sync.now", "Sync now", .application,
        when: { .when($0.model.sync.status.isOn, else: Texts.notSynchronised) }
    ) { $0.model.sync.run() },
    Command(
        "sync.conflicts", "Conflicts between machines…", .application,
        when: { .when($0.model.sync.status.conflicts > 0, else: Texts.noConflicts) }
    ) { $0.showConflicts() },
    Command("mirror.now", "Mirror folders now", .application) { $0.model.mirror.run() },
]

extension NotebookInterface {
    /// Returns what names the notes with the two texts of a conflict, and says when each was last changed.
    func sides(of conflict: SyncConflict) -> ConflictsOverlay.Sides {
        func side(_ note: NoteRow) -> String {
            Texts.side(note.title, changed: Age(state.dates).text(of: note.updatedDate, at: now()))
        }
        return ConflictsOverlay.Sides(
            this: conflict.original.map { Texts.thisSide(side($0)) }, that: Texts.thatSide(side(conflict.copy)))
    }

    /// Opens the list of what two machines wrote differently.
    func showConflicts() {
        let conflicts = model.conflicts()
        guard !conflicts.isEmpty else { return model.say(Texts.noConflicts) }
        let actions = ConflictsOverlay.Actions { [weak self] conflict, deliver in
            self?.model.compare(conflict) { [weak self] diff in
                deliver(diff)
                self?.needsFrame = true
            }
        } settle: { [weak self] in
            self?.model.settle($0, $1) ?? false
        } edit: { [weak self] conflict in
            guard let self else { return }
            let note = conflict.original ?? conflict.copy
            if model.openNote?.id != note.id { model.show(note) }
            focus(.editor)
        } sides: { [weak self] conflict in
            self?.sides(of: conflict)
        }
        show(ConflictsOverlay(conflicts, actions))
    }
}

import NoteStore

/// Backups of the whole notebook, made by the user or before rows are deleted for ever.
extension TakeNoteVM {
    /// The size in bytes up to which a notebook is copied and checked at once, without missing a frame.
    private static let quicklyCopied = 4_000_000

    /// Makes a backup now, and shows its path.
    public func makeBackup() {
        let notebook = notebook
        afterBackup(Texts.Attempt.makeBackup) {
            try notebook.backups.create(.byHand)
        } then: { [self] backup in
            say(Texts.backupMade(backup.path))
        }
    }

    /// Runs an action that begins with a backup, in the background if that takes long.
    ///
    /// - Parameter then: called on the main actor after the action.
    func afterBackup<T: Sendable>(
        _ action: String, _ work: @escaping @Sendable () throws -> T,
        then: @escaping @MainActor @Sendable (T) throws -> Void
    ) {
        saver.saveNow()
        guard notebook.care.fileSize > Self.quicklyCopied else {
            attempt(action) { try then(work()) }
            return
        }
        say(Texts.makingBackup)
        let scheduler = scheduler
        saver.perform { @Sendable [weak self] in
            let outcome = Result(catching: work)
            scheduler.post {
                guard let self else { return }
                self.attempt(action) { try then(outcome.get()) }
            }
        }
    }
}

import NoteStore

/// Starting, noticing what changed outside, saving, leaving.
extension TakeNoteVM {
    /// Reads the notebook and shows `place`, or the Inbox.
    public func start(at place: Location? = nil) {
        folderInit()
        go(to: place ?? Location(container: .inbox))
        sayWhatWasRecovered()
        // The first frame comes first.
        _ = scheduler.schedule(after: .milliseconds(20)) { [weak self] in self?.saver.journal.prepare() }
        _ = scheduler.schedule(after: .seconds(1)) { [weak self] in self?.saver.finishForOthers() }
        changeFeed = ChangeFeed(of: notebook, scheduler: scheduler) { [weak self] byAnother in
            self?.notebookChanged(byAnother: byAnother)
        }
    }

    /// Reads anew what is shown after something changed in the notebook, by us or by another program.
    private func notebookChanged(byAnother: Bool) {
        if byAnother { folderInit() }
        attempt(Texts.Attempt.readNotebook) { try reload() }
    }

    /// Reads containers, list and open note anew; what is selected stays so.
    func reload() throws {
        try reloadContainers()
        try reloadList()
        try refreshOpenNote()
        recount()
    }

    /// Reads containers and list anew.
    func reloadLists() throws {
        try reloadContainers()
        try reloadList()
        recount()
    }

    /// Writes down what was typed: to be called before a frame that shows it is painted.
    public func writeJournal() {
        saver.journal.write()
    }

    /// Saves what is not saved yet, and returns when it is safe.
    public func saveNow() {
        saver.saveNow()
    }

    /// The texts that are not in the notebook, each with the reason why.
    public var unsavedTexts: [(text: String, reason: String)] {
        open.sessions.compactMap { session in
            guard case .failing(let reason) = session.saveState else { return nil }
            return (session.text, reason)
        }
    }

    /// Ends the view-model's work: everything is saved, nothing is watched any more.
    public func stop() {
        changeFeed = nil
        search.interrupt()
        notebook.beginLeaving()
        // What is running stops after the step that it is at, so that nothing is left half done.
        tasks.stopAndWait()
        removeUntouchedNote()
        saver.close(open.sessions)
    }
}

import NoteStore

/// Starting, reloading, saving, stopping.
extension TakeNoteVM {
    /// Reads the notebook and shows `location`, or the Inbox.
    public func start(at location: Location? = nil) {
        folderInit()
        go(to: location ?? Location(container: .inbox))
        reportRecovery()
        // These wait until the first frame is shown.
        _ = scheduler.schedule(after: .milliseconds(20)) { [weak self] in
            self?.saver.journal.prepare()
            self?.sync.readFacts()
            self?.mirror.begin()
            self?.warnOfSyncedFolder()
        }
        _ = scheduler.schedule(after: .milliseconds(20)) { [notebook, backgroundThreads] in
            backgroundThreads.run {
                try? notebook.openReaders()  // reads share the connection that writes until the next start
            }
        }
        _ = scheduler.schedule(after: .seconds(1)) { [weak self] in self?.saver.finishForOthers() }
        changeFeed = ChangeFeed(of: notebook, scheduler: scheduler) { [weak self] byAnother in
            self?.notebookChanged(byAnother: byAnother)
        }
    }

    /// Reads the shown state again after a change of the notebook, by this program or by another.
    private func notebookChanged(byAnother: Bool) {
        if byAnother { folderInit() }
        // A notebook that could only be read is recovered once it can be written.
        if notebook.recovered != reportedRecovery { reportRecovery() }
        attempt(Texts.Attempt.readNotebook) { try reload(byAnother: byAnother) }
        sync.readFacts()
        mirror.notebookChanged()
    }

    /// Reads containers, list and open note again, all as they are at one moment; the selection stays.
    ///
    /// - Parameter byAnother: whether another program changed the notebook.
    func reload(byAnother: Bool = false) throws {
        try notebook.atOneMoment {
            try reloadContainers()
            try reloadList()
            try refreshOpenNote()
            try refreshNoteBeside(byAnother: byAnother)
        }
        recount()
    }

    /// Reads containers and list again, both as they are at one moment.
    func reloadLists() throws {
        try notebook.atOneMoment {
            try reloadContainers()
            try reloadList()
        }
        recount()
    }

    /// Writes typed text to the journal; must be called before a frame that shows this text is painted.
    public func writeJournal() {
        saver.journal.write()
    }

    /// Saves all unsaved text, and returns when it is safe.
    public func saveNow() {
        saver.saveNow()
    }

    /// The texts that could not be saved, each with the reason.
    public var unsavedTexts: [(text: String, reason: String)] {
        open.sessions.compactMap { session in
            guard case .failing(let reason) = session.saveState else { return nil }
            return (session.text, reason)
        }
    }

    /// Saves what is not saved yet before the program is left, and waits at most two seconds for other programs.
    ///
    /// - Returns: the texts that could not be saved, each with the reason; the program goes on if there are any.
    public func saveBeforeLeaving() -> [(text: String, reason: String)] {
        notebook.beginLeaving()
        saver.saveNow()
        let unsaved = unsavedTexts
        if !unsaved.isEmpty { notebook.endLeaving() }
        return unsaved
    }

    /// Returns whether keys have piled up since the last call, while a write waited for another program.
    public func takeStall() -> Bool { notebook.takeLimitedWait() }

    /// Whether the journal has the texts that are not saved, so that the next start brings them back.
    public var keepsUnsavedTexts: Bool { !saver.journal.isFailing }

    /// Stops the view-model: saves everything, and ends tasks and observation.
    public func stop() {
        changeFeed = nil
        sessionWatch = nil
        sync.stop()
        mirror.stop()
        magicChat.stopAndWait()
        magicWork?.stopAndWait()
        automaticSummaries.stop()
        spelling.stop()
        search.interrupt()
        notebook.beginLeaving()
        // A running task stops after its current step, so that nothing is left half done.
        tasks.stopAndWait()
        removeUntouchedNote()
        saver.close(open.sessions)
    }
}

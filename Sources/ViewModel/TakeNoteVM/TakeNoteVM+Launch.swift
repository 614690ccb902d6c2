import NoteStore

/// Repairs at the start of the program: system folders, notes without a folder, leftovers of crashed programs.
extension TakeNoteVM {
    /// Ensures that every system folder exists once and that every note has a folder, and reads the tree.
    ///
    /// Opening the notebook has done so already, but another program may have made it necessary again.
    public func folderInit() {
        // The notebook can be read even if the repair fails.
        attempt(Texts.Attempt.readNotebook) { try reloadContainers() }
        attempt(Texts.Attempt.repairNotebook) {
            let report = try notebook.care.maintain(unfinished: false)
            guard !report.isEmpty else { return }
            try reloadContainers()
            try follow(report)
        }
    }

    /// Replays the journals of ended programs, and reports what was recovered.
    ///
    /// Notes that such a program had cut go back to their folders, or to the Inbox if a folder is gone.
    public func moveNotesFromBufferToInbox() {
        attempt(Texts.Attempt.emptyBuffer) {
            tell(try notebook.journal.replay())
            try reload()
        }
    }

    /// Takes over from other programs as soon as they end: saves what was typed in them and not saved, and moves the
    /// notes back that they had cut.
    ///
    /// The start does the same for those that ended before.
    public func watchOtherPrograms() {
        let scheduler = scheduler
        sessionWatch = SessionWatch(notebook.journal, except: saver.journal.openOwner) { @Sendable [weak self] ended in
            scheduler.post { self?.takeOver(from: ended) }
        }
    }

    /// Looks for programs that have ended without being noticed, as on another machine; call it now and then.
    public func lookForEndedPrograms() {
        sessionWatch?.watchFolder()
        takeOver(from: nil)
    }

    /// Takes over on the thread of the saves, where a long text keeps no key waiting.
    ///
    /// - Parameter ended: the journal of a program that has ended; nil to look for some.
    func takeOver(from ended: EndedSession?) {
        takeOvers += 1
        let (notebook, scheduler) = (notebook, scheduler)
        // A journal that could not be replayed was reported, and waits for the next start.
        let known = leftJournals?.union(notebook.recovered.replay.waiting.map(\.path))
        saver.perform { @Sendable [weak self] in
            let outcome = Result { try Self.takeOver(from: ended, in: notebook, known: known) }
            scheduler.post { self?.tookOver(outcome) }
        }
    }

    /// Replays the journals of dead programs if there are any but the known ones, or if these are not known.
    private nonisolated static func takeOver(
        from ended: EndedSession?, in notebook: Notebook, known: Set<String>?
    ) throws -> (report: ReplayReport, left: Set<String>)? {
        if ended == nil, let known, try notebook.journal.abandoned().isSubset(of: known) { return nil }
        var (report, left) = try notebook.journal.replay(ended)
        // They were reported before.
        let news = report.waiting.filter { known?.contains($0.path) != true }
        report.problems.removeAll { problem in
            report.waiting.contains { $0.problem == problem } && !news.contains { $0.problem == problem }
        }
        report.waiting = news
        return (report, left)
    }

    private func tookOver(_ outcome: Result<(report: ReplayReport, left: Set<String>)?, any Error>) {
        takeOvers -= 1
        switch outcome {
        case .success(let found):
            guard let (report, left) = found else { return }
            leftJournals = left
            tell(report)
            if report.waiting.isEmpty, let problem = report.problems.first {
                sayNews(Sentence.of(problem), kind: .refused)
            }
        case .failure(let error):
            // The next look tries again, and does not report the same again.
            if leftJournals != nil { sayNews(Texts.couldNot(Texts.Attempt.emptyBuffer, error), kind: .refused) }
            leftJournals = nil
        }
    }

    /// Reports what opening the notebook has recovered and repaired.
    func reportRecovery() {
        let recovered = notebook.recovered
        reportedRecovery = recovered
        attempt(Texts.Attempt.showRepairs) { try follow(recovered.maintenance) }
        tell(recovered.replay)
        if let path = recovered.lostLog { say(Texts.logIsDamaged(path), kind: .trouble) }
        if recovered.replay.waiting.isEmpty, let problem = recovered.problem {
            sayNews(Sentence.of(problem), kind: .refused)
        }
    }

    /// Warns once that another tool copies the notebook's folder to other machines, unless there is news of texts.
    func warnOfSyncedFolder() {
        guard notice == nil else { return }
        attempt(Texts.Attempt.readNotebook) {
            guard let tool = try notebook.care.syncWarning() else { return }
            say(Texts.folderIsSynced(by: tool), kind: .trouble)
        }
    }

    /// Updates the selection after a repair, and reports it.
    ///
    /// The selection moves from a duplicate to the canonical folder, and an alert says where notes without a folder are
    /// now.
    private func follow(_ report: MaintenanceReport) throws {
        if let selected = selectedContainer, let canonical = report.folded[selected.id] {
            try show(container: canonical, around: openNote?.id)
        }
        guard let folder = report.recoveryFolder else { return }
        messages.set(recovery: .init(isPresented: true, message: folder.name))
        say(Texts.recovered(report.recoveredNotes, in: folder.name), kind: .trouble)
    }

    /// Reports what was recovered, in order of importance.
    private func tell(_ report: ReplayReport) {
        // This comes first, because what is shown is older than what was typed.
        if !report.waiting.isEmpty { return say(Texts.textWaits(in: report.waiting), kind: .trouble) }
        if let path = report.setAside.first {
            return say(Texts.damagedJournal(path, saved: report.saved + report.copies), kind: .trouble)
        }
        if !report.copies.isEmpty { return say(Texts.textRecovered(as: report.copies), kind: .trouble) }
        var news = report.saved.isEmpty ? [] : [Texts.textRecovered(of: report.saved)]
        if let stray = report.returnedElsewhere.first {
            news.append(Texts.cutNotesElsewhere(report.returnedElsewhere, in: stray.folderName))
        } else if !report.returned.isEmpty {
            news.append(Texts.cutNotesBack(report.returned))
        }
        if !news.isEmpty { sayNews(news.joined(separator: ". ")) }
    }
}

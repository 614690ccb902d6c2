import NoteStore

/// What is put right when the program starts: system folders, notes without a folder, what programs that died left.
extension TakeNoteVM {
    /// Sees to it that every system folder is there once and that every note has a folder, and reads the tree.
    ///
    /// Opening the notebook has done so already; another program may have made it needed again.
    public func folderInit() {
        // What cannot be put right now can be read all the same.
        attempt(Texts.Attempt.readNotebook) { try reloadContainers() }
        attempt(Texts.Attempt.repairNotebook) {
            let report = try notebook.care.maintain(unfinished: false)
            guard !report.isEmpty else { return }
            try reloadContainers()
            try follow(report)
        }
    }

    /// Puts notes that programs which are gone had cut back where they came from, or into the Inbox where that is gone.
    public func moveNotesFromBufferToInbox() {
        attempt(Texts.Attempt.emptyBuffer) {
            tell(try notebook.journal.replay())
            try reload()
        }
    }

    /// Says what opening the notebook has brought back and put right.
    func sayWhatWasRecovered() {
        let recovered = notebook.recovered
        attempt(Texts.Attempt.showRepairs) { try follow(recovered.maintenance) }
        tell(recovered.replay)
        if let problem = recovered.problem { say(Sentence.of(problem), kind: .refused) }
    }

    /// Goes along with what was put right: the selection moves from a duplicate to the canonical folder, and an alert
    /// says where notes without a folder are now.
    private func follow(_ report: MaintenanceReport) throws {
        if let selected = selectedContainer, let canonical = report.folded[selected.id] {
            try show(container: canonical, around: openNote?.id)
        }
        guard let folder = report.recoveryFolder else { return }
        messages.set(recovery: .init(isPresented: true, message: folder.name))
        say(Texts.recovered(report.recoveredNotes, in: folder.name), kind: .trouble)
    }

    /// Says what was brought back; what matters most comes first.
    private func tell(_ report: ReplayReport) {
        if let path = report.setAside.first {
            return say(Texts.damagedJournal(path, saved: report.saved + report.copies), kind: .trouble)
        }
        if !report.copies.isEmpty { return say(Texts.textRecovered(as: report.copies), kind: .trouble) }
        if !report.saved.isEmpty { return say(Texts.textRecovered(of: report.saved)) }
        if let stray = report.returnedElsewhere.first {
            return say(Texts.cutNotesElsewhere(report.returnedElsewhere, in: stray.folderName))
        }
        if !report.returned.isEmpty { say(Texts.cutNotesBack(report.returned)) }
    }
}

import NoteStore

/// What is put right when the program starts: system folders, notes without a folder, what programs that died left.
extension TakeNoteVM {
    /// Sees to it that every system folder is there once and that every note has a folder, and reads the tree.
    ///
    /// Opening the notebook has done so already; another program may have made it needed again.
    public func folderInit() {
        attempt("repair the notebook") {
            let report = try notebook.care.maintain(unfinished: false)
            try reloadContainers()
            try follow(report)
        }
    }

    /// Folds duplicates of the system folders into the canonical ones, which always exist.
    public func createInboxFolder() { folderInit() }
    public func createStarredFolder() { folderInit() }
    public func createAllNotesFolder() { folderInit() }
    public func createTrashFolder() { folderInit() }
    public func createArchiveFolder() { folderInit() }
    public func createBufferFolder() { folderInit() }

    /// Puts notes that programs which are gone had cut back where they came from, or into the Inbox where that is gone.
    public func moveNotesFromBufferToInbox() {
        attempt("empty the Buffer") {
            tell(try notebook.journal.replay())
            try reload()
        }
    }

    /// Says what opening the notebook has brought back and put right.
    func sayWhatWasRecovered() {
        let recovered = notebook.recovered
        attempt("show what was repaired") { try follow(recovered.maintenance) }
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
        let notes = Question.count(report.recoveredNotes, "note")
        say("\(notes) without a folder: now in “\(folder.name)”", kind: .trouble)
    }

    /// Says what was brought back; what matters most comes first.
    private func tell(_ report: ReplayReport) {
        if let path = report.setAside.first {
            let kept = report.saved + report.copies
            let found = kept.isEmpty ? "nothing in it could be read" : "what it held is in \(describe(kept))"
            return say("A damaged journal is kept as \(path); \(found)", kind: .trouble)
        }
        if !report.copies.isEmpty {
            return say("Unsaved text brought back as \(describe(report.copies))", kind: .trouble)
        }
        if !report.saved.isEmpty { return say("Unsaved text of \(describe(report.saved)) brought back") }
        if let stray = report.returnedElsewhere.first {
            let place = stray.folderName
            return say(
                "\(describe(report.returnedElsewhere)) had been cut; now in \(place), because the old folder is gone")
        }
        if !report.returned.isEmpty { say("\(describe(report.returned)) had been cut but not pasted; moved back") }
    }
}

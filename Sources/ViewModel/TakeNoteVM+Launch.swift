import NoteStore

/// What is put right when the program starts: system folders, notes without a folder, what programs that died left.
extension TakeNoteVM {
    /// Sees to it that every system folder is there once, that every note has a folder, and that nothing is left of
    /// programs that died: their unsaved texts are saved, the notes they had cut are back.
    public func folderInit() {
        attempt("put the notebook right") {
            let recovered = try notebook.replayJournals()
            try recoverOrphans()
            try reloadContainers()
            tell(recovered)
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
            tell(try notebook.replayJournals())
            try reload()
        }
    }

    /// Puts notes without a folder into one, and duplicate system folders into the canonical ones, the selection with
    /// them; the alert says where.
    private func recoverOrphans() throws {
        let report = try notebook.maintain()
        if let selected = selectedContainer, let canonical = report.folded[selected.id] {
            selectedContainer = try notebook.container(canonical)
        }
        guard let folder = report.recoveryFolder else { return }
        orphanRecoveryFolderName = folder.name
        orphanRecoveryAlertVisible = true
        let notes = Question.count(report.recoveredNotes, "note")
        say("\(notes) without a folder: now in “\(folder.name)”", kind: .trouble)
    }

    /// Says what was brought back; what matters most comes first.
    private func tell(_ report: ReplayReport) {
        if !report.copies.isEmpty {
            return say("Unsaved text brought back as \(describe(report.copies))", kind: .trouble)
        }
        if !report.saved.isEmpty { return say("Unsaved text of \(describe(report.saved)) brought back") }
        if let stray = report.returnedElsewhere.first {
            let place = stray.folderName
            return say("\(describe(report.returnedElsewhere)) had been cut: now in \(place), for the old place is gone")
        }
        if !report.returned.isEmpty { say("\(describe(report.returned)) had been cut and not pasted: back in place") }
    }
}

import NoteStore

/// Cutting, copying and pasting of notes, through the Buffer folder.
extension TakeNoteVM {
    /// Removes notes from their folders until they are pasted; if the program ends before that, they go back.
    public func cutNotes(_ notes: [NoteRow]? = nil) {
        act(Texts.Attempt.cut, on: notes) {
            try notebook.buffer.cut($0, owner: saver.journal.owner())
            copied.clear()
        } saying: {
            Texts.cut($0) + pasteHint(isCut: true)
        }
    }

    /// Remembers notes for pasting copies of them.
    public func copyNotes(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        guard !notes.isEmpty else { return say(Texts.noNoteSelected, kind: .refused) }
        copied.copy(notes.map(\.id))
        notesCopied(copied.ids)
        clearMarks()
        say(Texts.copied(describe(notes)) + pasteHint(isCut: false))
    }

    /// The notes that would be pasted as copies.
    public var copiedNotes: [NoteID] { copied.ids }

    /// Remembers notes that were copied in another window, for pasting copies of them here.
    public func take(copiedNotes notes: [NoteID]) { copied.copy(notes) }

    private func pasteHint(isCut: Bool) -> String {
        keyLabel("note.paste").map { Texts.pasteHint($0, isCut: isCut) } ?? ""
    }

    /// Whether notes were cut or copied, and the selected container can take them.
    public var canPaste: Availability {
        guard !bufferIsEmpty || !copied.ids.isEmpty else { return .unavailable(Texts.nothingCopied) }
        guard let container = selectedContainer, noteSearchText.isEmpty else {
            return .unavailable(Texts.leaveSearchToPaste)
        }
        return .when(container.isTag || container.takesNewNotes, else: Texts.cannotPaste(container.name))
    }

    /// The session that owns what is cut again by undo or redo; nil where no journal can be written.
    var bufferOwner: String? { try? saver.journal.owner() }  // then such notes stay where they are

    /// The number of notes that this program has cut and not pasted yet.
    public var cutNotesCount: Int { copied.cutCount }

    /// Returns the notes that this program has cut to their folders.
    public func putBackCutNotes() {
        attempt(Texts.Attempt.restore) {
            let (notes, elsewhere) = try notebook.buffer.putBack(owner: saver.journal.owner())
            try reload()
            if let first = notes.first { putCursor(on: first) }
            let done = Texts.movedBack(describe(notes))
            guard let moved = elsewhere.first else { return say(done) }
            say(Texts.putElsewhere(done, describe(elsewhere), in: moved.folderName))
        }
    }

    /// Moves cut notes into the selected container, and copies copied ones into it.
    ///
    /// If a tag is selected, copied notes get the tag instead, and cut notes go back to their folders with the tag.
    public func pasteNotes() {
        guard let target = selectedContainer else { return }
        if let reason = canPaste.reason { return say(reason, kind: .refused) }
        attempt(Texts.Attempt.paste) {
            saver.saveNow()
            // A note deleted for ever in the meantime cannot be copied.
            let originals = try notebook.notes.rows(copied.ids)
            let pasted =
                try bufferIsEmpty
                ? pasteCopies(of: originals, into: target)
                : notebook.buffer.paste(
                    into: target.id, owner: saver.journal.owner(), copying: originals.map(\.id))
            guard let first = pasted.first else { return say(Texts.nothingCopiedHere, kind: .refused) }
            try reload()
            putCursor(on: first)
            say(Texts.pasted(describe(pasted), into: target.name))
        }
    }

    private func pasteCopies(of originals: [NoteRow], into target: NoteContainer) throws -> [NoteRow] {
        guard !originals.isEmpty else { return [] }
        guard target.isTag else { return try notebook.notes.copy(originals.map(\.id), to: target.id) }
        try notebook.tags.add(target.id, to: originals.map(\.id))
        return originals
    }
}

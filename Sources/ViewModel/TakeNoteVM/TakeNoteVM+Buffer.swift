import NoteStore

/// Cutting, copying and pasting of notes, through the Buffer.
extension TakeNoteVM {
    /// Takes notes out of their folders until they are pasted; when the program ends before, they go back.
    public func cutNotes(_ notes: [NoteRow]? = nil) {
        act("cut", on: notes) {
            try notebook.buffer.cut($0, owner: saver.journal.owner())
            copied.clear()
        } saying: {
            "\($0) cut" + pasteHint(in: "another folder")
        }
    }

    /// Remembers notes for pasting copies of them.
    public func copyNotes(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        guard !notes.isEmpty else { return say("No note is selected", kind: .refused) }
        copied.copy(notes.map(\.id))
        clearMarks()
        say("\(describe(notes)) copied" + pasteHint(in: "any folder"))
    }

    private func pasteHint(in place: String) -> String {
        keyLabel("note.paste").map { "; \($0) pastes in \(place)" } ?? ""
    }

    /// Whether something was cut or copied, and whether the selected container can take it.
    public var canPaste: Availability {
        guard !bufferIsEmpty || !copied.ids.isEmpty else { return .unavailable("Nothing is cut or copied") }
        guard let container = selectedContainer, noteSearchText.isEmpty else {
            return .unavailable("Leave the search to paste")
        }
        let takes = container.isTag || container.isInbox || (container.isFolder && container.holdsNotes)
        return .when(
            takes && !container.isInTrash, else: "“\(container.name)” cannot hold notes; choose a folder to paste into")
    }

    /// Puts what was cut into the selected container, and copies of what was copied; a tag is set instead.
    public func pasteNotes() {
        guard let target = selectedContainer else { return }
        if let reason = canPaste.reason { return say(reason, kind: .refused) }
        attempt("paste") {
            saver.saveNow()
            var pasted = try bufferIsEmpty ? [] : notebook.buffer.paste(into: target.id, owner: saver.journal.owner())
            pasted += try pasteCopies(into: target)
            guard let first = pasted.first else { return say("Nothing is cut or copied here", kind: .refused) }
            try reload()
            putCursor(on: first)
            say("\(describe(pasted)) pasted into \(target.name)")
        }
    }

    private func pasteCopies(into target: NoteContainer) throws -> [NoteRow] {
        // A note deleted for ever since is not there to be copied.
        let originals = try notebook.notes.rows(copied.ids)
        guard !originals.isEmpty else { return [] }
        guard target.isTag else { return try notebook.notes.copy(originals.map(\.id), to: target.id) }
        try notebook.tags.add(target.id, to: originals.map(\.id))
        return originals
    }
}

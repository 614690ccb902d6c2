import NoteStore
import TextEditing

/// Earlier texts of the open note.
extension TakeNoteVM {
    /// The versions of the open note, the newest first; none is said and shown as an empty list.
    public func versions() -> [NoteVersion] {
        var versions: [NoteVersion] = []
        guard let openNote else { return versions }
        attempt(Texts.Attempt.readVersions) { versions = try notebook.versions.all(of: openNote.id) }
        return versions
    }

    /// Finds the way from an earlier text of the open note to the text as it is now.
    ///
    /// Long texts are compared behind the main actor, on a snapshot.
    ///
    /// - Parameter deliver: called on the main actor, at once where the text is short, with nil where the version cannot
    ///   be read, which is said. Not called once another comparison was asked for or another note is open.
    public func changes(since version: NoteVersion, deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void) {
        guard let session else { return deliver(nil) }
        let (notebook, note, snapshot) = (notebook, session.noteID, session.buffer)
        let request = open.beginComparison()
        let compare = { @Sendable in
            Result {
                TextDiff(from: try notebook.versions.text(of: note, version: version.number), to: snapshot.string())
            }
        }
        let finish = { @MainActor @Sendable [weak self] (result: Result<TextDiff, any Error>) in
            guard let self, open.isCurrent(request), self.session?.noteID == note else { return }
            var diff: TextDiff?
            attempt(Texts.Attempt.compareVersions) { diff = try result.get() }
            deliver(diff)
        }
        // A word is six bytes or so.
        let size = max(snapshot.utf8Count, version.wordCount * 6)
        guard size > Self.quicklyCompared else { return finish(compare()) }
        inBackground(compare, then: finish)
    }

    /// Makes an earlier text the open note's again; the present one is kept, and undo takes it back.
    public func restoreVersion(_ number: Int) {
        guard let openNote else { return }
        let done = attempt(Texts.Attempt.restoreVersion) {
            saver.saveNow()
            try notebook.versions.restore(number, of: openNote.id)
            try reload()
        }
        if done { say(Texts.versionRestored(keyLabel("app.undo"))) }
    }

    /// Reads anew what another program may have changed, without waiting to be told.
    public func takeInChanges() {
        attempt(Texts.Attempt.readNotebook) { try reload() }
    }
}

extension NoteVersion {
    /// The version in a few words: its title, its length, and why it was kept.
    public var summary: String { Texts.version(self) }
}

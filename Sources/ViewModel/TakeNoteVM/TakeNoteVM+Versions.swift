import NoteStore
import TextEditing

/// Earlier versions of the open note.
extension TakeNoteVM {
    /// The versions of the open note, the newest first; empty if they cannot be read, which a notice says.
    public func versions() -> [NoteVersion] {
        var versions: [NoteVersion] = []
        guard let openNote else { return versions }
        attempt(Texts.Attempt.readVersions) { versions = try notebook.versions.all(of: openNote.id) }
        return versions
    }

    /// Compares an earlier version of the open note with the current text.
    ///
    /// Long texts are compared in the background, on a snapshot.
    ///
    /// - Parameter deliver: called on the main actor, at once if the text is short. Its argument is nil if the version
    ///   cannot be read, which a notice says. Not called if another comparison was requested or another note is open.
    public func changes(since version: NoteVersion, deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void) {
        guard let session else { return deliver(nil) }
        let (notebook, note, snapshot) = (notebook, session.noteID, session.buffer)
        let request = open.beginComparison()
        let compare = { @Sendable in
            Result {
                TextDiff(from: try notebook.versions.text(of: note, version: version.number), to: snapshot.string())
            }
        }
        let finish: @MainActor @Sendable (Result<TextDiff, any Error>) -> Void = { [weak self] result in
            guard let self, open.isCurrent(request), self.session?.noteID == note else { return }
            var diff: TextDiff?
            attempt(Texts.Attempt.compareVersions) { diff = try result.get() }
            deliver(diff)
        }
        // An average word has about six bytes.
        let size = max(snapshot.utf8Count, version.wordCount * 6)
        guard size > Self.quicklyCompared else { return finish(compare()) }
        inBackground(compare, then: finish)
    }

    /// Restores an earlier version of the open note; the current text is kept, and undo brings it back.
    public func restoreVersion(_ number: Int) {
        guard let openNote else { return }
        guard openNote.place != .trash else { return say(Texts.restoreNoteFirst, kind: .refused) }
        let done = attempt(Texts.Attempt.restoreVersion) {
            saver.saveNow()
            try notebook.versions.restore(number, of: openNote.id)
            try reload()
        }
        if done { say(Texts.versionRestored(keyLabel("app.undo"))) }
    }

    /// Reads the changes of other programs now, without waiting for a notification.
    public func readOutsideChanges() {
        attempt(Texts.Attempt.readNotebook) { try reload(byAnother: true) }
    }
}

extension NoteVersion {
    /// The version in a few words: its title, its length, and why it was kept.
    public var summary: String { Texts.version(self) }
}

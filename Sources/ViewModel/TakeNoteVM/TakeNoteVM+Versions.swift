import NoteStore
import TextEditing

/// Earlier texts of the open note.
extension TakeNoteVM {
    /// The versions of the open note, the newest first; none is said and shown as an empty list.
    public func versions() -> [NoteVersion] {
        var versions: [NoteVersion] = []
        guard let openNote else { return versions }
        attempt("read the earlier versions") { versions = try notebook.versions.all(of: openNote.id) }
        return versions
    }

    /// The way from an earlier text of the open note to the one it has now; nil where it cannot be read, which is said.
    public func changes(since number: Int) -> TextDiff? {
        guard let openNote else { return nil }
        var diff: TextDiff?
        attempt("compare the versions") {
            saver.saveNow()
            diff = try notebook.versions.compare(openNote.id, version: number)
        }
        return diff
    }

    /// Makes an earlier text the open note's again; the present one is kept, and undo takes it back.
    public func restoreVersion(_ number: Int) {
        guard let openNote else { return }
        let done = attempt("restore the version") {
            saver.saveNow()
            try notebook.versions.restore(number, of: openNote.id)
            try reload()
        }
        let undo = keyLabel("app.undo").map { "; \($0) in the list undoes it" } ?? ""
        if done { say("Earlier version restored" + undo) }
    }

    /// Reads anew what another program may have changed, without waiting to be told.
    public func takeInChanges() {
        attempt("read the notebook") { try reload() }
    }
}

extension NoteVersion {
    /// The version in a few words: its title, its length, and why it was kept.
    public var summary: String {
        let why =
            switch reason {
            case .left: ""
            case .restored: ", before a restore"
            case .merged: ", before a merge"
            case .outside: ", before a change from outside"
            }
        return "\(title) (\(wordCount == 1 ? "1 word" : "\(wordCount) words")\(why))"
    }
}

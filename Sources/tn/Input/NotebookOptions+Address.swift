import NoteStore
import SystemPackage

extension NotebookOptions {
    /// Returns the options of the notebook that holds the note of an address.
    ///
    /// An address names no notebook, and may come from another one than the one in use. It is looked for in the one in
    /// use, then in the others by their names. A title, and a notebook that is named, mean only the one in use.
    ///
    /// - Returns: these options, if no notebook holds the note, so that the error is that of the one in use.
    func holding(_ reference: String) -> NotebookOptions {
        guard database == nil, notebook == nil, Notebook.Notes.uuid(in: reference) != nil else { return self }
        let mine = path
        if Self.holds(reference, at: mine) { return self }
        for name in NamedNotebooks.names() {
            let other = NotebookOptions(database: nil, notebook: name)
            if other.path != mine, Self.holds(reference, at: other.path) { return other }
        }
        return self
    }

    /// Whether the notebook of a file holds the note; false if it cannot be read, which opening it explains.
    private static func holds(_ reference: String, at path: String) -> Bool {
        let options = Notebook.Options(recoversSessions: false, readOnly: true)
        guard PrivateFile.exists(FilePath(path)),
            let notebook = try? Notebook.open(path, mode: .command, options: options)
        else { return false }
        let row = try? notebook.notes.resolve(reference: reference)  // any error means that it has no such note
        // Nothing was written, so nothing is lost if it cannot be closed.
        try? notebook.close()
        return row != nil
    }
}

import GRDB
import SystemPackage

/// The documents of other programs in the imported folder to which no text refers, such as a canvas of Obsidian: each
/// comes in as a file, with a note that links to it, so that it can be found and no emptied Trash takes it.
extension ImportRun {
    /// Makes notes for the documents that nothing refers to, once it is known to what the texts refer.
    func takeDocuments() throws(StoreError) {
        guard !result.wasCancelled else { return }
        let (fileCount, noteCount) = (result.fileCount, result.noteImportCount + result.mergedCount)
        var files: [ImportFile] = []
        for file in format.documents where !isReferredTo(file.location) {
            if let document = try document(file) { files.append(document) }
        }
        try storeWaiting()
        changes = []
        try takeAsNotes(files)
        try decideOnChanges()
        try mergeChanges()
        // One that the notebook has already was only compared.
        result.fileCount = fileCount + result.noteImportCount + result.mergedCount - noteCount
    }

    /// Stores a document, and returns the text that links to it; `nil` if it cannot be stored, which is reported.
    private func document(_ file: ImportPlan.File) throws(StoreError) -> ImportFile? {
        guard let stored = try attachment(at: file.location.lastComponent?.string ?? "", in: file) else { return nil }
        var note = TranslatedNote(text: "[\(Self.escaped(stored.name))](\(stored.url))\n")
        let path = file.location.absolute.key
        // The same document keeps its note, also under another title.
        note.id = try earlierNote(of: path) ?? NoteID(derivedFrom: path + "\n" + stored.url)
        // It was read just now.
        let content = try? format.content(at: file.location, limit: options.maximumFileSize)
        return ImportFile(note, from: file, modified: content?.modified ?? notebook.options.now())
    }

    /// Returns the note that was made of the file at a path before.
    private func earlierNote(of path: String) throws(StoreError) -> NoteID? {
        try notebook.read { db in
            try String.fetchOne(
                db,
                sql: "SELECT uuid FROM import_source JOIN note ON note.id = import_source.note WHERE path = ?",
                arguments: [path]
            ).map { NoteID(stored: $0) }
        }
    }
}

/// What can go wrong in the notebook, as facts: sentences for people are made by whoever shows them.
public enum StoreError: Error, Equatable, Sendable {
    // The file.
    case cannotCreate(path: String, errno: Int32)
    case noSuchFile(path: String)
    /// Another file lies where the open notebook was; `rescue` is where what it held is kept.
    case replaced(path: String, rescue: String?)
    case newerSchema(path: String, found: Int, known: Int)
    case notANotebook(path: String)
    case busy(path: String)
    case diskFull(path: String)
    case readOnly(path: String)
    case corrupt(path: String, detail: String)
    case inputOutput(path: String, code: Int32)
    /// What the system says of a file that is none of SQLite's.
    case system(path: String, errno: Int32)
    case closed(path: String)
    case interrupted
    /// Anything else SQLite says; `message` never holds a note's text.
    case database(path: String, code: Int32, message: String)

    // What was asked for is not there.
    case noSuchNote(NoteID)
    case noSuchContainer(ContainerID)
    case noSuchReference(String)
    /// The candidates, at most 20.
    case ambiguousReference(String, [NoteRow])
    /// `missing` is the first name of the path that is not there.
    case noSuchPath(String, missing: String)
    case noSuchVersion(note: NoteID, number: Int)
    case noSuchImage(String)

    // A rule refuses it.
    case emptyName
    case nameTaken(name: String, place: String, by: ContainerID)
    case titleTaken(title: String, folder: String, by: NoteID)
    case cannotHoldNotes(container: String)
    case cannotHoldFolders(container: String)
    case wouldContainItself(container: String)
    case systemContainer(name: String)
    /// In Trash only restore, delete for ever, copy and export work.
    case inTrash(name: String)
    case notInTrash(name: String)
    case unsupportedImage(name: String)
    case tooLarge(name: String, bytes: Int, limit: Int)
    case invalidUTF8(name: String, offset: Int)
    case unreadable(name: String, errno: Int32)
    /// The program that the file should be an export of.
    case notAnExport(path: String, program: String)
    case encryptedExport(path: String, program: String)
    case newerArchive(path: String)
    /// The folder of an export holds other things.
    case folderInUse(path: String)
}

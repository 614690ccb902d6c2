/// The errors of the notebook, as facts; the program that shows an error words it.
public enum StoreError: Error, Equatable, Sendable {
    // The file.
    case cannotCreate(path: String, errno: Int32)
    case noSuchFile(path: String)
    /// In `folder`, the system's folder for temporary files or the one that `$TMPDIR` names, nothing can be created.
    case noTemporaryFolder(folder: String, errno: Int32)
    /// A folder, a pipe or a device has the name of a file that is to be written.
    case notAFile(path: String)
    /// Another file has replaced the open notebook's; `rescue` is the path where its content was kept.
    case replaced(path: String, rescue: String?)
    /// The notebook's file has several names (hard links), each with its own log and locks: what is written under one
    /// name would be lost under another. `recorded` is the path of the name under which notes are saved, if one is known.
    case linked(path: String, names: Int, recorded: String?)
    case newerSchema(path: String, found: Int, known: Int)
    case notANotebook(path: String)
    case busy(path: String)
    case diskFull(path: String)
    /// The disk may have room, but this user has as much of it as the system allows.
    case quotaUsedUp(path: String)
    case readOnly(path: String)
    case corrupt(path: String, detail: String)
    case inputOutput(path: String, code: Int32)
    /// An error of the operating system for a file that SQLite does not manage.
    case system(path: String, errno: Int32)
    case closed(path: String)
    case interrupted
    /// Any other error of SQLite; `message` never holds a note's text.
    case database(path: String, code: Int32, message: String)

    // The requested object is missing.
    case noSuchNote(NoteID)
    case noSuchContainer(ContainerID)
    case noSuchReference(String)
    /// The candidates, at most 20.
    case ambiguousReference(String, [NoteRow])
    /// `missing` is the first name in the path that does not exist.
    case noSuchPath(String, missing: String)
    case noSuchVersion(note: NoteID, number: Int)
    case noSuchImage(String)
    case noSuchAttachment(String)

    // A rule refuses the request.
    case emptyName
    case nameTaken(name: String, parent: String, by: ContainerID)
    case titleTaken(title: String, folder: String, by: NoteID)
    case cannotHoldNotes(container: String)
    case cannotHoldFolders(container: String)
    case wouldContainItself(container: String)
    case systemContainer(name: String)
    /// In Trash only restoring, deleting for ever, copying and exporting work.
    case inTrash(name: String)
    case notInTrash(name: String)
    /// The record of what an action on `subject` changed is damaged, so it can be neither undone nor redone.
    case damagedAction(subject: String)
    /// `notes` notes have the tag in their texts, from which only an edit can remove or rename it.
    case tagInText(name: String, notes: Int)
    /// A name that cannot be written in a text as a tag.
    case notATag(name: String)
    case unsupportedImage(name: String)
    case damagedImage(name: String)
    /// The image has more pixels than the program decodes.
    case imageOfTooManyPixels(name: String)
    case tooLarge(name: String, bytes: Int, limit: Int)
    case invalidUTF8(name: String, offset: Int)
    case unreadable(name: String, errno: Int32)
    /// The file is not an export of the program `program`.
    case notAnExport(path: String, program: String)
    case encryptedExport(path: String, program: String)
    case newerArchive(path: String)
    /// A zip or tar whose list of files cannot be read.
    case damagedArchive(path: String)
    /// The folder for an export contains other files.
    case folderInUse(path: String)
    /// Another export is writing to the folder.
    case exportRunning(path: String)
}

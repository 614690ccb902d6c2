/// Sentences about attempts that failed, with the reason.
extension Texts {
    /// - Parameter action: one of `Attempt`.
    static func couldNot(_ action: String, _ error: any Error) -> String {
        "Could not \(action): \(Sentence.of(error))"
    }

    /// The attempted actions, worded to follow "Could not ".
    enum Attempt {
        static let openFolder = "open the folder"
        static let readNotebook = "read the notebook"
        static let readList = "read the list"
        static let readNotes = "read the notes"
        static let readMarkedNotes = "read the marked notes"
        static let readTrash = "read the Trash"
        static let readTemplates = "read the templates"
        static let readTemplate = "read the template"
        static let readVersions = "read the earlier versions"
        static let compareVersions = "compare the versions"
        static let restoreVersion = "restore the version"
        static let markAll = "mark all notes"
        static let search = "search"
        static let followLink = "follow the link"
        static let openToday = "open today’s note"
        static let openWelcome = "open the welcome note"
        static let openNoteBefore = "open the previous note"
        static let createNote = "create the note"
        static let createFolder = "create the folder"
        static let repairNotebook = "repair the notebook"
        static let emptyBuffer = "put back the notes that were cut"
        static let showRepairs = "show what was repaired"
        static let repairTemplate = "repair the template"
        static let deleteTag = "delete the tag"
        static let openFile = "open the file"
        static let renameTag = "rename the tag"
        static let deleteSearch = "delete the search"
        static let removeTag = "remove the tag"
        static let setTag = "set the tag"
        static let sort = "sort the list"
        static let sortByHand = "sort by hand"
        static let moveNote = "move the note"
        static let moveToTrash = "move to the Trash"
        static let changeStar = "change the star"
        static let archive = "archive"
        static let unarchive = "unarchive"
        static let restore = "restore"
        static let move = "move"
        static let duplicate = "duplicate"
        static let merge = "merge"
        static let cut = "cut"
        static let paste = "paste"
        static let undo = "undo"
        static let redo = "redo"
        static let deleteForever = "delete for ever"
        static let emptyTrash = "empty the Trash"
        static let makeBackup = "make a backup"

        static func open(_ name: String) -> String { "open \(quoted(name))" }
        static func read(_ name: String) -> String { "read \(quoted(name))" }
        static func move(_ name: String) -> String { "move \(quoted(name))" }
        static func delete(_ name: String) -> String { "delete \(quoted(name))" }
        static func deleteForever(_ name: String) -> String { "delete \(quoted(name)) for ever" }
        static func restore(_ name: String) -> String { "restore \(quoted(name))" }
        static func changeColor(_ name: String) -> String { "change the colour of \(quoted(name))" }
        static func changeSymbol(_ name: String) -> String { "change the symbol of \(quoted(name))" }
        static func changeDetails(_ name: String) -> String { "change the details of \(quoted(name))" }
    }
}

/// The questions before an action that cannot be undone, and the answers to them.
extension Texts {
    static let keep = "Keep"
    static let cancel = "Cancel"
    static let deleteForeverTitle = "Delete for ever?"
    static let deleteForeverAnswer = "Delete for ever"
    static func willBeGone(_ what: String) -> String {
        "\(what) will be gone; this cannot be undone. A backup is made first."
    }
    static func deleteTagTitle(_ name: String) -> String { "Delete the tag #\(name)?" }
    static func deleteTagText(_ notes: Int) -> String {
        notes == 0 ? "No note has it." : "\(count(notes, "note")) will lose it and stay."
    }
    static func tagIsInTexts(_ name: String, notes: Int) -> String {
        "#\(name) is in the text of \(count(notes, "note")); remove it there, or rename the tag"
    }
    static let deleteAnswer = "Delete"
    static func renameTagTitle(_ old: String, _ new: String) -> String { "Rename #\(old) to #\(new)?" }
    static func renameTagText(_ name: String, notes: Int) -> String {
        "#\(name) is in the text of \(count(notes, "note")), which will be changed there too."
    }
    static let renameAnswer = "Rename"
    static func deleteFolderForeverTitle(_ name: String) -> String { "Delete \(quoted(name)) for ever?" }
    static func deleteFolderForeverText(_ counts: String) -> String {
        counts.isEmpty ? "It is empty." : "\(counts) in it will be gone; this cannot be undone."
    }
    static func trashFolderTitle(_ name: String) -> String { "Move \(quoted(name)) to the Trash?" }
    static func trashFolderText(_ counts: String) -> String {
        counts.isEmpty ? "It is empty." : "\(counts) in it will go along, and can be restored."
    }
    static let trashFolderAnswer = "Move to Trash"
    static let emptyTrashTitle = "Empty the Trash?"
    static let emptyTrashAnswer = "Empty the Trash"
}

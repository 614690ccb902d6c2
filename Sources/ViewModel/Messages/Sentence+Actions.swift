import NoteStore

extension Sentence {
    /// An action in words, as it follows "Undone: ": `move of “Groceries” to the Trash`.
    public static func of(_ action: ActionSummary) -> String {
        let what = action.count == 1 ? "“\(action.subject)”" : "\(action.count) \(things(of: action.kind))"
        return switch action.kind {
        case .star: "star on \(what)"
        case .unstar: "star taken from \(what)"
        case .rename, .renameFolder: "new name of \(what)"
        case .move, .moveFolder: "move of \(what)"
        case .trash, .trashFolder: "\(what) to the Trash"
        case .restore, .restoreFolder: "\(what) out of the Trash"
        case .archive: "\(what) to the Archive"
        case .unarchive: "\(what) out of the Archive"
        case .tag: "tag on \(what)"
        case .untag: "tag taken from \(what)"
        case .cut: "cut of \(what)"
        case .paste: "paste of \(what)"
        case .copy: "copy of \(what)"
        case .merge: "merge of \(what)"
        case .addFolder, .addProject, .addTag: "new \(things(of: action.kind)) \(what)"
        case .recolor: "colour of \(what)"
        case .changeSymbol: "symbol of \(what)"
        case .reorder: "place of \(what)"
        case .addSearch: "new search \(what)"
        case .renameSearch: "new name of \(what)"
        case .deleteSearch: "deletion of the search \(what)"
        case .deleteTag: "deletion of the tag \(what)"
        case .restoreVersion: "earlier version of \(what)"
        case .replaceText: "replacement in \(what)"
        case .importNotes: "import of \(what)"
        }
    }

    private static func things(of kind: ActionSummary.Kind) -> String {
        switch kind {
        case .addFolder, .renameFolder, .moveFolder, .trashFolder, .restoreFolder, .recolor, .changeSymbol: "folders"
        case .addProject: "projects"
        case .addTag, .deleteTag: "tags"
        case .addSearch, .renameSearch, .deleteSearch: "searches"
        default: "notes"
        }
    }
}

import Foundation
import NoteStore
import TextEditing

/// Errors in words: the problem, where it is, and what to do.
///
/// The sentences begin in lower case and have no full stop, so that they can follow a colon.
public enum Sentence {
    /// Returns the sentence for any error; an error that is not the notebook's describes itself.
    public static func of(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.sentence
        case let error as any CustomStringConvertible: error.description
        // Any other error uses the system's description, since its raw form would mean nothing to users.
        default: (error as NSError).localizedDescription
        }
    }
}

extension Sentence {
    /// Returns an action in words, to follow "Undone: ": `move “Groceries” to the Trash`.
    public static func of(_ action: ActionSummary) -> String {
        let what = action.count == 1 ? "“\(action.subject)”" : "\(action.count) \(things(of: action.kind))"
        let thing = action.count == 1 ? "\(noun(of: action.kind)) \(what)" : what
        return switch action.kind {
        case .star: "star \(what)"
        case .unstar: "unstar \(what)"
        case .rename: "rename \(what)"
        case .renameFolder, .renameSearch: "rename \(thing)"
        case .renameTag:
            "rename \(thing)" + (action.notes.isEmpty ? "" : " in \(Texts.count(action.notes.count, "note"))")
        case .move: "move \(what)"
        case .moveFolder: "move \(thing)"
        case .trash: "move \(what) to the Trash"
        case .trashFolder: "move \(thing) to the Trash"
        case .restore: "restore \(what)"
        case .restoreFolder: "restore \(thing)"
        case .archive: "archive \(what)"
        case .unarchive: "unarchive \(what)"
        case .tag: "tag \(what)"
        case .untag: "untag \(what)"
        case .cut: "cut \(what)"
        case .paste: "paste \(what)"
        case .copy: "copy \(what)"
        case .merge: "merge \(what)"
        case .addNote: "create \(what)"
        case .addFolder, .addProject, .addTag: "create \(thing)"
        case .recolor: "change the colour of \(what)"
        case .changeSymbol: "change the symbol of \(what)"
        case .reorder: "reorder \(what)"
        case .addSearch: "save \(thing)"
        case .deleteSearch, .deleteTag: "delete \(thing)"
        case .restoreVersion: "restore an earlier version of \(what)"
        case .replaceText: "replace text in \(what)"
        case .importNotes: "import \(what)"
        }
    }

    private static func noun(of kind: ActionSummary.Kind) -> String {
        let things = things(of: kind)
        return things == "searches" ? "search" : String(things.dropLast())
    }

    private static func things(of kind: ActionSummary.Kind) -> String {
        switch kind {
        case .addFolder, .renameFolder, .moveFolder, .trashFolder, .restoreFolder, .recolor, .changeSymbol: "folders"
        case .addProject: "projects"
        case .addTag, .deleteTag, .renameTag: "tags"
        case .addSearch, .renameSearch, .deleteSearch: "searches"
        default: "notes"
        }
    }
}

extension Sentence {
    /// Returns the problem of a search in a text, in a few words for a bar.
    public static func of(_ error: FindError) -> String {
        switch error {
        case .emptyPattern, .cancelled: ""
        case .invalidExpression: Texts.invalidRegex
        case .noSuchGroup(let group, groups: 0): "no group \(group): the regex has none"
        case .noSuchGroup(let group, let groups): "no group \(group): the regex has \(groups)"
        case .unknownEscape("\\"): "\\ at the end; \\\\ is a backslash"
        case .unknownEscape(let escape): "\(escape) means nothing here"
        case .tooSlow(let time): "stopped after \(time.components.seconds) s: regex too slow"
        case .tooComplex: "stopped: regex too complex"
        }
    }
}

import NoteStore

/// Sentences about texts: saved, changed by other programs, recovered, kept as versions.
extension Texts {
    // MARK: Other programs

    static func deletedElsewhere(_ title: String) -> String {
        "\(quoted(title)) was deleted for ever; typing here creates it again"
    }
    static func trashedElsewhere(_ title: String) -> String {
        "\(quoted(title)) is in the Trash now; typing here brings it back"
    }
    static let addWelcomeQuestion = "Add the welcome note?"
    static let addWelcomeDetails = "It is a tour for trying things out, and goes into the Inbox."
    static let addWelcome = "Add it"
    static func besideDeleted(_ title: String) -> String {
        "\(quoted(title)), which was shown beside, was deleted for ever"
    }
    static func besideTrashed(_ title: String) -> String { "\(quoted(title)), shown beside, is in the Trash now" }
    static func keptAfterDeletion(_ title: String) -> String {
        "It was deleted for ever: your text is kept as \(quoted(title)) in the Inbox"
    }
    static let mergedWithOther = "Merged with a change from another program"
    /// - Parameter time: the time at which the other program saved its text.
    static func conflict(_ title: String, _ time: String, _ copy: String) -> String {
        "\(quoted(title)) now has what another program saved at \(time); the text of this window is in \(quoted(copy))"
    }
    static func backFromTrash(_ title: String) -> String {
        "\(quoted(title)) is back from the Trash, since you typed in it"
    }

    // MARK: Recovery

    static func recovered(_ notes: Int, in folder: String) -> String {
        "\(count(notes, "note")) without a folder: now in \(quoted(folder))"
    }
    static func damagedJournal(_ path: String, saved: [NoteRow]) -> String {
        let found = saved.isEmpty ? "nothing in it could be read" : "what it held is in \(notes(saved))"
        return "A damaged journal is kept as \(path); \(found)"
    }
    static func logIsDamaged(_ kept: String) -> String {
        "The notebook's log is damaged: what was saved last may be missing; tn restore-backup \(kept) brings it back"
    }

    static func textWaits(in journals: [WaitingJournal]) -> String {
        let notes = journals.reduce(0) { $0 + $1.notes }
        let reason =
            switch journals.first?.problem {
            case .diskFull: "the disk is full"
            case .quotaUsedUp: "your quota of the disk is used up"
            case .readOnly: "the notebook cannot be written"
            case .some(let problem): Sentence.of(problem)
            case nil: ""
            }
        return "Newer text of \(count(notes, "note")) waits in \(journals.first?.folder ?? ""), not saved: \(reason)"
    }
    static func textRecovered(as copies: [NoteRow]) -> String { "Unsaved text brought back as \(notes(copies))" }
    static func textRecovered(of saved: [NoteRow]) -> String { "Unsaved text of \(notes(saved)) brought back" }
    static func cutNotesElsewhere(_ cut: [NoteRow], in folder: String) -> String {
        "\(notes(cut)) had been cut; now in \(folder), because the old folder is gone"
    }
    static func cutNotesBack(_ cut: [NoteRow]) -> String { "\(notes(cut)) had been cut but not pasted; moved back" }

    static func folderIsSynced(by tool: String) -> String {
        "\(tool) copies this notebook's folder file by file and may replace newer notes; keep it elsewhere, and use tn sync"
    }

    // MARK: Saving

    static let saved = "saved"
    static let saving = "saving"
    static func notSaving(_ reason: String) -> String { "not saving: \(reason)" }
    static let savingAgain = "Saving again"
    static func notJournaling(_ reason: String) -> String { "Not journaling: \(reason)" }
    static func notSynced(_ reason: String) -> String { "Not safe against a power cut: \(reason)" }
    static let journalingAgain = "Journaling again"

    // MARK: Versions

    static func version(_ version: NoteVersion) -> String {
        let why =
            switch version.reason {
            case .left: ""
            case .restored: ", before a restore"
            case .merged: ", before a merge"
            case .outside: ", before a change from outside"
            }
        return "\(version.title) (\(count(version.wordCount, "word"))\(why))"
    }
    /// - Parameter key: the key that undoes an action in the list.
    static func versionRestored(_ key: String?) -> String {
        "Earlier version restored" + (key.map { "; \($0) in the list undoes it" } ?? "")
    }
}

/// The messages about synchronising.
extension Texts {
    static let notSynchronised = "This notebook is not synchronised; tn sync init URL sets it up"

    static func sign(_ status: SyncStatus) -> String {
        let conflicts = status.conflicts > 0 ? "!\(status.conflicts) " : ""
        switch status.stage {
        case .fetching: return conflicts + "⇅ fetching"
        case .merging: return conflicts + "⇅ merging"
        case .sending: return conflicts + "⇅ sending"
        case .writing: return conflicts + "⇅ writing"
        case nil: break
        }
        let waiting = status.changes > 0 ? "↑\(status.changes)" : ""
        let state =
            switch status.outcome {
            case .offline: [waiting, "✗ offline"].filter { !$0.isEmpty }.joined(separator: " ")
            case .refused: "✗ key"
            case .undecided: "✗ decide"
            case .failed: "✗ sync"
            case .done, .off, .busy, nil: waiting.isEmpty ? "✓" : waiting
            }
        return conflicts + state
    }

    static func sentence(_ outcome: SyncOutcome) -> String {
        switch outcome {
        case .done(let sent, let received, let conflicts):
            var parts: [String] = []
            if sent > 0 { parts.append("\(sent) sent") }
            if received > 0 { parts.append("\(received) received") }
            let counts = parts.isEmpty ? "" : parts.joined(separator: ", ") + ". "
            return counts + (conflicts > 0 ? newConflicts(conflicts) : "In sync")
        case .off: return notSynchronised
        case .busy: return "Another program is synchronising this notebook"
        case .offline(let text), .refused(let text), .undecided(let text), .failed(let text): return text
        }
    }

    /// Returns what became of a conflict.
    ///
    /// - Parameters:
    ///   - winner: the title of the note whose text had won; nil if it is gone.
    ///   - copy: the title of the note that had the losing text.
    static func settled(_ choice: ConflictChoice, _ winner: String?, _ copy: String) -> String {
        guard let winner else { return choice == .this ? trashed(quoted(copy)) : "\(quoted(copy)) is kept as a note" }
        return switch choice {
        case .this: "\(quoted(winner)) stays as it is; the other text is in the Trash"
        case .that: "\(quoted(winner)) has the other text now; its own is kept as a version"
        case .both: "\(quoted(winner)) has the lines of both texts now"
        }
    }

    static func settledMeanwhile(_ title: String) -> String {
        "The conflict of \(quoted(title)) was settled meanwhile; nothing was changed"
    }

    static func newConflicts(_ conflicts: Int) -> String {
        count(conflicts, "conflict") + ": “Conflicts” in the palette settles "
            + (conflicts == 1 ? "it" : "them")
    }
}

extension Texts.Attempt {
    static let readConflicts = "read the conflicts"
    static let settleConflict = "settle the conflict"
}

/// Work that takes long enough to show its progress.
extension Texts {
    static let exporting = "Exporting"
    static let importing = "Importing"
    static let replacing = "Replacing"
    static let rebuilding = "Rebuilding the search index"
    static func failed(_ title: String, _ error: any Error) -> String { "\(title) failed: \(Sentence.of(error))" }
    static let stoppedUnchanged = "Stopped; nothing was changed"
    static func problems(_ number: Int) -> String { number == 0 ? "" : "; \(count(number, "problem"))" }
    static func exported(_ counts: String, to folder: String, isStopped: Bool) -> String {
        let what = counts.isEmpty ? "Nothing" : counts
        return isStopped ? "Export stopped: \(what) written to \(folder)" : "\(what) exported to \(folder)"
    }
    static func imported(
        _ notes: Int, into folder: String, merged: Int = 0, unchanged: Int, isStopped: Bool
    ) -> String {
        let done = "\(count(notes, "note")) imported into \(folder)"
        let skipped = unchanged == 0 ? "" : ", \(unchanged) unchanged left out"
        return (isStopped ? "Import stopped: " : "") + done + (merged == 0 ? "" : ", \(merged) merged") + skipped
    }
    static func replaced(_ matches: Int, in notes: Int, changedMeanwhile: Int, undo: String?) -> String {
        let missed =
            changedMeanwhile == 0 ? "" : "; \(count(changedMeanwhile, "note")) changed meanwhile and stayed the same"
        let found = matches == 1 ? "1 match" : "\(matches) matches"
        return "\(found) in \(count(notes, "note")) replaced" + hint(undo, "takes it back") + missed
    }
    static func rebuilt(_ repaired: Int) -> String {
        "The index was rebuilt" + (repaired == 0 ? "" : "; \(count(repaired, "fault")) repaired")
    }
}

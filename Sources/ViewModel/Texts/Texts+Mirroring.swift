/// Sentences about folders that are mirrored.
extension Texts {
    static func sign(_ status: MirrorStatus) -> String {
        if status.isRunning { return "⇅ mirror" }
        return status.isFailing ? "✗ mirror" : ""
    }

    static let notMirrored = "This notebook is not mirrored in any folder; tn mirror DIR starts a mirror"
    static let bothAreTheSame = "The folder and the notebook are the same"

    static func notMirrored(_ sentence: String) -> String { "Not mirrored: \(sentence)" }

    /// The sentence about rounds in which notes or files were not mirrored.
    static func leftAlone(_ sentences: [String]) -> String {
        guard let first = sentences.first else { return "" }
        return sentences.count == 1 ? first : "\(first); \(sentences.count - 1) more: tn mirror DIR names them"
    }

    static func mirrorConflicts(_ paths: [String]) -> String {
        paths.count == 1
            ? "\(paths[0]) and its note were both changed at the same place; the file's text is in a note beside it, whose "
                + "title ends in (conflict)"
            : "\(paths.count) files and their notes were both changed at the same places; the files' texts are in "
                + "notes beside them, whose titles end in (conflict)"
    }
}

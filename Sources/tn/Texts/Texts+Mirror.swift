import ArgumentParser
import NoteStore

/// The sentences of `tn mirror`.
extension Texts {
    static let nothingMirrored = "Nothing was mirrored."
    static func mirrorEnded(_ path: String) -> String { "\(path) is no longer mirrored; its files stay." }
    static func notMirrored(_ path: String) -> String { "\(path) is not mirrored" }

    static func mirrorActions(_ report: MirrorReport) -> [(String, [String])] {
        [
            ("to the notebook", report.taken), ("written", report.written), ("renamed", report.moved),
            ("its note goes to Trash", report.trashed), ("removed", report.removed),
        ]
    }

    static func mirrored(_ report: MirrorReport, isDry: Bool) -> String {
        let parts = [
            (report.taken.count, "taken into the notebook"), (report.written.count, "written"),
            (report.moved.count, "renamed"), (report.trashed.count, "gone, with the note in Trash"),
            (report.removed.count, "removed"),
        ].filter { $0.0 > 0 }
        if parts.isEmpty { return "Both are the same." }
        let words = parts.map { "\(count($0.0, "file")) \($0.1)" }.joined(separator: ", ")
        return isDry ? "Would be done: \(words)." : "\(words)."
    }
}

extension Failure {
    static let mirrorStopped = Failure("stopped; the next tn mirror goes on from here", status: .stopped)
}

extension ValidationError {
    static let anewOrDelete = ValidationError("give only one of --anew and --delete.")
    static let onlyEnd = ValidationError("--end goes with no other of these options.")
}

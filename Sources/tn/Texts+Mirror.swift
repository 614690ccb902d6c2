import Foundation
import NoteStore

/// The sentences of `tn mirror`.
extension Texts {
    static let anewOrDelete = "give only one of --anew and --delete"
    static let nothingMirrored = "Nothing was mirrored."

    static func mirrorGone(_ path: String) -> String {
        "there is no folder \(path), which was mirrored before; mount its disk, or add --anew to write the notes there "
            + "again, or --delete to move them to Trash"
    }
    static func mirrorOverlaps(_ path: String, _ other: String?) -> String {
        if path.isEmpty { return "the folder has no name; say which is meant" }
        guard let other else { return "\(path) is the whole disk; name a folder in it" }
        return "\(path) lies in \(other) or around it, which is mirrored already; choose a folder beside it"
    }
    static func mirrorEmptied(_ path: String, _ count: Int) -> String {
        "\(path) holds none of the \(Self.count(count, "file")) of the last round; mount its disk, or add --anew to write "
            + "the notes there again, or --delete to move them to Trash"
    }
    static func mirrorRemovesMany(_ path: String, _ count: Int, of all: Int) -> String {
        "\(count) of \(Self.count(all, "note")) in \(path) would be deleted on the other side; add --delete if that is "
            + "meant, or --anew to keep all"
    }
    static func mirrorBusy(_ path: String) -> String {
        "another tn mirrors \(path) now; try again when it is done"
    }
    static func mirrorConflict(_ path: String) -> String {
        "\(path) and its note were both changed at the same place; the file's text is kept as a note beside, whose "
            + "title ends in (conflict)"
    }

    static func leftAlone(_ left: MirrorReport.LeftAlone) -> String {
        "\(left.path) is left alone: \(words(left.reason))"
    }

    private static func words(_ reason: MirrorReason) -> String {
        switch reason {
        case .hidden: "it is hidden"
        case .link: "it is a symbolic link"
        case .special: "it is no regular file"
        case .badName: "its name is not UTF-8; rename it"
        case .notText: "it is not UTF-8; convert it"
        case .notMarkdown: "it is not Markdown, and no note shows it"
        case .tooDeep: "it lies in too many folders; move it up"
        case .tooLarge(let bytes): "it is too large, with \(count(bytes, "byte")); split it"
        case .system(let errno): "\(String(cString: strerror(errno))); see to that and mirror again"
        case .busy: "it was changed just now; mirror again"
        case .store(let error): error.sentence
        }
    }

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

/// The sentences of a mirror that commands and the window say alike.
extension MirrorError {
    /// The problem, where it is, and what to do, in one line; it can follow a colon.
    public var sentence: String {
        switch self {
        case .gone(let path):
            "there is no folder \(path), which was mirrored before; mount its disk; tn mirror --anew writes the notes "
                + "there again, --delete moves them to Trash, --end ends the mirror"
        case .exchanged(let path):
            "\(path) is not the folder that was mirrored, or it is a link now; put that one back or mount its "
                + "disk; tn mirror DIR goes on with this one, --end ends the mirror"
        case .overlaps("", _):
            "the folder has no name; say which is meant"
        case .overlaps(let path, let other?):
            "\(path) lies in or around \(other), which is mirrored already; choose a folder beside it"
        case .overlaps(let path, nil):
            "\(path) is the whole disk; name a folder in it"
        case .emptied(let path, let count):
            "\(path) holds none of the \(Texts.count(count, "file")) of the last round; mount its disk; tn mirror "
                + "--anew writes the notes there again, --delete moves them to Trash"
        case .removesMany(let path, let count, let all):
            "\(count) of \(Texts.count(all, "note")) in \(path) would be deleted on the other side; tn mirror --delete "
                + "does so, --anew keeps all"
        case .system(let path):
            "\(path) belongs to the system, which keeps no files there; choose a folder of your own"
        case .busy(let path):
            "another tn mirrors \(path) now; try again when it is done"
        case .gitIsAtWork(let path):
            "git is changing \(path) now; try again when it is done"
        case .store(let error):
            error.sentence
        }
    }
}

extension MirrorReport.LeftAlone {
    /// The path of the file, and the reason why it takes no part.
    public var sentence: String { "\(path) is left alone: \(reason.words)" }
}

extension MirrorReport {
    /// Tells how a file and a note that were both changed at the same place are kept.
    public static func conflictSentence(_ path: String) -> String {
        "\(path) and its note were both changed at the same place; the file's text is kept as a note beside it, whose "
            + "title ends in (conflict)"
    }
}

extension MirrorReason {
    fileprivate var words: String {
        switch self {
        case .hidden: "it is hidden"
        case .link: "it is a symbolic link"
        case .special: "it is not a regular file"
        case .badName: "its name is not UTF-8; rename it"
        case .notText: "it is not UTF-8; convert it"
        case .notMarkdown: "it is not Markdown, and no note shows it"
        case .systemName(let name): "the notebook has a “\(name)” of its own; rename the folder"
        case .tooDeep: "it lies in too many folders; move it up"
        case .tooLarge(let bytes): "it is too large, with \(bytes) bytes; split it"
        case .system(let errno): "\(systemWords(errno)); see to that and mirror again"
        case .busy: "it was changed just now; mirror again"
        case .store(let error): error.sentence
        }
    }
}

/// The messages of the synchronisation, and the texts that it writes into the repository.
public enum Texts {
    /// The content of the repository's README.md.
    static let readme = """
        # Notes

        This repository is a notebook of tn. Each note is a Markdown file; folders are folders. You may read and edit
        the files with other programs: the line `tn:` says which note a file is, so leave it in, and tn takes in the
        rest. What you delete here goes to the notebook's Trash.

        """

    public static func sentence(_ error: SyncError) -> String {
        switch error {
        case .isOff: "this notebook is not synchronised; tn sync init URL sets it up"
        case .isOn(let url): "this notebook is synchronised with \(url) already; tn sync off ends that"
        case .busy: "another program is synchronising this notebook; try again in a moment"
        case .noAddress(let url):
            "“\(url)” is not an address that tn passes to git; use a path, host:path, ssh:// or https://"
        case .rewritten(let url):
            "the history at \(url) was rewritten: tn sync --join keeps the notes of both, "
                + "tn sync --adopt takes its notes and moves others to the Trash"
        case .restored(let url):
            "a backup was restored here, and \(url) has gone on since: tn sync --join keeps the notes of both, "
                + "tn sync --adopt takes those there and moves others to the Trash"
        case .trashesMany(let count, let all):
            "this would move \(count) of \(all) notes to the Trash: tn sync --adopt does so, "
                + "tn sync --join keeps them"
        case .otherBranch(let url, let name):
            "\(url) has the branch \(name) and no main, which tn synchronises; to have its files as notes rename it there: "
                + "git branch -m \(name) main"
        case .foreign(let files):
            "tn did not make \(files) files there, and would add an id line to the notes among them; add --yes to go on"
        case .newerFormat(let version):
            "the notes there have format \(version) of a newer tn; update tn, nothing was changed"
        case .unknownFormat(let words):
            "the repository's file \(ListFiles.format) says “\(words)”, which is not a format of this tn; update tn, or "
                + "remove the file if it is not tn's; nothing was changed"
        case .contended: "other machines keep sending changes; try again in a moment"
        case .key(let problem): sentence(problem)
        case .git(let error): sentence(error)
        case .store(let error): "\(error)"
        }
    }

    static func sentence(_ error: GitError) -> String {
        switch error {
        case .missing: "git was not found or is too old; install git 2.30 or newer"
        case .unreachable(let words):
            "the remote cannot be reached: \(words.replacing("fatal: ", with: ""))"
                + (words.contains("does not appear to be a git repository") ? Git.notMade : "")
        case .refused(let words): "the remote refused: \(words.replacing("fatal: ", with: ""))"
        case .moved: "the remote has changed meanwhile; try again"
        case .locked(let path):
            "the remote is locked by \(path); if no other machine is sending now, remove that file there"
        case .hostile(let words): "git rejects the data from the remote: \(words)"
        case .key(let problem): sentence(problem)
        case .diskFull(let path): "the disk is full; make room and try again (it holds \(path))"
        case .remoteFull: "the disk of the remote is full; make room there and try again"
        case .stopped: "stopped; the same command goes on from here"
        case .failed(let words): "git failed: \(words)"
        }
    }

    private static func sentence(_ problem: KeyProblem) -> String {
        switch problem {
        case .noPassphrase:
            "the repository is encrypted: give its passphrase in a terminal, by \(PassphraseSource.variable) or by "
                + "--key-file"
        case .wrongPassphrase: "that is not the passphrase of the repository"
        case .otherKey:
            "the repository is encrypted with another key now: tn sync off and tn sync init URL join it again; if none "
                + "of your machines did that, tn sync --join --keep-key continues with this notebook's key"
        case .isClear: "the repository holds files that are not encrypted; --encrypt needs an empty one"
        case .isEncrypted:
            "the repository is encrypted now: tn sync off and tn sync init URL join it again; if none of your machines "
                + "did that, tn sync --join --keep-key removes its file “\(SealedLayout.keyPath)”"
        case .noAnswer(let source, let why): "\(source) gave no passphrase" + (why.isEmpty ? "" : ": \(why)")
        case .isNotUsed: "this notebook's repository is not encrypted"
        case .isUnreadable(let path):
            "\(path) in the repository cannot be read; nothing was taken over"
        case .isForged:
            "the newest commit there was made without the key, and nothing was taken over; where this notebook has "
                + "synchronised before, tn sync --join goes on from the last one made with it"
        case .isRenewed:
            "the repository has a new key: tn sync in a terminal asks for its passphrase; "
                + "\(PassphraseSource.variable) and key-command, where they are used, must give the new one; if none "
                + "of your machines renewed it, tn sync --join --keep-key continues with this notebook's key"
        }
    }

    static func message(sent: Int, name: String) -> String {
        let what = sent == 0 ? "Tags, folders or files" : sent == 1 ? "A note" : "\(sent) notes"
        return name.isEmpty ? what : "\(what) from \(name)"
    }
    static let merged = "Merge notes"
    static let tidied = "Add identities to notes"

    /// The reasons why something failed, as parts of a sentence about git.
    enum Git {
        static let noCommit = "no commit was made"
        static let notEncrypted = "a file could not be encrypted"
        static let notRead = "a file could not be read"
        static let notMade = "; if it was never made, git init --bare makes it there"
        static let damaged = "the repository is damaged"

        static func unreadable(_ command: String) -> String { "git \(command) cannot be read" }
        static let noAnswer = "no answer"
        static let checkedOut =
            "the repository has its files checked out, and takes no commits; git clone --bare makes one of it that does"
        static let notGit = "what answers there is not git; a proxy or a page for logging in may be in the way"
        static func silent(for time: Duration) -> String { "no answer for \(time.components.seconds) seconds" }
        static func tooLarge(_ what: String, _ maximum: Int, _ parts: String) -> String {
            "\(what) of more than \(maximum) \(parts)"
        }
    }
}

import ArgumentParser
import Foundation
import NoteStore
import Sync

/// The command `tn sync`: the same notebook on every machine, through git.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keep the notebook the same on every machine, through git.",
        discussion: """
            The notes become Markdown files of a git repository that you name once on each machine; each \
            later tn sync sends and fetches what changed. Notes that were changed on two machines are \
            merged. If both changed the same words, the other text becomes a note “Title (conflict)”, so \
            nothing is lost and nothing waits for you. Pictures and files are sent too, up to 100 MB each. \
            With --encrypt the repository contains nothing that its host can read. Git 2.30 or newer is \
            needed. Examples:

              tn sync init desktop:notes.git      on each machine, once
              tn sync                             send and fetch
              tn sync status                      unsent changes and conflicts
              tn sync conflicts                   the notes made for conflicts
              tn sync rekey                       a new key, after a machine was stolen

            Exit status: 0 done, 65 you must decide (the message says how), 69 the remote cannot be \
            reached, 75 another synchronisation runs, 77 the remote refuses, or the passphrase is missing.
            """,
        subcommands: [
            SyncNow.self, SyncInit.self, SyncStatus.self, SyncConflicts.self, SyncLog.self, SyncPassphrase.self,
            SyncRekey.self, SyncOff.self,
        ],
        defaultSubcommand: SyncNow.self)
}

/// The command `tn sync now`, which is also run by `tn sync` alone.
struct SyncNow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Send and fetch what changed; tn sync alone does the same.",
        discussion: "Example:\n\n  tn sync --quiet       in a timer or a cron job")

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Print nothing unless something is wrong, and ask nothing.")
    var quiet = false
    @Flag(
        help: """
            After a rewritten history or a restored backup: keep the notes of both. After a commit without the key: \
            continue from the last one with it.
            """)
    var join = false
    @Flag(help: "With --join: the other key in the repository is not yours; continue with this notebook's key.")
    var keepKey = false
    @Flag(help: "After a rewritten history or a restored backup: use the remote's notes; others go to the Trash.")
    var adopt = false

    @Option(help: ArgumentHelp("Wait while another synchronisation runs, at most this long.", valueName: "seconds"))
    var wait = 0

    func validate() throws {
        if wait < 0 { throw ValidationError.waitTakesSeconds }
        if keepKey, !join { throw ValidationError.keepKeyNeedsJoin }
        if join, adopt { throw ValidationError.joinOrAdopt }
    }

    func run() throws {
        let notebook = try options.open()
        var sync = NotebookSync(command: notebook, quiet: quiet)
        sync.choice = join ? .join : adopt ? .adopt : .none
        (sync.takesForeign, sync.distrustsOtherKey) = (true, keepKey)
        sync.patience = .seconds(wait)
        let report = try attempt(sync) { try $0.run() }
        if quiet { return }
        let sum = Texts.synchronised(report, unread: try attempt { try sync.unreadCount() })
        try StandardOutput.write(line: sum, after: Texts.done)
    }
}

/// The command `tn sync init`: sets the repository.
struct SyncInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Set the repository, and synchronise once.",
        discussion: """
            The URL is a path, host:path, ssh:// or https://. At a path that does not exist, a new \
            repository is made. Without a URL it says what would be sent.

            With --encrypt the repository can only be read with the passphrase; its host sees the number of \
            files, their approximate sizes, and when they change. You are asked for the passphrase, unless \
            TAKENOTE_PASSPHRASE, the first line of a --key-file or key-command of the configuration gives \
            it. Without any, one is generated and printed. Other machines join without --encrypt. Examples:

              tn sync init /media/stick/notes.git
              tn sync init desktop:notes.git --yes
              tn sync init desktop:notes.git --encrypt
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "Where the repository is.", completion: .directory)
    var url: String?
    @Flag(help: "Do not ask.")
    var yes = false
    @Flag(help: "Encrypt the repository, which must still be empty.")
    var encrypt = false
    @Option(
        help: ArgumentHelp("The first line of this file is the passphrase.", valueName: "file"), completion: .file())
    var keyFile: String?

    func run() throws {
        let notebook = try options.open()
        var sync = NotebookSync(command: notebook, quiet: false)
        let (notes, images) = try attempt { try sync.count() }
        let address = url.map { NotebookSync.address($0) }
        if let present = try sync.url(), try address.map({ try !sync.wasCutOff(beginningWith: $0) }) ?? true {
            throw Failure(SyncError.isOn(url: present))
        }
        guard let address else { return try StandardOutput.write(line: Texts.wouldSend(notes, images)) }
        sync.takesForeign = yes
        sync.encrypts = encrypt
        sync.passphrases.file = keyFile
        // A user who is not asked gets a generated passphrase.
        if yes, encrypt { sync.passphrases.ask = nil }
        guard try yes || Question.ask(Texts.goOn(address, notes)) else {
            return try StandardOutput.write(line: Texts.nothingSynchronised)
        }
        do {
            _ = try sync.stoppable {
                try $0.makeRepository(address)
                return try $0.begin(address)
            }
        } catch SyncError.foreign(let files) {
            guard try Question.ask(Texts.foreign(files)) else {
                return try StandardOutput.write(line: Texts.nothingSynchronised)
            }
            sync.takesForeign = true
            _ = try attempt(sync) { try $0.begin(address) }
        } catch {
            throw Failure(synchronising: error)
        }
        let after = try attempt { try sync.count() }
        let unread = try attempt { try sync.unreadCount() }
        try StandardOutput.write(line: Texts.begun(after.notes, after.images, unread: unread), after: Texts.done)
        // The notes are sent already, so a remote that does not answer now is not a failure.
        if (try? sync.stoppable { try $0.hasStrayHead(address) }) == true { StandardError.notice(Texts.strayHead) }
    }
}

/// The command `tn sync status`: shows unsent changes and conflicts.
struct SyncStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show unsent changes and conflicts.",
        discussion: "It contacts no other machine. Example:\n\n  tn sync status --json")

    @OptionGroup var options: NotebookOptions
    @Flag(help: "As JSON: url, encrypted, last, changes, conflicts, unopened, behind.")
    var json = false

    private struct Output: Encodable {
        let url: String?
        let encrypted: Bool
        let last: String?
        let changes: Int
        let conflicts: Int
        let unopened: [String]
        let behind: [String]
    }

    func run() throws {
        let notebook = try options.open()
        let sync = NotebookSync(notebook)
        let url = try sync.url()
        let last = try notebook.settings.value(Notebook.Sync.Key.time).flatMap(Double.init)
            .map { Date(timeIntervalSince1970: $0 / 1000) }
        let output = Output(
            url: url, encrypted: try sync.isEncrypted(), last: last?.timestamp,
            changes: try notebook.sync.changeCount(), conflicts: try notebook.sync.conflicts().count,
            unopened: try attempt { try sync.unopened() },
            behind: try attempt { try sync.filesLeftBehind().map(\.name) })
        if json { return try NoteOutput.print(json: output) }
        guard let url else { return try StandardOutput.write(line: Texts.notSynchronised) }
        var table = Table(.dim, .plain, wraps: true)
        table.add("repository", output.encrypted ? "\(url) (encrypted)" : url)
        table.add("last", last.map(Self.time) ?? "never")
        table.add("waiting", Texts.count(output.changes, "change"))
        table.add("conflicts", "\(output.conflicts)")
        for file in output.unopened { table.add("unopened", file.visible) }
        for name in output.behind { table.add("stays here", Texts.tooLarge(name)) }
        try table.write()
    }

    /// Formats a time like `2026-03-01 09:30`, in the user's time zone.
    private static func time(_ date: Date) -> String {
        let time = Zone.system.civilTime(date)
        return "\(time.day) \(time.time)"
    }
}

/// The command `tn sync conflicts`: lists the notes made for conflicts.
struct SyncConflicts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List the notes made for conflicts.",
        discussion: """
            Copy what you need into the original, then move the copy to the Trash: that settles it on every \
            machine. Examples:

              tn sync conflicts
              tn trash "Shopping (conflict)"
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        for note in try options.open().sync.conflicts() {
            try StandardOutput.write(line: note.title.visible)
        }
    }
}

/// The command `tn sync log`: lists the last synchronisations.
struct SyncLog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List the last synchronisations that changed something, newest first.",
        discussion: "Example:\n\n  tn sync log | head")

    @OptionGroup var options: NotebookOptions
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit = 50

    func validate() throws {
        if limit < 1 { throw ValidationError.limitTooSmall }
    }

    func run() throws {
        let sync = NotebookSync(try options.open())
        for line in try attempt({ try sync.log(count: limit) }) {
            try StandardOutput.write(line: line.visible)
        }
    }
}

/// The source of the new passphrase of an encrypted repository.
struct NewPassphrase: ParsableArguments {
    @Option(
        help: ArgumentHelp("The first line of this file is the new passphrase.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    /// Returns the synchronisation that asks for the new passphrase as for the present one, or reads it from the file.
    func sync(_ notebook: Notebook) -> NotebookSync {
        var sync = NotebookSync(command: notebook, quiet: false)
        sync.takesForeign = true
        sync.newPassphrases.file = keyFile
        sync.newPassphrases.ask = sync.passphrases.ask
        return sync
    }
}

/// The command `tn sync passphrase`: changes the passphrase of an encrypted repository.
struct SyncPassphrase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Change the passphrase of an encrypted repository.",
        discussion: """
            Machines that have joined continue; a machine that joins later needs the new one. The notes are \
            not encrypted again: if a machine was stolen or others know the passphrase, use tn sync rekey. Examples:

              tn sync passphrase
              tn sync passphrase --key-file new.txt
            """)

    @OptionGroup var options: NotebookOptions
    @OptionGroup var newPassphrase: NewPassphrase

    func run() throws {
        let sync = newPassphrase.sync(try options.open())
        try attempt(sync) { try $0.changePassphrase() }
        try StandardOutput.write(line: Texts.passphraseChanged, after: Texts.done)
    }
}

/// The command `tn sync rekey`: encrypts everything with a new key and a new passphrase.
struct SyncRekey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Encrypt everything with a new key and a new passphrase.",
        discussion: """
            Use it if a machine was stolen or others know the passphrase. Your other machines stop until they \
            get the new passphrase: tn sync in a terminal asks for it, or TAKENOTE_PASSPHRASE gives it. Their \
            unsent changes are merged then. If the command is interrupted, run it again.

            The history stays in the repository as it was: with the old key and access to the repository, \
            earlier texts can be read, but nothing written later. Remove the machine's access to the host as \
            well. Examples:

              tn sync rekey
              tn sync rekey --key-file new.txt
            """)

    @OptionGroup var options: NotebookOptions
    @OptionGroup var newPassphrase: NewPassphrase

    func run() throws {
        let sync = newPassphrase.sync(try options.open())
        try attempt(sync) { try $0.renewKey() }
        try StandardOutput.write(line: Texts.keyRenewed, after: Texts.done)
    }
}

/// The command `tn sync off`: ends the synchronisation of the notebook.
struct SyncOff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Stop synchronising this notebook; all notes stay on every machine.",
        discussion: "Example:\n\n  tn sync off")

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let sync = NotebookSync(try options.open())
        try attempt { try sync.end() }
    }
}

/// Runs a synchronisation until it is done or a signal ends it, and converts its errors; see below.
private func attempt<Result>(_ sync: NotebookSync, _ body: (NotebookSync) throws -> Result) throws -> Result {
    try attempt { try sync.stoppable(body) }
}

/// Runs `body`, and converts its errors to failures with the texts and statuses of a synchronisation.
private func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw Failure(synchronising: error) }
}

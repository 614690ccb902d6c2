import Foundation
import Interface
import NoteStore
import Processes
import Sync
import SystemPackage
import ViewModel

extension NotebookSync {
    /// Makes the synchronisation of a command: git may ask questions only if somebody can answer.
    init(command notebook: Notebook, quiet: Bool) {
        self.init(notebook)
        asks = !quiet && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        let settings = MainActor.assumeIsolated { Configuration.readFromUser().configuration.sync }
        use(settings)
        if asks { passphrases.ask = { try PassphrasePrompt.ask($0) } }
        tellPassphrase = { try Texts.tell(passphrase: $0) }
    }

    /// Makes the synchronisation of the window: git never asks questions.
    init(window notebook: Notebook, _ settings: SyncSettings) {
        self.init(notebook)
        takesForeign = true
        use(settings)
    }

    private mutating func use(_ settings: SyncSettings) {
        name = settings.name.isEmpty ? Self.machine : settings.name
        passphrases.given = ProcessInfo.processInfo.environment[PassphraseSource.variable]
        passphrases.command = settings.keyCommand
    }

    /// Runs `body` with this synchronisation, which SIGINT, SIGTERM and SIGHUP end together with git and ssh.
    func stoppable<Result>(_ body: (NotebookSync) throws -> Result) rethrows -> Result {
        var sync = self
        let stop = CommandStop()
        let signals = EndSignals(stop)
        defer { withExtendedLifetime(signals) {} }
        sync.stop = stop
        // The question ends by the same handle: the signals are taken already.
        let ask: @Sendable (PassphraseSource.Purpose) throws -> String? = { try PassphrasePrompt.ask($0, until: stop) }
        if passphrases.ask != nil { sync.passphrases.ask = ask }
        if newPassphrases.ask != nil { sync.newPassphrases.ask = ask }
        return try body(sync)
    }

    /// Synchronises once, for the window.
    func attempt() -> SyncOutcome {
        do {
            let report = try run()
            return .done(sent: report.sent, received: report.received, conflicts: report.conflicts)
        } catch let error as SyncError {
            return SyncOutcome(error)
        } catch let error as GitError {
            return SyncOutcome(.git(error))
        } catch {
            return .failed(Sentence.of(error))
        }
    }

    /// The name of this machine.
    private static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the address for git: a relative path becomes absolute, since git is later run in another folder.
    static func address(_ url: String) -> String {
        guard !url.contains("://"),
            url.hasPrefix(".") || url.hasPrefix("/") || url.hasPrefix("~/")
                || !url.contains(":") && !url.hasPrefix("-")
        else { return url }
        return Notebook.absolute(PathCompletion.expanded(url))
    }
}

extension SyncOutcome {
    fileprivate init(_ error: SyncError) {
        let sentence = Sync.Texts.sentence(error)
        self =
            switch error {
            case .isOff: .off
            case .busy, .contended: .busy
            case .rewritten, .restored, .trashesMany, .foreign, .newerFormat, .unknownFormat, .key(.isForged),
                .git(.key(.isForged)):
                .undecided(sentence)
            case .git(.refused), .git(.hostile), .key, .git(.key): .refused(sentence)
            case .git(.unreachable), .git(.moved): .offline(sentence)
            case .store(let error): .failed(Sentence.of(error))
            case .isOn, .noAddress: .failed(sentence)
            case .git(.missing), .git(.diskFull), .git(.remoteFull), .git(.stopped), .git(.failed): .failed(sentence)
            }
    }
}

extension Failure {
    /// The failure of a synchronisation.
    init(synchronising error: any Error) {
        switch error {
        case let error as SyncError: self.init(error)
        case let error as GitError: self.init(SyncError.git(error))
        default: self.init(error)
        }
    }

    init(_ error: SyncError) {
        if case .store(let error) = error {
            self.init(error as any Error)
            return
        }
        let status: Status =
            switch error {
            case .isOff, .isOn, .rewritten, .restored, .trashesMany, .foreign, .store: .badData
            case .newerFormat, .unknownFormat, .key(.isForged), .git(.key(.isForged)): .badData
            case .noAddress: .usage
            case .busy, .contended: .busy
            case .git(.refused), .git(.hostile), .key, .git(.key): .refused
            case .git(.missing), .git(.unreachable), .git(.moved): .unavailable
            case .git(.diskFull), .git(.remoteFull): .inputOutput
            case .git(.stopped): EndSignals.status
            case .git(.failed): .internalError
            }
        self.init(Sync.Texts.sentence(error), status: status)
    }
}

extension Texts {
    static let notSynchronised = "This notebook is not synchronised; tn sync init URL begins it."
    static let restoredPauses =
        "Synchronising waits until you decide: tn sync --join or tn sync --adopt, if others have gone on since."
    static let passphrase = "Passphrase: "
    static let renewedPassphrase = "The repository has a new key. Its new passphrase: "
    static let newPassphrase = "New passphrase (Enter alone generates one): "
    static let samePassphrase = "The same again: "
    static let differentPassphrases = "these were two different passphrases"
    static let noPassphrase = "no passphrase was given; nothing was changed"
    static let passphraseChanged = "The passphrase was changed; your other machines go on without it."
    static let keyRenewed = "Everything is encrypted with a new key; your other machines ask for the new passphrase."
    /// Says a made-up passphrase, on a line of its own that a program can read.
    static func tell(passphrase: String) throws {
        StandardError.notice("this is the passphrase of the repository: write it down, nobody can find it out later")
        try StandardOutput.write(line: passphrase)
        // Output errors must be reported while the passphrase can still be changed.
        try StandardOutput.flush()
    }
    static let nothingSynchronised = "Nothing was synchronised."
    static func wouldSend(_ notes: Int, _ images: Int) -> String {
        "\(count(notes, "note")), \(count(images, "image")) would be sent; tn sync init URL does so."
    }
    static func goOn(_ url: String, _ notes: Int) -> String {
        "\(count(notes, "note")) here and those at \(url) become one notebook; nothing is deleted. Go on?"
    }
    static func foreign(_ files: Int) -> String {
        "\(count(files, "file")) there are not from tn; the notes among them will get an id line. Go on?"
    }
    static func begun(_ notes: Int, _ images: Int, unread: Int) -> String {
        "\(count(notes, "note")), \(count(images, "image")). \(inSync(unread))"
    }
    private static func inSync(_ unread: Int) -> String {
        if unread == 0 { return "In sync." }
        return "In sync, but \(count(unread, "file")) there \(unread == 1 ? "is" : "are") not read: tn sync status "
            + "lists \(unread == 1 ? "it" : "them")."
    }
    static let strayHead =
        "the notes are on the branch main, and the repository's HEAD names one that does not exist, so git clone shows no "
        + "files: clone with -b main, or run git symbolic-ref HEAD refs/heads/main in it"
    static func tooLarge(_ name: String) -> String { "\(name.visible), larger than 100 MB, which hosts of git refuse" }
    static func synchronised(_ report: SyncReport, unread: Int) -> String {
        var parts: [String] = []
        if report.sent > 0 { parts.append("\(report.sent) sent") }
        if report.received > 0 { parts.append("\(report.received) received") }
        if report.conflicts > 0 { parts.append(count(report.conflicts, "conflict") + ": tn sync conflicts lists them") }
        return (parts.isEmpty ? "" : parts.joined(separator: ", ") + ". ") + inSync(unread)
    }
}

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
        let settings = Configuration.readFromUser().configuration.sync
        use(settings)
        if asks { passphrases.ask = { try PassphrasePrompt.ask($0) } }
        tellPassphrase = { try Self.tell(passphrase: $0) }
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

    /// Prints a generated passphrase, on a line of its own that a program can read.
    private static func tell(passphrase: String) throws {
        StandardError.notice(Texts.generatedPassphrase)
        try StandardOutput.write(line: passphrase)
        // Output errors must be reported while the passphrase can still be changed.
        try StandardOutput.flush()
    }

    /// The name of this machine.
    private static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the address for git: a relative path becomes absolute, since git is later run in another folder.
    static func address(_ url: String) -> String {
        guard !url.isEmpty, !url.contains("://"),
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
            case .git(.locked): .failed(sentence)
            case .rewritten, .restored, .trashesMany, .foreign, .newerFormat, .unknownFormat, .key(.isForged),
                .git(.key(.isForged)):
                .undecided(sentence)
            case .git(.refused), .git(.hostile), .key, .git(.key): .refused(sentence)
            case .git(.unreachable), .git(.moved): .offline(sentence)
            case .store(let error): .failed(Sentence.of(error))
            case .isOn, .noAddress, .otherBranch: .failed(sentence)
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
            case .newerFormat, .unknownFormat, .otherBranch, .key(.isForged), .git(.key(.isForged)): .badData
            case .noAddress: .usage
            case .busy, .contended, .git(.locked): .busy
            case .git(.refused), .git(.hostile), .key, .git(.key): .refused
            case .git(.missing), .git(.unreachable), .git(.moved): .unavailable
            case .git(.diskFull), .git(.remoteFull): .inputOutput
            case .git(.stopped): EndSignals.status
            case .git(.failed): .internalError
            }
        self.init(Sync.Texts.sentence(error), status: status)
    }
}

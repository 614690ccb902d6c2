import Foundation
import NoteStore
import Processes
import SystemPackage

/// A bare repository, and the only type that runs git.
///
/// Nothing is ever checked out, so no filter runs, no link is followed and no name is case-folded. Features that could
/// run untrusted code are turned off, and environment variables that point to another repository are removed.
public struct GitRepository: Sendable {
    /// The repository's folder.
    public let path: String
    /// Whether git and ssh may ask on the terminal.
    public let asks: Bool
    /// The path of the program git.
    package var program: String
    /// A handle that ends git, and what git has started, and lets no further git begin.
    package var stop: CommandStop?

    /// The remote's branch that is synchronised.
    public static let branch = "refs/heads/main"
    /// The local reference that tracks the remote's branch.
    static let remoteBranch = "refs/tn/remote/main"
    /// The reference under which fast-import makes new commits.
    static let draftBranch = "refs/tn/draft"

    public init(path: String, asks: Bool) throws(GitError) {
        guard let git = Command.path(of: "git", in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        else { throw GitError.missing }
        (self.path, self.asks, program) = (path, asks, git)
    }

    /// The time after which a network command without any output is ended.
    private static let silence = Duration.seconds(15)
    /// The deadline of a command on this machine, chosen by eye.
    private static let deadline = Duration.seconds(3600)
    /// The deadline of a command that exchanges data, which a silence or a person ends before: in a day, ten gigabytes go
    /// through a connection of one megabit a second, and git begins anew what was cut.
    private static let networkDeadline = Duration.seconds(86_400)

    /// The most bytes of git's messages that are kept; a slow fetch writes a line of progress each second, and the
    /// reason of a failure comes after them.
    private static let maximumErrorOutput = 1 << 20

    // MARK: - Running

    /// The settings that are passed to every git command.
    private static let settings = [
        "gc.auto=0", "maintenance.auto=false", "fetch.fsckObjects=true", "transfer.fsckObjects=true",
        "core.quotePath=false", "core.logAllRefUpdates=false",
        "fetch.writeCommitGraph=false", "core.protectHFS=true", "core.protectNTFS=true", "submodule.recurse=false",
        "fetch.recurseSubmodules=false", "protocol.ext.allow=never", "http.lowSpeedLimit=100", "http.lowSpeedTime=15",
        "log.showSignature=false", "push.gpgSign=false", "push.followTags=false", "push.recurseSubmodules=no",
        "push.pushOption=", "push.negotiate=false", "log.diffMerges=separate", "diff.orderFile=/dev/null",
        "i18n.logOutputEncoding=UTF-8",
        // Files of the repository are private, whatever the user's umask is.
        "core.sharedRepository=0600",
    ]

    /// The settings that git also gets where it serves a repository of this machine, to which the user's global
    /// settings apply too: no program is started, and what git says can be read.
    ///
    /// A command that lists alternates or packs objects cannot be unset; these do nothing of their own.
    private static let settingsOfBothSides = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true",
        "uploadpack.packObjectsHook=env", "core.bigFileThreshold=512m", "color.ui=false", "color.remote=false",
        "color.transport=false", "color.push=false", "color.advice=false",
    ]

    /// Returns the command that serves a remote on this machine.
    ///
    /// - Parameter service: `receive-pack` or `upload-pack`.
    static func serving(_ service: String) -> String {
        // What receives passes its settings on to the git that packs the remote for good, which needs the differences.
        let sending = service == "upload-pack" ? [wholeFiles] : []
        return (["git"] + (settingsOfBothSides + sending).map { "-c \($0)" } + [service]).joined(separator: " ")
    }

    /// Faults of a history that do not block fetching, since they only matter in a checkout.
    ///
    /// Paths are checked by tn itself, and broken objects are still rejected.
    private static let tolerated = [
        "hasDot", "hasDotdot", "hasDotgit", "fullPathname", "zeroPaddedFilemode", "gitmodulesName", "gitmodulesUrl",
        "gitmodulesPath", "gitmodulesSymlink", "gitmodulesParse", "gitmodulesUpdate", "gitmodulesBlob",
        "gitmodulesMissing", "gitmodulesLarge", "missingSpaceBeforeDate", "badTimezone",
    ]

    package func run(
        _ words: [String], input: [UInt8] = [], remote: String? = nil, limit: Int = 1 << 40
    ) throws(GitError) -> CommandResult {
        try run(words, .bytes(input), remote: remote, limit: limit)
    }

    /// - Parameter remote: The address of the remote, for a command that exchanges data with it.
    private func run(
        _ words: [String], _ input: Command.Input, remote: String?, limit: Int
    ) throws(GitError) -> CommandResult {
        let isNetwork = remote != nil
        var all = ["git", "--git-dir=" + path]
        for setting in Self.settings + Self.settingsOfBothSides { all += ["-c", setting] }
        for fault in Self.tolerated { all += ["-c", "fetch.fsck.\(fault)=ignore"] }
        var command = Command(path: program, words: all + words)
        command.input = input
        command.output = .collected(limit: limit)
        command.errorOutput = .collected(limit: Self.maximumErrorOutput)
        // A child in its own process group could not read a password from the terminal.
        if isNetwork && asks { command.hasOwnGroup = false } else { command.hasOwnSession = true }
        command.environment = GitEnvironment.current(asks: asks && isNetwork, ssh: try sshCommand(for: remote))
        if stop?.isRequested == true { throw GitError.stopped }
        // There is no limit of silence where a person may be asked, who needs time to answer.
        let silence = isNetwork && !asks ? Self.silence : nil
        let deadline = isNetwork ? Self.networkDeadline : Self.deadline
        // The reason does not matter: git cannot be started.
        guard let result = try? command.run(deadline: deadline, silence: silence, stop: stop) else {
            throw GitError.missing
        }
        // In a terminal Ctrl-C reaches git too, perhaps before this program has noticed it.
        let isInterrupted = result.end == .killed(signal: SIGINT)
        if !result.isSuccess, isInterrupted || stop?.isRequested == true { throw GitError.stopped }
        return result
    }

    @discardableResult
    package func output(
        _ words: [String], input: [UInt8] = [], remote: String? = nil
    ) throws(GitError) -> [UInt8] {
        let result = try run(words, input: input, remote: remote)
        guard result.isSuccess else { throw error(of: result, isNetwork: remote != nil) }
        return result.output
    }

    /// Runs git with an input that is generated while git reads it.
    @discardableResult
    func output(_ words: [String], pieces: @escaping @Sendable () -> [UInt8]?) throws(GitError) -> [UInt8] {
        let result = try run(words, .pieces(pieces), remote: nil, limit: 1 << 40)
        guard result.isSuccess else { throw error(of: result, isNetwork: false) }
        return result.output
    }

    /// Returns the command that git is told to run for ssh, or `nil` where it may choose by itself.
    ///
    /// In the background ssh gets options that keep it from asking. They follow the user's own command, so git's
    /// setting for it is read, which only the environment could replace.
    private func sshCommand(for remote: String?) throws(GitError) -> String? {
        guard let remote, !asks, !isLocal(remote), GitEnvironment.sshCommand == nil else { return nil }
        let setting = try run(["config", "--get", "core.sshCommand"])
        let command = String(decoding: setting.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return setting.isSuccess && !command.isEmpty ? command : nil
    }

    package func line(_ words: [String]) throws(GitError) -> String {
        String(decoding: try output(words), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func error(of result: CommandResult, isNetwork: Bool) -> GitError {
        let text = String(decoding: result.errorOutput, as: UTF8.self)
        if result.end == .exited(status: Self.usageStatus), text.hasPrefix("error: unknown option") { return .missing }
        if Self.isDiskFull(in: text, ofRemote: false) || !isNetwork && hasNoRoom { return .diskFull(path) }
        if Self.isDiskFull(in: text, ofRemote: true) { return .remoteFull }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let line = Self.reason(in: lines)
        guard isNetwork else { return .failed(line) }
        if result.isStopped { return .unreachable(Texts.Git.silent(for: Self.silence)) }
        if Self.notGit.contains(where: { text.contains($0) }) { return .unreachable(Texts.Git.notGit) }
        let lower = text.lowercased()
        let spoils = ["fsck", "hasdot", "badtree"].contains { lower.contains($0) }
        // The rest of the text contains names of commits and folders, which may look like any of the phrases.
        let refusal = Self.refusal(in: result.output)
        if let lock = Self.lock(in: text) { return .locked(lock) }
        if refusal.contains("branch is currently checked out") { return .refused(Texts.Git.checkedOut) }
        if !refusal.isEmpty {
            let isLate = ["[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value"]
                .contains { refusal.contains($0) }
            return isLate ? .moved : spoils ? .hostile(line) : .refused(refusal + Self.remark(in: lines))
        }
        for sign in [
            "permission denied", "authentication failed", "could not read username", "could not read password",
            "host key verification failed", "access denied", "403", "401", "terminal prompts disabled",
            "unable to write", "dubious ownership", "insufficient permission", "pre-receive hook declined",
            "hook declined", "read-only",
        ] where lower.contains(sign) {
            return .refused(line)
        }
        if spoils { return .hostile(line) }
        return lower.contains("cannot lock ref") ? .moved : .unreachable(line)
    }

    /// The status with which git ends that does not know an option, since it is too old.
    private static let usageStatus: Int32 = 129

    /// Words of git's messages about a web server that knows nothing of git, such as a proxy with a page for logging in.
    private static let notGit = ["git-http-push failed", "not valid: is this a git repository"]

    /// Returns what a hook or the host itself has said of a push, as the end of a sentence, or an empty string.
    private static func remark(in lines: [String]) -> String {
        let words = lines.lazy.filter { $0.hasPrefix("remote:") }
            .map { $0.dropFirst("remote:".count).trimmingCharacters(in: .whitespaces) }
        // Other lines tell of progress.
        let remark = words.first { $0.contains { $0.isLetter } && !$0.contains("% (") && !$0.hasSuffix("done.") }
        return remark.map { ": " + $0 } ?? ""
    }

    /// Returns the line of git's messages that says why it failed.
    private static func reason(in lines: [String]) -> String {
        guard let index = lines.lastIndex(where: { $0.hasPrefix("fatal:") || $0.hasPrefix("error:") }) else {
            return lines.last ?? Texts.Git.noAnswer
        }
        // Git adds this to what ssh or the other side has said.
        guard lines[index].contains("Could not read from remote repository"), index > 0 else { return lines[index] }
        return lines[index - 1]
    }

    /// Returns whether git's messages tell of a full disk, here or at the remote.
    ///
    /// What the remote says stands in lines of its own, among them lines about its progress.
    private static func isDiskFull(in text: String, ofRemote isOfRemote: Bool) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            line.contains("remote:") == isOfRemote && fullDisk.contains { line.contains($0) }
        }
    }

    /// The words for ENOSPC and EDQUOT, and those of git where a write was too short.
    private static let fullDisk = ["No space left on device", "Disk quota exceeded", "Out of diskspace"]

    /// Whether there is no room for a repository, which not all of git's messages tell.
    private var hasNoRoom: Bool {
        let folder = FilePath(path).parent
        return (DiskFile.freeBytes(beside: folder.string) ?? .max) < Self.minimumRoom
    }

    /// Less free room than that, in bytes, does not hold an empty repository.
    private static let minimumRoom = 64 << 10

    /// Returns the reason why a push failed, such as `[rejected] (fetch first)` or the remote's message, or an empty
    /// string if there is none.
    ///
    /// With `--porcelain` the reason is the last field of an output line that begins with `!`.
    private static func refusal(in output: [UInt8]) -> String {
        let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last { $0.hasPrefix("!\t") }?.split(separator: "\t").last.map(String.init) ?? ""
    }

    /// Returns the path of the lock that a remote's git could not take, as its messages tell it.
    private static func lock(in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) where line.contains("remote:") {
            guard let start = line.range(of: "Unable to create '"), let end = line.range(of: "': File exists") else {
                continue
            }
            if start.upperBound < end.lowerBound { return String(line[start.upperBound..<end.lowerBound]) }
        }
        return nil
    }

    // MARK: - Preparing

    /// Creates the repository unless git can read an existing one.
    public func prepare() throws(GitError) {
        if isWhole {
            // Its files may be older than the setting that makes them private.
            chmod(path, 0o700)
            removeLeftovers()
            return
        }
        // It is rebuilt from the notebook; git reports what is in its way.
        try? PrivateFile.removeAll(FilePath(path))
        // The folder's own permissions keep others out from the beginning; where its parent is missing too, git makes
        // both, and reports why a folder cannot be made.
        mkdir(path, 0o700)
        try output([
            "init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=main", "--", path,
        ])
        chmod(path, 0o700)
        // Git adds this to a repository whose permissions it sets. The owner of a remote may rewrite its history.
        _ = try run(["config", "--unset", "receive.denyNonFastForwards"])
    }

    /// Whether the repository has all that git needs to take its folder for one; what is in the files shows later.
    private var isWhole: Bool {
        ["/HEAD", "/config"].allSatisfy { DiskFile.size(of: path + $0) > 0 }
            && ["/objects", "/refs"].allSatisfy { PathKind(path + $0) == .folder }
    }

    /// Returns the commit that a reference names, or `nil` if the reference has no file of its own, or does not exist.
    ///
    /// One that git has just written has a file, unless git keeps references in another way.
    func target(of reference: String) -> String? {
        let file = FilePath(path + "/" + reference)
        guard let bytes = try? PrivateFile.read(file, limit: 100) else { return nil }  // git is asked
        let name = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return name.utf8.count == 40 && name.allSatisfy(\.isHexDigit) ? name : nil
    }

    /// Returns whether files of the repository are damaged or missing, which takes as long as reading all of them.
    package func isDamaged() throws(GitError) -> Bool {
        let ignored = Self.tolerated.flatMap { ["-c", "fsck.\($0)=ignore"] }
        return try !run(ignored + ["fsck", "--full", "--no-dangling", "--no-progress"]).isSuccess
    }

    /// Removes what a git process has left that was killed or had no room: locks, unfinished packs and crash reports.
    ///
    /// The caller holds the synchronisation's lock.
    func removeLeftovers() {
        let packs = FilePath(path).appending("objects").appending("pack")
        for name in (try? PrivateFile.names(in: packs)) ?? [] {  // as below
            // What packing has left is in the former packs too, which git removes last.
            let isLeft = name.string.hasPrefix("tmp_") || name.string.hasPrefix(".tmp-")
            if isLeft { try? PrivateFile.removeAll(packs.appending(name)) }  // as below
        }
        var folders = [FilePath(path)]
        while let folder = folders.popLast() {
            for name in (try? PrivateFile.names(in: folder)) ?? [] {  // git names what is in its way
                let file = folder.appending(name)
                if name.string.hasSuffix(".lock") || name.string.hasPrefix("fast_import_crash_") {
                    try? PrivateFile.removeAll(file)  // git names what is in its way
                } else if name.string != "objects", PathKind(file) == .folder {
                    folders.append(file)
                }
            }
        }
    }
}

import Foundation
import Processes

/// A bare repository and the program git: the only place that starts it.
///
/// Nothing is ever checked out, so no filter runs, no link is followed and no name is folded. What could run code of a
/// stranger is switched off, and what the surrounding environment says about another repository is removed.
public struct GitRepository: Sendable {
    /// The repository's folder.
    public let path: String
    /// Whether git and ssh may ask on the terminal.
    public let asks: Bool
    /// The path of the program git.
    var program: String

    /// The branch that is synchronised, on the other end.
    public static let branch = "refs/heads/main"
    /// Where the other end's branch is kept here.
    static let remoteBranch = "refs/tn/remote/main"
    /// Where new commits are made.
    static let draftBranch = "refs/tn/draft"

    public init(path: String, asks: Bool) throws(GitError) {
        guard let git = Command.path(of: "git", in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        else { throw GitError.missing }
        (self.path, self.asks, program) = (path, asks, git)
    }

    /// How long a program of the network may say nothing.
    private static let silence = Duration.seconds(15)
    /// How long anything may take; chosen by eye, above the time of a first fetch over a slow line.
    private static let deadline = Duration.seconds(3600)

    // MARK: - Running

    /// What git is told before every command.
    private static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false",
        "fetch.fsckObjects=true", "transfer.fsckObjects=true", "core.quotePath=false", "core.logAllRefUpdates=false",
        "fetch.writeCommitGraph=false", "core.protectHFS=true", "core.protectNTFS=true", "submodule.recurse=false",
        "fetch.recurseSubmodules=false", "protocol.ext.allow=never", "http.lowSpeedLimit=100", "http.lowSpeedTime=15",
        "log.showSignature=false", "push.gpgSign=false", "push.followTags=false", "push.recurseSubmodules=no",
    ]

    /// Faults that a notebook's history may have, since nobody checks it out: they must not block fetching for ever.
    ///
    /// Paths are checked by tn itself; a broken object is still refused.
    private static let tolerated = [
        "hasDot", "hasDotdot", "hasDotgit", "fullPathname", "zeroPaddedFilemode", "gitmodulesName", "gitmodulesUrl",
        "gitmodulesPath", "gitmodulesSymlink", "gitmodulesParse", "gitmodulesUpdate", "gitmodulesBlob",
        "gitmodulesMissing", "gitmodulesLarge", "missingSpaceBeforeDate", "badTimezone",
    ]

    func run(
        _ words: [String], input: [UInt8] = [], isNetwork: Bool = false, limit: Int = 1 << 40
    ) throws(GitError) -> CommandResult {
        var all = ["git", "--git-dir=" + path]
        for setting in Self.settings { all += ["-c", setting] }
        for fault in Self.tolerated { all += ["-c", "fetch.fsck.\(fault)=ignore"] }
        var command = Command(path: program, words: all + words)
        command.input = .bytes(input)
        command.output = .collected(limit: limit)
        command.errorOutput = .collected(limit: 1 << 16)
        // A group of its own could not read a password from the terminal.
        if isNetwork && asks { command.hasOwnGroup = false } else { command.hasOwnSession = true }
        command.environment = GitEnvironment.current(asks: asks && isNetwork)
        do {
            // A person who is asked may think for a while.
            return try command.run(deadline: Self.deadline, silence: isNetwork && !asks ? Self.silence : nil)
        } catch {
            throw GitError.missing
        }
    }

    @discardableResult
    func output(
        _ words: [String], input: [UInt8] = [], isNetwork: Bool = false
    ) throws(GitError) -> [UInt8] {
        let result = try run(words, input: input, isNetwork: isNetwork)
        guard result.isSuccess else { throw Self.error(of: result, isNetwork: isNetwork) }
        return result.output
    }

    func line(_ words: [String]) throws(GitError) -> String {
        String(decoding: try output(words), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func error(of result: CommandResult, isNetwork: Bool) -> GitError {
        let text = String(decoding: result.errorOutput, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let line = lines.last { $0.hasPrefix("fatal:") || $0.hasPrefix("error:") } ?? lines.last ?? "no answer"
        guard isNetwork else { return .failed(line) }
        if result.isStopped { return .unreachable("no answer for 15 seconds") }
        let lower = text.lowercased()
        let spoils = ["fsck", "hasdot", "badtree"].contains { lower.contains($0) }
        // Names of commits and folders stand in the other words, and may look like anything.
        let refusal = refusal(in: result.output)
        if !refusal.isEmpty {
            let isLate = ["[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value"]
                .contains { refusal.contains($0) }
            return isLate ? .moved : spoils ? .hostile(line) : .refused(refusal)
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

    /// Why git could not send a branch: `[rejected] (fetch first)`, or what the other end says; empty if it says nothing.
    ///
    /// With `--porcelain` it stands in the output, on a line of a mark, the branch and the reason.
    private static func refusal(in output: [UInt8]) -> String {
        let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last { $0.hasPrefix("!\t") }?.split(separator: "\t").last.map(String.init) ?? ""
    }

    // MARK: - The repository itself

    /// Makes the repository if there is none that git can read.
    public func prepare() throws(GitError) {
        if FileManager.default.fileExists(atPath: path + "/HEAD"), try run(["rev-parse", "--git-dir"]).isSuccess {
            removeStaleLocks()
            return
        }
        try? FileManager.default.removeItem(atPath: path)  // what git cannot read is made anew from the notebook
        try output(["init", "--quiet", "--bare", "--template=", "--initial-branch=main", "--", path])
        // Commits that came by tn itself are not checked again by what this folder's own settings may say.
        chmod(path, 0o700)
    }

    /// Removes locks that a killed git left; the caller holds the lock of the synchronisation.
    private func removeStaleLocks() {
        let names = FileManager.default.enumerator(atPath: path)
        while let name = names?.nextObject() as? String {
            if name == "objects" { names?.skipDescendants() }
            if name.hasSuffix(".lock") {
                try? FileManager.default.removeItem(atPath: path + "/" + name)  // git names it if it is in its way
            }
        }
    }

    /// Packs loose objects once there are many, so that the folder stays small.
    public func tidy() {
        // What cannot be counted or packed now is packed after a later synchronisation.
        guard let counted = try? line(["count-objects"]), let count = Int(counted.prefix { $0.isNumber }), count > 500
        else { return }
        let repack = ["repack", "-d", "-q", "--geometric=2", "--no-write-bitmap-index"]
        // What fails is tried again next time.
        if (try? run(repack))?.isSuccess != true { _ = try? run(["repack", "-d", "-q"]) }  // see above
    }
}

/// The environment that git runs in.
enum GitEnvironment {
    /// What `git rev-parse --local-env-vars` lists, and what turns answers into other words or starts programs.
    private static let removed: Set<String> = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH",
        "GIT_CEILING_DIRECTORIES",
        "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_PAGER", "GIT_TEMPLATE_DIR", "GIT_DEFAULT_HASH", "GIT_LITERAL_PATHSPECS",
        "LANGUAGE", "LC_ALL",
        // Nothing that git starts needs to know it.
        PassphraseSource.variable,
    ]

    static func current(asks: Bool) -> [String: String] {
        var values = ProcessInfo.processInfo.environment.filter { name, _ in
            !removed.contains(name) && !name.hasPrefix("GIT_TRACE") && !name.hasPrefix("GIT_CONFIG_KEY_")
                && !name.hasPrefix("GIT_CONFIG_VALUE_")
        }
        values["LC_ALL"] = "C"
        values["GIT_ALLOW_PROTOCOL"] = "file:ssh:https:http"
        values["GIT_PROTOCOL_FROM_USER"] = "0"
        values["GIT_NO_REPLACE_OBJECTS"] = "1"
        if asks { return values }
        values["GIT_TERMINAL_PROMPT"] = "0"
        values["GIT_ASKPASS"] = ""
        values["SSH_ASKPASS"] = ""
        values["SSH_ASKPASS_REQUIRE"] = "never"
        values["GIT_SSH_COMMAND"] =
            (values["GIT_SSH_COMMAND"] ?? values["GIT_SSH"] ?? "ssh")
            + " -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
        return values
    }
}

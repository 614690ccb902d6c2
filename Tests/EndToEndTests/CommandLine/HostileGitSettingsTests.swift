import Foundation
import TerminalDriver
import Testing

/// Tests synchronising where git's global and system settings start programs wherever git can start one, and change all
/// that they can.
struct HostileGitSettingsTests {
    private let workplace: Workplace
    private let url: String
    /// What every program of the settings and every hook writes to.
    private let canary: URL

    init() throws {
        workplace = try Workplace()
        url = workplace.folder.appending(path: "notes.git").path
        canary = workplace.folder.appending(path: "started")
    }

    /// Writes a program that tells that it was started, and fails.
    private func program(_ path: String) throws -> String {
        let file = workplace.folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try StandIn.write("echo \"$0 $*\" >>'\(canary.path)'\nexit 1", to: file.path)
        return file.path
    }

    private static let hooks = [
        "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
        "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update",
        "proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc",
        "post-rewrite", "fsmonitor-watchman", "post-index-change",
    ]

    /// Returns the settings; `folder` holds the hooks, a template with them, and the attributes of all files.
    private func settings() throws -> String {
        for hook in Self.hooks {
            _ = try program("hooks/\(hook)")
            _ = try program("template/hooks/\(hook)")
        }
        let (folder, evil) = (workplace.folder.path, try program("evil"))
        let attributes = "* filter=evil diff=evil merge=evil text eol=crlf working-tree-encoding=UTF-16 ident\n"
        try Data(attributes.utf8).write(to: workplace.folder.appending(path: "attributes"))
        return """
            [core]
            hooksPath = \(folder)/hooks
            fsmonitor = \(evil) fsmonitor
            autocrlf = true
            eol = crlf
            safecrlf = true
            editor = \(evil) editor
            pager = \(evil) pager
            askPass = \(evil) askpass
            sshCommand = \(evil) ssh
            gitProxy = \(evil) proxy
            alternateRefsCommand = \(evil) alternates
            attributesFile = \(folder)/attributes
            excludesFile = \(folder)/attributes
            quotePath = true
            ignoreCase = true
            bare = false
            sharedRepository = world
            bigFileThreshold = 1
            logAllRefUpdates = always
            preferSymlinkRefs = true
            splitIndex = true
            [filter "evil"]
            clean = \(evil) clean
            smudge = \(evil) smudge
            process = \(evil) process
            required = true
            [diff]
            external = \(evil) diff
            orderFile = \(folder)/nowhere
            relative = true
            noprefix = true
            [diff "evil"]
            textconv = \(evil) textconv
            command = \(evil) command
            [merge]
            default = evil
            verifySignatures = true
            [merge "evil"]
            driver = \(evil) driver
            [commit]
            gpgSign = true
            [gpg]
            program = \(evil) gpg
            format = ssh
            [gpg "ssh"]
            program = \(evil) gpg
            defaultKeyCommand = \(evil) key
            [user]
            signingKey = evil
            useConfigOnly = true
            [push]
            gpgSign = true
            default = nothing
            followTags = true
            recurseSubmodules = on-demand
            pushOption = evil
            negotiate = true
            [fetch]
            prune = true
            pruneTags = true
            fsckObjects = true
            unpackLimit = 1
            writeCommitGraph = true
            recurseSubmodules = true
            [transfer]
            fsckObjects = true
            hideRefs = refs/tn
            advertiseSID = true
            [receive]
            fsckObjects = true
            autogc = true
            [uploadpack]
            packObjectsHook = \(evil) pack
            [gc]
            auto = 1
            autoPackLimit = 1
            pruneExpire = now
            [maintenance]
            auto = true
            [repack]
            writeBitmaps = true
            [alias]
            fetch = !\(evil) alias
            push = !\(evil) alias
            fast-import = !\(evil) alias
            [url "ext::\(evil) %S "]
            insteadOf = nowhere.invalid:
            [init]
            templateDir = \(folder)/template
            defaultBranch = evil
            [credential]
            helper = !\(evil) credential
            [protocol]
            allow = never
            [protocol "ext"]
            allow = always
            [safe]
            bareRepository = explicit
            [i18n]
            commitEncoding = ISO-8859-1
            logOutputEncoding = UTF-16
            [log]
            showSignature = true
            date = relative
            decorate = full
            diffMerges = first-parent
            [format]
            pretty = format:evil
            [color]
            ui = always
            [submodule]
            recurse = true
            [extensions]
            worktreeConfig = true
            [remote "origin"]
            url = ext::\(evil)
            [include]
            path = \(folder)/nowhere

            """
    }

    /// Returns what the programs of the settings wrote.
    private func started() -> String {
        FileManager.default.contents(atPath: canary.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func `two machines become one, and nothing that the settings name is started`() throws {
        let text = Data(try settings().utf8)
        let system = workplace.folder.appending(path: "system.conf")
        let other = try Workplace()
        for file in [system] + [workplace, other].map({ $0.folder.appending(path: ".gitconfig") }) {
            try text.write(to: file)
        }
        func tn(_ place: Workplace, _ words: String...) throws -> Workplace.Result {
            let all = place.environment.merging(["GIT_CONFIG_SYSTEM": system.path]) { $1 }
            let result = try ProgramRun.run(Workplace.program, words, environment: all)
            #expect(result.status == 0, "\(words): \(result)")
            return result
        }
        _ = try tn(workplace, "--new", "First ü")
        _ = try tn(other, "--new", "Second\r\nline")
        #expect(try tn(workplace, "sync", "init", url, "--yes").output == "1 note, 0 images. In sync.\n")
        #expect(try tn(other, "sync", "init", url, "--yes").output == "2 notes, 0 images. In sync.\n")
        #expect(try tn(workplace, "sync").output == "1 received. In sync.\n")
        #expect(try tn(workplace, "show", "Second").output == "Second\r\nline")
        // A file that somebody deletes is looked for in the history.
        _ = try tn(other, "append", "First ü", "more")
        _ = try tn(workplace, "trash", "Second")
        for place in [workplace, other, workplace] { _ = try tn(place, "sync") }
        #expect(try tn(workplace, "show", "First ü").output == "First ü\nmore")
        #expect(try tn(other, "list").output.split(separator: "\n").count == 1)
        let log = try tn(other, "sync", "log").output
        #expect(log.contains("A note from") && !log.contains("\u{1B}"), "\(log)")
        // A remote that is a program is refused, and what git says of it is in no colour.
        let refused = try other.run(
            Workplace.program, ["sync", "init", "nowhere.invalid:notes", "--yes"],
            environment: ["GIT_CONFIG_SYSTEM": system.path])
        #expect(refused.status != 0 && !refused.error.contains("[31m"), "\(refused)")
        #expect(started().isEmpty, "\(started())")
        let settings = try String(contentsOfFile: url + "/config", encoding: .utf8)
        #expect(!FileManager.default.fileExists(atPath: url + "/hooks") && settings.contains("bare = true"))
    }
}

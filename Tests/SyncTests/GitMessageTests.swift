import Foundation
import NoteStore
import Processes
import TerminalDriver
import Testing

@testable import Sync

/// Tests what is understood of git's messages, by a program that writes them in git's place.
final class GitMessageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tn-git-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit {
        try? FileManager.default.removeItem(at: folder)  // the system's folder is cleaned by others too
    }

    private func git(saying lines: [String]) throws -> GitRepository {
        var repository = try GitRepository(path: folder.appending(path: "here.git").path, asks: false)
        repository.program = folder.appending(path: "git").path
        let words = lines.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
        try StandIn.write("printf '%s\\n' \(words) >&2\nexit 128", to: repository.program)
        return repository
    }

    /// The remote's progress stands among git's own messages.
    @Test(arguments: [
        "fatal: write error: No space left on device", "fatal: sha1 file '<stdout>' write error. Out of diskspace",
        "error: unable to write file ./objects/ab/cd: Disk quota exceeded",
    ])
    func `a full disk is told apart from a remote that does not answer, and from the remote's disk`(
        _ words: String
    ) throws {
        let progress = "remote: Enumerating objects: 3, done."
        let full = try git(saying: [progress, words, "fatal: index-pack failed"])
        #expect(throws: GitError.diskFull(full.path)) { try full.fetch("/somewhere") }
        #expect(throws: GitError.diskFull(full.path)) { try full.line(["rev-parse", "HEAD"]) }
        let remote = try git(saying: [progress, "remote: " + words, "error: remote unpack failed"])
        #expect(throws: GitError.remoteFull) { try remote.push("0123", to: "/somewhere") }
        let silent = try git(saying: [progress, "fatal: early EOF"])
        #expect(throws: GitError.unreachable("fatal: early EOF")) { try silent.fetch("/somewhere") }
        // A slow fetch has written much before it fails.
        let late = try git(saying: [String](repeating: progress, count: 3_000) + [words])
        #expect(throws: GitError.diskFull(late.path)) { try late.fetch("/somewhere") }
    }

    @Test func `a git that does not know an option is too old`() throws {
        var old = try git(saying: [])
        old.program = folder.appending(path: "old").path
        let words = "error: unknown option \\`initial-branch=main'"
        try StandIn.write("printf '%s\\n' \"\(words)\" 'usage: git init' >&2\nexit 129", to: old.program)
        #expect(throws: GitError.missing) { try old.prepare() }
        #expect(throws: GitError.missing) { try old.fetch("/somewhere") }
    }

    /// Git's own last words only say that there is a reason before them.
    @Test(arguments: [
        ("Host key verification failed.", true), ("a@b: Permission denied (publickey).", true),
        ("ssh: connect to host b port 22: Connection refused", false),
        ("fatal: '/notes.git' does not appear to be a git repository", false),
    ])
    func `the reason is what ssh or the other side has said`(_ words: String, _ isRefusal: Bool) throws {
        let last = [
            "fatal: Could not read from remote repository.", "", "Please make sure you have the correct access rights",
            "and the repository exists.",
        ]
        let git = try git(saying: [words] + last)
        let error: GitError = isRefusal ? .refused(words) : .unreachable(words)
        #expect(throws: error) { try git.fetch("a@b:notes.git") }
    }

    /// The remote's progress, and a line that only separates, are not the reason.
    @Test func `of a repository that is not there it is told how to make it`() throws {
        let missing = try git(saying: ["fatal: 'notes.git' does not appear to be a git repository"])
        let error = #expect(throws: GitError.self) { try missing.fetch("desktop:notes.git") }
        #expect(try Texts.sentence(.git(#require(error))).hasSuffix("git init --bare makes it there"))
        let silent = try git(saying: ["ssh: connect to host desktop port 22: Connection refused"])
        let other = #expect(throws: GitError.self) { try silent.fetch("desktop:notes.git") }
        #expect(try Texts.sentence(.git(#require(other))).hasSuffix("Connection refused"))
    }

    @Test func `a refused push is told with the words of the host`() throws {
        let git = try git(saying: [])
        func expect(_ error: GitError, _ reason: String = "pre-receive hook declined", saying words: [String]) throws {
            let lines = words.map { "'remote: \($0)        '" }.joined(separator: " ")
            let status = "!\\t0123:refs/heads/main\\t[remote rejected] (\(reason))\\n"
            try StandIn.write("printf '\(status)'\nprintf '%s\\n' \(lines) >&2\nexit 1", to: git.program)
            #expect(throws: error) { try git.push("0123", to: "a@b:notes.git") }
        }
        let progress = ["Resolving deltas: 100% (1/1), done.", "Checking connectivity: 5, done.", "====", ""]
        let refusal = "[remote rejected] (pre-receive hook declined)"
        try expect(.refused(refusal + ": no pushes on Monday"), saying: progress + ["no pushes on Monday", "at all"])
        try expect(.refused(refusal), saying: progress)
        // Git's advice is of use only to somebody who is at the remote.
        try expect(
            .refused(Texts.Git.checkedOut), "branch is currently checked out",
            saying: ["error: refusing to update checked out branch: refs/heads/main", "error: By default, updating"])
    }

    @Test(arguments: [
        ["fatal: https://a/notes.git/info/refs not valid: is this a git repository?"],
        ["error: Cannot access URL https://a/", "fatal: git-http-push failed", "error: failed to push some refs"],
    ])
    func `a web server that knows nothing of git is told apart from one that does not answer`(
        _ lines: [String]
    ) throws {
        let git = try git(saying: lines)
        #expect(throws: GitError.unreachable(Texts.Git.notGit)) { try git.push("0123", to: "https://a/notes.git") }
    }

    @Test func `a lock that another machine has left at the remote is named`() throws {
        let url = folder.appending(path: "remote.git").path
        try GitRepository(path: url, asks: false).prepare()
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        _ = try NotebookSync(notebook).begin(url)
        let lock = URL(filePath: url).appending(path: GitRepository.branch + ".lock")
        try Data().write(to: lock)
        try notebook.notes.create(NewNote(text: "x\n"))
        let found = #expect(throws: GitError.self) { try NotebookSync(notebook).run() }
        if case .locked(let path) = found {
            #expect(path.hasSuffix(GitRepository.branch + ".lock"))
        } else {
            Issue.record("\(String(describing: found))")
        }
        try FileManager.default.removeItem(at: lock)
        #expect(try NotebookSync(notebook).run().sent == 1)
    }

    @Test func `what a git has left that was killed or had no room is removed`() throws {
        let repository = try GitRepository(path: folder.path + "/here.git", asks: false)
        try repository.prepare()
        let commit = try repository.commit(Draft(parents: [], message: "first", date: 1), TreeChange())
        let left = [
            "fast_import_crash_7", "HEAD.lock", "refs/tn/head.lock", "objects/pack/tmp_pack_abc",
            "objects/pack/.tmp-7-pack-abc.pack",
        ]
        for name in left { try Data("left".utf8).write(to: URL(filePath: repository.path + "/" + name)) }
        try repository.prepare()
        for name in left { #expect(!FileManager.default.fileExists(atPath: repository.path + "/" + name), "\(name)") }
        #expect(repository.has(commit))
    }

    @Test func `a git that was asked to stop is not a remote that does not answer, and no further git begins`() throws {
        var repository = try git(saying: ["fatal: early EOF"])
        let stop = CommandStop()
        repository.stop = stop
        #expect(throws: GitError.unreachable("fatal: early EOF")) { try repository.fetch("/somewhere") }
        stop.stop()
        #expect(throws: GitError.stopped) { try repository.fetch("/somewhere") }
        #expect(throws: GitError.stopped) { try repository.isAncestor("a", of: "b") }
        // Without a git nothing is decided by what it did not say.
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        var sync = NotebookSync(notebook)
        sync.stop = stop
        #expect(throws: GitError.stopped) { try sync.begin(folder.appending(path: "remote.git").path) }
        #expect(try sync.url() == nil && notebook.care.check() == [])
    }
}

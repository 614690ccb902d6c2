import Foundation
import NoteStore
import SeededRandom
import Testing

@testable import Sync

/// Tests three notebooks with a bare repository on this machine, through the program git.
final class GitTests {
    private let folder: URL
    /// The path of the repository that the notebooks share.
    private let url: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-git-\(UUID().uuidString)")
        url = folder.appending(path: "remote.git").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too

    /// Makes the repository at an address, and one that sends to it.
    private func repositories(_ url: String) throws -> (remote: GitRepository, here: GitRepository) {
        let remote = try GitRepository(path: url, asks: false)
        let here = try GitRepository(path: folder.appending(path: "here.git").path, asks: false)
        for repository in [remote, here] { try repository.prepare() }
        return (remote, here)
    }

    @Test func `three notebooks become one`() throws {
        try GitRepository(path: url, asks: false).prepare()
        let notebooks = try (0..<3).map {
            try Notebook.open(folder.appending(path: "\($0).sqlite").path, mode: .command)
        }
        for (number, notebook) in notebooks.enumerated() {
            try notebook.notes.create(NewNote(text: "nul \0 and ␀ \(number)\n", title: number == 1 ? ".." : ".git"))
            _ = try NotebookSync(notebook).begin(url)
        }
        let shared = try #require(
            try notebooks[0].sync.snapshot(all: true).notes.keys.min { $0.uuid.precedes($1.uuid) })
        for notebook in notebooks { _ = try NotebookSync(notebook).run() }
        for (number, notebook) in notebooks.enumerated() {
            let note = try #require(try notebook.notes.load(shared))
            _ = try notebook.notes.save(
                shared, text: note.content + "line \(number)\n", baseRevision: note.row.revision)
        }
        for _ in 0..<2 { for notebook in notebooks { _ = try NotebookSync(notebook).run() } }
        let texts = try notebooks.map { try $0.notes.text(shared) }
        #expect(Set(texts).count == 1)
        for number in 0..<3 { #expect(texts[0]?.contains("line \(number)\n") == true) }
        #expect(try notebooks.map { try $0.sync.counts().notes } == [3, 3, 3])
        // A history that does not continue makes the synchronisation ask first, and join on request.
        let repository = try GitRepository(path: url, asks: false)
        try repository.output(["update-ref", "-d", GitRepository.branch])
        let other = try repository.commit(Draft(parents: [], message: "new", date: 1), TreeChange())
        try repository.output(["update-ref", GitRepository.branch, other])
        #expect(throws: SyncError.rewritten(url: url)) { try NotebookSync(notebooks[0]).run() }
        var joining = NotebookSync(notebooks[0])
        joining.choice = .join
        _ = try joining.run()
        #expect(try notebooks[0].sync.counts().notes == 3)
    }

    @Test func `commits of other programs are told from tn's by their address`() throws {
        let repository = try GitRepository(path: url, asks: false)
        try repository.prepare()
        func commit(on parents: [String], address: String) throws -> String {
            try repository.commit(
                Draft(parents: parents, message: "x", author: "Ana (<tn>)", address: address, date: 1), TreeChange())
        }
        let own = try commit(on: [], address: Draft.ownAddress)
        let byHand = try commit(on: [commit(on: [own], address: "ana@tn")], address: "tn@example.org")
        #expect(try repository.lastOwn(upTo: byHand) == own && repository.lastOwn(upTo: own) == own)
        #expect(try repository.lastOwn(upTo: commit(on: [], address: "ana@example.org")) == nil)
    }

    @Test func `an empty repository that was made for another branch gets a HEAD that can be cloned`() throws {
        let (remote, here) = try repositories(url)
        try remote.output(["symbolic-ref", "HEAD", "refs/heads/master"])
        // Nothing was pushed yet, so HEAD may still get its branch.
        #expect(try !here.settleHead(of: url))
        #expect(try remote.line(["symbolic-ref", "HEAD"]) == "refs/heads/master")
        try here.push(try here.commit(Draft(parents: [], message: "first", date: 1), TreeChange()), to: url)
        #expect(try !here.settleHead(of: url))
        #expect(try remote.line(["symbolic-ref", "HEAD"]) == GitRepository.branch)
        // A HEAD that names a branch is somebody's choice.
        try remote.output(["update-ref", "refs/heads/other", GitRepository.branch])
        try remote.output(["symbolic-ref", "HEAD", "refs/heads/other"])
        #expect(try !here.settleHead(of: url))
        #expect(try remote.line(["symbolic-ref", "HEAD"]) == "refs/heads/other")
        // In a repository with files of its own, HEAD decides what they are.
        try remote.output(["update-ref", "-d", "refs/heads/other"])
        try remote.output(["config", "core.bare", "false"])
        #expect(try here.settleHead(of: url))
    }

    @Test func `a repository that has another branch alone is not taken for an empty one`() throws {
        let remote = try GitRepository(path: url, asks: false)
        try remote.prepare()
        let bytes = Array("theirs\n".utf8)
        var change = TreeChange()
        let entry = TreeEntry(object: GitObject.name(ofBlob: bytes))
        (change.contents[entry.object], change.entries["Theirs.md"]) = (bytes, entry)
        let commit = try remote.commit(Draft(parents: [], message: "vault", date: 1), change)
        for name in ["another", "master"] { try remote.output(["update-ref", "refs/heads/" + name, commit]) }
        try remote.output(["symbolic-ref", "HEAD", "refs/heads/master"])
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        try notebook.notes.create(NewNote(text: "mine\n"))
        var sync = NotebookSync(notebook)
        sync.takesForeign = true
        #expect(throws: SyncError.otherBranch(url: url, name: "master")) { try sync.begin(url) }
        #expect(try sync.url() == nil)
        try remote.output(["branch", "-m", "master", "main"])
        _ = try sync.begin(url)
        #expect(try sync.count().notes == 2)
    }

    /// Such names are never written anywhere, and do not keep the rest from coming.
    @Test func `names that lead out of a folder are reported`() throws {
        let remote = try GitRepository(path: url, asks: false)
        try remote.prepare()
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        let sync = NotebookSync(notebook)
        _ = try sync.begin(url)
        let blob = try remote.line(["hash-object", "-w", "--stdin"])
        func tree(_ entries: [String]) throws -> String {
            let bytes = try remote.output(["mktree", "-z"], input: Array(entries.map { $0 + "\0" }.joined().utf8))
            return String(decoding: bytes.prefix(40), as: UTF8.self)
        }
        let inner = try tree(["100644 blob \(blob)\t..", "100644 blob \(blob)\t.git", "100644 blob \(blob)\tNew.md"])
        let outer = try tree(["040000 tree \(inner)\tInbox", "100644 blob \(blob)\tgit~1"])
        let head = try remote.line(["rev-parse", GitRepository.branch])
        let text = "tree \(outer)\nparent \(head)\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nhostile\n"
        try remote.output(["update-ref", GitRepository.branch, remote.commit(CommitText(Array(text.utf8)))])
        #expect(try sync.run().received == 1)
        #expect(try sync.unopened() == ["Inbox/..", "Inbox/.git", "git~1"])
        #expect(try sync.run() == SyncReport())
    }

    /// Git reports this on another stream than all other errors.
    @Test func `who was slower is told apart from a line that is cut, and from a refusal`() throws {
        // A path may contain numbers that are also servers' status codes.
        let url = folder.appending(path: "remote 401 403.git").path
        let (remote, here) = try repositories(url)
        let first = try here.commit(Draft(parents: [], message: "first", date: 1), TreeChange())
        try here.push(first, to: url)
        let theirs = try remote.commit(Draft(parents: [first], message: "theirs", date: 2), TreeChange())
        try remote.output(["update-ref", GitRepository.branch, theirs])
        let ours = try here.commit(Draft(parents: [first], message: "ours", date: 3), TreeChange())
        // Git gives another reason once it has the other commit.
        for _ in 0..<2 {
            #expect(throws: GitError.moved) { try here.push(ours, to: url) }
            _ = try here.fetch(url)
        }
        let merge = try here.commit(Draft(parents: [theirs, ours], message: "both", date: 4), TreeChange())
        try remote.output(["config", "transfer.hideRefs", "refs/heads"])
        #expect(throws: GitError.refused("[remote rejected] (deny updating a hidden ref)")) {
            try here.push(merge, to: url)
        }
        try remote.output(["config", "--unset", "transfer.hideRefs"])
        try here.push(merge, to: url)
        #expect(throws: GitError.self) { try here.push(merge, to: folder.appending(path: "nowhere").path) }
    }

    @Test func `a note that somebody moved out of the archive by hand forgets where it was`() throws {
        let repository = try GitRepository(path: url, asks: false)
        try repository.prepare()
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        let note = try notebook.notes.create(NewNote(text: "text", title: "N"))
        try notebook.notes.archive([note.id])
        _ = try NotebookSync(notebook).begin(url)
        let head = String(decoding: try repository.output(["rev-parse", GitRepository.branch]), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        var change = TreeChange()
        let entry = try #require(try repository.tree(of: head)["Archive/N.md"])
        change.entries["F/N.md"] = entry
        change.entries["Archive/N.md"] = .some(nil)
        let moved = try repository.commit(Draft(parents: [head], message: "moved", date: 1), change)
        try repository.output(["update-ref", GitRepository.branch, moved])
        for _ in 0..<2 { _ = try NotebookSync(notebook).run() }
        #expect(try notebook.notes.row(note.id)?.place == .live)
        #expect(try notebook.care.check().isEmpty)
        let text = try repository.output(["show", "\(GitRepository.branch):F/N.md"])
        #expect(!String(decoding: text, as: UTF8.self).contains("from:"))
    }

    /// Otherwise the other machines would at once undo the purpose of the restored backup.
    @Test func `a restored backup waits for a decision`() throws {
        try GitRepository(path: url, asks: false).prepare()
        let path = folder.appending(path: "notes.sqlite").path
        var notebook = try Notebook.open(path, mode: .command)
        let old = try notebook.notes.create(NewNote(text: "old"))
        _ = try NotebookSync(notebook).begin(url)
        let backup = try notebook.backups.create(.beforeRestoring).path
        // Nothing has changed elsewhere since the backup, so no question is asked.
        try notebook.close()
        try Notebook.Backups.restore(backup, to: path)
        notebook = try Notebook.open(path, mode: .command)
        #expect(try notebook.sync.isRestored())
        #expect(try NotebookSync(notebook).run() == SyncReport())
        let new = try notebook.notes.create(NewNote(text: "new"))
        try notebook.trash.add([old.id])
        try notebook.trash.deleteForever([old.id], backup: false)
        _ = try NotebookSync(notebook).run()
        try notebook.close()
        for choice in [SyncChoice.join, .adopt] {
            try Notebook.Backups.restore(backup, to: path)
            notebook = try Notebook.open(path, mode: .command)
            #expect(throws: SyncError.restored(url: url)) { try NotebookSync(notebook).run() }
            #expect(try notebook.notes.row(old.id)?.place == .live)
            var sync = NotebookSync(notebook)
            sync.choice = choice
            _ = try sync.run()
            // After joining, both notes are live; after adopting, the remote's notes are live, and the others in Trash.
            #expect(try notebook.notes.row(new.id)?.place == .live)
            #expect(try notebook.notes.row(old.id)?.place == .live)
            #expect(try NotebookSync(notebook).run() == SyncReport())
            #expect(try !notebook.sync.isRestored())
            try notebook.close()
        }
        // The mark is also set if the file is missing or damaged.
        try FileManager.default.removeItem(atPath: path)
        try Notebook.Backups.restore(backup, to: path)
        #expect(try Notebook.open(path, mode: .command).sync.isRestored())
        try Data("no notebook".utf8).write(to: URL(filePath: path))
        try Notebook.Backups.restore(backup, to: path)
        #expect(try Notebook.open(path, mode: .command).sync.isRestored())
    }

    @Test func `addresses that start programs are refused`() {
        for url in [
            "ext::sh -c id", "-upload-pack=x", "ssh://-oProxyCommand=x/y", "fd::17", "", "git://host/x", "u@-x:y",
            "http://host/x.git",
        ] {
            #expect(!GitRepository.isAddress(url), "\(url)")
        }
        for url in ["/a/b.git", "host:notes.git", "user@host:notes.git", "ssh://host/x", "https://host/x.git"] {
            #expect(GitRepository.isAddress(url), "\(url)")
        }
    }

    @Test(arguments: ["", "file://"], [true, false])
    func `a repository is made where none is`(_ scheme: String, isFolder: Bool) throws {
        let path = folder.appending(path: "new.git")
        if isFolder { try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false) }
        let url = scheme + path.path
        let notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .command)
        try notebook.notes.create(NewNote(text: "first\n"))
        try NotebookSync(notebook).makeRepository(url)
        #expect(try NotebookSync(notebook).begin(url).sent == 1)
    }

    @Test func `many small files and few large ones are packed, and a little is left alone`() throws {
        let repository = try GitRepository(path: folder.appending(path: "one.git").path, asks: false)
        try repository.prepare()
        var (random, head) = (SeededGenerator(seed: 1), String?.none)
        func commit(files: Int, bytes: Int) throws {
            var change = TreeChange()
            for number in 0..<files {
                let content = (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) }
                let object = GitObject.name(ofBlob: content)
                change.contents[object] = content
                change.entries[TreePath("Inbox/\(number).bin")] = TreeEntry(object: object)
            }
            head = try repository.commit(Draft(parents: head.map { [$0] } ?? [], message: "m", date: 1), change)
            try repository.keep(#require(head), as: "head")
        }
        /// The number and the size of loose objects, the latter in KB.
        func loose() throws -> (count: Int, size: Int) {
            let words = try repository.line(["count-objects"]).split(separator: " ").compactMap { Int($0) }
            return try (#require(words.first), #require(words.last))
        }
        try commit(files: 20, bytes: 10_000)
        repository.tidy()
        #expect(try loose().count > 20)
        try commit(files: 9, bytes: 120_000)
        #expect(try loose().size > 1000)
        repository.tidy()
        #expect(try loose().count == 0)
        for _ in 0..<6 { try commit(files: 90, bytes: 8) }
        repository.tidy()
        #expect(try loose().count == 0)
        #expect(try repository.tree(of: #require(head)).count == 90)
    }

    /// What receives starts the git that packs the remote, which would keep each listing whole.
    @Test func `whole files are sent within a machine, and packed by their differences there`() {
        #expect(GitRepository.serving("upload-pack").contains(" -c \(GitRepository.wholeFiles) "))
        #expect(!GitRepository.serving("receive-pack").contains("pack.window"))
    }

    /// Git checks what it fetches as a pack, and keeps that, however small it is.
    @Test func `many small packs are packed together`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let repository = try GitRepository(path: folder.appending(path: "one.git").path, asks: false)
        try repository.prepare()
        let packs = folder.appending(path: "one.git/objects/pack").path
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: packs).count { $0.hasSuffix(".pack") }
        }
        var head: String?
        for number in 0..<30 {
            var change = TreeChange()
            let content = Array("text \(number)".utf8)
            let object = GitObject.name(ofBlob: content)
            (change.contents[object], change.entries["Inbox/a.md"]) = (content, TreeEntry(object: object))
            head = try repository.commit(Draft(parents: head.map { [$0] } ?? [], message: "m", date: 1), change)
            try repository.keep(#require(head), as: "head")
            try repository.output(["repack", "-d", "-q"])
            if number == 9 {
                repository.tidy()
                #expect(try count() == 10)
            }
        }
        #expect(try count() == 30)
        repository.tidy()
        #expect(try count() < 10)
        #expect(try repository.contents(of: [GitObject.name(ofBlob: Array("text 0".utf8))]).count == 1)
        #expect(try repository.tree(of: #require(head)).count == 1)
    }
}

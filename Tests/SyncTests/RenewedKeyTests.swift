import Foundation
import NoteStore
import Testing

@testable import Sync

/// Tests encrypting a repository again, after a key or a passphrase was disclosed.
final class RenewedKeyTests {
    private let folder: URL
    private let url: String
    private let repository: GitRepository

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-renew-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: "remote.git").path
        repository = try GitRepository(path: url, asks: false)
        try repository.prepare()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too

    private func sync(_ name: String, _ passphrase: String? = nil) throws -> NotebookSync {
        let notebook = try Notebook.open(folder.appending(path: "\(name).sqlite").path, mode: .command)
        var sync = NotebookSync(notebook)
        (sync.scryptWork, sync.takesForeign) = (2, true)
        sync.passphrases.given = passphrase
        return sync
    }

    /// Makes a machine that has created the repository, and one that has joined it; both store the key.
    private func begin() throws -> (one: NotebookSync, other: NotebookSync) {
        var (one, other) = (try sync("one", "old words"), try sync("other", "old words"))
        one.encrypts = true
        try one.notebook.notes.create(NewNote(text: "first text", title: "first"))
        _ = try one.begin(url)
        _ = try other.begin(url)
        (one.passphrases.given, other.passphrases.given) = (nil, nil)
        one.newPassphrases.given = "new words"
        return (one, other)
    }

    private var head: String {
        get throws {
            let output = try repository.output(["rev-parse", GitRepository.branch])
            return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func texts(_ sync: NotebookSync) throws -> Set<String> {
        let notes = try sync.notebook.sync.snapshot(all: true).notes.values
        return Set(notes.map(\.text.string))
    }

    private func key(_ name: String) throws -> SyncKey? {
        KeyFile(path: folder.appending(path: "\(name).sync.key").path).read()?.key
    }

    private func hasNextKey(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "\(name).sync.key.next").path)
    }

    @Test func `the other machines are told, and what they had not sent is merged`() throws {
        var (one, other) = try begin()
        let old = try #require(try key("one"))
        try other.notebook.notes.create(NewNote(text: "unsent text", title: "unsent"))
        try one.renewKey()
        let new = try #require(try key("one"))
        #expect(new != old && !hasNextKey("one"))
        // No file or name of the present tree can be opened with the old key.
        let tree = try repository.tree(of: head)
        let contents = try repository.contents(of: Set(tree.values.map(\.object)))
        let (oldLayout, newLayout) = (SealedLayout(key: old), SealedLayout(key: new))
        for (encryptedPath, entry) in tree where encryptedPath != SealedLayout.keyPath {
            let bytes = try #require(contents[entry.object])
            #expect(oldLayout.entry(at: encryptedPath) == nil && oldLayout.opened(bytes) == nil)
            #expect(newLayout.entry(at: encryptedPath) != nil && newLayout.opened(bytes) != nil)
        }
        #expect(tree.count > 3)
        // Without the new passphrase nothing happens, and the error gives the reason.
        let branch = try head
        for (passphrase, problem) in [(nil, KeyProblem.isRenewed), ("old words", .isRenewed)] {
            other.passphrases.given = passphrase
            #expect(throws: SyncError.key(problem)) { try other.run() }
        }
        other.passphrases.given = nil
        other.passphrases.ask = { $0 == .renew ? "wrong words" : nil }
        #expect(throws: SyncError.key(.wrongPassphrase)) { try other.run() }
        #expect(try head == branch && texts(other) == ["first text", "unsent text"])
        #expect(Texts.sentence(SyncError.key(.isRenewed)).contains("tn sync"))
        other.passphrases.ask = { $0 == .renew ? "new words" : nil }
        #expect(try other.run().sent == 1)
        other.passphrases.ask = nil
        #expect(try key("other") == new && other.run() == SyncReport())
        _ = try one.run()
        #expect(try texts(one) == ["first text", "unsent text"])
        // Joining needs the new passphrase.
        #expect(throws: SyncError.key(.wrongPassphrase)) { try sync("late", "old words").begin(url) }
        let late = try sync("late", "new words")
        _ = try late.begin(url)
        #expect(try texts(late) == ["first text", "unsent text"])
        _ = try repository.output(["fsck", "--strict"])
    }

    @Test func `a key that was renewed twice is taken from any of the earlier ones`() throws {
        var (one, other) = try begin()
        try other.notebook.notes.create(NewNote(text: "unsent text", title: "unsent"))
        try one.renewKey()
        try one.notebook.notes.create(NewNote(text: "second text", title: "second"))
        _ = try one.run()
        one.newPassphrases.given = "newest words"
        try one.renewKey()
        one.newPassphrases.given = "last words"
        try one.changePassphrase()
        other.passphrases.given = "new words"
        #expect(throws: SyncError.key(.isRenewed)) { try other.run() }
        other.passphrases.given = "last words"
        _ = try other.run()
        _ = try one.run()
        for sync in [one, other] { #expect(try texts(sync) == ["first text", "second text", "unsent text"]) }
    }

    /// The error that the program is killed before a step.
    private struct Killed: Error {}

    @Test(arguments: 1...6)
    func `killed at any step it can be said again`(_ step: Int) throws {
        var (one, other) = try begin()
        try other.notebook.notes.create(NewNote(text: "unsent text", title: "unsent"))
        try one.notebook.notes.create(NewNote(text: "own text", title: "own"))
        one.renewalStep = { if $0 == step { throw Killed() } }
        #expect(throws: Killed.self) { try one.renewKey() }
        one.renewalStep = { _ in }
        // Meanwhile the notebook is synchronised as before.
        try one.notebook.notes.create(NewNote(text: "later text", title: "later"))
        #expect(try one.run().sent == 1)
        one.newPassphrases.given = "newest words"
        try one.renewKey()
        #expect(!hasNextKey("one"))
        other.passphrases.given = "newest words"
        _ = try other.run()
        _ = try one.run()
        let all: Set = ["first text", "own text", "later text", "unsent text"]
        for sync in [one, other] { #expect(try texts(sync) == all) }
        for passphrase in ["old words", "new words"] {
            #expect(throws: SyncError.key(.wrongPassphrase)) { try sync("late", passphrase).begin(url) }
        }
    }

    @Test func `somebody who sends meanwhile is not lost`() throws {
        var (one, other) = try begin()
        try other.notebook.notes.create(NewNote(text: "quick text", title: "quick"))
        let quick = Once()
        one.renewalStep = { [other] in if $0 == 3, quick.isFirst { _ = try other.run() } }
        try one.renewKey()
        other.passphrases.given = "new words"
        for sync in [one, other] {
            _ = try sync.run()
            #expect(try texts(sync) == ["first text", "quick text"])
        }
    }

    /// Returns true the first time only.
    private final class Once: @unchecked Sendable {
        // It is only used on the test's own thread.
        private var count = 0
        var isFirst: Bool {
            count += 1
            return count == 1
        }
    }

    @Test func `two machines that renew at once agree`() throws {
        var (one, other) = try begin()
        other.newPassphrases.given = "others' words"
        let quick = Once()
        one.renewalStep = { [other] in if $0 == 3, quick.isFirst { try other.renewKey() } }
        #expect(throws: (any Error).self) { try one.renewKey() }
        one.renewalStep = { _ in }
        #expect(throws: SyncError.key(.isRenewed)) { try one.run() }
        one.passphrases.given = "others' words"
        _ = try one.run()
        #expect(try key("one") == key("other") && !hasNextKey("one"))
    }

    @Test func `a thief with the old key writes nothing`() throws {
        let (one, other) = try begin()
        let old = try #require(try key("other"))
        let wrapped = try #require(try other.wrapped(repository, head))
        try one.renewKey()
        let before = try texts(one)
        // The thief pushes a commit after the newest one, with the tree and the seal of the old key.
        let thief = SealedCommits(repository, old, wrapped)
        let note = SyncNote(title: "t", defaultTitle: "t", text: "forged")
        let bytes = NoteDocument(note, id: NoteID(UUID()), tagNames: [:]).bytes
        var change = TreeChange()
        let object = GitObject.name(ofBlob: bytes)
        (change.contents[object], change.entries["Inbox/t.md"]) = (bytes, TreeEntry(object: object))
        let forged = try thief.commit(Draft(parents: [], message: "", date: 7), change)
        let tree = try CommitText(repository.output(["cat-file", "commit", forged])).bytes.prefix { $0 != 0x0A }
        var text = String(decoding: tree, as: UTF8.self) + "\nparent \(try head)\n"
        text += CommitText.people(Draft(parents: [], message: "", date: 8)) + "\nNotes\n\n"
        let end = try repository.commit(CommitText(Array(text.utf8)).sealed(old))
        try repository.output(["update-ref", GitRepository.branch, end])
        #expect(throws: SyncError.key(.isForged)) { try one.run() }
        #expect(try texts(one) == before)
    }

    @Test func `with a command the new key leaves the disk once the command tells its passphrase`() throws {
        var (one, _) = try begin()
        one.passphrases.command = "echo 'old words'"
        _ = try one.run()
        #expect(try key("one") == nil)
        try one.renewKey()
        _ = try one.run()
        #expect(try key("one") != nil)
        one.passphrases.command = "echo 'new words'"
        _ = try one.run()
        #expect(try key("one") == nil && !hasNextKey("one"))
        _ = try one.run()
    }

    @Test func `a repository in clear has no key to renew`() throws {
        let clear = try sync("clear")
        #expect(throws: SyncError.isOff) { try clear.renewKey() }
        _ = try clear.begin(url)
        #expect(throws: SyncError.key(.isNotUsed)) { try clear.renewKey() }
    }

    @Test func `what a host drops from the repository is not a deletion, with git too`() throws {
        let (one, other) = try begin()
        let dropped = try repository.tree(of: head).keys.filter { $0 != SealedLayout.keyPath }
        var change = TreeChange()
        for encryptedPath in dropped { change.entries[encryptedPath] = .some(nil) }
        let forged = try repository.commit(Draft(parents: [try head], message: "Notes", date: 9), change)
        try repository.output(["update-ref", GitRepository.branch, forged])
        for sync in [one, other] { #expect(throws: SyncError.key(.isForged)) { try sync.run() } }
        let sentence = Texts.sentence(SyncError.key(.isForged))
        #expect(sentence.contains("tn sync --join") && !sentence.contains("\n"))
        var joining = other
        joining.choice = .join
        _ = try joining.run()
        _ = try one.run()
        for sync in [one, other] {
            #expect(try texts(sync) == ["first text"] && sync.run() == SyncReport())
            #expect(try sync.notebook.trash.contents().isEmpty)
        }
        #expect(Set(try repository.tree(of: head).keys).isSuperset(of: dropped))
        _ = try repository.output(["fsck", "--strict"])
    }

    @Test func `a host by itself renews nothing`() throws {
        var (one, other) = try begin()
        // The host makes its own key, and claims that it has replaced the notebook's.
        let old = try #require(try key("one"))
        let hosts = SyncKey.random()
        let wrapped = try WrappedKey(hosts, passphrase: "guessed", work: 2)
        let forged = try #require(sealedByHost(wrapped, old.name))
        var change = TreeChange()
        let object = GitObject.name(ofBlob: forged)
        (change.contents[object], change.entries[SealedLayout.keyPath]) = (forged, TreeEntry(object: object))
        let commit = try repository.commit(Draft(parents: [try head], message: "Notes", date: 9), change)
        try repository.output(["update-ref", GitRepository.branch, commit])
        #expect(throws: SyncError.key(.isRenewed)) { try other.run() }
        other.passphrases.given = "guessed"
        #expect(throws: SyncError.key(.otherKey)) { try other.run() }
        #expect(try key("other") == old && texts(other) == ["first text"])
        one.choice = .join
        other.passphrases.given = nil
        #expect(throws: (any Error).self) { try one.run() }
        #expect(try key("one") == old)
    }

    /// The key files that a host may put in the place of the repository's own.
    enum ForeignKey: CaseIterable { case claimsRenewal, own, garbage, none }

    @Test(arguments: ForeignKey.allCases)
    func `a foreign key file stops nobody for good`(_ foreign: ForeignKey) throws {
        let (one, other) = try begin()
        let old = try #require(try key("one"))
        for (sync, text) in [(one, "of one"), (other, "of the other")] {
            try sync.notebook.notes.create(NewNote(text: text, title: text))
        }
        let wrapped = try WrappedKey(.random(), passphrase: "guessed", work: 2)
        let bytes: [UInt8]? =
            switch foreign {
            case .claimsRenewal: sealedByHost(wrapped, old.name)
            case .own: wrapped.bytes
            case .garbage: Array("no key\n".utf8)
            case .none: nil
            }
        var change = TreeChange()
        if let bytes { change.contents[GitObject.name(ofBlob: bytes)] = bytes }
        change.entries[SealedLayout.keyPath] = .some(bytes.map { TreeEntry(object: GitObject.name(ofBlob: $0)) })
        let forged = try repository.commit(Draft(parents: [try head], message: "Notes", date: 9), change)
        try repository.output(["update-ref", GitRepository.branch, forged])
        let problem: KeyProblem =
            switch foreign {
            case .claimsRenewal: .isRenewed
            case .own, .garbage: .otherKey
            case .none: .isForged
            }
        for sync in [one, other] { #expect(throws: SyncError.key(problem)) { try sync.run() } }
        let sentence = Texts.sentence(SyncError.key(problem))
        #expect(sentence.contains("tn sync --join") && !sentence.contains("\n"))
        var joining = other
        (joining.choice, joining.distrustsOtherKey) = (.join, true)
        _ = try joining.run()
        for sync in [one, other] { _ = try sync.run() }
        for sync in [one, other] {
            #expect(try texts(sync) == ["first text", "of one", "of the other"])
            #expect(try sync.run() == SyncReport() && sync.notebook.trash.contents().isEmpty)
        }
        #expect(try key("one") == old && key("other") == old)
        _ = try repository.output(["fsck", "--strict"])
    }

    @Test func `a key file in a repository in clear stops nobody for good`() throws {
        let one = try sync("one")
        var other = try sync("other")
        try one.notebook.notes.create(NewNote(text: "first text", title: "first"))
        for sync in [one, other] { _ = try sync.begin(url) }
        let bytes = try WrappedKey(.random(), passphrase: "guessed", work: 2).bytes
        var change = TreeChange()
        let object = GitObject.name(ofBlob: bytes)
        (change.contents[object], change.entries[SealedLayout.keyPath]) = (bytes, TreeEntry(object: object))
        let foreign = try repository.commit(Draft(parents: [try head], message: "A key", date: 9), change)
        try repository.output(["update-ref", GitRepository.branch, foreign])
        try other.notebook.notes.create(NewNote(text: "unsent text", title: "unsent"))
        for sync in [one, other] { #expect(throws: SyncError.key(.isEncrypted)) { try sync.run() } }
        let sentence = Texts.sentence(SyncError.key(.isEncrypted))
        #expect(sentence.contains("tn sync --join --keep-key") && !sentence.contains("\n"))
        other.choice = .join
        // Somebody may have begun to encrypt the repository, so no text may be sent to it unencrypted.
        #expect(throws: SyncError.key(.isEncrypted)) { try other.run() }
        other.distrustsOtherKey = true
        _ = try other.run()
        (other.choice, other.distrustsOtherKey) = (.none, false)
        for sync in [one, other] {
            _ = try sync.run()
            #expect(try texts(sync) == ["first text", "unsent text"] && sync.run() == SyncReport())
        }
    }

    /// Returns the file of a key with a line that names a former key, which it does not contain.
    private func sealedByHost(_ wrapped: WrappedKey, _ former: String) -> [UInt8]? {
        let bytes = wrapped.bytes + Array("former \(former) \(Data([1, 2, 3]).base64EncodedString())\n".utf8)
        return WrappedKey(bytes)?.hasEarlier(former) == true ? bytes : nil
    }
}

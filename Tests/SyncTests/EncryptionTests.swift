import Crypto
import Foundation
import NoteStore
import SeededRandom
import SyncSchedules
import Testing

@testable import Sync

/// Tests a repository that can only be read with the key.
struct EncryptionTests {
    private let store = MemoryCommits()
    private let key = SyncKey.random()

    private func machine(_ name: String) throws -> Machine { try Machine(name, store, key: key) }

    // MARK: - Bytes

    /// The values were computed once with another implementation (Python's cryptography 48), since a repository must
    /// stay readable for ever.
    @Test func `the bytes are the same everywhere and always`() throws {
        let key = try #require(SyncKey(Array(0..<32)))
        #expect(key.name == "bdfc2212c5749eb6")
        let layout = SealedLayout(key: key)
        let content = Array("# Grüße\n".utf8)
        let sealed = try #require(layout.sealed(content))
        let hash = SHA256.hash(data: sealed).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hash == "8fac21232bc7e85d61eb6dfc1e6a3607d0d95231a91967da08a5e01385adb73a")
        #expect(layout.opened(sealed) == content)
        let entry = TreeEntry(object: GitObject.name(ofBlob: content))
        let encryptedPath = try #require(layout.encryptedPath(of: "Inbox/Grüße.md", entry))
        #expect(
            encryptedPath.description
                == "s/53/_Dij9uQqCVgy-Htl9xTBAyLHkR6Hp0x65PWWDbO565w6Wc8iYzoQFhF15lIkPcxK8VMN-jgI8EdM8Slj12S238On"
                + "8AyU5UOTIQo0Ioo4hXI1uGwjd5s_lWClzJU")
        let found = try #require(layout.entry(at: encryptedPath))
        #expect(found.path == "Inbox/Grüße.md" && found.entry == entry)
        let wrapped = try WrappedKey(key, passphrase: "correct horse é", work: 10, salt: Array(0..<16))
        #expect(
            wrapped.text == """
                tn-encrypted 1
                id bdfc2212c5749eb6
                scrypt 10 AAECAwQFBgcICQoLDA0ODw==
                key AAAAAAAAAAAAAAAAJDK+F+n/eJSQ4DPTaueaCk3+9mm5Pce2N35ekwPW1343XTn17GfkRpxwg1WnpboJ

                """)
        // The letter is the same in another composition.
        #expect(WrappedKey(wrapped.bytes)?.key("correct horse e\u{301}") == key)
        #expect(wrapped.key("correct horse") == nil && wrapped.key("") == nil)
    }

    @Test func `a long name is cut into folders, and comes back`() throws {
        let layout = SealedLayout(key: key)
        for count in [1, 40, 300, 3000] {
            let path = TreePath("F/" + String(repeating: "ä", count: count) + ".md")
            let entry = TreeEntry(mode: "100755", object: String(repeating: "0f", count: 20))
            let encryptedPath = try #require(layout.encryptedPath(of: path, entry))
            #expect(encryptedPath.names.allSatisfy { $0.count <= 200 })
            let found = layout.entry(at: encryptedPath)
            #expect(found?.path == path && found?.entry == entry)
        }
        #expect(layout.entry(at: "s/00/AAAA") == nil && layout.entry(at: "s/00/ä ö") == nil)
    }

    @Test func `texts are packed, and come back byte for byte`() throws {
        let layout = SealedLayout(key: key)
        var random = SeededGenerator(seed: 3)
        let words = (0..<200).map { _ in String(random.next(), radix: 36) }
        let long = (0..<40_000).map { _ in random.pick(words) }.joined(separator: " ")
        let noise = (0..<3_000).map { _ in UInt8(random.below(256)) }
        for content in [[], [0], Array(repeating: 7, count: 100_000), Array(long.utf8), noise, noise + noise] {
            let sealed = try #require(layout.sealed(content))
            #expect(layout.opened(sealed) == content)
            #expect(layout.sealed(content) == sealed)
            let packed = Notebook.Sync.packed(content)
            #expect(Notebook.Sync.unpacked(packed, limit: content.count) == content)
        }
        let note = Array(words.joined(separator: " and the ").utf8) + Array(words.joined(separator: " or a ").utf8)
        #expect(try #require(layout.sealed(note)).count < note.count * 3 / 4)
    }

    @Test func `sizes tell little`() {
        #expect(SealedLayout.paddedCount(0) == 256 && SealedLayout.paddedCount(256) == 256)
        for count in [257, 1_000, 12_345, 1_000_000, 99_999_999] {
            let padded = SealedLayout.paddedCount(count)
            #expect(padded >= count && padded <= count + count / 8)
            #expect(SealedLayout.paddedCount(padded) == padded)
        }
    }

    @Test func `a changed bit opens nothing`() throws {
        let layout = SealedLayout(key: key)
        let content = Array("text".utf8)
        let sealed = try #require(layout.sealed(content))
        for index in stride(from: 0, to: sealed.count, by: 13) {
            var changed = sealed
            changed[index] ^= 1
            #expect(layout.opened(changed) == nil)
        }
        for count in [0, 5, 27, 28, sealed.count - 1] { #expect(layout.opened(Array(sealed.prefix(count))) == nil) }
        #expect(SealedLayout(key: .random()).opened(sealed) == nil)
    }

    @Test func `made-up passphrases are words that can be said`() {
        #expect(Passphrase.word(0x7F00) == "lusab" && Passphrase.word(0) == "babab")
        let words = Passphrase.random().split(separator: "-")
        #expect(words.count == 7 && words.allSatisfy { $0.count == 5 })
        #expect(Passphrase.random() != Passphrase.random())
    }

    // MARK: - Machines

    @Test func `machines meet, and the host sees nothing`() throws {
        let (one, other) = (try machine("secretlaptop"), try machine("secretdesktop"))
        let folder = try one.notebook.folders.create("secretfolder")
        let file = try one.notebook.attachments.add(Data("secretbytes".utf8), name: "secretfile.pdf")
        let note = try one.notebook.notes.create(
            NewNote(text: "secrettext \(file.markdown())\n", title: "secrettitle", folder: folder.id))
        let tag = try one.notebook.tags.create("secrettag")
        try one.notebook.tags.add(tag.id, to: [note.id])
        for machine in [one, other] { try machine.sync() }
        for (machine, text) in [(one, "secretone"), (other, "secrettwo")] {
            let revision = try machine.notebook.notes.row(note.id)?.revision ?? 0
            _ = try machine.notebook.notes.save(note.id, text: text, baseRevision: revision)
        }
        for _ in 0..<2 { for machine in [one, other] { try machine.sync() } }
        #expect(differences(try one.state(), try other.state()) == [])
        #expect(try one.notebook.sync.conflicts().count == 1)
        #expect(try other.notebook.attachments.data(of: file.id) == Data("secretbytes".utf8))
        // Every file and every name can be opened with the key, so each was sealed; a search for plain text would miss
        // packed or padded ones.
        let layout = SealedLayout(key: key)
        let head = try #require(store.branch)
        for (path, entry) in store.tree(of: head) where path != SealedLayout.keyPath {
            let bytes = try #require(store.blobs[entry.object])
            #expect(layout.entry(at: path) != nil && layout.opened(bytes) != nil)
        }
        for bytes in store.blobs.values { #expect(!String(decoding: bytes, as: UTF8.self).contains("secret")) }
        for commit in store.commits.values {
            #expect(!commit.words.contains("secret"))
            #expect(commit.tree.keys.allSatisfy { !$0.description.contains("secret") })
        }
    }

    /// Two machines that make the same state make the same bytes, and therefore the same commit.
    @Test func `a merge is the same commit on every machine`() throws {
        let (one, other) = (try machine("a"), try machine("b"))
        let id = NoteID(UUID())
        let names = try [one.commits, other.commits].map { commits in
            let bytes = NoteDocument(SyncNote(title: "t", defaultTitle: "t", text: "t\n"), id: id, tagNames: [:]).bytes
            var change = TreeChange()
            let object = GitObject.name(ofBlob: bytes)
            (change.contents[object], change.entries["Inbox/t.md"]) = (bytes, TreeEntry(object: object))
            return try commits.commit(Draft(parents: [], message: "from here", author: "here", date: 7), change)
        }
        #expect(names[0] == names[1])
    }

    @Test func `an encrypted notebook and one in clear do not mix`() throws {
        let clear = try Machine("a", store)
        try clear.notebook.notes.create(NewNote(text: "clear"))
        try clear.sync()
        let sealed = try machine("b")
        try sealed.notebook.notes.create(NewNote(text: "sealed"))
        #expect(throws: GitError.key(.isClear)) { try sealed.sync() }
        store.branch = nil
        try sealed.sync()
        let head = store.branch
        #expect(throws: SyncError.key(.isEncrypted)) { try clear.sync(.join) }
        #expect(throws: GitError.key(.otherKey)) {
            let other = try Machine("c", store, key: .random())
            try other.sync()
        }
        #expect(store.branch == head)
    }
}

extension EncryptionTests {
    // MARK: - With git

    private func sync(_ folder: URL, _ name: String, _ passphrase: String?) throws -> NotebookSync {
        let notebook = try Notebook.open(folder.appending(path: "\(name).sqlite").path, mode: .command)
        var sync = NotebookSync(notebook)
        (sync.name, sync.scryptWork, sync.takesForeign) = ("secretmachine", 2, true)
        sync.passphrases.given = passphrase
        return sync
    }

    @Test func `a second machine joins with the passphrase, which may be changed`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let url = folder.appending(path: "remote.git").path
        let repository = try GitRepository(path: url, asks: false)
        try repository.prepare()
        var one = try sync(folder, "one", "old words")
        one.encrypts = true
        try one.notebook.notes.create(NewNote(text: "secrettext", title: "secrettitle"))
        _ = try one.begin(url)
        #expect(try one.isEncrypted())
        // Only the owner can read the key's file, and without the key a machine neither joins nor leaves anything
        // behind.
        let keyPath = folder.appending(path: "one.sync.key").path
        let mode = try FileManager.default.attributesOfItem(atPath: keyPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for (passphrase, problem) in [(nil, KeyProblem.noPassphrase), ("wrong", .wrongPassphrase)] {
            let other = try sync(folder, "other", passphrase)
            #expect(throws: SyncError.key(problem)) { try other.begin(url) }
            #expect(try other.url() == nil)
        }
        var other = try sync(folder, "other", "old words")
        _ = try other.begin(url)
        #expect(try other.notebook.sync.counts().notes == 1)
        // After a change of the passphrase, machines with the key continue, and joining needs the new passphrase.
        one.newPassphrases.given = "new words"
        try one.changePassphrase()
        other.passphrases.given = nil
        try other.notebook.notes.create(NewNote(text: "secretmore"))
        #expect(try other.run().sent == 1)
        #expect(throws: SyncError.key(.wrongPassphrase)) { try sync(folder, "third", "old words").begin(url) }
        let third = try sync(folder, "third", "new words")
        _ = try third.begin(url)
        #expect(try third.notebook.sync.counts().notes == 2)
        // A machine that stores no key asks each time, and the old passphrase is no longer accepted.
        var asking = try sync(folder, "asking", nil)
        asking.passphrases.command = "echo 'new words'"
        _ = try asking.begin(url)
        #expect(
            try !String(contentsOfFile: folder.appending(path: "asking.sync.key").path, encoding: .utf8)
                .contains("secret "))
        _ = try asking.run()
        asking.passphrases.command = "echo 'old words'"
        #expect(throws: SyncError.key(.wrongPassphrase)) { try asking.run() }
        asking.passphrases.command = "exit 3"
        #expect(throws: SyncError.key(.noAnswer("key-command"))) { try asking.run() }
        asking.passphrases.command = "echo '4 messages' >&2; printf 'no secret key\\n\\n' >&2; exit 2"
        #expect(throws: SyncError.key(.noAnswer("key-command", why: "no secret key"))) { try asking.run() }
        asking.passphrases.command = "printf '%01000d' 0 >&2; exit 2"
        let long = String(repeating: "0", count: 300)
        #expect(throws: SyncError.key(.noAnswer("key-command", why: long))) { try asking.run() }
        // After the loss of the key's file, the passphrase restores it.
        try FileManager.default.removeItem(atPath: keyPath)
        one.passphrases.given = nil
        #expect(throws: SyncError.key(.noPassphrase)) { try one.run() }
        one.passphrases.given = "new words"
        _ = try one.run()
        one.passphrases.given = nil
        #expect(try one.run() == SyncReport())
        #expect(try one.notebook.sync.counts().notes == 2)
        // No object contains text that was typed.
        let objects = try repository.output(["cat-file", "--batch", "--batch-all-objects"])
        #expect(!String(decoding: objects, as: UTF8.self).contains("secret"))
        #expect(objects.count > 1_000)
        try one.end()
        #expect(!FileManager.default.fileExists(atPath: keyPath))
    }

    @Test func `without a passphrase from anywhere one is made up and told`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let url = folder.appending(path: "remote.git").path
        try GitRepository(path: url, asks: false).prepare()
        var one = try sync(folder, "one", nil)
        let told = Told()
        one.encrypts = true
        one.tellPassphrase = { told.phrase = $0 }
        _ = try one.begin(url)
        #expect(told.phrase.split(separator: "-").count == 7)
        _ = try sync(folder, "other", told.phrase).begin(url)
        // A repository with unencrypted notes is left alone.
        let clear = folder.appending(path: "clear.git").path
        try GitRepository(path: clear, asks: false).prepare()
        _ = try sync(folder, "clear", nil).begin(clear)
        var late = try sync(folder, "late", "words")
        late.encrypts = true
        #expect(throws: SyncError.key(.isClear)) { try late.begin(clear) }
        #expect(try late.url() == nil)
    }

    /// A program that was killed while it began a synchronisation without encryption has turned it on, and no more.
    @Test func `a first synchronisation that was cut off is encrypted if that is wanted now`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let url = folder.appending(path: "remote.git").path
        try GitRepository(path: url, asks: false).prepare()
        var one = try sync(folder, "one", "old words")
        try one.notebook.notes.create(NewNote(text: "secrettext", title: "secrettitle"))
        try one.notebook.sync.turnOn(url: url)
        one.encrypts = true
        _ = try one.begin(url)
        #expect(try one.isEncrypted())
        let other = try sync(folder, "other", "old words")
        _ = try other.begin(url)
        #expect(try other.isEncrypted())
        #expect(try other.notebook.sync.counts().notes == 1)
        // What is there unencrypted stays so, and nothing more is sent.
        let clear = folder.appending(path: "clear.git").path
        try GitRepository(path: clear, asks: false).prepare()
        _ = try sync(folder, "clear", nil).begin(clear)
        var late = try sync(folder, "late", "words")
        try late.notebook.sync.turnOn(url: clear)
        late.encrypts = true
        #expect(throws: SyncError.key(.isClear)) { try late.begin(clear) }
    }

    /// A passphrase reported on any thread.
    private final class Told: @unchecked Sendable {
        // It is only written on the test's own thread.
        var phrase = ""
    }
}

import Foundation
import NoteStore

/// Other passphrases and other keys for a repository that is encrypted already.
extension NotebookSync {
    /// Gives the key another passphrase; the other machines go on with what they have.
    public func changePassphrase() throws {
        let (url, id) = try encryptedRepository()
        _ = try run()
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let repository = try repository()
        let (key, present) = try unlock(repository, url, id)
        var new = self
        new.passphrases = newPassphrases
        let (wrapped, madeUp) = try new.wrap(key, formers: present.formers(key))
        let commits = SealedCommits(repository, key, wrapped)
        try push(to: url, commits) { try commits.commitKey($0) }
        try keep(wrapped, key)
        if let madeUp { try tellPassphrase(madeUp) }
    }

    /// The address and the name of the key.
    private func encryptedRepository() throws -> (url: String, id: String) {
        guard let url = try url() else { throw SyncError.isOff }
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption) else {
            throw SyncError.key(.isNotUsed)
        }
        return (url, id)
    }

    /// Sends a commit that follows the other end's newest one, made with `present`'s key.
    private func push(
        to url: String, _ present: SealedCommits, commit: (Draft) throws -> String
    ) throws {
        for _ in 0..<Self.tries {
            guard let remote = try present.fetch(url) else { throw SyncError.git(.unreachable(url)) }
            try present.check(remote)
            let date = Int64(Date().timeIntervalSince1970)
            do {
                return try present.push(commit(Draft(parents: [remote], message: "", date: date)), to: url)
            } catch GitError.moved {
                continue
            }
        }
        throw SyncError.crowded
    }

    /// How often a race may be lost.
    private static let tries = 5

    // MARK: - Another key

    /// The key that is to take the place of the present one, until that is known to have happened.
    var nextKeyFile: KeyFile { KeyFile(path: stem + ".sync.key.next") }

    /// Encrypts everything anew with a new key, under a new passphrase; the other machines ask for it.
    ///
    /// 1. The new key is written beside the present one. Whatever ends the program from here on, it is not lost.
    /// 2. A commit is made in which every file is encrypted with it, after the newest one there.
    /// 3. It is sent. From now on the other machines need the new passphrase.
    /// 4. The new key takes the present one's place on this machine, 5. and in the notebook.
    /// 6. A passphrase that was made up is told.
    ///
    /// The new key holds the former ones, so that the history can be read, and what others have not sent yet is merged.
    public func renewKey() throws {
        // It also ends a renewal that was cut off.
        _ = try run()
        let (url, id) = try encryptedRepository()
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let repository = try repository()
        let (present, keyOfPresent) = try unlock(repository, url, id)
        var new = self
        new.passphrases = newPassphrases
        let key = SyncKey.random()
        let (wrapped, madeUp) = try new.wrap(key, formers: [present] + keyOfPresent.formers(present))
        try renewalStep(1)
        try nextKeyFile.write(wrapped, key)
        try renewalStep(2)
        let commits = SealedCommits(repository, key, wrapped)
        try push(to: url, SealedCommits(repository, present, keyOfPresent)) { draft in
            let commit = try commits.commit(draft, TreeChange())
            try renewalStep(3)
            return commit
        }
        try renewalStep(4)
        // With a command that tells the passphrase it stays on this disk only until the command knows the new one.
        try keyFile.write(wrapped, key)
        try renewalStep(5)
        try notebook.settings.set(Notebook.Sync.Key.encryption, wrapped.id)
        try renewalStep(6)
        if let madeUp { try tellPassphrase(madeUp) }
        nextKeyFile.remove()
    }

    /// Goes on with the key that another machine, or a renewal of this one that was cut off, has given the repository.
    func takeRenewedKey(_ repository: GitRepository, _ url: String) throws {
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption),
            let remote = try repository.fetch(url), let wrapped = try wrapped(repository, remote),
            wrapped.hasFormer(id)
        else { throw SyncError.key(.otherKey) }
        let next = nextKeyFile.read().flatMap { $0.wrapped.id == wrapped.id ? $0.key : nil }
        if let next {
            try keyFile.write(wrapped, next)
        } else {
            guard let passphrase = try passphrases.passphrase(for: .renew) else { throw SyncError.key(.isRenewed) }
            guard let key = wrapped.key(passphrase) else {
                throw SyncError.key(passphrases.asks ? .wrongPassphrase : .isRenewed)
            }
            // Else somebody has only written this key's name there.
            guard wrapped.formers(key).contains(where: { $0.name == id }) else { throw SyncError.key(.otherKey) }
            try keep(wrapped, key)
        }
        try notebook.settings.set(Notebook.Sync.Key.encryption, wrapped.id)
        nextKeyFile.remove()
    }
}

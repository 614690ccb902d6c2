import Foundation
import NoteStore

/// Changes of the passphrase and of the key of a repository that is already encrypted.
extension NotebookSync {
    /// Encrypts the key with another passphrase.
    ///
    /// Other machines are not affected, since they keep the key.
    public func changePassphrase() throws {
        let (url, id) = try encryptedRepository()
        _ = try run()
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let repository = try repository()
        let (key, present) = try unlock(repository, url, id)
        var new = self
        new.passphrases = newPassphrases
        let (wrapped, generated) = try new.wrap(key, earlierKeys: present.earlierKeys(key))
        let commits = SealedCommits(repository, key, wrapped)
        try push(to: url, commits) { try commits.commitKey($0) }
        try keep(wrapped, key)
        if let generated { try tellPassphrase(generated) }
    }

    /// Returns the remote's URL and the name of the key.
    private func encryptedRepository() throws -> (url: String, id: String) {
        guard let url = try url() else { throw SyncError.isOff }
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption) else {
            throw SyncError.key(.isNotUsed)
        }
        return (url, id)
    }

    /// Pushes a commit on top of the remote's newest one, which has to be made with `present`'s key.
    private func push(
        to url: String, _ present: SealedCommits, commit: (Draft) throws -> String
    ) throws {
        for _ in 0..<Self.tries {
            guard let remote = try present.fetch(url) else { throw SyncError.git(.unreachable(url)) }
            try present.check(remote)
            let date = Int64(Date().timeIntervalSince1970)
            do {
                return try present.push(commit(Draft(parents: [remote], message: "", date: date)), to: url)
            } catch let error as GitError where error.isCollision {
                continue
            }
        }
        throw SyncError.contended
    }

    /// How often a push may be overtaken by another machine's before the operation fails.
    private static let tries = 5

    // MARK: - Another key

    /// The file of the new key, which exists until the new key is known to have replaced the present one.
    var nextKeyFile: KeyFile { KeyFile(path: stem + ".sync.key.next") }

    /// Re-encrypts everything with a new key, under a new passphrase, for which the other machines will ask.
    ///
    /// 1. The new key is written beside the present one, so that it survives if the program ends at any later step.
    /// 2. A commit on top of the remote's newest one is made, in which every file is encrypted with the new key.
    /// 3. The commit is pushed. From now on the other machines need the new passphrase.
    /// 4. The new key replaces the present one on this machine.
    /// 5. The notebook records the new key's name.
    /// 6. A generated passphrase is shown to the user.
    ///
    /// The new key's file holds the earlier keys, so that the history stays readable and commits that other machines
    /// have not pushed yet can be merged.
    public func renewKey() throws {
        // This also completes a renewal that was interrupted.
        _ = try run()
        let (url, id) = try encryptedRepository()
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let repository = try repository()
        let (present, keyOfPresent) = try unlock(repository, url, id)
        var new = self
        new.passphrases = newPassphrases
        let key = SyncKey.random()
        let (wrapped, generated) = try new.wrap(key, earlierKeys: [present] + keyOfPresent.earlierKeys(present))
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
        // If a command supplies the passphrase, the key stays on this disk only until the command supplies the new one.
        try keyFile.write(wrapped, key)
        try renewalStep(5)
        try notebook.settings.set(Notebook.Sync.Key.encryption, wrapped.id)
        try renewalStep(6)
        if let generated { try tellPassphrase(generated) }
        nextKeyFile.remove()
    }

    /// Takes over the key that the repository got from another machine, or from an interrupted renewal on this one.
    func takeRenewedKey(_ repository: GitRepository, _ url: String) throws {
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption),
            let remote = try repository.fetch(url), let wrapped = try wrapped(repository, remote),
            wrapped.hasEarlier(id)
        else { throw SyncError.key(.otherKey) }
        let next = nextKeyFile.read().flatMap { $0.wrapped.id == wrapped.id ? $0.key : nil }
        if let next {
            try keyFile.write(wrapped, next)
        } else {
            guard let passphrase = try passphrases.passphrase(for: .renew) else { throw SyncError.key(.isRenewed) }
            guard let key = wrapped.key(passphrase) else {
                throw SyncError.key(passphrases.asks ? .wrongPassphrase : .isRenewed)
            }
            // Otherwise somebody without the key may have written just this key's name there.
            guard wrapped.earlierKeys(key).contains(where: { $0.name == id }) else { throw SyncError.key(.otherKey) }
            try keep(wrapped, key)
        }
        try notebook.settings.set(Notebook.Sync.Key.encryption, wrapped.id)
        nextKeyFile.remove()
    }
}

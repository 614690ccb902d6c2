import Foundation
import NoteStore

extension NotebookSync {
    var keyFile: KeyFile { KeyFile(path: stem + ".sync.key") }

    /// Whether the repository is encrypted.
    public func isEncrypted() throws -> Bool { try notebook.settings.value(Notebook.Sync.Key.encryption) != nil }

    /// The commits of the repository, as the synchronisation reads and writes them.
    func commits(_ repository: GitRepository, _ url: String) throws -> any CommitStore {
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption) else { return repository }
        let (key, wrapped) = try unlock(repository, url, id)
        return SealedCommits(repository, key, wrapped)
    }

    // MARK: - Beginning

    /// Gets ready to read and write a repository that may be encrypted, before anything is synchronised.
    ///
    /// - Returns: the name of the key; nil for a repository in clear.
    func prepareKey(_ repository: GitRepository, _ url: String) throws -> String? {
        let remote = try repository.fetch(url)
        if let remote, let bytes = try repository.file(SealedLayout.keyPath.description, of: remote) {
            // Somebody's own file may have that name.
            guard let wrapped = WrappedKey(bytes) else {
                if encrypts { throw SyncError.key(.isClear) }
                return nil
            }
            guard let passphrase = try passphrases.passphrase(for: .open) else { throw SyncError.key(.noPassphrase) }
            guard let key = wrapped.key(passphrase) else { throw SyncError.key(.wrongPassphrase) }
            try keep(wrapped, key)
            return wrapped.id
        }
        guard encrypts else { return nil }
        if remote != nil { throw SyncError.key(.isClear) }
        let key = SyncKey.random()
        let (wrapped, madeUp) = try wrap(key, formers: [])
        try keep(wrapped, key)
        if let madeUp { try tellPassphrase(madeUp) }
        return key.name
    }

    /// The key under a passphrase that is chosen now, or else under one that is made up, to be told once it holds.
    func wrap(_ key: SyncKey, formers: [SyncKey]) throws -> (WrappedKey, madeUp: String?) {
        if let passphrase = try passphrases.passphrase(for: .choose) {
            return (try WrappedKey(key, passphrase: passphrase, formers: formers, work: scryptWork), nil)
        }
        let phrase = Passphrase.random()
        return (try WrappedKey(key, passphrase: phrase, formers: formers, work: scryptWork), phrase)
    }

    func keep(_ wrapped: WrappedKey, _ key: SyncKey) throws {
        try keyFile.write(wrapped, passphrases.command.isEmpty ? key : nil)
    }

    /// Forgets the key on this machine.
    func forgetKey() {
        keyFile.remove()
        nextKeyFile.remove()
    }

    // MARK: - Later

    /// The key, from this machine or with the passphrase.
    func unlock(_ repository: GitRepository, _ url: String, _ id: String) throws -> (SyncKey, WrappedKey) {
        let read = keyFile.read()
        // The key was renewed, and a kill came before the notebook knew of it.
        if let read, read.wrapped.hasFormer(id) {
            try notebook.settings.set(Notebook.Sync.Key.encryption, read.wrapped.id)
            return try unlock(repository, url, read.wrapped.id)
        }
        // A renewal was cut off at its very end.
        if nextKeyFile.read()?.wrapped.id == id { nextKeyFile.remove() }
        let kept = read.flatMap { $0.wrapped.id == id ? $0 : nil }
        if let kept, let key = kept.key {
            // A command tells the passphrase now, so the key must not stay on this disk: it is removed once the command's
            // passphrase has opened it.
            if !passphrases.command.isEmpty, let phrase = try passphrases.passphrase(for: .open),
                kept.wrapped.key(phrase) == key
            {
                try keep(kept.wrapped, key)
            }
            return (key, kept.wrapped)
        }
        guard let passphrase = try passphrases.passphrase(for: .open) else { throw SyncError.key(.noPassphrase) }
        if let kept, let key = kept.wrapped.key(passphrase) { return (key, kept.wrapped) }
        // The passphrase was changed elsewhere, or this machine has lost the file.
        guard let remote = try repository.fetch(url), let wrapped = try self.wrapped(repository, remote) else {
            throw SyncError.key(kept == nil ? .otherKey : .wrongPassphrase)
        }
        guard wrapped.id == id else { throw SyncError.key(.otherKey) }
        guard let key = wrapped.key(passphrase) else { throw SyncError.key(.wrongPassphrase) }
        try keep(wrapped, key)
        return (key, wrapped)
    }

    func wrapped(_ repository: GitRepository, _ commit: String) throws -> WrappedKey? {
        try repository.file(SealedLayout.keyPath.description, of: commit).flatMap { WrappedKey($0) }
    }
}

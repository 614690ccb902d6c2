import Foundation
import NoteStore

extension NotebookSync {
    var keyFile: KeyFile { KeyFile(path: stem + ".sync.key") }

    /// Returns whether the repository is encrypted.
    public func isEncrypted() throws -> Bool { try notebook.settings.value(Notebook.Sync.Key.encryption) != nil }

    /// Returns the repository's commits as the synchronisation reads and writes them, decrypted where necessary.
    func commits(_ repository: GitRepository, _ url: String) throws -> any CommitStore {
        guard let id = try notebook.settings.value(Notebook.Sync.Key.encryption) else { return repository }
        let (key, wrapped) = try unlock(repository, url, id)
        return SealedCommits(repository, key, wrapped)
    }

    // MARK: - First synchronisation

    /// Prepares the key of a repository that may be encrypted, before the first synchronisation.
    ///
    /// - Returns: The name of the key, or `nil` for an unencrypted repository.
    func prepareKey(_ repository: GitRepository, _ url: String) throws -> String? {
        let remote = try repository.fetch(url)
        // Beside such a branch, the notes would look as if the repository had held nothing.
        if remote == nil, let name = try repository.anyBranch(of: url) {
            throw SyncError.otherBranch(url: url, name: name)
        }
        if let remote, let bytes = try repository.file(SealedLayout.keyPath.description, of: remote) {
            // The user's own file may have that name.
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
        let (wrapped, generated) = try wrap(key, earlierKeys: [])
        try keep(wrapped, key)
        if let generated { try tellPassphrase(generated) }
        return key.name
    }

    /// Encrypts a key with a passphrase that the user chooses now, or else with a generated one.
    ///
    /// The caller tells the generated passphrase to the user once the key is in use.
    func wrap(_ key: SyncKey, earlierKeys: [SyncKey]) throws -> (WrappedKey, generated: String?) {
        if let passphrase = try passphrases.passphrase(for: .choose) {
            return (try WrappedKey(key, passphrase: passphrase, earlierKeys: earlierKeys, work: scryptWork), nil)
        }
        let phrase = Passphrase.random()
        return (try WrappedKey(key, passphrase: phrase, earlierKeys: earlierKeys, work: scryptWork), phrase)
    }

    func keep(_ wrapped: WrappedKey, _ key: SyncKey) throws {
        try keyFile.write(wrapped, passphrases.command.isEmpty ? key : nil)
    }

    /// Removes the key from this machine.
    func forgetKey() {
        keyFile.remove()
        nextKeyFile.remove()
    }

    // MARK: - Later synchronisations

    /// Returns the key, either from this machine's key file or decrypted with the passphrase.
    func unlock(_ repository: GitRepository, _ url: String, _ id: String) throws -> (SyncKey, WrappedKey) {
        let read = keyFile.read()
        // The key was renewed, but the program was killed before the notebook recorded it.
        if let read, read.wrapped.hasEarlier(id) {
            try notebook.settings.set(Notebook.Sync.Key.encryption, read.wrapped.id)
            return try unlock(repository, url, read.wrapped.id)
        }
        // A renewal was interrupted at its last step.
        if nextKeyFile.read()?.wrapped.id == id { nextKeyFile.remove() }
        let kept = read.flatMap { $0.wrapped.id == id ? $0 : nil }
        if let kept, let key = kept.key {
            // A command supplies the passphrase from now on, so the key must not stay on this disk: it is removed once
            // the command's passphrase has decrypted it.
            if !passphrases.command.isEmpty, let phrase = try passphrases.passphrase(for: .open),
                kept.wrapped.key(phrase) == key
            {
                try keep(kept.wrapped, key)
            }
            return (key, kept.wrapped)
        }
        guard let passphrase = try passphrases.passphrase(for: .open) else { throw SyncError.key(.noPassphrase) }
        if let kept, let key = kept.wrapped.key(passphrase) { return (key, kept.wrapped) }
        // The passphrase was changed on another machine, or this machine has lost the file.
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

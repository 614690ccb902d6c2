import Foundation
import NoteStore
import Processes
import SystemPackage

/// The synchronisation of a notebook, as commands and the window use it.
///
/// Its functions block their thread. They throw `SyncError` for what a person has to decide or to mend, `GitError` for
/// what git or the remote says, and `StoreError` for the notebook.
public struct NotebookSync: Sendable {
    public let notebook: Notebook
    /// Whether git and ssh may ask on the terminal.
    public var asks = false
    /// What the user has decided about a remote with another history.
    public var choice = SyncChoice.none
    /// Whether a repository with files that tn has not made is taken.
    public var takesForeign = false
    /// Whether another key in the repository counts as put there by somebody without permission.
    ///
    /// Set it only if `choice` is `join`. A notebook that synchronises unencrypted has no key; for it, any key in the
    /// repository is another one.
    public var distrustsOtherKey = false
    /// The name of this machine in the history.
    public var name = ""
    /// The time to wait while another program synchronises this notebook.
    public var patience = Duration.zero
    /// Whether a repository that is still empty is to be encrypted.
    public var encrypts = false
    public var passphrases = PassphraseSource()
    /// The source of the passphrase that replaces the present one.
    public var newPassphrases = PassphraseSource()
    /// Called with a generated passphrase, which nobody can find out later.
    public var tellPassphrase: @Sendable (String) throws -> Void = { _ in }
    /// A handle that ends the synchronisation from another thread, with git and all that git has started.
    ///
    /// The notebook stays whole, and the next synchronisation goes on.
    public var stop: CommandStop? { didSet { (passphrases.stop, newPassphrases.stop) = (stop, stop) } }
    /// The exponent of scrypt's N, a power of two; tests use a smaller one, since the usual one is slow.
    var scryptWork = WrappedKey.usualWork
    /// Called before each numbered step of a renewal of the key, for tests that stop there.
    var renewalStep: @Sendable (Int) throws -> Void = { _ in }

    /// Called on the synchronisation's thread when it begins to fetch, to merge, to push and to write.
    public var tell: @Sendable (SyncPhase) -> Void = { _ in }

    public init(_ notebook: Notebook) { self.notebook = notebook }

    /// The folder of the repository, beside the notebook: `notes.sync.git` for `notes.sqlite`.
    public var folder: String { stem + ".sync.git" }

    var stem: String { notebook.path.hasSuffix(".sqlite") ? String(notebook.path.dropLast(7)) : notebook.path }

    func lock(patience: Duration = .zero) throws -> SyncLock {
        try SyncLock(stem + ".sync.lock", patience: patience, stop: stop)
    }

    /// Returns the remote's URL, or `nil` if the notebook is not synchronised.
    public func url() throws -> String? { try notebook.settings.value(Notebook.Sync.Key.url) }

    /// Whether a first synchronisation with this remote was cut off, so that `begin` goes on with it.
    public func wasCutOff(beginningWith url: String) throws -> Bool {
        try self.url() == url && notebook.settings.value(Notebook.Sync.Key.head) == nil
    }

    /// Turns on the synchronisation with a remote, and synchronises once; goes on with a first one that was cut off.
    public func begin(_ url: String) throws -> SyncReport {
        guard GitRepository.isAddress(url) else { throw SyncError.noAddress(url) }
        if let present = try self.url(), present != url { throw SyncError.isOn(url: present) }
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        // One that was begun without encryption and is to have it begins anew, so that nothing is sent unencrypted.
        if try self.url() != nil, try !encrypts || isEncrypted() || !wasCutOff(beginningWith: url) {
            return try runLocked(url)
        }
        let repository = try repository()
        try PrivateFile.removeAll(FilePath(repository.path))  // left by an earlier synchronisation, if any
        try repository.prepare()
        let key = try leavingRoom(in: repository) { try prepareKey(repository, url) }
        try notebook.sync.turnOn(url: url, encryption: key)
        do {
            return try runLocked(url)
        } catch {
            // Nothing was synchronised yet, so the synchronisation is turned off again.
            if try notebook.settings.value(Notebook.Sync.Key.head) == nil {
                try notebook.sync.turnOff()
                forgetKey()
            }
            throw error
        }
    }

    /// Synchronises once.
    public func run() throws -> SyncReport {
        guard let url = try url() else { throw SyncError.isOff }
        let lock = try lock(patience: patience)
        defer { withExtendedLifetime(lock) {} }
        return try runLocked(url)
    }

    func repository() throws -> GitRepository { try repository(at: folder, asks: asks) }

    private func repository(at path: String, asks: Bool) throws -> GitRepository {
        var repository = try GitRepository(path: path, asks: asks)
        repository.stop = stop
        return repository
    }

    private func runLocked(_ url: String) throws -> SyncReport {
        let repository = try repository()
        try repository.prepare()
        do {
            return try leavingRoom(in: repository) { try synchronizeWithKey(repository, url) }
        } catch let error as GitError where error.mayComeFromDamage {
            guard try repository.isDamaged() else { throw error }
            // The notebook and the remote have everything that counts, so the repository is made anew from them.
            try PrivateFile.removeAll(FilePath(repository.path))
            try repository.prepare()
            return try synchronizeWithKey(repository, url)
        }
    }

    /// Removes the beginning of what had no room on the disk, since no note could be saved either while it is there.
    private func leavingRoom<Result>(in repository: GitRepository, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch GitError.diskFull(let path) {
            repository.removeLeftovers()
            throw GitError.diskFull(path)
        }
    }

    private func synchronizeWithKey(_ repository: GitRepository, _ url: String) throws -> SyncReport {
        do {
            return try synchronize(repository, url)
        } catch GitError.key(.otherKey) where !distrustsOtherKey, SyncError.key(.otherKey) where !distrustsOtherKey {
            try takeRenewedKey(repository, url)
            return try synchronize(repository, url)
        }
    }

    private func synchronize(_ repository: GitRepository, _ url: String) throws -> SyncReport {
        let commits = try commits(repository, url)
        var synchronizer = Synchronizer(notebook: notebook, store: commits, url: url)
        (synchronizer.choice, synchronizer.takesForeign, synchronizer.name) = (choice, takesForeign, name)
        synchronizer.distrustsOtherKey = distrustsOtherKey
        let tell = tell
        synchronizer.step = { SyncPhase(rawValue: $0).map(tell) }
        let report = try synchronizer.run()
        if report != SyncReport() { repository.tidy() }
        return report
    }

    /// Turns off the synchronisation.
    ///
    /// The notes stay both here and in the remote.
    public func end() throws {
        guard try url() != nil else { throw SyncError.isOff }
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        try notebook.sync.turnOff()
        forgetKey()
        try? PrivateFile.removeAll(FilePath(folder))  // it holds nothing that the remote does not have
    }

    /// Returns the last synchronised commits, newest first, one line each.
    public func log(count: Int) throws -> [String] {
        guard try url() != nil else { throw SyncError.isOff }
        guard let head = try notebook.settings.value(Notebook.Sync.Key.head) else { return [] }
        return try repository().log(head, count: count)
    }

    /// Returns the files and pictures that are too large to be synchronised.
    public func filesLeftBehind() throws -> [Notebook.Sync.FileLeftBehind] {
        try url() == nil ? [] : notebook.sync.filesLeftBehind()
    }

    /// Returns how many notes, pictures and attached files of the repository are kept without being read, since they are
    /// too large or damaged; `unopened` lists them, with all other files that are none of tn's.
    public func unreadCount() throws -> Int {
        try notebook.settings.value(Notebook.Sync.Key.unread).flatMap(Int.init) ?? 0
    }

    /// Returns the paths of files in the repository that are kept without being read, or none if the repository is
    /// locked.
    public func unopened() throws -> [String] {
        guard let url = try url(), let head = try notebook.settings.value(Notebook.Sync.Key.head) else { return [] }
        var silent = self
        silent.passphrases = PassphraseSource()
        do {
            let repository = try repository()
            let commits = try silent.commits(repository, url)
            let tree = try commits.tree(of: head)
            let own = Set(try notebook.sync.files().values.map { TreePath($0.path) })
            let unopened = tree.filter { path, entry in
                !own.contains(path) && TreeLayout.role(of: path, entry) != .list && path != TreeLayout.readme
                    && path != TreeLayout.attributes
            }.keys
            let unauthenticated = try (commits as? SealedCommits)?.unauthenticated(of: head) ?? []
            let unsafe = try repository.unsafePaths(of: head)
            return (unopened + unauthenticated + unsafe).map(\.description).sorted()
        } catch SyncError.key {
            return []
        }
    }
}

extension NotebookSync {
    /// Returns the number of notes and images in the notebook.
    public func count() throws -> (notes: Int, images: Int) { try notebook.sync.counts() }

    /// Returns whether the remote's HEAD names a branch that does not exist, and cannot be set from this machine.
    public func hasStrayHead(_ url: String) throws -> Bool { try repository().settleHead(of: url) }

    /// Creates a bare repository if the URL is the path of a local folder that does not exist yet or is empty.
    public func makeRepository(_ url: String) throws {
        // Git decodes percent signs in such a URL.
        let path = url.hasPrefix("file://") && !url.contains("%") ? String(url.dropFirst("file://".count)) : url
        guard path.hasPrefix("/") else { return }
        // Git says what is wrong with a folder that cannot be listed.
        let isEmpty = PathKind(path) == .folder && (try? PrivateFile.names(in: FilePath(path)).isEmpty) == true
        if isEmpty || PathKind(path) == nil { try repository(at: path, asks: false).prepare() }
    }
}

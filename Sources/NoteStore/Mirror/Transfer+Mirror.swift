import SystemPackage

extension Notebook.Transfer {
    /// Mirrors the notebook in a folder of Markdown: one round.
    ///
    /// Changes of each side since the last round are applied to the other; texts that both changed are merged, and
    /// where that is impossible both are kept. A deletion on one side moves the note to Trash or removes the file, but
    /// only if the other side is unchanged. The first round merges both sides and deletes nothing.
    public func mirror(
        at path: String, _ options: MirrorOptions = MirrorOptions()
    ) throws(MirrorError) -> MirrorReport {
        do {
            let resolved = MirrorFolder.resolved(path)
            let folder = try lockedFolder(resolved, told: path, options)
            // A new folder may have been made behind a link.
            let found = MirrorFolder.resolved(resolved)
            if found != resolved { try refuseOverlap(found, told: path) }
            let identity = folder?.identity
            let known = try MirrorState.folder(at: found, in: notebook)
            guard identity?.isAllowed(by: options.occasion, after: known) ?? true else {
                throw MirrorError.exchanged(path: path)
            }
            let round = try MirrorRound(notebook, folder, found, options)
            if !options.isDry {
                try remember(found)
                if let identity, identity != known { try round.state.setFolder(identity) }
            }
            try round.run()
            return round.report
        } catch let error as MirrorError {
            if case .emptied(_, let count) = error { throw .emptied(path: path, count: count) }
            if case .removesMany(_, let count, let all) = error {
                throw .removesMany(path: path, count: count, all: all)
            }
            throw error
        } catch {
            throw .store((error as? StoreError) ?? .interrupted)
        }
    }

    /// Opens and locks the folder, or makes it, if a round may run there now.
    ///
    /// - Returns: `nil` if the folder does not exist and the round is dry.
    private func lockedFolder(
        _ resolved: String, told path: String, _ options: MirrorOptions
    ) throws -> MirrorFolder? {
        // Each folder of earlier rounds is known by its path without links.
        if options.occasion != .told, resolved != FilePath(path).absolute.string {
            throw MirrorError.exchanged(path: path)
        }
        let isThere = DiskFile.exists(resolved)
        try refuseOverlap(resolved, told: path)
        if !isThere, !options.meansIt, !options.isAnew, try !MirrorState(notebook, path: resolved).notes.isEmpty {
            throw MirrorError.gone(path: path)
        }
        let folder = isThere || !options.isDry ? try MirrorFolder(resolved, isMade: !isThere) : nil
        if let folder, !folder.lock() { throw MirrorError.busy(path: path) }
        if options.occasion != .told, WorkOfGit.isUnderWay(in: FilePath(resolved)) {
            throw MirrorError.gitIsAtWork(path: path)
        }
        return folder
    }

    /// Throws if the folder is inside one in which this notebook is mirrored, or contains one.
    ///
    /// Otherwise each of the two mirrors would treat the other's files as new notes, in every round. Missing folders do
    /// not count.
    private func refuseOverlap(_ resolved: String, told path: String) throws {
        let folder = FilePath(resolved)
        if path.isEmpty || folder.components.isEmpty { throw MirrorError.overlaps(path: path, other: nil) }
        let isOwn = folder.starts(with: "/dev/shm")
        if !isOwn, ["/proc", "/sys", "/dev"].contains(where: { folder.starts(with: FilePath($0)) }) {
            throw MirrorError.system(path: path)
        }
        for other in try mirroredFolders() where other != resolved && DiskFile.exists(other) {
            let known = FilePath(other)
            if folder.starts(with: known) || known.starts(with: folder) {
                throw MirrorError.overlaps(path: path, other: other)
            }
        }
    }

    /// The paths of all folders that the notebook is mirrored in, from the root.
    public func mirroredFolders() throws(StoreError) -> [String] {
        (try notebook.settings.value(Self.mirroredFolders) ?? "").split(separator: "\0").map(String.init)
    }

    /// Ends the mirror of a folder, whose files stay.
    ///
    /// - Returns: false if the folder was not mirrored.
    public func endMirror(at path: String) throws(MirrorError) -> Bool {
        do {
            let known = try mirroredFolders()
            // The path may lead through a link that was put there since.
            let candidates = [MirrorFolder.resolved(path), FilePath(path).absolute.string]
            guard let mirrored = candidates.first(where: known.contains) else { return false }
            // A folder that is gone is locked by nobody.
            let isThere = DiskFile.exists(mirrored) && MirrorFolder.resolved(mirrored) == mirrored
            let folder = isThere ? try MirrorFolder(mirrored, isMade: false) : nil
            if let folder, !folder.lock() { throw MirrorError.busy(path: path) }
            try MirrorState(notebook, path: mirrored).forgetAll()
            try notebook.settings.set(
                Self.mirroredFolders, known.filter { $0 != mirrored }.joined(separator: "\0"))
            return true
        } catch let error as MirrorError {
            throw error
        } catch {
            throw .store((error as? StoreError) ?? .interrupted)
        }
    }

    private func remember(_ folder: String) throws(StoreError) {
        let known = try mirroredFolders()
        if known.contains(folder) { return }
        try notebook.settings.set(Self.mirroredFolders, (known + [folder]).joined(separator: "\0"))
    }

    /// The setting with the paths of these folders, separated by zero bytes.
    private static var mirroredFolders: String { "mirroredFolders" }
}

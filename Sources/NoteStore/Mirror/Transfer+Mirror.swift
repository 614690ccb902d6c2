import SystemPackage

extension Notebook.Transfer {
    /// Makes a folder of Markdown and the notebook the same: one round.
    ///
    /// Changes of both sides since the last round go to the other; texts that both changed are merged, and where that is
    /// impossible both are kept. What is deleted on one side goes to Trash, or its file is removed, only if the other
    /// side is as it was. The first round joins both and deletes nothing.
    public func mirror(
        at path: String, _ options: MirrorOptions = MirrorOptions()
    ) throws(MirrorError) -> MirrorReport {
        do {
            let place = MirrorFolder.resolved(path)
            let isThere = DiskFile.exists(place)
            try refuseOverlap(place, told: path, isDry: options.isDry)
            if !isThere, !options.meansIt, !options.isAnew, try !MirrorState(notebook, path: place).notes.isEmpty {
                throw MirrorError.gone(path: path)
            }
            let folder = isThere || !options.isDry ? try MirrorFolder(place, isMade: !isThere) : nil
            if let folder, !folder.lock() { throw MirrorError.busy(path: path) }
            let round = try MirrorRound(notebook, folder, MirrorFolder.resolved(place), options)
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

    /// Throws if a folder lies in one that this notebook is mirrored in, or around it; else remembers the folder.
    ///
    /// Each of the two would take the files of the other for new notes, in every round.
    private func refuseOverlap(_ place: String, told path: String, isDry: Bool) throws {
        let folder = FilePath(place)
        if path.isEmpty || folder.components.isEmpty { throw MirrorError.overlaps(path: path, other: nil) }
        let stored = try notebook.settings.value(Self.mirroredFolders) ?? ""
        var folders = stored.split(separator: "\0").map(String.init)
        if folders.contains(place) { return }
        for other in folders.map({ FilePath($0) }) where folder.starts(with: other) || other.starts(with: folder) {
            throw MirrorError.overlaps(path: path, other: other.string)
        }
        if isDry { return }
        folders.append(place)
        try notebook.settings.set(Self.mirroredFolders, folders.joined(separator: "\0"))
    }

    /// The setting with the paths of all folders that the notebook was mirrored in, a zero byte between them.
    private static var mirroredFolders: String { "mirroredFolders" }
}

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
}

import NoteStore
import SystemPackage

/// The packing of what synchronisations leave in a repository.
extension GitRepository {
    /// Packs loose objects if they take much room, and small packs if they are many, which keeps the folder small.
    func tidy() {
        let packs = PackFiles(in: path)
        guard packs.areMany || hasMuchLoose(beside: packs) else { return }
        let repack = ["repack", "-d", "-q", "--geometric=2", "--no-write-bitmap-index"]
        // Git before 2.32 knows only the other ways. A failure is retried after the next synchronisation.
        if (try? run(repack))?.isSuccess != true {  // see above
            _ = try? run(packs.areMany ? ["repack", "-a", "-d", "-q"] : ["repack", "-d", "-q"])  // see above
        }
        // Drafts of interrupted synchronisations are in no pack.
        _ = try? run(["prune", "--expire=yesterday"])  // see above
    }

    /// The packs of a repository.
    ///
    /// Each fetch leaves one, since git checks what it receives as a pack. It holds whole listings, of which only a
    /// hundredth is left once they are packed with others.
    private struct PackFiles {
        /// The size of all files beside the packs too, in bytes.
        let size: Int
        let areMany: Bool

        /// The number of packs above which they are packed together: more than are left of ten million objects, since
        /// each pack then has at least twice the objects of the next smaller one.
        private static let maximumCount = 24

        init(in repository: String) {
            let folder = FilePath(repository).appending("objects").appending("pack")
            // A folder that cannot be read has nothing to pack.
            let names = (try? PrivateFile.names(in: folder)) ?? []
            size = names.reduce(0) { $0 + DiskFile.size(of: folder.appending($1).string) }
            areMany = names.count { $0.string.hasSuffix(".pack") } > Self.maximumCount
        }
    }

    /// The limits of what is left loose, chosen by eye: the objects of a hundred synchronisations of a note, and the
    /// listings of fifteen in a folder of 1,000.
    private static let (maximumLooseObjects, maximumLooseBytes) = (500, 500_000)
    /// The bytes of packs that do not count: a small repository is packed sooner, since that takes little time.
    private static let smallPacks = 1_000_000

    /// Returns whether there are many loose objects, or they take much room and half as much as the packs beyond the
    /// first megabyte.
    ///
    /// An edit leaves a new listing of its whole folder. Among packed listings it takes a hundredth of the room.
    private func hasMuchLoose(beside packs: PackFiles) -> Bool {
        let objects = FilePath(path).appending("objects")
        var (count, loose) = (0, 0)
        let folders = (try? PrivateFile.names(in: objects)) ?? []  // without the folder there is nothing to pack
        for folder in folders where folder.string.utf8.count == 2 {
            let names = (try? PrivateFile.names(in: objects.appending(folder))) ?? []  // as above
            count += names.count
            loose += names.reduce(0) { $0 + DiskFile.size(of: objects.appending(folder).appending($1).string) }
        }
        return count > Self.maximumLooseObjects
            || loose > max(Self.maximumLooseBytes, (packs.size - Self.smallPacks) / 2)
    }
}

import NoteStore
import SystemPackage

/// The questions to the disk about paths that the user types or pastes; in tests, a mount that hangs.
struct Disk: Sendable {
    var kind: @Sendable (FilePath) -> PathKind? = { PathKind($0) }
    var entries: @Sendable (String) -> [PathCompletion.Entry] = PathCompletion.entries
}

/// Paths that are typed: the disk is asked in the background, since a mount may hang.
extension TakeNoteVM {
    /// Finds out what a typed path leads to.
    ///
    /// - Parameter completion: gets nil if nothing is there.
    public func findKind(of path: String, completion: @escaping @MainActor @Sendable (PathKind?) -> Void) {
        let disk = disk
        askDisk {
            disk.kind(FilePath(PathCompletion.expanded(path)))
        } then: {
            completion($0)
        }
    }

    /// Reads the entries of a folder for the completion of a path.
    ///
    /// A later call replaces one that has not begun yet, whose completion is then not called.
    public func readEntries(
        of folder: String, completion: @escaping @MainActor @Sendable ([PathCompletion.Entry]) -> Void
    ) {
        let (disk, latest) = (disk, latestEntries)
        let number = latest.next()
        askDisk { () -> [PathCompletion.Entry]? in
            // While the disk hangs, each key may add a question, and only the answer about the last folder is needed.
            latest.is(number) ? disk.entries(folder) : nil
        } then: {
            if let entries = $0 { completion(entries) }
        }
    }

    /// Finds the file or folder that a pasted text is the path of.
    ///
    /// - Parameter completion: gets its path; nil if there is none.
    public func findPath(pasted text: String, completion: @escaping @MainActor @Sendable (String?) -> Void) {
        let disk = disk
        let readings = PathCompletion.readings(ofPasted: text)
        askDisk {
            readings.first { disk.kind(FilePath(PathCompletion.expanded($0))) != nil }
        } then: {
            completion($0)
        }
    }

    /// Asks the disk about paths, on threads of their own, and delivers the answer on the main actor.
    func askDisk<Value: Sendable>(
        _ question: @escaping @Sendable () -> Value, then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        diskThreads.run {
            let value = question()
            scheduler.post { deliver(value) }
        }
    }
}

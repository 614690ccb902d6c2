import ViewModel

/// The questions of a path prompt to the disk; the answers come later, on the main actor.
@MainActor
struct PathDisk {
    /// Reads the entries of a folder.
    var read: (String, _ completion: @escaping @MainActor @Sendable ([PathCompletion.Entry]) -> Void) -> Void
    /// Finds the file or folder that a pasted text is the path of.
    var find: (String, _ completion: @escaping @MainActor @Sendable (String?) -> Void) -> Void
    /// Runs work once an answer takes so long that it has to be said.
    var later: (@escaping @MainActor () -> Void) -> Void
    weak var window: NotebookInterface?
}

extension NotebookInterface {
    /// How long an answer may take before it is said that it is waited for.
    private static let slowAnswer = Duration.milliseconds(300)

    /// The disk of this machine, asked in the background.
    var pathDisk: PathDisk {
        PathDisk(
            read: { [weak self] folder, completion in
                self?.model.readEntries(of: folder) { [weak self] entries in
                    completion(entries)
                    self?.needsFrame = true
                }
            },
            find: { [weak self] text, completion in
                self?.model.findPath(pasted: text) { [weak self] path in
                    completion(path)
                    self?.needsFrame = true
                }
            },
            later: { [weak self] work in
                _ = self?.model.schedule(after: Self.slowAnswer) { [weak self] in
                    work()
                    self?.needsFrame = true
                }
            }, window: self)
    }
}

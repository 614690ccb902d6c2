import SystemPackage

/// The kind of file that a path leads to, through links.
///
/// It asks the disk, which takes as long as a mount whose server is away: not on the main actor where a key may wait.
public enum PathKind: Sendable {
    case file, folder
    /// A pipe, a device, a socket.
    case other

    /// Nil if nothing is there, or if it cannot be seen.
    public init?(_ path: FilePath) {
        guard let status = try? FileStatus(path, followsLinks: true) else { return nil }  // see above
        switch status.kind {
        case .file: self = .file
        case .folder: self = .folder
        case .link, .other: self = .other
        }
    }

    public init?(_ path: String) { self.init(FilePath(path)) }
}

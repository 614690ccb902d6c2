/// The reason why git failed.
public enum GitError: Error, Equatable, Sendable {
    /// The program git is missing or too old.
    case missing
    /// The remote does not answer or does not exist.
    case unreachable(String)
    /// The remote requires authentication or denies access.
    case refused(String)
    /// The push is not a fast-forward, since the remote's branch has moved.
    case moved
    /// A lock at this path keeps the remote's branch from being moved: another machine sends now, or was killed while it
    /// did.
    case locked(String)
    /// The fetched trees have names that git rejects.
    case hostile(String)
    /// The repository is encrypted with another key, or not at all.
    case key(KeyProblem)
    /// There is no room for the repository at this path.
    case diskFull(String)
    /// There is no room on the remote's disk.
    case remoteFull
    /// Git was ended on request, by a signal that this program has got.
    case stopped
    /// Any other error, with git's message.
    case failed(String)
}

extension GitError {
    /// Whether another machine was faster, or may be about to send.
    var isCollision: Bool {
        switch self {
        case .moved, .locked: true
        default: false
        }
    }

    /// Whether the reason may be that files of this machine's repository are damaged, as after a loss of power.
    var mayComeFromDamage: Bool {
        switch self {
        case .failed: true
        // A command that exchanges data with the remote reads the repository too.
        case .unreachable(let words), .refused(let words): Self.damage.contains { words.contains($0) }
        case .missing, .moved, .locked, .hostile, .key, .diskFull, .remoteFull, .stopped: false
        }
    }

    /// Words of git's messages about an object or a pack that it cannot read.
    private static let damage = [
        "object", "corrupt", "unable to read", "inflate", "packfile", "pack-objects", "index-pack", "unpack",
        "bad tree", "bad revision", "bad signature", "invalid sha1", "refs/tn/", "not a git repository", "bad config",
    ]
}

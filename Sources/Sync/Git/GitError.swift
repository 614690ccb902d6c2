/// Why git did not do what it was asked.
public enum GitError: Error, Equatable, Sendable {
    /// There is no program of this name, or it is too old.
    case missing
    /// The other end does not answer, or does not exist.
    case unreachable(String)
    /// The other end wants to know who asks, or does not let us in.
    case refused(String)
    /// Somebody else was faster: the branch has moved.
    case moved
    /// The trees that came have names which git refuses to take in.
    case hostile(String)
    /// The repository is encrypted with another key, or not at all.
    case key(KeyProblem)
    /// Anything else, in git's words.
    case failed(String)
}

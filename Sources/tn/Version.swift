import CCommit

/// The version of the program.
enum Version {
    /// Its number; the scripts of `Resources` read it from this line.
    static let number = "0.2.0"

    /// What `tn --version` prints: the number, and the commit where the build was told it.
    static let text = text(number, commit: String(cString: tn_commit))

    static func text(_ number: String, commit: String) -> String { commit.isEmpty ? number : "\(number) (\(commit))" }
}

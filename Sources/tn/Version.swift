import CProgram

/// The version of the program.
enum Version {
    /// The number of the version; the scripts of `Resources` read it from this line.
    static let number = "0.2.0"

    /// The output of `tn --version`: the number, and the commit if the build got one.
    static let text = text(number, commit: String(cString: tn_commit))

    static func text(_ number: String, commit: String) -> String { commit.isEmpty ? number : "\(number) (\(commit))" }
}
